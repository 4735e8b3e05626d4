import { type Avoidable, avoidable, avoidMask } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { CLOSED, type Metric } from '#routing-engine/overlay/metric.js';
import type { FoundRoute, RouteTask, RouteTaskOutcome } from '#routing-engine/tasks/route-task.js';
import type { RouteChanged } from '#schemas/messages.js';
import { projectOnEdge } from '../project-on-edge.js';
import type { ActiveNavigation } from './active-navigations.js';
import { decideReroute } from './decide-reroute.js';
import * as say from './messages.js';
import type { NoRoute } from './no-route.js';
import { routeAheadMs } from './route-cost.js';
import type { RerouteSettings } from './settings.js';

/** Searches a route, in this thread or in a pool. Rejects on overload; the navigation is retried. */
export type RouteSearch = (task: RouteTask) => Promise<RouteTaskOutcome>;

/** Causes of the metric versions since the last search. */
export interface MetricChange {
  readonly causedMs: number;
  readonly reasons: readonly string[];
  /** `traceparent` of the sampled work among the causes. */
  readonly traces?: readonly string[];
}

export interface RerouteStepOptions {
  readonly network: RoadNetwork;
  readonly findRoute: RouteSearch;
  readonly settings: RerouteSettings;
  readonly clock: () => number;
}

export interface RerouteStepResult {
  /** Undefined when the driver keeps their route. */
  readonly change: RouteChanged | undefined;
  /** Milliseconds that the driver's route takes longer than the best one. */
  readonly slackMs: number;
}

/** The position of a navigation under a version of the metric, and the routes from there. */
export interface RoutesAhead {
  readonly navigation: ActiveNavigation;
  readonly metric: Metric;
  /** Of the driver's route. */
  readonly oldMs: number;
  /** Best first; empty if there is none, or none is needed. */
  readonly routes: readonly FoundRoute[];
  /** Why the search found none; undefined if it found one or was not needed. */
  readonly noRoute?: NoRoute;
}

/** Distances to a place are measured on slightly different flat maps. */
const endToleranceM = 2;

/** One navigation, searched again from the driver's position. */
export async function rerouteStep(
  navigation: ActiveNavigation,
  metric: Metric,
  cause: MetricChange,
  options: RerouteStepOptions,
): Promise<RerouteStepResult> {
  const ahead = await searchRoutesAhead(navigation, metric, options);
  return decideOn(ahead, ahead.routes[0], cause, options);
}

/** The best route from the driver's position and, if requested, alternatives. */
export async function searchRoutesAhead(
  navigation: ActiveNavigation,
  metric: Metric,
  { network, findRoute }: Pick<RerouteStepOptions, 'network' | 'findRoute'>,
  alternatives = 0,
): Promise<RoutesAhead> {
  const { edges, at, fraction, toFraction, astray, destination, avoid, gone } = navigation;
  const oldMs =
    gone === undefined
      ? routeAheadMs(network, metric, { edges, at, fromFraction: fraction, toFraction })
      : Number.POSITIVE_INFINITY;
  // A few metres before the destination no other route is faster.
  if (at === edges.length - 1 && gone === undefined) return { navigation, metric, oldMs, routes: [] };
  const endM = projectOnEdge(network, edges.at(-1)!, destination).distanceM;
  const outcome = await findRoute({
    metric,
    from: astray === undefined ? { edge: edges[at]!, fraction } : { point: astray },
    to: { point: destination },
    avoid: avoidMask(avoid.filter((name): name is Avoidable => name in avoidable)),
    alternatives,
  });
  if (outcome.status !== 'ok') {
    const noRoute = outcome.status === 'no-route' ? outcome.reason : 'no-road';
    return { navigation, metric, oldMs, routes: [], noRoute };
  }
  // A route that ends farther away is not the same trip.
  if (outcome.destination.distanceM > endM + endToleranceM)
    return { navigation, metric, oldMs, routes: [], noRoute: 'unreachable' };
  return { navigation, metric, oldMs, routes: outcome.routes };
}

/** The result for a navigation for which a route was chosen. */
export function decideOn(
  { navigation, metric, oldMs, routes, noRoute }: RoutesAhead,
  route: FoundRoute | undefined,
  cause: MetricChange,
  { network, settings, clock }: Pick<RerouteStepOptions, 'network' | 'settings' | 'clock'>,
): RerouteStepResult {
  const bestMs = routes[0]?.path.durationMs;
  const { edges, at, unreachableMs } = navigation;
  const decided = () => ({
    navigationId: navigation.navigationId,
    userId: navigation.userId,
    routeVersion: navigation.routeVersion + 1,
    metricVersion: metric.version,
    tilesetId: network.tilesetId,
    oldDurationS: oldMs / 1_000,
    evidence: evidenceFor(network, edges.slice(at), cause.reasons),
    causedMs: cause.causedMs,
    decidedMs: clock(),
  });
  if (route === undefined || bestMs === undefined) {
    const isLost = noRoute !== undefined && !Number.isFinite(oldMs) && unreachableMs === undefined;
    if (!isLost) return { change: undefined, slackMs: 0 };
    const nothing = { edgeIds: [], fromFraction: 0, toFraction: 0, polyline: '', durationS: 0, distanceM: 0 };
    const reason = say.noRoute(noRoute, navigation.avoid, navigation.gone === true);
    return { change: { ...decided(), ...nothing, reason, unreachable: true }, slackMs: 0 };
  }
  // A driver who was notified that there is no route accepts any, whatever its duration.
  const isBack = unreachableMs !== undefined;
  const decision = isBack
    ? 'back'
    : decideReroute(oldMs, route.path.durationMs, settings, navigation.declinedMs);
  if (decision === 'keep') return { change: undefined, slackMs: Math.max(0, oldMs - bestMs) };
  const closed = edges.slice(at + 1, -1).find((edge) => metric.costMs[edge] === CLOSED);
  const change: RouteChanged = {
    ...decided(),
    ...(isBack ? { oldDurationS: Number.POSITIVE_INFINITY } : {}),
    edgeIds: Array.from(route.path.edges, (edge) => network.edgeId(edge)),
    fromFraction: route.path.fromFraction,
    toFraction: route.path.toFraction,
    polyline: route.polyline,
    durationS: route.path.durationMs / 1_000,
    distanceM: route.path.lengthM,
    reason: isBack
      ? say.reachableAgain
      : reasonFor(network, route, { oldMs, closed, isGone: navigation.gone === true }),
    unreachable: false,
  };
  return { change, slackMs: route.path.durationMs - bestMs };
}

function reasonFor(
  network: RoadNetwork,
  route: FoundRoute,
  { oldMs, closed, isGone }: { oldMs: number; closed: number | undefined; isGone: boolean },
): string {
  if (isGone) return say.removedRoad;
  if (closed === undefined) return say.faster(oldMs - route.path.durationMs, route.summary);
  return say.roadClosed(network.edgeName(closed) || network.edgeRef(closed));
}

/** Reasons start with the name of a road: those of the driver's own roads, or all if there are none. */
function evidenceFor(network: RoadNetwork, ahead: readonly number[], reasons: readonly string[]): string {
  const names = new Set(
    ahead.flatMap((edge) => [network.edgeName(edge), network.edgeRef(edge)]).filter((name) => name !== ''),
  );
  const own = reasons.filter((reason) => [...names].some((name) => reason.startsWith(`${name} `)));
  return (own.length > 0 ? own : reasons).slice(0, 3).join('; ');
}
