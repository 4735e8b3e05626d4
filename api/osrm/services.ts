import type { Route } from '#platform/http/http-types.js';
import type { Releases } from '../release/served-release.js';
import { matchService } from './match-service.js';
import { nearestService } from './nearest-service.js';
import { routeService } from './route-service.js';
import { tableService } from './table-service.js';
import { tileService } from './tile-service.js';
import { tripService } from './trip-service.js';

/** The services of OSRM's HTTP API, for its clients. */
export const osrmServices = (
  releases: Releases,
  languages: readonly string[],
  nowMs: () => number,
): Route[] => [
  ...matchService(releases, languages),
  ...nearestService(releases),
  ...routeService(releases, languages),
  ...tableService(releases, nowMs),
  ...(releases.current.graphTiles === undefined ? [] : [tileService(releases)]),
  ...tripService(releases, languages),
];
