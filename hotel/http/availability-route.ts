import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import { getAvailability } from '#schemas/http/hotel-availability.js';
import { readAvailability } from '../availability-cache/availability.js';
import type { AvailabilityCache } from '../availability-cache/availability-cache.js';
import type { Hotel } from '../hotels/hotel.js';
import type { Hotels } from '../hotels/hotels.js';
import { moneyText } from '../hotels/money-text.js';
import { nightPrices } from '../rates/night-prices.js';
import { readTaxes } from '../taxes/hotel-taxes.js';
import { stayPrice, taxLines } from '../taxes/tax-lines.js';
import { catchUnavailable } from './catch-unavailable.js';
import { datesProblem } from './failed-dates.js';
import { hotelProblems } from './hotel-problems.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';
import { rangeFaults } from './parse-reservation.js';
import { sumOf } from './reservation-view.js';
import { taxLineView } from './tax-views.js';

export interface AvailabilityRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly cache: AvailabilityCache;
}

export function availabilityRoute(deps: AvailabilityRouteDeps): Route {
  return route(getAvailability, ({ params, query }) => {
    const faults = rangeFaults(query.startDate, query.endDate);
    if (faults.length > 0) {
      const errors = faults.map(({ pointer, message }) => ({ pointer: `/query${pointer}`, message }));
      return problem(problems.invalid, messages.badQuery, { errors });
    }
    return catchUnavailable(async () => {
      const { id: hotelID, roomTypeId } = params;
      const hotel = await deps.hotels.get(hotelID);
      if (hotel === undefined) return noHotel();
      if (!hotel.roomTypes.some((type) => type.roomTypeId === roomTypeId))
        return problem(problems.notFound, messages.noRoomType);
      const outcome = await readAvailability(deps, hotelID, roomTypeId, query);
      if (outcome.kind === 'not-bookable') return datesProblem(hotelProblems.notBookable, outcome.dates);
      const dates = outcome.nights.map(({ date }) => date);
      const prices =
        query.prices === false
          ? new Map<string, bigint>()
          : await nightPrices(deps.sql, hotelID, roomTypeId, dates);
      const stay = dates.every((date) => prices.has(date))
        ? await quote(
            deps.sql,
            hotel,
            dates.map((date) => prices.get(date)!),
            query,
          )
        : undefined;
      return {
        status: 200,
        headers: { 'cache-control': 'public, max-age=1' },
        body: {
          hotelID,
          roomTypeID: roomTypeId,
          currency: hotel.currency,
          source: outcome.source,
          nights: outcome.nights.map(({ date, rooms }) => {
            const minor = prices.get(date);
            return {
              date,
              rooms,
              ...(minor === undefined ? {} : { price: moneyText(minor, hotel.currency) }),
            };
          }),
          ...(stay === undefined ? {} : { stay }),
        },
      };
    });
  });
}

/** Of the prices that were just read: what a reservation costs, as `reserve` computes it. */
async function quote(
  sql: Sql,
  hotel: Hotel,
  nightPricesMinor: readonly bigint[],
  query: { readonly startDate: string; readonly roomCount?: number; readonly guests?: number },
) {
  const { startDate, roomCount = 1, guests = null } = query;
  const { rules: taxRules } = await readTaxes(sql, hotel.hotelId);
  const stay = { startDate, roomCount, guests, nightPricesMinor, taxRules };
  const taxes = taxLines(stay);
  const total = stayPrice(stay);
  return {
    total: moneyText(total, hotel.currency),
    net: moneyText(total - sumOf(taxes), hotel.currency),
    taxes: taxes.map((line) => taxLineView(line, hotel.currency)),
  };
}
