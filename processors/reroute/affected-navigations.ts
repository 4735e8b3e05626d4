import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { leastCostMs } from '#routing-engine/overlay/apply-hours.js';
import { CLOSED, type Metric } from '#routing-engine/overlay/metric.js';
import type { ActiveNavigation, ActiveNavigations } from './active-navigations.js';
import { gainMinMs } from './decide-reroute.js';
import { detourGains } from './detour-gains.js';
import type { Landmarks } from './landmarks.js';
import { type BetterEdges, inReach, type Reached, Through } from './path-through.js';
import { routeAheadMs } from './route-cost.js';
import type { RerouteSettings } from './settings.js';

export interface MetricDifference {
  readonly worse: readonly number[];
  readonly better: BetterEdges;
}

/** Edges whose cost differs between two versions. */
export function metricDifference(network: RoadNetwork, before: Metric, after: Metric): MetricDifference {
  const worse: number[] = [];
  const edges: number[] = [];
  const ownMs: number[] = [];
  let fasterMs = 0;
  const free = leastCostMs(network, 'driving');
  for (let edge = 0; edge < after.costMs.length; edge++) {
    const now = after.costMs[edge]!;
    if (now < free[edge]!) fasterMs += free[edge]! - now;
    const change = now - before.costMs[edge]!;
    if (change > 0) worse.push(edge);
    else if (change < 0) {
      edges.push(edge);
      // A closed road had no cost, so no sum of gains bounds the effect of its opening.
      ownMs.push(before.costMs[edge] === CLOSED ? Number.POSITIVE_INFINITY : -change);
    }
  }
  return { worse, better: { edges, ownMs, detourMs: detourGains(network, before, after, edges), fasterMs } };
}

export interface Affected {
  readonly network: RoadNetwork;
  readonly navigations: ActiveNavigations;
  readonly before: Metric;
  readonly after: Metric;
  /** Of these two versions. */
  readonly difference: MetricDifference;
  readonly settings: Pick<RerouteSettings, 'savesMinS' | 'savesMinRatio'>;
  readonly landmarks: Landmarks | undefined;
}

/** Both ends are rounded as in a search. */
const roundingMs = 5;

/** Two runs of Dijkstra from a better edge cost as much as this many searches. */
const searchesPerEdge = 8;

/**
 * All navigations that a new version may improve by the threshold, without those that it certainly does not.
 *
 * Each route has a slack: how much longer than the best route it can be at most, 0 after a search. With it a
 * route that got worse by less than the threshold needs no search. Of the routes over better edges those
 * count that can be shorter than the route by the threshold: first by landmarks, and where an edge is in
 * reach of many, by the exact times to and from it. The detour around such an edge bounds its gain, so a sum
 * of gains bounds what the remaining edges bring:
 *
 *     best route now ≥ min(old route − slack − gains of edges in reach, least route over the others)
 *
 * Where that is no better than the route by the threshold, the difference is the new slack, and nothing was
 * missed.
 */
export function affectedNavigations(options: Affected): Set<ActiveNavigation> {
  const { network, navigations, after, difference } = options;
  const { worse, better } = difference;
  const harmed = navigations.ahead(worse);
  const moved = new Set([...harmed, ...navigations.ahead(better.edges)]);
  const affected = new Set<ActiveNavigation>();
  const open: Open[] = [];
  for (const navigation of better.edges.length > 0 ? navigations.all() : harmed) {
    if (navigation.at === navigation.edges.length - 1) continue;
    const bounded = boundOf(options, navigation, better, moved.has(navigation));
    if (bounded === undefined) affected.add(navigation);
    else if (bounded.edges.length === 0) prove(navigations, bounded);
    else open.push(bounded);
  }
  refine(network, after, better, open);
  for (const bounded of open)
    if (leastMs(bounded, better) <= bounded.limitMs) affected.add(bounded.navigation);
    else prove(navigations, bounded, better);
  return affected;
}

/** A navigation of which nothing is certain yet, all times from the end of the driver's edge on. */
interface Open {
  readonly navigation: ActiveNavigation;
  readonly afterMs: number;
  /** Routes that take longer do not help. */
  readonly limitMs: number;
  /** No route without a better edge takes less. */
  readonly restMs: number;
  edges: readonly Reached[];
  othersMs: number;
}

