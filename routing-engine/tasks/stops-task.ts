import type { LatLng } from '#schemas/units.js';
import type { RoadNetwork } from '../network/road-network.js';
import { type FoundStop, foundStop } from '../snap/found-stop.js';
import type { Snap } from '../snap/snap.js';
import { visitOrder } from '../trip/visit-order.js';
import { type AskedPlaces, connectedPlaces, nearestPlacesOf } from './asked-places.js';
import { placesMatrix } from './places-matrix.js';
import { describeRoute, type FoundRoute } from './route-task.js';
import { findThrough, legsOf } from './through-task.js';

/** A query for a route with stops on the way, for a routing worker. Structured-cloneable, as `RouteTask`. */
export interface StopsTask extends AskedPlaces {
  /** Stops at which a leg ends, in order; the route passes the others without a stop. */
  readonly legEnds: readonly number[];
  /** See `ThroughTask`. */
  readonly goOn?: boolean;
  /** The stops between the first and the last are visited in the best order; each ends a leg. */
  readonly optimize: boolean;
  /** A language code: steps are made. Absent: none. */
  readonly language?: string;
}

export interface StopsLeg {
  readonly route: FoundRoute;
  /** Places that are passed without a stop, with the metres to them from the start of the leg. */
  readonly passed: readonly { readonly point: LatLng; readonly metres: number }[];
}

export type StopsOutcome = { readonly metricVersion: number } & (
  | {
      readonly status: 'ok';
      /** Numbers of stops in the order of the route. */
      readonly order: readonly number[];
      /** In the order of the query. */
      readonly stops: readonly (FoundStop & { readonly fraction: number })[];
      readonly legs: readonly StopsLeg[];
    }
  /** `stop`: of the query; the route does not lead on from it. Undefined: no order is possible. */
  | { readonly status: 'no-route'; readonly reason: 'unreachable' | 'avoided'; readonly stop?: number }
  | { readonly status: 'no-snap'; readonly stop: number }
);

/** Snaps, orders, searches, and describes. */
export function answerStopsTask(network: RoadNetwork, task: StopsTask): StopsOutcome {
  const metricVersion = task.metric.version;
  const order = task.optimize ? bestOrder(network, task) : [...task.stops.keys()];
  if (order === undefined) return { status: 'no-route', metricVersion, reason: 'unreachable' };
  const stops = order.map((stop) => task.stops[stop]);
  const found = findThrough(network, { ...task, stops, alternatives: 0 });
  if (found.status === 'no-snap') return { status: 'no-snap', metricVersion, stop: order[found.stop] };
  if (found.status === 'no-route') {
    const { reason, leg } = found;
    return { status: 'no-route', metricVersion, reason, stop: order[leg] };
  }
  const { passed, isMoved, routes } = found;
  const [paths] = routes;
  const legs = legsOf(task, paths, passed).map(({ path, goal }, leg): StopsLeg => {
    const first = leg === 0 ? 0 : task.legEnds[leg - 1];
    let metres = 0;
    const between = paths.slice(first, task.legEnds[leg] - 1).map(({ lengthM }, at) => {
      metres += lengthM;
      return { point: passed[first + at + 1].point, metres };
    });
    return { route: describeRoute(network, task, path, [goal]), passed: between };
  });
  return {
    ...{ status: 'ok', metricVersion, order, legs },
    stops: order
      .map((stop, at) => ({
        stop,
        found: { ...foundStop(network, passed[at], isMoved[at]), fraction: passed[at].fraction },
      }))
      .sort((a, b) => a.stop - b.stop)
      .map((each) => each.found),
  };
}

/** By the times between the places; undefined if none has a route. */
function bestOrder(network: RoadNetwork, task: StopsTask): number[] | undefined {
  const all = [...task.stops.keys()];
  const nearest = nearestPlacesOf(network, task);
  if (nearest.some((places) => places.length === 0)) return all;
  const timesOf = (places: readonly (readonly Snap[])[]): Float64Array =>
    placesMatrix(network, task, { from: places, to: places }, { sources: all, destinations: all }).ms;
  const best = (ms: Float64Array): number[] | undefined =>
    visitOrder(all.length, ms, { roundtrip: false, fromFirst: true, toLast: true });
  return (
    best(timesOf(nearest)) ??
    best(timesOf(nearest.map((each, at) => connectedPlaces(network, task, each, at))))
  );
}
