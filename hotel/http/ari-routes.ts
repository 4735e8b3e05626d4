import { type Route, route } from '#platform/http/http-types.js';
import { type FieldError, problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import { type AriUpdateView, updateHotelAri } from '#schemas/http/hotel-ari.js';
import type { Hotel } from '../hotels/hotel.js';
import type { Hotels } from '../hotels/hotels.js';
import { minorOf } from '../hotels/money-text.js';
import { hotelLimits } from '../limits.js';
import { dayAtHotel } from '../rates/ari-version.js';
import { nightsBetween } from '../reservations/stay-days.js';
import { type AriUpdate, ariLimits } from '../selling/ari-update.js';
import { AriRefused, updateAri } from '../selling/update-ari.js';
import { audited } from '../staff/audited.js';
import { catchUnavailable } from './catch-unavailable.js';
import { datesProblem } from './failed-dates.js';
import { hotelProblems } from './hotel-problems.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';
import { noPriceLeft } from './rate-plan-routes.js';

export interface AriRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly now: () => Date;
}

/** Availability, rates and restrictions in bulk. */
export const ariRoutes = ({ sql, hotels, now }: AriRouteDeps): readonly Route[] => [
  route(updateHotelAri, ({ params, body: { reason, updates }, identity }) =>
    catchUnavailable(async () => {
      const hotel = await hotels.get(params.id);
      if (hotel === undefined) return noHotel();
      const errors = updates.flatMap((update, index) => faultsOf(update, hotel, `/updates/${index}`));
      if (errors.length === 0 && cellsOf(updates) > ariLimits.cellsMax)
        errors.push({ pointer: '/updates', message: messages.tooManyCells(ariLimits.cellsMax) });
      if (errors.length > 0)
        return problem(problems.invalid, messages.badFields, { errors: errors.slice(0, errorsShown) });
      const action = { action: 'update-ari', subject: params.id, reason, staffId: identity.userId } as const;
      const outcome = await audited(sql, now(), { ...action, detail: { updates } }, async () => {
        const today = await dayAtHotel(sql, params.id, now());
        const given = updates.map((update) => updateFrom(update, hotel.currency));
        try {
          const { attemptsMax: attempts } = hotelLimits;
          const { statementTimeoutMs } = ariLimits;
          return await sql.transaction((tx) => updateAri(tx, params.id, given, today), {
            attempts,
            statementTimeoutMs,
          });
        } catch (error) {
          if (error instanceof AriRefused) return error.outcome;
          throw error;
        }
      });
      switch (outcome.kind) {
        case 'applied':
          return { status: 204 };
        case 'not-bookable':
          return datesProblem(hotelProblems.notBookable, outcome.dates);
        case 'unknown-plan':
          return problem(hotelProblems.unknownPlan);
        case 'stay-bounds':
          return problem(hotelProblems.stayBounds);
        case 'no-price-left':
          return noPriceLeft(outcome);
      }
    }),
  ),
];

/** At most as many as a person reads. */
const errorsShown = 20;
/** So that the price of the longest stay is an exact JSON number. */
const priceMinorEnd = 1_000_000_000_000n;

function faultsOf(update: AriUpdateView, hotel: Hotel, pointer: string): FieldError[] {
  const { roomTypeIDs, from, to, price, minStay, maxStay, ratePlanID } = update;
  const faults: FieldError[] = [];
  const fault = (field: string, message: string) => faults.push({ pointer: `${pointer}/${field}`, message });
  const types = new Set(hotel.roomTypes.map(({ roomTypeId }) => roomTypeId));
  for (const [index, type] of roomTypeIDs.entries())
    if (!types.has(type)) fault(`roomTypeIDs/${index}`, messages.unknownRoomType);
  const days = nightsBetween(from, to);
  if (days < 1 || days > ariLimits.daysMax) fault('to', messages.badRange(ariLimits.daysMax - 1));
  const minor = price === undefined ? undefined : minorOf(price, hotel.currency);
  if (price !== undefined && (minor === undefined || minor >= priceMinorEnd))
    fault('price', messages.badPrice(hotel.currency));
  if (minStay !== undefined && typeof maxStay === 'number' && minStay > maxStay)
    fault('minStay', messages.minAboveMax);
  if (ratePlanID !== undefined)
    for (const field of ['overbookingPercent', 'sellLimit'] as const)
      if (update[field] !== undefined) fault(field, messages.notOfPlans);
  if (Object.keys(update).length === (ratePlanID === undefined ? 3 : 4)) fault('', messages.nothingSet);
  return faults;
}

const cellsOf = (updates: readonly AriUpdateView[]): number =>
  updates.reduce((sum, { roomTypeIDs, from, to }) => sum + roomTypeIDs.length * nightsBetween(from, to), 0);

const updateFrom = (update: AriUpdateView, currency: string): AriUpdate => ({
  ...update,
  roomTypeIds: update.roomTypeIDs,
  ratePlanId: update.ratePlanID,
  priceMinor: update.price === undefined ? undefined : minorOf(update.price, currency),
});
