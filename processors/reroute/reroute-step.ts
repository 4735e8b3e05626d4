import { type Avoidable, avoidable, avoidMask } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { CLOSED, type Metric } from '#routing-engine/overlay/metric.js';
import type { FoundRoute, RouteTask, RouteTaskOutcome } from '#routing-engine/tasks/route-task.js';
import type { RouteChanged } from '#schemas/messages.js';
import { projectOnEdge } from '../project-on-edge.js';
import type { ActiveNavigation } from './active-navigations.js';
import { decideReroute } from './decide-reroute.js';
import { wayAheadMs } from './route-cost.js';
import type { RerouteSettings } from './settings.js';

/**
 * Searches a route, in this thread or in a pool. Rejects when there is too much to do; the navigation is
 * tried again.
 */
export type RouteSearch = (task: RouteTask) => Promise<RouteTaskOutcome>;

/** What is said about the versions since the last look. */
export interface MetricNews {
  readonly causedMs: number;
  readonly reasons: readonly string[];
}

export interface RerouteStepOptions {
  readonly network: RoadNetwork;
  readonly findRoute: RouteSearch;
  readonly settings: RerouteSettings;
  readonly clock: () => number;
}

export interface RerouteStepResult {
  /** Undefined when the driver is to go on as he does. */
  readonly change: RouteChanged | undefined;
  /** Milliseconds that the route he then has takes longer than the best way. */
  readonly slackMs: number;
}

/** Where a navigation stands under a version of the metric, and the ways on from there. */
export interface WaysOn {
  readonly navigation: ActiveNavigation;
  readonly metric: Metric;
  /** Of the way that the driver is on. */
  readonly oldMs: number;
  /** Best first; empty where none leads on, or none is needed. */
  readonly routes: readonly FoundRoute[];
  /** Why the search found none; undefined where it found one or was not needed. */
  readonly noWay?: NoWay;
}

/** Distances to a place are measured on slightly different flat maps. */
const endToleranceM = 2;

/**
 * `avoided`: there is a way, over what the driver avoids. `no-road`: none is near the driver or the
 * destination.
 */
type NoWay = 'unreachable' | 'avoided' | 'no-road';

/** One navigation, searched again from where its driver is. */
export async function rerouteStep(
  navigation: ActiveNavigation,
  metric: Metric,
  news: MetricNews,
  options: RerouteStepOptions,
): Promise<RerouteStepResult> {
  const ways = await searchWaysOn(navigation, metric, options);
  return decideOn(ways, ways.routes[0], news, options);
}

/** The best way on and, where wanted, others beside it. */
export async function searchWaysOn(
  navigation: ActiveNavigation,
  metric: Metric,
  { network, findRoute }: Pick<RerouteStepOptions, 'network' | 'findRoute'>,
  alternatives = 0,
): Promise<WaysOn> {
  const { edges, at, fraction, toFraction, astray, destination, avoid, gone } = navigation;
  const oldMs =
    gone === undefined
      ? wayAheadMs(network, metric, { edges, at, fromFraction: fraction, toFraction })
      : Number.POSITIVE_INFINITY;
  // Arrived, but for a few metres: no other way leads there sooner.
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
    const noWay = outcome.status === 'no-route' ? outcome.reason : 'no-road';
    return { navigation, metric, oldMs, routes: [], noWay };
  }
  // A way that ends farther away is not the same trip.
  if (outcome.destination.distanceM > endM + endToleranceM)
    return { navigation, metric, oldMs, routes: [], noWay: 'unreachable' };
  return { navigation, metric, oldMs, routes: outcome.routes };
}

/** What becomes of a navigation for which a way was chosen. */
export function decideOn(
  { navigation, metric, oldMs, routes, noWay }: WaysOn,
  route: FoundRoute | undefined,
  news: MetricNews,
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
    evidence: evidenceFor(network, edges.slice(at), news.reasons),
    causedMs: news.causedMs,
    decidedMs: clock(),
  });
  if (route === undefined || bestMs === undefined) {
    const isLost = noWay !== undefined && !Number.isFinite(oldMs) && unreachableMs === undefined;
    if (!isLost) return { change: undefined, slackMs: 0 };
    const nothing = { edgeIds: [], fromFraction: 0, toFraction: 0, polyline: '', durationS: 0, distanceM: 0 };
    const reason = noWayReason(noWay, navigation);
    return { change: { ...decided(), ...nothing, reason, unreachable: true }, slackMs: 0 };
  }
  // Who was told that there is no way has none, whatever the last one would take.
  const isBack = unreachableMs !== undefined;
  const decision = isBack ? 'back' : decideReroute(oldMs, route.path.durationMs, settings);
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
      ? 'Your destination can be reached again'
      : reasonFor(network, route, { oldMs, closed, isGone: navigation.gone === true }),
    unreachable: false,
  };
  return { change, slackMs: route.path.durationMs - bestMs };
}

const unreachable = 'Your destination cannot be reached right now';

function noWayReason(noWay: NoWay, { avoid, gone }: ActiveNavigation): string {
  switch (noWay) {
    case 'unreachable':
      if (gone) return `${unreachable}: no road on the map leads to it.`;
      return `${unreachable}: all roads to it are closed.`;
    case 'avoided':
      return `${unreachable} without ${avoid.join(' or ')}: all other roads to it are closed.`;
    case 'no-road':
      return 'Your way is closed, and no road is near you to search another one from.';
  }
}

function reasonFor(
  network: RoadNetwork,
  route: FoundRoute,
  { oldMs, closed, isGone }: { oldMs: number; closed: number | undefined; isGone: boolean },
): string {
  if (isGone) return 'A road on your way is no longer on the map';
  return closed === undefined ? fasterReason(route, oldMs) : closedReason(network, closed);
}

function closedReason(network: RoadNetwork, edge: number): string {
  const name = network.edgeName(edge) || network.edgeRef(edge);
  return name === '' ? 'A road on your way is closed' : `${name} is closed`;
}

function fasterReason({ summary, path }: FoundRoute, oldMs: number): string {
  const savedMs = oldMs - path.durationMs;
  const saved =
    savedMs < 120_000 ? `${Math.round(savedMs / 1_000)} s` : `${Math.round(savedMs / 60_000)} min`;
  return summary === '' ? `Another way saves ${saved}` : `The way over ${summary} saves ${saved}`;
}

/**
 * Reasons begin with the name of a road: those of the driver's own roads, or all where none of them is his.
 */
function evidenceFor(network: RoadNetwork, ahead: readonly number[], reasons: readonly string[]): string {
  const names = new Set(
    ahead.flatMap((edge) => [network.edgeName(edge), network.edgeRef(edge)]).filter((name) => name !== ''),
  );
  const own = reasons.filter((reason) => [...names].some((name) => reason.startsWith(`${name} `)));
  return (own.length > 0 ? own : reasons).slice(0, 3).join('; ');
}
