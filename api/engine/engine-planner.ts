import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { avoidMask } from '#routing-engine/edge-flags.js';
import type { RouteStep } from '#routing-engine/guide.js';
import { freeFlowMetric, type Metric } from '#routing-engine/metric.js';
import { encodePolyline } from '#routing-engine/polyline.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import type { FoundRoute, RouteTask, RouteTaskOutcome } from '#routing-engine/route-task.js';
import type { Snap } from '#routing-engine/snap.js';
import type { Plan, PlannedRoute, PlannedStep, Planner, PlanRequest, SnappedPlace } from '../nav/planner.js';
import type { LiveMetric } from './engine-traffic.js';
import { googleManeuver } from './google-maneuver.js';
import { navigationTiles } from './navigation-tiles.js';

const snapMetresMax = 1_000;

export interface EnginePlannerOptions {
  readonly network: RoadNetwork;
  /** Threads of `routing-engine/route-worker`. */
  readonly pool: WorkerPool;
  readonly driving: () => LiveMetric;
}

/** Plans in worker threads. Each question takes the metric along, so an answer is of one version from start to end. */
export function enginePlanner({ network, pool, driving }: EnginePlannerOptions): Planner {
  // Nobody reports how fast people walk and cycle, so their metrics never change.
  const still = {
    walking: { metric: freeFlowMetric(network, 'walking'), publishedMs: undefined },
    bicycling: { metric: freeFlowMetric(network, 'bicycling'), publishedMs: undefined },
  };
  return {
    async plan(request, options = {}) {
      const { metric, publishedMs } = request.mode === 'driving' ? driving() : still[request.mode];
      const outcome = await pool.run<RouteTask, RouteTaskOutcome>(
        'default',
        taskOf(request, metric),
        options,
      );
      return planOf(outcome, request, network, publishedMs);
    },
  };
}

const taskOf = (request: PlanRequest, metric: Metric): RouteTask => ({
  metric,
  from: {
    point: request.origin,
    ...(request.originHeadingDeg === undefined ? {} : { headingDeg: request.originHeadingDeg }),
  },
  to: { point: request.destination },
  avoid: avoidMask(request.avoid),
  alternatives: request.alternatives,
  snapMaxMeters: snapMetresMax,
  ...(request.language === undefined ? {} : { language: request.language }),
});

function planOf(
  outcome: RouteTaskOutcome,
  request: PlanRequest,
  network: RoadNetwork,
  metricPublishedMs: number | undefined,
): Plan {
  const version = { metricVersion: outcome.metricVersion, tilesetId: network.tilesetId, metricPublishedMs };
  switch (outcome.status) {
    case 'no-snap': {
      const reason = `No road for ${request.mode} within ${snapMetresMax} m of the ${outcome.missing}.`;
      return { kind: 'not-found', missing: outcome.missing, reason, ...version };
    }
    case 'no-route':
      return {
        kind: 'no-way',
        origin: snapped(outcome.origin, network),
        destination: snapped(outcome.destination, network),
        reason:
          outcome.reason === 'avoided'
            ? `There is a way, but none without ${request.avoid.join(' or ')}.`
            : 'No way leads from the origin to the destination now.',
        ...version,
      };
    case 'ok':
      return {
        kind: 'routes',
        origin: snapped(outcome.origin, network),
        destination: snapped(outcome.destination, network),
        routes: outcome.routes.map((found) => plannedRoute(found, network)),
        ...version,
      };
  }
}

const snapped = ({ point, edge, fraction }: Snap, network: RoadNetwork): SnappedPlace => ({
  at: point,
  edgeId: network.edgeId(edge),
  fraction,
});

function plannedRoute({ path, lngLat, steps, ...found }: FoundRoute, network: RoadNetwork): PlannedRoute {
  return {
    edgeIds: found.edgeIds,
    distanceM: path.lengthM,
    durationS: path.durationMs / 1_000,
    freeFlowS: found.freeFlowMs / 1_000,
    liveEdges: found.liveEdges,
    polyline: encodePolyline(lngLat),
    summary: found.summary,
    steps: steps.map((step) => plannedStep(step, lngLat, network)),
    warnings: [
      ...(path.closedAtStart ? ['The road at the origin is closed at the moment.'] : []),
      ...(path.closedAtDestination ? ['The road at the destination is closed at the moment.'] : []),
    ],
    tiles: navigationTiles(network, path.edges[0]!, path.edges.at(-1)!),
  };
}

function plannedStep(step: RouteStep, lngLat: Float64Array, network: RoadNetwork): PlannedStep {
  const points = lngLat.subarray(2 * step.geometryFrom, 2 * step.geometryTo + 2);
  const maneuver = googleManeuver(step.maneuver, network.meta.drivingSide);
  return {
    html: step.htmlInstruction,
    isArrival: step.maneuver.type === 'arrive',
    ...(maneuver === undefined ? {} : { maneuver }),
    distanceM: step.distanceM,
    durationS: step.durationS,
    start: { lng: points[0]!, lat: points[1]! },
    end: { lng: points.at(-2)!, lat: points.at(-1)! },
    polyline: encodePolyline(points),
  };
}
