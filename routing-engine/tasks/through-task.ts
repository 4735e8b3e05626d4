import type { RoadNetwork } from '../network/road-network.js';
import { alternativesThrough } from '../route/alternatives-through.js';
import { findAlternatives } from '../route/find-alternatives.js';
import type { RouteOutcome, RoutePath } from '../route/find-route.js';
import { findRouteThrough, type StopTurns } from '../route/find-route-through.js';
import { trimEnds } from '../route/trim-ends.js';
import { type FoundStop, foundStop } from '../snap/found-stop.js';
import type { Snap } from '../snap/snap.js';
import { type AskedStop, arrivals } from '../snap/stop-places.js';
import { type AskedPlaces, nearestPlacesOf } from './asked-places.js';
import { describeLegs, type FoundThrough, type LegDetails } from './found-through.js';
import { movedStops } from './moved-stops.js';

/** A query for a route through places, for a routing worker. Structured-cloneable, as `RouteTask`. */
export interface ThroughTask extends AskedPlaces, LegDetails {
  /** Start, waypoints and destination, in order: 2 to `limits.stopsMax`. */
  readonly stops: readonly AskedStop[];
  /**
   * Stops at which a leg ends, in order; the last is among them. The route passes the others without a stop.
   */
  readonly legEnds: readonly number[];
  /** Routes beside the best one, at most. Through more than two stops, they differ between two of them. */
  readonly alternatives: number;
  /**
   * Where a leg ends: continue without turning round, or turn where that is quicker. Absent: turn only where
   * no route exists without, as seldom as possible.
   */
  readonly goOn?: boolean;
}

export type ThroughOutcome = { readonly metricVersion: number } & (
  | {
      readonly status: 'ok';
      readonly stops: readonly FoundStop[];
      readonly drivingSide: 'left' | 'right';
      /** Best first, never empty. */
      readonly routes: readonly FoundThrough[];
    }
  | { readonly status: 'no-route'; readonly reason: 'unreachable' | 'avoided'; readonly leg: number }
  | { readonly status: 'no-snap'; readonly stop: number }
);

/** Snaps, searches, and describes a route through places. */
export function answerThroughTask(network: RoadNetwork, task: ThroughTask): ThroughOutcome {
  const metricVersion = task.metric.version;
  const found = findThrough(network, task);
  if (found.status !== 'ok') return { ...found, metricVersion };
  const { passed, isMoved, routes } = found;
  return {
    status: 'ok',
    metricVersion,
    stops: passed.map((place, at) => foundStop(network, place, isMoved[at])),
    drivingSide: network.meta.drivingSide,
    routes: routes.map((paths) => describeLegs(network, task, legsOf(task, paths, passed))),
  };
}

export type FoundPaths =
  | {
      readonly status: 'ok';
      /** By stop, where the best route passes. */
      readonly passed: readonly Snap[];
      readonly isMoved: readonly boolean[];
      /** Each route as its paths from stop to stop, best first, never empty. */
      readonly routes: readonly (readonly RoutePath[])[];
    }
  | { readonly status: 'no-route'; readonly reason: 'unreachable' | 'avoided'; readonly leg: number }
  | { readonly status: 'no-snap'; readonly stop: number };

/** Snaps and searches. */
export function findThrough(network: RoadNetwork, task: Omit<ThroughTask, keyof LegDetails>): FoundPaths {
  const nearest: readonly (readonly Snap[])[] = nearestPlacesOf(network, task);
  const missing = nearest.findIndex((places) => places.length === 0);
  if (missing >= 0) return { status: 'no-snap', stop: missing };
  let places = nearest;
  let found = search(network, task, places);
  const mayMove = found.status !== 'ok' && found.reason !== 'avoided';
  for (const moved of mayMove ? movedStops(network, task, nearest) : []) {
    places = moved;
    found = search(network, task, places);
    if (found.status === 'ok') break;
  }
  if (found.status !== 'ok') {
    const reason = found.reason === 'avoided' ? 'avoided' : 'unreachable';
    return { status: 'no-route', reason, leg: found.leg };
  }
  const best = found.routes[0];
  return {
    status: 'ok',
    passed: places.map((each, at) => {
      const { edges } = best[Math.max(0, at - 1)];
      const edge = network.arrays.copyOf[at === 0 ? edges[0] : edges[edges.length - 1]];
      return each.find((place) => place.edge === edge) ?? each[0];
    }),
    isMoved: places.map((each, at) => each !== nearest[at]),
    routes: found.routes.map((paths) => trimmed(network, task, paths)),
  };
}

