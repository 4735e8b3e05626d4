import polyline from '@mapbox/polyline';
import { avoidMask } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { isMotorized } from '#routing-engine/network/travel-mode.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import type { AskedStop } from '#routing-engine/snap/stop-places.js';
import type { StopsOutcome, StopsTask } from '#routing-engine/tasks/stops-task.js';
import type { LatLng } from '#schemas/units.js';
import type {
  PlaceOnRoad,
  Plan,
  PlanEnd,
  PlannedLeg,
  PlannedRoute,
  PlanRequest,
  SnappedPlace,
} from '../ports/planner.js';
import * as messages from './messages.js';
import { plannedRoute } from './planned-route.js';

/** The task for a request with waypoints. */
export function stopsTask(
  { origin, originOnRoad, destination, destinationOnRoad, waypoints = [], ...request }: PlanRequest,
  metric: Metric,
  network: RoadNetwork,
  maxMeters: number,
): StopsTask {
  const stop = (point: LatLng, place: PlaceOnRoad | undefined): AskedStop => ({
    ...{ point, maxMeters },
    ...(place?.tilesetId === network.tilesetId ? { hint: network.edgeId(place.edge) } : {}),
  });
  return {
    metric,
    stops: [
      stop(origin, originOnRoad),
      ...waypoints.map(({ at, onRoad }) => stop(at, onRoad)),
      stop(destination, destinationOnRoad),
    ],
    legEnds: [...waypoints.flatMap(({ isVia }, at) => (isVia ? [] : [at + 1])), waypoints.length + 1],
    avoid: avoidMask(request.avoid, request.mode),
    stopsOnFerries: true,
    optimize: request.optimize === true,
    // A driver goes on from a stop unless nothing else leads on; others turn where that is quicker.
    ...(isMotorized(metric.mode) ? {} : { goOn: false }),
    ...(request.language === undefined ? {} : { language: request.language }),
  };
}

export function planOfStops(
  outcome: StopsOutcome,
  request: PlanRequest,
  network: RoadNetwork,
  metricPublishedMs: number | undefined,
  maxMeters: number,
): Plan {
  const version = { metricVersion: outcome.metricVersion, tilesetId: network.tilesetId, metricPublishedMs };
  const { waypoints = [], mode, avoid } = request;
  const nameOf = (stop: number): PlanEnd =>
    stop === 0 ? 'origin' : stop > waypoints.length ? 'destination' : stop - 1;
  switch (outcome.status) {
    case 'no-snap': {
      const missing = nameOf(outcome.stop);
      const place = placeName(outcome.stop, waypoints.length + 2);
      return { kind: 'not-found', missing, reason: messages.noRoadNear(mode, place, maxMeters), ...version };
    }
    case 'no-route': {
      const { stop } = outcome;
      const unreachable =
        stop === undefined ? messages.noRoute : messages.noRouteFrom(placeName(stop, waypoints.length + 2));
      const reason = outcome.reason === 'avoided' ? messages.noRouteAvoids(avoid) : unreachable;
      return { kind: 'no-route', reason, ...version };
    }
    case 'ok': {
      const places = outcome.stops.map(
        ({ point, distanceM, edgeId, fraction }): SnappedPlace => ({
          at: point,
          distanceM,
          edgeId,
          fraction,
        }),
      );
      return {
        kind: 'routes',
        origin: places[0]!,
        destination: places.at(-1)!,
        waypoints: places.slice(1, -1),
        routes: [routeOfLegs(outcome, places, request, network)],
        ...version,
      };
    }
  }
}

type Found = Extract<StopsOutcome, { readonly status: 'ok' }>;

function routeOfLegs(
  { legs, order, stops }: Found,
  places: readonly SnappedPlace[],
  { waypoints = [], mode }: PlanRequest,
  network: RoadNetwork,
): PlannedRoute {
  /** Places at which legs begin and end. */
  const ends = order.filter((stop) => waypoints[stop - 1]?.isVia !== true);
  const planned = legs.map(
    ({ route, passed }, leg): PlannedLeg => ({
      route: plannedRoute(route, [], network, mode),
      from: places[ends[leg]!]!,
      to: places[ends[leg + 1]!]!,
      passed: passed.map(({ point, metres }) => ({ at: point, metres })),
    }),
  );
  const routes = planned.map(({ route }) => route);
  const sum = (of: (route: PlannedRoute) => number): number =>
    routes.reduce((all, each) => all + of(each), 0);
  const moved = stops.flatMap(({ isMoved, distanceM }, stop) =>
    isMoved ? [messages.movedStop(placeName(stop, stops.length), Math.round(distanceM))] : [],
  );
  return {
    edgeCount: sum(({ edgeCount }) => edgeCount),
    edgeIds: () => routes.flatMap(({ edgeIds }) => edgeIds()),
    distanceM: sum(({ distanceM }) => distanceM),
    durationS: sum(({ durationS }) => durationS),
    freeFlowS: sum(({ freeFlowS }) => freeFlowS),
    tollM: sum(({ tollM }) => tollM),
    motorwayM: sum(({ motorwayM }) => motorwayM),
    ferryM: sum(({ ferryM }) => ferryM),
    liveEdges: sum(({ liveEdges }) => liveEdges),
    polyline: joinedLines(routes),
    summary: [...new Set(routes.map(({ summary }) => summary).filter((text) => text !== ''))].join(', '),
    steps: routes.flatMap(({ steps }) => steps),
    legs: planned,
    waypointOrder: ends.slice(1, -1).map((stop) => stop - 1),
    warnings: [...moved, ...new Set(routes.flatMap(({ warnings }) => warnings))],
    tiles: [...new Set(routes.flatMap(({ tiles }) => tiles))],
  };
}

/** Each leg begins where the one before it ends, which is written once. */
const joinedLines = (routes: readonly PlannedRoute[]): string =>
  polyline.encode(routes.flatMap((route, leg) => polyline.decode(route.polyline).slice(leg === 0 ? 0 : 1)));

const placeName = (stop: number, count: number): string =>
  stop === 0 ? 'the origin' : stop === count - 1 ? 'the destination' : messages.waypoint(stop - 1);
