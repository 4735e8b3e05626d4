import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { leastCostMs } from '#routing-engine/overlay/apply-hours.js';
import { CLOSED } from '#routing-engine/overlay/metric.js';
import { spread, UNREACHABLE } from './spread.js';

/**
 * Least driving times at free flow between every edge and a few far-off ones, for lower bounds (A. Goldberg
 * and C. Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", SODA 2005). Times are from
 * head to head, over edges and turns, so the triangle inequality holds: a to b takes at least
 * `from[l][b] - from[l][a]` and at least `to[l][a] - to[l][b]` for every landmark l.
 *
 * ```text
 *   ms:  edge 0: from l0, to l0, from l1, to l1, …   edge 1: …      one edge lies in one line of the cache
 * ```
 */
export interface Landmarks {
  readonly count: number;
  /** [edges × 2 × count] milliseconds, on a SharedArrayBuffer. */
  readonly ms: Int32Array;
}

/**
 * Chooses each landmark farthest from the earlier ones. Takes 2 × count runs of Dijkstra, so it runs in a
 * separate thread.
 */
export function makeLandmarks(network: RoadNetwork, count: number): Landmarks {
  const ms = new Int32Array(new SharedArrayBuffer(4 * network.edgeCount * 2 * count));
  const costMs = leastCostMs(network, 'driving');
  const nearest = new Int32Array(network.edgeCount).fill(UNREACHABLE);
  const reached = new Int32Array(network.edgeCount);
  const first = costMs.findIndex((cost, edge) => cost !== CLOSED && network.arrays.part[edge] === 0);
  if (first < 0) return { count: 0, ms };
  spread(network, costMs, first, true, reached);
  let next = farthest(reached);
  for (let landmark = 0; landmark < count; landmark++) {
    for (const [side, forward] of [true, false].entries()) {
      spread(network, costMs, next, forward, reached);
      for (let edge = 0; edge < network.edgeCount; edge++) {
        const at = reached[edge]!;
        ms[edge * 2 * count + 2 * landmark + side] = at;
        if (at < nearest[edge]!) nearest[edge] = at;
      }
    }
    next = farthest(nearest);
  }
  return { count, ms };
}

function farthest(ms: Int32Array): number {
  let best = 0;
  for (let edge = 0; edge < ms.length; edge++)
    if (ms[edge]! < UNREACHABLE && (ms[best]! >= UNREACHABLE || ms[edge]! > ms[best]!)) best = edge;
  return best;
}
