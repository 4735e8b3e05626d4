import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  InvalidCursor,
  type LocationStore,
  LocationStoreUnavailable,
} from '#platform/location-store/location-store.js';
import { getUserLocations } from '#schemas/http/locations.js';
import type { UserId } from '#schemas/units.js';
import { noSuchUser, privateHeaders } from '../http/private-answers.js';
import * as messages from './messages.js';

const pageLimit = 100;

/**
 * A user's own locations. A foreign id and an unknown id get the same answer, without a read of the store.
 */
export function locationHistory(store: LocationStore, nowMs: () => number): Route {
  return route(getUserLocations, async ({ params, query, identity }) => {
    if (params.id !== identity.userId) return noSuchUser();
    const request = {
      fromMs: query.from ?? 0,
      // Phone clocks may be a minute fast; their newest points belong to the history.
      toMs: query.to ?? nowMs() + 3_600_000,
      limit: query.limit ?? pageLimit,
      ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    };
    if (request.fromMs > request.toMs) {
      const errors = [{ pointer: '/query/from', message: messages.fromAfterTo }];
      return problem(problems.invalid, undefined, { errors });
    }
    try {
      const page = await store.read(identity.userId as UserId, request);
      return {
        status: 200,
        headers: privateHeaders,
        body: { locations: page.locations, next_cursor: page.nextCursor ?? null },
      };
    } catch (error) {
      if (error instanceof InvalidCursor) {
        const errors = [{ pointer: '/query/cursor', message: error.message }];
        return problem(problems.invalid, undefined, { errors });
      }
      if (error instanceof LocationStoreUnavailable)
        return problem(problems.unavailable, messages.storeUnavailable, { retryAfterS: 2 });
      throw error;
    }
  });
}
