import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import type { Sql } from '#platform/sql/sql.js';
import * as contracts from '#schemas/http/hotel-stay-changes.js';
import type { UserId } from '#schemas/units.js';
import { minorOf } from '../hotels/money-text.js';
import type { ExpectedStay } from '../reservations/expected-stay.js';
import type { Actor, Reservations, StayChange } from '../reservations/reservations.js';
import { audited } from '../staff/audited.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { rangeFaults } from './parse-reservation.js';
import { changeAnswer, noReservation, wrongFields } from './reservation-routes.js';

export interface StayChangeRouteDeps {
  readonly sql: Sql;
  readonly reservations: Reservations;
  readonly now: () => Date;
  /** Calls that reserve, change or cancel, of one user in a minute. */
  readonly bookingsPerUserMax: number;
}

const staff = { staff: true } as const;
const customer = ({ userId }: { readonly userId: string }): Actor => ({ userId: userId as UserId });

/** Changes of a stay and what they cost, for guests and for the desk. */
export function stayChangeRoutes(deps: StayChangeRouteDeps): readonly Route[] {
  const { sql, reservations, now, bookingsPerUserMax } = deps;
  const booking = { rate: { name: 'bookings', limit: bookingsPerUserMax, windowS: 60 } };
  const quote = (id: string, actor: Actor, change: StayChange) =>
    catchUnavailable(async () => changeAnswer(await reservations.quoteChange(id, actor, change)));

  /** Reads the agreed amount in the currency of the reservation. */
  const agreed = async (
    id: string,
    actor: Actor,
    body: contracts.StayChangeBody,
    change: (change: StayChange) => Promise<HttpAnswer>,
  ): Promise<HttpAnswer> => {
    const wanted = stayChangeOf(body);
    if (body.difference === undefined) return change(wanted);
    const found = await reservations.get(id, actor);
    if (found === undefined) return noReservation();
    const differenceMinor = minorOf(body.difference, found.currency);
    return differenceMinor === undefined
      ? wrongFields([{ pointer: '/difference', message: messages.positiveDecimal(found.currency) }])
      : change({ ...wanted, differenceMinor });
  };
  const changeFor = (id: string, actor: Actor, body: contracts.StayChangeBody) =>
    catchUnavailable(() =>
      agreed(id, actor, body, async (change) =>
        changeAnswer(await reservations.changeStay(id, actor, change)),
      ),
    );

  return [
    route(
      contracts.putReservationDates,
      ({ params, body, identity }) => {
        const errors = rangeFaults(body.startDate, body.endDate);
        return errors.length > 0 ? wrongFields(errors) : changeFor(params.id, customer(identity), body);
      },
      booking,
    ),
    route(
      contracts.putReservationStay,
      ({ params, body, identity }) => changeFor(params.id, customer(identity), body),
      booking,
    ),
    route(
      contracts.postStayQuote,
      ({ params, body, identity }) => quote(params.id, customer(identity), stayChangeOf(body)),
      booking,
    ),
    route(
      contracts.deleteSupplement,
      ({ params, identity }) =>
        catchUnavailable(async () => {
          const found = await reservations.get(params.id, customer(identity));
          if (found === undefined) return noReservation();
          if (found.supplement === null) return changeAnswer({ kind: 'unchanged', reservation: found });
          return changeAnswer(await reservations.rejectPayment(found.reservationId, found.supplement.id));
        }),
      booking,
    ),
    route(contracts.postStaffStayQuote, ({ params, body }) => quote(params.id, staff, stayChangeOf(body))),
    route(contracts.putStaffStay, ({ params, body: { reason = messages.frontDesk, ...body }, identity }) =>
      catchUnavailable(() =>
        agreed(params.id, staff, body, async (change) => {
          const staffId = identity.userId;
          const entry = { action: 'change-stay', subject: params.id, reason, staffId, detail: body } as const;
          const work = () => reservations.changeStay(params.id, staff, change);
          return changeAnswer(await audited(sql, now(), entry, work));
        }),
      ),
    ),
  ];
}

export const expectedOf = (expected: contracts.ExpectedStay | undefined): ExpectedStay | undefined =>
  expected && {
    roomTypeId: expected.roomTypeID,
    startDate: expected.startDate,
    endDate: expected.endDate,
    roomCount: Number(expected.roomCount),
    roomIds: expected.roomIDs,
  };

/** What is absent in the body stays. */
const stayChangeOf = (body: contracts.StayChangeBody): StayChange => ({
  expected: expectedOf(body.expected),
  startDate: body.startDate,
  endDate: body.endDate,
  roomTypeId: body.roomTypeID,
  roomCount: body.roomCount === undefined ? undefined : Number(body.roomCount),
  ratePlanId: body.ratePlanID,
});
