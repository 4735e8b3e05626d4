import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { findRoute, type RoutePath } from '#routing-engine/route/find-route.js';
import { durationOf } from '#routing-engine/route/path-times.js';
import type { RouteEnd } from '#routing-engine/search/route-end.js';
import { randomEnds } from './random-ends.js';

export interface Comparison {
  compared: number;
  unreachable: number;
  /** A sentence for each pair that differs. */
  readonly differences: string[];
}

/**
 * For every n-th source a random set of classes is avoided, and a few private destinations get a separate
 * oracle.
 */
const AVOIDING_EVERY = 4;
const TARGETS_PER_SOURCE = 200;
const PRIVATE_EVERY = 5;

/** Compares `pairs` routes with plain Dijkstra: their costs, and the sums of their edges and turns. */
export async function compareWithDijkstra(
  network: RoadNetwork,
  metric: Metric,
  pairs: number,
  random: () => number,
  onCompared: (pairs: number) => void,
): Promise<Comparison> {
  const ends = randomEnds(network, metric.mode, random);
  const comparison: Comparison = { compared: 0, unreachable: 0, differences: [] };
  for (let source = 0; comparison.compared < pairs; source++) {
    const from = [ends.any()];
    const avoid = source % AVOIDING_EVERY === AVOIDING_EVERY - 1 ? 1 + Math.floor(random() * 15) : 0;
    const targets = Math.min(TARGETS_PER_SOURCE, pairs - comparison.compared);
    const oracle = dijkstra(network, metric, from, avoid);
    for (let i = 0; i < targets; i++) compare(from, [ends.open()], avoid, oracle);
    const hidden = source % PRIVATE_EVERY === 0 ? ends.private() : undefined;
    if (hidden !== undefined)
      compare(from, [hidden], avoid, dijkstra(network, metric, from, avoid, [hidden]));
    onCompared(comparison.compared);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return comparison;

  function compare(
    from: readonly RouteEnd[],
    to: readonly RouteEnd[],
    avoid: number,
    oracle: ReturnType<typeof dijkstra>,
  ): void {
    const outcome = findRoute(network, metric, { from, to, avoid });
    const found = outcome.status === 'ok' ? outcome.path.durationMs : undefined;
    const wanted = oracle.costTo(to);
    comparison.compared++;
    if (wanted === undefined) comparison.unreachable++;
    const where = `from ${JSON.stringify(from)} to ${JSON.stringify(to)} avoiding ${avoid}`;
    if (found !== wanted) comparison.differences.push(`${found} ms, by Dijkstra ${wanted} ms, ${where}`);
    else if (outcome.status === 'ok') {
      const wrong = inconsistency(network, metric, outcome.path);
      if (wrong !== undefined) comparison.differences.push(`${wrong} ${where}`);
    }
  }
}

/** Errors of the path itself, although its cost is right. */
function inconsistency(network: RoadNetwork, metric: Metric, path: RoutePath): string | undefined {
  const { head, tail } = network.arrays;
  for (let i = 1; i < path.edges.length; i++)
    if (tail[path.edges[i]!] !== head[path.edges[i - 1]!]) return `edge ${i} of the way does not follow`;
  // The first and the last edge are cut and rounded separately.
  const sum = durationOf(network, metric, path);
  if (Math.abs(sum - path.durationMs) >= 2) return `${path.durationMs} ms, but its edges take ${sum} ms`;
  if (path.metricVersion !== metric.version) return `it names version ${path.metricVersion}`;
  return undefined;
}