type Found =
  /** Each route as its paths from stop to stop. */
  | { readonly status: 'ok'; readonly routes: readonly (readonly RoutePath[])[] }
  | (Extract<RouteOutcome, { status: 'no-route' }> & { readonly leg: number });

function search(
  network: RoadNetwork,
  task: Omit<ThroughTask, keyof LegDetails>,
  places: readonly (readonly Snap[])[],
): Found {
  const { metric, avoid, legEnds, goOn } = task;
  if (places.length === 2) {
    const [from, to] = places;
    const found = findAlternatives(network, metric, { from, to, avoid }, { count: 1 + task.alternatives });
    if (found.status !== 'ok') return { ...found, leg: 0 };
    return { status: 'ok', routes: found.paths.map((path) => [path]) };
  }
  const last = places.length - 1;
  const stops = places.map((each, at) => (at === 0 || at === last ? each : arrivals(network, each)));
  const turning = (when: StopTurns['when']) => ({
    turns: { at: new Set(legEnds), leaving: places, when },
  });
  const through = findRouteThrough(network, metric, {
    stops,
    avoid,
    ...(goOn === false ? turning('quicker') : {}),
  });
  const ends = { from: places[0], to: places[last] };
  const withOthers = (paths: readonly RoutePath[]): Found => ({
    status: 'ok',
    routes: [paths, ...alternativesThrough(network, metric, { paths, ...ends, avoid }, task.alternatives)],
  });
  if (through.status === 'ok') return withOthers(through.legs);
  if (goOn !== undefined) return through;
  const turned = findRouteThrough(network, metric, { stops, avoid, ...turning('needed') });
  return turned.status === 'ok' ? withOthers(turned.legs) : turned;
}

/** A heading selects the road of the traveller, although nothing of it is travelled. */
const trimmed = (network: RoadNetwork, { metric, stops }: AskedPlaces, paths: readonly RoutePath[]) =>
  paths.map((path, at) =>
    trimEnds(network, metric, path, {
      start: (at === 0 || !goesOn(network, paths[at - 1], path)) && stops[at].heading === undefined,
      goal: at === paths.length - 1 && stops[at + 1].heading === undefined,
    }),
  );

/** The path begins on the edge that the one before it ended on: the vehicle did not turn round. */
const goesOn = ({ arrays: { copyOf } }: RoadNetwork, before: RoutePath, path: RoutePath): boolean =>
  copyOf[before.edges[before.edges.length - 1]] === copyOf[path.edges[0]];

/** Paths between stops without a halt are one path: the route goes straight through them. */
export function legsOf(
  { legEnds }: Pick<ThroughTask, 'legEnds'>,
  paths: readonly RoutePath[],
  passed: readonly Snap[],
): { readonly path: RoutePath; readonly goal: Snap }[] {
  let begin = 0;
  return legEnds.map((end) => {
    const path = paths.slice(begin, end).reduce(joined);
    begin = end;
    return { path, goal: passed[end] };
  });
}

/** Two paths of which the second begins where the first ended, on the same edge. */
const joined = (before: RoutePath, after: RoutePath): RoutePath => ({
  ...after,
  edges: Uint32Array.of(...before.edges, ...after.edges.subarray(1)),
  fromFraction: before.fromFraction,
  durationMs: before.durationMs + after.durationMs,
  lengthM: before.lengthM + after.lengthM,
  closedAtStart: before.closedAtStart,
});
