import type { RoadNetwork } from '../network/road-network.js';
import { findRoute, type RoutePath } from '../route/find-route.js';
import { trimEnds } from '../route/trim-ends.js';
import { type FoundStop, foundStop } from '../snap/found-stop.js';
import { placeOnEdge } from '../snap/nearest-places.js';
import type { Snap } from '../snap/snap.js';
import { type VisitRules, visitOrder } from '../trip/visit-order.js';
import { type AskedPlaces, connectedPlaces, nearestPlacesOf } from './asked-places.js';
import { describeLegs, type FoundThrough, type LegDetails } from './found-through.js';
import { placesMatrix } from './places-matrix.js';

/** A query for a trip through places in the best order, for a routing worker. Structured-cloneable. */
export interface TripTask extends AskedPlaces, LegDetails, VisitRules {}

export type TripOutcome = { readonly metricVersion: number } & (
  | {
      readonly status: 'ok';
      readonly drivingSide: 'left' | 'right';
      /** In the order of the query. */
      readonly stops: readonly FoundStop[];
      /** Numbers of stops in the order of the trip. */
      readonly order: readonly number[];
      readonly trip: FoundThrough;
    }
  | { readonly status: 'no-trip' }
  | { readonly status: 'no-snap'; readonly stop: number }
);

/** Snaps, orders by travel times, and describes the trip. Its driver may turn round at every stop. */
export function answerTripTask(network: RoadNetwork, task: TripTask): TripOutcome {
  const { metric } = task;
  const metricVersion = metric.version;
  const nearest = nearestPlacesOf(network, task);
  const missing = nearest.findIndex((places) => places.length === 0);
  if (missing >= 0) return { status: 'no-snap', metricVersion, stop: missing };
  let places: readonly (readonly Snap[])[] = nearest;
  let ms = timesOf(network, task, places);
  if (ms.includes(Number.POSITIVE_INFINITY)) {
    places = nearest.map((each, stop) => connectedPlaces(network, task, each, stop));
    ms = timesOf(network, task, places);
  }
  const order = visitOrder(places.length, ms, task);
  if (order === undefined) return { status: 'no-trip', metricVersion };
  const visited = task.roundtrip ? [...order, order[0]] : order;
  const paths = visited.slice(1).map((to, at) => pathBetween(network, task, places, visited[at], to));
  const edges = new Map<number, number>();
  for (const [at, { edges: driven }] of paths.entries()) {
    if (at === 0) edges.set(visited[0], driven[0]);
    edges.set(visited[at + 1], driven[driven.length - 1]);
  }
  const passed = places.map((each, stop) => placeOnEdge(network, each, edges.get(stop)!));
  return {
    ...{ status: 'ok', metricVersion, order },
    drivingSide: network.meta.drivingSide,
    stops: passed.map((place, stop) => foundStop(network, place, places[stop] !== nearest[stop])),
    trip: describeLegs(
      network,
      task,
      paths.map((path, at) => ({ path, goal: passed[visited[at + 1]] })),
    ),
  };
}

function timesOf(network: RoadNetwork, task: TripTask, places: readonly (readonly Snap[])[]): Float64Array {
  const all = [...places.keys()];
  return placesMatrix(network, task, { from: places, to: places }, { sources: all, destinations: all }).ms;
}

/** A leg of the chosen order, for which there is a route. */
function pathBetween(
  network: RoadNetwork,
  { metric, avoid, stops }: TripTask,
  places: readonly (readonly Snap[])[],
  from: number,
  to: number,
): RoutePath {
  const found = findRoute(network, metric, { from: places[from], to: places[to], avoid });
  if (found.status !== 'ok') throw new Error(`the matrix has a route from ${from} to ${to}, the search none`);
  return trimEnds(network, metric, found.path, {
    start: stops[from].heading === undefined,
    goal: stops[to].heading === undefined,
  });
}
