import type { HttpAnswer, Route } from '#platform/http/http-types.js';
import { route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import * as contracts from '#schemas/http/hotel-staff.js';
import type { Hotels } from '../hotels/hotels.js';
import { dayAtHotel } from '../rates/ari-version.js';
import { NoPriceLeft } from '../rates/rate-plans.js';
import { type ReceiptState, receiptsOf } from '../receipts/receipt-jobs.js';
import { sequenceOfBookingNumber } from '../reservations/booking-number.js';
import type { Reservation } from '../reservations/reservation.js';
import type { Reservations } from '../reservations/reservations.js';
import { nightsBetween } from '../reservations/stay-days.js';
import { audited } from '../staff/audited.js';
import { type RefundsAlone, requestRefund } from '../staff/request-refund.js';
import { calendarOf, historyOf, searchHotels, searchReservations } from '../staff/search.js';
import { rateFaults, setRates } from '../staff/set-rates.js';
import { staffActions } from '../staff/staff-actions.js';
import { catchUnavailable } from './catch-unavailable.js';
import { hotelProblems } from './hotel-problems.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';
import { noPriceLeft } from './rate-plan-routes.js';
import { changeAnswer, noReservation } from './reservation-routes.js';
import { reservationView, roomNumbersOf } from './reservation-view.js';

export interface StaffRouteDeps {
  readonly sql: Sql;
  /** All databases of hotels, when there are several. */
  readonly everywhere?: readonly Sql[];
  readonly hotels: Hotels;
  readonly reservations: Reservations;
  readonly now: () => Date;
  /** Above it a second person must agree. */
  readonly refundsAlone: RefundsAlone;
}

const pageDefault = 50;
const calendarDaysMax = 366;
const staff = { staff: true } as const;

/** The hotel management service: served on the internal listener alone. Every change is in the audit list. */
export function staffRoutes(deps: StaffRouteDeps): readonly Route[] {
  const { sql, everywhere = [sql], hotels, reservations, now, refundsAlone: alone } = deps;
  return [
    route(contracts.searchReservations, ({ query, identity: { properties } }) => {
      const { hotelID, userID, bookingNumber, status, on, refundDue, cursor, limit = pageDefault } = query;
      if (hotelID === undefined && userID === undefined && bookingNumber === undefined)
        return wrong('/query/hotelID', messages.hotelOrUser);
      const sequence = bookingNumber === undefined ? undefined : sequenceOfBookingNumber(bookingNumber);
      if (bookingNumber !== undefined && sequence === undefined)
        return wrong('/query/bookingNumber', messages.badBookingNumber);
      return catchUnavailable(async () => {
        const found = await searchReservations(everywhere, {
          ...(hotelID === undefined ? {} : { hotelId: hotelID }),
          ...(userID === undefined ? {} : { userId: userID }),
          ...(sequence === undefined ? {} : { sequence }),
          ...(status === undefined ? {} : { status }),
          ...(on === undefined ? {} : { on }),
          ...(refundDue === undefined ? {} : { refundDue }),
          ...(cursor === undefined ? {} : { before: BigInt(cursor) }),
          properties,
          limit: limit + 1,
        });
        return page(found, limit, 'reservations', staffView, ({ sequence }) => String(sequence));
      });
    }),
    route(contracts.getStaffReservation, ({ params }) =>
      catchUnavailable(async () => {
        const found = await reservations.get(params.id, staff);
        if (found === undefined) return noReservation();
        const reservation = reservationView(found, await roomNumbersOf(sql, found.reservationId));
        const history = await historyOf(sql, found.reservationId);
        const receipts = (await receiptsOf(sql, found.reservationId)).map(receiptView);
        return { status: 200, body: { userID: found.userId, reservation, history, receipts } };
      }),
    ),
    route(contracts.searchHotels, ({ query, identity: { properties } }) =>
      catchUnavailable(async () => {
        const { name, cursor, limit = pageDefault } = query;
        const found = await searchHotels(everywhere, {
          ...(name === undefined ? {} : { name }),
          ...(cursor === undefined ? {} : { after: cursor }),
          properties,
          limit: limit + 1,
        });
        return page(
          found,
          limit,
          'hotels',
          (hotel) => hotel,
          ({ hotelID }) => hotelID,
        );
      }),
    ),
    route(contracts.getHotelCalendar, ({ params, query }) => {
      const days = nightsBetween(query.from, query.to);
      if (days < 1 || days > calendarDaysMax)
        return wrong('/query/to', messages.badRange(calendarDaysMax - 1));
      return catchUnavailable(async () => {
        const hotel = await hotels.get(params.id);
        if (hotel === undefined) return noHotel();
        return { status: 200, body: { days: await calendarOf(sql, hotel, query) } };
      });
    }),
    route(contracts.putHotelRates, ({ params, body, identity }) =>
      catchUnavailable(async () => {
        const hotel = await hotels.get(params.id);
        if (hotel === undefined) return noHotel();
        const { reason, ...rates } = body;
        const errors = rateFaults(rates, hotel);
        if (errors.length > 0) return problem(problems.invalid, messages.badFields, { errors });
        const action = { action: 'set-rates', subject: params.id, reason, detail: rates } as const;
        const today = await dayAtHotel(sql, params.id, now());
        const outcome = await audited(sql, now(), { ...action, staffId: identity.userId }, async () => {
          try {
            await sql.transaction((tx) => setRates(tx, hotel, rates, today));
          } catch (error) {
            if (error instanceof NoPriceLeft) return error.outcome;
            throw error;
          }
          return { kind: 'changed' } as const;
        });
        return outcome.kind === 'changed' ? { status: 204 } : noPriceLeft(outcome);
      }),
    ),
    route(contracts.postStaffCancellation, ({ params, body: { reason }, identity }) =>
      catchUnavailable(async () => {
        const action = { action: 'cancel', subject: params.id, reason, staffId: identity.userId } as const;
        return changeAnswer(await audited(sql, now(), action, () => reservations.cancel(params.id, staff)));
      }),
    ),
    route(contracts.postStaffPaymentCancellation, ({ params, body: { reason }, identity }) =>
      catchUnavailable(async () => {
        const action = {
          action: 'cancel-payment',
          subject: params.id,
          reason,
          staffId: identity.userId,
        } as const;
        const found = await reservations.get(params.id, staff);
        const reject = () => reservations.rejectPayment(params.id, found?.supplement?.id);
        return changeAnswer(await audited(sql, now(), action, reject));
      }),
    ),
    route(contracts.postStaffRefund, ({ params, body: { reason, refundDue }, identity }) =>
      catchUnavailable(async () => {
        const action = {
          action: 'refund',
          subject: params.id,
          reason,
          staffId: identity.userId,
          detail: { refundDue },
        } as const;
        const refund = { reservationId: params.id, refundDue, staffId: identity.userId, alone };
        const outcome = await audited(sql, now(), action, async () => {
          await reservations.hearMoney(params.id);
          return sql.transaction((tx) => requestRefund(tx, now(), refund));
        });
        if (outcome.kind === 'wrong-amount') return wrong('/refundDue', messages.badRefund);
        if (outcome.kind === 'needs-second')
          return problem(hotelProblems.needsSecond, messages.paymentOf(outcome.reservation.paymentId));
        return changeAnswer(outcome);
      }),
    ),
    route(contracts.listStaffActions, ({ query, identity: { properties } }) =>
      catchUnavailable(async () => {
        const { subject, cursor, limit = pageDefault } = query;
        const found = await staffActions(everywhere, {
          ...(subject === undefined ? {} : { subject }),
          ...(cursor === undefined ? {} : { before: BigInt(cursor) }),
          properties,
          limit: limit + 1,
        });
        return page(
          found,
          limit,
          'actions',
          (action) => action,
          ({ actionID }) => actionID,
        );
      }),
    ),
  ];
}

const staffView = (found: Reservation) => ({ userID: found.userId, reservation: reservationView(found) });

const wrong = (pointer: string, message: string) =>
  problem(problems.invalid, undefined, { errors: [{ pointer, message }] });

/** `found` holds one more than `limit` when there is more. */
function page<Found>(
  found: readonly Found[],
  limit: number,
  name: string,
  view: (one: Found) => object,
  cursorOf: (one: Found) => string,
): HttpAnswer {
  const shown = found.slice(0, limit);
  const more = found.length > limit ? { nextCursor: cursorOf(shown.at(-1)!) } : {};
  return { status: 200, body: { [name]: shown.map(view), ...more } };
}

const receiptView = ({ state, attempts, failure, sentAt }: ReceiptState) => ({
  state,
  attempts,
  ...(failure === null ? {} : { failure }),
  ...(sentAt === null ? {} : { sentAt: sentAt.toISOString() }),
});
