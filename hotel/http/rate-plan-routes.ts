import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { type FieldError, problem, problems } from '#platform/http/problem.js';
import type { Sql, SqlTransaction } from '#platform/sql/sql.js';
import type { AuditedOutcome } from '#schemas/hotel-actions.js';
import * as contracts from '#schemas/http/hotel-rate-plans.js';
import type { Hotel } from '../hotels/hotel.js';
import type { Hotels } from '../hotels/hotels.js';
import { signedMinorOf } from '../hotels/signed-money.js';
import { hotelLimits } from '../limits.js';
import { setAdultPrices } from '../rates/adult-prices.js';
import { dayAtHotel } from '../rates/ari-version.js';
import { deleteRatePlan, NoPriceLeft, putRatePlan, ratePlansOf } from '../rates/rate-plans.js';
import { offersFor } from '../selling/offers.js';
import { audited, type StaffAction } from '../staff/audited.js';
import { readTaxes } from '../taxes/hotel-taxes.js';
import { catchUnavailable } from './catch-unavailable.js';
import { datesProblem } from './failed-dates.js';
import { hotelProblems } from './hotel-problems.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';
import { rangeFaults } from './parse-reservation.js';
import { offerView, planFaults, planFrom, ratePlanView } from './rate-plan-view.js';
import { stayQuote } from './stay-quote.js';

export interface RatePlanRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly now: () => Date;
  /** There is a mail server for receipts. */
  readonly mailsReceipts: boolean;
}

