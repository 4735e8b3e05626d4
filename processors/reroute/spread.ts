import { FORBIDDEN_TURN } from '#routing-engine/network/network-arrays.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { CLOSED } from '#routing-engine/overlay/metric.js';
import { BucketQueue } from './bucket-queue.js';

/** Milliseconds of an edge that is not reached; the difference to any real one rules a route out. */
export const UNREACHABLE = 0x3fffffff;

const queue = new BucketQueue();

/**
 * Dijkstra over edges and turns: milliseconds from the head of one edge to the heads of all, or back;
 * UNREACHABLE beyond `untilMs`. Private roads count as open to all, so that no time is too long.
 */
export function spread(
  network: RoadNetwork,
  costMs: Int32Array,
  source: number,
  forward: boolean,
  reached: Int32Array,
  untilMs = UNREACHABLE,
): void {
  reached.fill(UNREACHABLE);
  reached[source] = 0;
  queue.reset(0);
  queue.push(0, source);
  if (forward) spreadForward(network, costMs, reached, untilMs);
  else spreadBackward(network, costMs, reached, untilMs);
}

// Driving is the first mode of every per-mode table, and the edges out of a node lie side by side.

function spreadForward(
  { arrays }: RoadNetwork,
  costMs: Int32Array,
  reached: Int32Array,
  untilMs: number,
): void {
  const { head, firstOut, inRank, turnTable, turnCostsDs } = arrays;
  for (let edge = queue.pop(reached); edge >= 0; edge = queue.pop(reached)) {
    const ms = reached[edge]!;
    const node = head[edge]!;
    const begin = firstOut[node]!;
    const degree = firstOut[node + 1]! - begin;
    const turns = turnTable[node]! + inRank[edge]! * degree;
    for (let rank = 0; rank < degree; rank++) {
      const other = begin + rank;
      const turn = turnCostsDs[turns + rank]!;
      const cost = costMs[other]!;
      if (turn === FORBIDDEN_TURN || cost === CLOSED) continue;
      const at = ms + cost + 100 * turn;
      if (at >= reached[other]! || at > untilMs) continue;
      reached[other] = at;
      queue.push(at, other);
    }
  }
}

function spreadBackward(
  { arrays }: RoadNetwork,
  costMs: Int32Array,
  reached: Int32Array,
  untilMs: number,
): void {
  const { tail, firstOut, firstIn, inEdges, inRank, turnTable, turnCostsDs } = arrays;
  for (let edge = queue.pop(reached); edge >= 0; edge = queue.pop(reached)) {
    const cost = costMs[edge]!;
    if (cost === CLOSED) continue;
    const ms = reached[edge]! + cost;
    const node = tail[edge]!;
    const begin = firstOut[node]!;
    const degree = firstOut[node + 1]! - begin;
    const turns = turnTable[node]! + edge - begin;
    for (let i = firstIn[node]!; i < firstIn[node + 1]!; i++) {
      const other = inEdges[i]!;
      const turn = turnCostsDs[turns + inRank[other]! * degree]!;
      if (turn === FORBIDDEN_TURN || costMs[other] === CLOSED) continue;
      const at = ms + 100 * turn;
      if (at >= reached[other]! || at > untilMs) continue;
      reached[other] = at;
      queue.push(at, other);
    }
  }
}
