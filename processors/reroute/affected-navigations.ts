import { distanceM } from '#routing-engine/earth.js';
import { CLOSED, type Metric } from '#routing-engine/metric.js';
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
 * A way over a better edge e takes at least: straight to e, over e, straight to the destination, each metre at the least
 * cost that any edge has. Where that is no less than the way ahead, e can't help, whatever lies between.
 */
function mayGain(
  network: RoadNetwork,
  navigation: ActiveNavigation,
  metric: Metric,
  better: readonly number[],
): boolean {
  const { edges, at, fraction, toFraction, destinationOnRoad, astray } = navigation;
  const aheadMs = wayAheadMs(network, metric, { edges, at, fromFraction: fraction, toFraction });
  if (!Number.isFinite(aheadMs) || astray !== undefined) return true;
  const { tail, head, nodeLngE7, nodeLatE7 } = network.arrays;
  const lng = (node: number): number => nodeLngE7[node]! / 1e7;
  const lat = (node: number): number => nodeLatE7[node]! / 1e7;
  const next = head[edges[at]!]!;
  return better.some((edge) => {
    const cost = metric.costMs[edge]!;
    if (cost === CLOSED) return false;
    const [from, to] = [tail[edge]!, head[edge]!];
    const { lng: toLng, lat: toLat } = destinationOnRoad;
    const onLast = edges.at(-1) === edge || network.reverseOf(edges.at(-1)!) === edge;
    const straightM =
      distanceM(lng(next), lat(next), lng(from), lat(from)) +
      (onLast ? 0 : distanceM(lng(to), lat(to), toLng, toLat));
    return straightM * metric.leastMsPerM + (onLast ? 0 : cost) < aheadMs;
  });
}