/** Undefined when a search is needed. */
function boundOf(
  { network, before, after, settings, landmarks }: Affected,
  navigation: ActiveNavigation,
  better: BetterEdges,
  isMoved: boolean,
): Open | undefined {
  const { at, toFraction, astray, gone, slackMs, declinedMs = 0 } = navigation;
  if (astray !== undefined || gone !== undefined || !Number.isFinite(slackMs)) return undefined;
  const route = { edges: navigation.edges, at, fromFraction: 1, toFraction };
  const afterMs = routeAheadMs(network, after, route);
  const beforeMs = isMoved ? routeAheadMs(network, before, route) : afterMs;
  if (!Number.isFinite(afterMs) || !Number.isFinite(beforeMs)) return undefined;
  const limitMs = afterMs - gainMinMs(afterMs, settings) - declinedMs + roundingMs;
  const restMs = beforeMs - slackMs;
  if (restMs <= limitMs) return undefined;
  const { edges, othersMs } =
    better.edges.length === 0
      ? { edges: [], othersMs: Number.POSITIVE_INFINITY }
      : inReach(network, after, navigation, better, limitMs, landmarks);
  return { navigation, afterMs, limitMs, restMs, edges, othersMs };
}

/** If many routes depend on an edge, computing its exact times pays off. */
function refine(network: RoadNetwork, metric: Metric, better: BetterEdges, open: readonly Open[]): void {
  const byEdge = new Map<number, { readonly open: Open; readonly reached: Reached }[]>();
  for (const each of open) {
    if (leastMs(each, better) > each.limitMs) continue;
    for (const reached of each.edges) {
      const those = byEdge.get(reached.position) ?? [];
      those.push({ open: each, reached });
      byEdge.set(reached.position, those);
    }
  }
  // The largest gain first: without it, the sum of the others is often too small.
  const order = [...byEdge].sort(([a], [b]) => better.detourMs[b]! - better.detourMs[a]!);
  for (const [position, all] of order) {
    const those = all.filter(({ open: each }) => leastMs(each, better) <= each.limitMs);
    if (those.length < searchesPerEdge) continue;
    // A route takes less than the limit only if each part of it takes less than the other part leaves.
    const toUntilMs = Math.max(
      ...those.map(
        ({ open: { limitMs, navigation }, reached: { fromMs, isEnd } }) =>
          limitMs - fromMs + (isEnd ? lastRoadMs(network, metric, navigation) : 0),
      ),
    );
    const through = new Through(network, metric, better.edges[position]!, toUntilMs);
    const near: typeof those = [];
    for (const each of those) {
      const { open: one, reached } = each;
      const ms = through.toMs(one.navigation) + reached.fromMs;
      // On the destination's own road the route ends before the end of the edge.
      if (reached.isEnd || ms <= one.limitMs) near.push(each);
      else ruleOut(one, position, ms);
    }
    if (near.length < searchesPerEdge) continue;
    through.goOn(
      Math.max(
        ...near.map(
          ({ open: { limitMs, navigation }, reached }) =>
            limitMs - reached.toMs + lastRoadMs(network, metric, navigation),
        ),
      ),
    );
    for (const { open: each } of near) {
      const ms = through.leastMs(each.navigation);
      if (ms > each.limitMs) ruleOut(each, position, ms);
    }
  }
}

/** No route over the edge takes less than `ms`, which is more than the limit. */
function ruleOut(each: Open, position: number, ms: number): void {
  each.edges = each.edges.filter((other) => other.position !== position);
  each.othersMs = Math.min(each.othersMs, Number.isFinite(ms) ? ms : each.limitMs + 1);
}

/** Times to the destination are counted to the end of its road, in either direction. */
function lastRoadMs(network: RoadNetwork, { costMs }: Metric, { edges }: ActiveNavigation): number {
  const last = edges.at(-1)!;
  const both = [costMs[last]!, costMs[network.reverseOf(last) ?? last]!];
  return Math.max(0, ...both.filter((cost) => cost !== CLOSED));
}

function leastMs({ navigation, restMs, edges, othersMs }: Open, { ownMs, detourMs }: BetterEdges): number {
  // A driver who avoids something may not be able to take the detour.
  const freely = navigation.avoid.length === 0;
  const gain = ({ position, isEnd }: Reached): number =>
    freely && !isEnd ? detourMs[position]! : ownMs[position]!;
  return Math.min(restMs - edges.reduce((sum, each) => sum + gain(each), 0), othersMs);
}

const noEdges: BetterEdges = { edges: [], ownMs: [], detourMs: [], fasterMs: 0 };

function prove(navigations: ActiveNavigations, open: Open, better = noEdges): void {
  const slackMs = Math.max(0, open.afterMs - leastMs(open, better));
  if (slackMs !== open.navigation.slackMs) navigations.proved(open.navigation.userId, slackMs);
}