/** Rate plans for staff, and what a stay costs under each of them for everybody. */
export function ratePlanRoutes(deps: RatePlanRouteDeps): readonly Route[] {
  const { sql, now } = deps;
  /** A change in the audit list, in one transaction; `NoPriceLeft` rolls it back. */
  const changing = async <Outcome extends { readonly kind: AuditedOutcome }>(
    action: StaffAction,
    work: (tx: SqlTransaction, today: string) => Promise<Outcome>,
  ): Promise<Outcome | NoPriceLeft['outcome']> =>
    audited(sql, now(), action, async () => {
      const today = await dayAtHotel(sql, action.subject, now());
      try {
        return await sql.transaction((tx) => work(tx, today), { attempts: hotelLimits.attemptsMax });
      } catch (error) {
        if (error instanceof NoPriceLeft) return error.outcome;
        throw error;
      }
    });
  return [
    route(contracts.listOffers, ({ params, query }) => {
      const faults = rangeFaults(query.startDate, query.endDate);
      if (faults.length > 0)
        return wrong(
          faults.map(({ pointer, message }) => ({ pointer: `/query${pointer}`, message })),
          messages.badQuery,
        );
      return ofRoomType(deps, params, async (hotel) => {
        const type = hotel.roomTypes.find(({ roomTypeId }) => roomTypeId === params.roomTypeId)!;
        const offers = await offersFor(sql, hotel.hotelId, type, query);
        const { currency } = hotel;
        const taxes = await readTaxes(sql, hotel.hotelId);
        return {
          status: 200,
          headers: { 'cache-control': 'public, max-age=1' },
          body: {
            currency,
            receiptByEmail: deps.mailsReceipts,
            offers: offers.map((offer) => {
              const nightPricesMinor = offer.nights.flatMap(({ priceMinor }) => priceMinor ?? []);
              const isPriced = nightPricesMinor.length === offer.nights.length;
              return {
                ...offerView(offer, currency),
                ...(isPriced && { stay: stayQuote(taxes, currency, { ...query, nightPricesMinor }) }),
              };
            }),
          },
        };
      });
    }),
    route(contracts.listRatePlans, ({ params }) =>
      ofRoomType(deps, params, async ({ hotelId, currency }) => {
        const plans = await ratePlansOf(sql, hotelId, params.roomTypeId);
        return { status: 200, body: { ratePlans: plans.map((plan) => ratePlanView(plan, currency)) } };
      }),
    ),
    route(contracts.putRatePlan, ({ params, body, identity }) =>
      ofRoomType(deps, params, async ({ hotelId, currency }) => {
        const errors = planFaults(body, currency);
        if (errors.length > 0) return wrong(errors);
        const plan = planFrom(params.ratePlanId, body, currency);
        const { reason, ...detail } = body;
        const action = {
          action: 'set-rate-plan',
          subject: hotelId,
          reason,
          staffId: identity.userId,
        } as const;
        const outcome = await changing({ ...action, detail: { ...params, ...detail } }, (tx, today) =>
          putRatePlan(tx, hotelId, params.roomTypeId, plan, today),
        );
        switch (outcome.kind) {
          case 'saved':
            return { status: 200, body: ratePlanView(plan, currency) };
          case 'unknown-base':
            return problem(hotelProblems.unknownBase);
          case 'circle':
            return problem(hotelProblems.planCircle);
          case 'too-many':
            return problem(hotelProblems.tooManyPlans);
          case 'no-price-left':
            return noPriceLeft(outcome);
        }
      }),
    ),
    route(contracts.deleteRatePlan, ({ params, identity }) =>
      ofRoomType(deps, params, async ({ hotelId }) => {
        const action = { action: 'delete-rate-plan', subject: hotelId, staffId: identity.userId } as const;
        const outcome = await changing(
          { ...action, reason: messages.ratesOffice, detail: params },
          (tx, today) => deleteRatePlan(tx, hotelId, params.roomTypeId, params.ratePlanId, today),
        );
        if (outcome.kind === 'in-use') return problem(hotelProblems.planInUse);
        return outcome.kind === 'deleted' ? { status: 204 } : problem(problems.notFound, messages.noRatePlan);
      }),
    ),
    route(contracts.putAdultPrices, ({ params, body: { reason, prices }, identity }) =>
      ofRoomType(deps, params, async ({ hotelId, currency }) => {
        const errors = prices.flatMap(({ adults, amount = '0' }, index): readonly FieldError[] => [
          ...(signedMinorOf(amount, currency) === undefined
            ? [{ pointer: `/prices/${index}/amount`, message: messages.badAmount(currency) }]
            : []),
          ...(prices.findIndex((other) => other.adults === adults) < index
            ? [{ pointer: `/prices/${index}/adults`, message: messages.duplicate }]
            : []),
        ]);
        if (errors.length > 0) return wrong(errors);
        const set = prices.map(({ adults, percent = 100, amount = '0' }) => ({
          ...{ adults, percent, amountMinor: signedMinorOf(amount, currency)! },
        }));
        const action = {
          action: 'set-adult-prices',
          subject: hotelId,
          reason,
          staffId: identity.userId,
        } as const;
        await changing({ ...action, detail: { ...params, prices } }, async (tx, today) => {
          await setAdultPrices(tx, hotelId, params.roomTypeId, set, today);
          return { kind: 'changed' };
        });
        return { status: 204 };
      }),
    ),
  ];
}

const wrong = (errors: readonly FieldError[], detail = messages.badFields) =>
  problem(problems.invalid, detail, { errors });

export const noPriceLeft = ({ planId, night }: NoPriceLeft['outcome']) => {
  const answer = datesProblem(hotelProblems.noPriceLeft, [night]);
  return { ...answer, problem: { ...answer.problem!, detail: messages.noPriceLeft(planId, night) } };
};

function ofRoomType(
  { hotels }: RatePlanRouteDeps,
  params: { readonly id: string; readonly roomTypeId: string },
  work: (hotel: Hotel) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  return catchUnavailable(async () => {
    const hotel = await hotels.get(params.id);
    if (hotel === undefined) return noHotel();
    return hotel.roomTypes.some(({ roomTypeId }) => roomTypeId === params.roomTypeId)
      ? work(hotel)
      : problem(problems.notFound, messages.noRoomType);
  });
}
