import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { avoidMask, edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import type { UsedEnd } from '#routing-engine/route/find-near.js';
import type {
  FoundRoute,
  FoundStep,
  RouteTask,
  RouteTaskOutcome,
  TaskEnd,
} from '#routing-engine/tasks/route-task.js';
import type { LatLng } from '#schemas/units.js';
import type {
  PlaceOnRoad,
  Plan,
  PlannedRoute,
  PlannedStep,
  Planner,
  PlanRequest,
  SnappedPlace,
} from '../ports/planner.js';
import type { LiveMetric } from './engine-traffic.js';
import { googleManeuver } from './google-maneuver.js';
import * as messages from './messages.js';
import type { ModeMetrics } from './mode-metrics.js';
import { navigationTiles } from './navigation-tiles.js';

const snapMetresMax = 1_000;
/** Current traffic is not used for departures later than this. */
const liveAheadMs = 30 * 60_000;

export interface EnginePlannerOptions {
  readonly network: RoadNetwork;
  /** Threads of `routing-engine/tasks/route-worker`. */
  readonly pool: WorkerPool;
  readonly driving: () => LiveMetric;
  readonly others: ModeMetrics;
  /** Unix milliseconds. */
  readonly nowMs?: () => number;
}

/**
 * Plans in worker threads. Each query carries its metric, so an answer uses one version from start to end.
 */
export function enginePlanner({
  network,
  pool,
  driving,
  others,
  nowMs = Date.now,
}: EnginePlannerOptions): Planner {
  const metricFor = ({ mode, departureMs }: PlanRequest): LiveMetric => {
    const now = nowMs();
    const atMs = departureMs ?? now;
    const isLater = atMs > now + liveAheadMs;
    if (mode === 'driving' && !isLater) {
      const { metric, publishedMs } = driving();
      return { metric: others.at(metric, atMs), publishedMs };
    }
    const metric = isLater ? others.freeFlow(mode, atMs) : others.open(mode, atMs);
    return { metric, publishedMs: undefined };
  };
  return {
    async plan(request, options = {}) {
      const { metric, publishedMs } = metricFor(request);
      const ask = (onRoad: boolean): Promise<RouteTaskOutcome> =>
        pool.run<RouteTask, RouteTaskOutcome>('default', taskOf(request, metric, network, onRoad), options);
      let outcome = await ask(true);
      // The place's road may be a dead end; a search from its coordinate finds others.
      if (outcome.status === 'no-route' && hasRoad(request)) outcome = await ask(false);
      return planOf(outcome, request, network, publishedMs);
    },
  };
}

const hasRoad = ({ originOnRoad, destinationOnRoad }: PlanRequest): boolean =>
  originOnRoad !== undefined || destinationOnRoad !== undefined;

const taskOf = (request: PlanRequest, metric: Metric, network: RoadNetwork, onRoad: boolean): RouteTask => {
  const end = (point: LatLng, place: PlaceOnRoad | undefined): TaskEnd =>
    // The place's own road may be one to avoid; then the search chooses the road.
    place === undefined || !onRoad || request.avoid.length > 0 || place.tilesetId !== network.tilesetId
      ? { point }
      : { edge: place.edge, fraction: place.fraction, beside: point, eitherWay: { side: place.side } };
  const heading = request.originHeadingDeg;
  return {
    metric,
    from:
      heading === undefined
        ? end(request.origin, request.originOnRoad)
        : { point: request.origin, headingDeg: heading },
    to: end(request.destination, request.destinationOnRoad),
    avoid: avoidMask(request.avoid),
    alternatives: request.alternatives,
    snapMaxMeters: snapMetresMax,
    ...(request.language === undefined ? {} : { language: request.language }),
  };
};

function planOf(
  outcome: RouteTaskOutcome,
  request: PlanRequest,
  network: RoadNetwork,
  metricPublishedMs: number | undefined,
): Plan {
  const version = { metricVersion: outcome.metricVersion, tilesetId: network.tilesetId, metricPublishedMs };
  switch (outcome.status) {
    case 'no-snap': {
      const reason = messages.noRoadNear(request.mode, outcome.missing, snapMetresMax);
      return { kind: 'not-found', missing: outcome.missing, reason, ...version };
    }
    case 'no-route':
      return {
        kind: 'no-route',
        origin: snapped(outcome.origin, network),
        destination: snapped(outcome.destination, network),
        reason: outcome.reason === 'avoided' ? messages.noRouteAvoids(request.avoid) : messages.noRoute,
        ...version,
      };
    case 'ok':
      return {
        kind: 'routes',
        origin: snapped(outcome.origin, network),
        destination: snapped(outcome.destination, network),
        routes: outcome.routes.map((found) => plannedRoute(found, outcome.warnings, network)),
        ...version,
      };
  }
}

const snapped = ({ point, distanceM, edge, fraction }: UsedEnd, network: RoadNetwork): SnappedPlace => ({
  at: point,
  distanceM,
  edgeId: network.edgeId(edge),
  fraction,
});

function plannedRoute(
  { path, steps, ...found }: FoundRoute,
  warnings: readonly string[],
  network: RoadNetwork,
): PlannedRoute {
  return {
    edgeCount: path.edges.length,
    edgeIds: () => Array.from(path.edges, (edge) => network.edgeId(edge)),
    distanceM: path.lengthM,
    durationS: path.durationMs / 1_000,
    freeFlowS: found.freeFlowMs / 1_000,
    ...metresOfKinds(network, path.edges),
    liveEdges: found.liveEdges,
    polyline: found.polyline,
    summary: found.summary,
    steps: steps.map((step, at) => plannedStep(step, steps[at + 1] ?? step, network)),
    warnings: [
      ...warnings,
      ...(path.closedAtStart ? [messages.closedAtOrigin] : []),
      ...(path.closedAtDestination ? [messages.closedAtDestination] : []),
    ],
    tiles: navigationTiles(network, path.edges[0]!, path.edges.at(-1)!),
  };
}

/** Metres of a route by kind of road. */
function metresOfKinds(
  network: RoadNetwork,
  edges: Uint32Array,
): Pick<PlannedRoute, 'tollM' | 'motorwayM' | 'ferryM'> {
  let tollM = 0;
  let motorwayM = 0;
  let ferryM = 0;
  for (const edge of edges) {
    const flags = network.edgeFlags(edge);
    if ((flags & (edgeFlag.toll | edgeFlag.motorway | edgeFlag.ferry)) === 0) continue;
    const metres = network.edgeLengthM(edge);
    if ((flags & edgeFlag.toll) !== 0) tollM += metres;
    if ((flags & edgeFlag.motorway) !== 0) motorwayM += metres;
    if ((flags & edgeFlag.ferry) !== 0) ferryM += metres;
  }
  return { tollM, motorwayM, ferryM };
}

/** A step ends where the next begins. */
function plannedStep(step: FoundStep, next: FoundStep, network: RoadNetwork): PlannedStep {
  const maneuver = googleManeuver(step.maneuver, network.meta.drivingSide);
  const { type, modifier, exit, bearingBefore, bearingAfter } = step.maneuver;
  return {
    turn: {
      type,
      ...(modifier === undefined ? {} : { modifier }),
      ...(exit === undefined ? {} : { exit }),
      bearingBefore,
      bearingAfter,
    },
    name: step.name,
    ref: step.ref,
    travelMode: step.mode,
    text: step.instruction,
    html: step.htmlInstruction,
    isArrival: step.maneuver.type === 'arrive',
    ...(maneuver === undefined ? {} : { maneuver }),
    ...(step.lanes === undefined ? {} : { lanes: step.lanes }),
    distanceM: step.distanceM,
    durationS: step.durationS,
    start: step.maneuver.location,
    end: next.maneuver.location,
    polyline: step.polyline,
  };
}
