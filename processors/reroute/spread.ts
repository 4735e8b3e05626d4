import { CLOSED } from '#routing-engine/metric.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import { MinHeap } from '#routing-engine/search/min-heap.js';
import { turnDs } from '#routing-engine/turn-cost.js';

/** Milliseconds where no way leads; the difference to any real one rules a way out. */
export const UNREACHABLE = 0x3fffffff;

/**
 * Dijkstra over edges and turns: milliseconds from the head of one edge to the heads of all, or back; UNREACHABLE beyond
 * `untilMs`. Private roads count as open to all, so that no time is too long.
 */
export function spread(
  network: RoadNetwork,
  costMs: Int32Array,
  source: number,
  forward: boolean,
  reached: Int32Array,
  untilMs = UNREACHABLE,
): void {
  const { head, tail, firstOut, firstIn, inEdges } = network.arrays;
  const heap = new MinHeap();
  reached.fill(UNREACHABLE);
  reached[source] = 0;
  heap.push(0, source);
  while (heap.size > 0) {
    const ms = heap.leastKey();
    const edge = heap.pop();
    if (ms > reached[edge]!) continue;
    const node = forward ? head[edge]! : tail[edge]!;
    const [begin, end] = forward
      ? [firstOut[node]!, firstOut[node + 1]!]
      : [firstIn[node]!, firstIn[node + 1]!];
    for (let i = begin; i < end; i++) {
      const other = forward ? i : inEdges[i]!;
      const entered = costMs[forward ? other : edge]!;
      if (entered === CLOSED || costMs[other] === CLOSED) continue;
      const turn = forward
        ? turnDs(network, 'driving', edge, other)
        : turnDs(network, 'driving', other, edge);
      if (turn === undefined) continue;
      const at = ms + entered + 100 * turn;
      if (at >= reached[other]! || at > untilMs) continue;
      reached[other] = at;
      heap.push(at, other);
    }
  }
}
