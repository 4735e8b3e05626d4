import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { avoidMask } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import type { RouteTask, RouteTaskOutcome, TaskEnd } from '#routing-engine/tasks/route-task.js';
import type { StopsOutcome, StopsTask } from '#routing-engine/tasks/stops-task.js';
import type { LatLng } from '#schemas/units.js';
import type { PlaceOnRoad, Plan, Planner, PlanRequest } from '../ports/planner.js';
import type { LiveMetric } from './engine-traffic.js';
import { limitedMetric } from './limited-metrics.js';
import * as messages from './messages.js';
import { type MetricSources, metricAt } from './metric-at.js';
import { plannedRoute, snapped } from './planned-route.js';
import { planOfStops, stopsTask } from './stops-plan.js';

const snapMetresMax = 1_000;
export interface EnginePlannerOptions extends MetricSources {
  readonly network: RoadNetwork;
  /** Threads of `routing-engine/tasks/route-worker`. */
  readonly pool: WorkerPool;
}

/**
 * Plans in worker threads. Each query carries its metric, so an answer uses one version from start to end.
 */
export function enginePlanner({ network, pool, ...sources }: EnginePlannerOptions): Planner {
  const planWith = async (
    request: PlanRequest,
    { metric: usual, publishedMs }: LiveMetric,
    options: { readonly signal?: AbortSignal },
  ): Promise<Plan> => {
    const { topSpeedKph } = request;
    const metric = topSpeedKph === undefined ? usual : await limitedMetric(pool, usual, topSpeedKph);
    if (request.waypoints !== undefined) {
      const task = stopsTask(request, metric, network, snapMetresMax);
      const outcome = await pool.run<StopsTask, StopsOutcome>('stops', task, options);
      return planOfStops(outcome, request, network, publishedMs, snapMetresMax);
    }
    const ask = (onRoad: boolean): Promise<RouteTaskOutcome> =>
      pool.run<RouteTask, RouteTaskOutcome>('default', taskOf(request, metric, network, onRoad), options);
    let outcome = await ask(true);
    // The place's road may be a dead end; a search from its coordinate finds others.
    if (outcome.status === 'no-route' && hasRoad(request)) outcome = await ask(false);
    return planOf(outcome, request, network, publishedMs);
  };
  return {
    async plan(request, options = {}) {
      const { arriveByMs } = request;
      if (arriveByMs === undefined) return planWith(request, metricAt(sources, request), options);
      // Live traffic counts if the trip must begin before it is outdated.
      const later = metricAt(sources, { ...request, departureMs: arriveByMs });
      const plan = await planWith(request, later, options);
      if (plan.kind !== 'routes') return plan;
      const departureMs = arriveByMs - 1_000 * Math.min(...plan.routes.map(({ durationS }) => durationS));
      const metric = metricAt(sources, { ...request, departureMs });
      return metric.metric.weightsMs === later.metric.weightsMs ? plan : planWith(request, metric, options);
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
    avoid: avoidMask(request.avoid, request.mode),
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
      const reason = messages.noRoadNear(request.mode, `the ${outcome.missing}`, snapMetresMax);
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
        routes: outcome.routes.map((found) => plannedRoute(found, outcome.warnings, network, request.mode)),
        ...version,
      };
  }
}
