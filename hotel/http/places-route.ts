import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import { getHotelPlaces } from '#schemas/http/hotel-places.js';
import { findPlaces } from '../hotels/find-places.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';

const limitDefault = 50;

/** Browsers and shared caches store the positions of hotels. */
const kept = { 'cache-control': 'public, max-age=10, s-maxage=60' } as const;

export interface PlacesRouteDeps {
  readonly sql: Sql;
  /** All databases of hotels, when there are several. */
  readonly everywhere?: readonly Sql[];
}

export const placesRoute = ({ sql, everywhere = [sql] }: PlacesRouteDeps): Route =>
  route(getHotelPlaces, ({ query: { name, lat, lng, limit = limitDefault } }) => {
    if ((lat === undefined) !== (lng === undefined))
      return problem(problems.invalid, messages.badQuery, {
        errors: [
          { pointer: `/query/${lat === undefined ? 'lat' : 'lng'}`, message: messages.otherCoordinate },
        ],
      });
    return catchUnavailable(async () => {
      const found = await findPlaces(everywhere, {
        ...(name === undefined ? {} : { name }),
        ...(lat === undefined || lng === undefined ? {} : { near: { lat, lng } }),
        // One more row than requested shows whether there are more.
        limit: limit + 1,
      });
      const body = { hotels: found.slice(0, limit), more: found.length > limit };
      return { status: 200, headers: kept, body };
    });
  });
