import { CLOSED, type Metric, straightM } from '#routing-engine/metric.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import type { ActiveNavigation, ActiveNavigations } from './active-navigations.js';
import { wayAheadMs } from './route-cost.js';

export interface MetricDifference {
  readonly worse: readonly number[];
  readonly better: readonly number[];
}

/** Edges whose cost differs between two versions. */
export function metricDifference(before: Metric, after: Metric): MetricDifference {
  const worse: number[] = [];
  const better: number[] = [];
  for (let edge = 0; edge < after.costMs.length; edge++) {
    const change = after.costMs[edge]! - before.costMs[edge]!;
    if (change > 0) worse.push(edge);
    else if (change < 0) better.push(edge);
  }
  return { worse, better };
}

/** Exactly those whose way ahead became worse, and all of those that a better edge may help. */
export function affectedNavigations(
  network: RoadNetwork,
  navigations: ActiveNavigations,
  after: Metric,
  { worse, better }: MetricDifference,
): Set<ActiveNavigation> {
  const affected = navigations.ahead(worse);
  if (better.length === 0) return affected;
  for (const navigation of navigations.all()) {
    if (!affected.has(navigation) && mayGain(network, navigation, after, better)) affected.add(navigation);
  }
  return affected;
}

/**
 * A way over a better edge e takes at least: straight to e, over e, straight to an end of the destination's road, each
 * metre at the least cost that any edge has. Where that is no less than the way ahead, e can't help, whatever lies between.
 */
function mayGain(
  network: RoadNetwork,
  navigation: ActiveNavigation,
  metric: Metric,
  better: readonly number[],
): boolean {
  const { edges, at, fraction, toFraction, astray } = navigation;
  const aheadMs = wayAheadMs(network, metric, { edges, at, fromFraction: fraction, toFraction });
  if (!Number.isFinite(aheadMs) || astray !== undefined) return true;
  const { tail, head } = network.arrays;
  const next = head[edges[at]!]!;
  const last = edges.at(-1)!;
  const leastMs = (from: number, to: number): number => straightM(network, from, to) * metric.leastMsPerM;
  return better.some((edge) => {
    const cost = metric.costMs[edge]!;
    if (cost === CLOSED) return false;
    const toEdgeMs = leastMs(next, tail[edge]!);
    if (edge === last || network.reverseOf(last) === edge) return toEdgeMs < aheadMs;
    const end = head[edge]!;
    return toEdgeMs + cost + Math.min(leastMs(end, tail[last]!), leastMs(end, head[last]!)) < aheadMs;
  });
}
