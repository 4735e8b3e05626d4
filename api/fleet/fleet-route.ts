import { type Route, route } from '#platform/http/http-types.js';
import { getFleet } from '#schemas/http/map.js';
import { driversShownDefault } from '../http/limits.js';
import { privateHeaders } from '../http/private-answers.js';
import type { FleetStore } from './fleet-store.js';

/** Where the drivers are: for operators only, and never cached. */
export const fleetRoute = (
  fleet: FleetStore,
  isNavigating: (userId: string) => boolean,
  nowMs: () => number,
): Route =>
  route(getFleet, ({ query }) => ({
    status: 200,
    headers: privateHeaders,
    body: {
      at: nowMs(),
      drivers: fleet
        .latest(query.limit ?? driversShownDefault)
        .map((position) => ({ ...position, navigating: isNavigating(position.id) })),
    },
  }));
