import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { turnDs } from '#routing-engine/network/turn-cost.js';
import { CLOSED, type Metric } from '#routing-engine/overlay/metric.js';
import { spread, UNREACHABLE } from './spread.js';

/** Turns cost less: their table has tenths of a second in one byte. */
const turnMaxMs = 25_500;
/** A detour that is longer than its road by more than this is not searched. */
const detourMaxMs = 180_000;

/**
 * The gain of each better edge for a driver who passes it: milliseconds that the shortest detour around it
 * took longer, or its own change if that is less; Infinity if no detour was found. It is valid for drivers
 * who avoid nothing and do not end on the edge.
 *
 * Every path over better edges, at the costs of now, can be turned into one at the previous costs (`worst` of
 * both) that is longer by no more than the sum of these: around each edge a → e → b a path leads from a to b.
 */
export function detourGains(
  network: RoadNetwork,
  before: Metric,
  after: Metric,
  edges: readonly number[],
): number[] {
  const worst = new Int32Array(network.edgeCount);
  const { zone } = network.arrays;
  for (let edge = 0; edge < worst.length; edge++)
    // No detour leads through an area of ends-only roads.
    worst[edge] = zone[edge] === 0 ? Math.max(before.costMs[edge]!, after.costMs[edge]!) : CLOSED;
  const reached = new Int32Array(network.edgeCount);
  return edges.map((edge) => detourGain(network, worst, before, after, edge, reached));
}

function detourGain(
  network: RoadNetwork,
  worst: Int32Array,
  before: Metric,
  after: Metric,
  edge: number,
  reached: Int32Array,
): number {
  const { tail, head, firstOut, firstIn, inEdges } = network.arrays;
  const cost = after.costMs[edge]!;
  const ownMs = before.costMs[edge] === CLOSED ? Number.POSITIVE_INFINITY : before.costMs[edge]! - cost;
  const node = head[edge]!;
  let gainMs = 0;
  for (let i = firstIn[tail[edge]!]!; i < firstIn[tail[edge]! + 1]!; i++) {
    const from = inEdges[i]!;
    const turnOn = turnDs(network, 'driving', from, edge);
    if (turnOn === undefined) continue;
    const onMs = 100 * turnOn + cost;
    spread(network, worst, from, true, reached, onMs + Math.min(ownMs, detourMaxMs) + turnMaxMs);
    for (let to = firstOut[node]!; to < firstOut[node + 1]!; to++) {
      const turnOff = turnDs(network, 'driving', edge, to);
      if (turnOff === undefined) continue;
      const aroundMs = entered(network, reached, to);
      gainMs = Math.max(gainMs, Math.min(ownMs, aroundMs - (onMs + 100 * turnOff)));
    }
  }
  return gainMs;
}

/** Milliseconds to the start of an edge, including the turn onto it. */
function entered(network: RoadNetwork, reached: Int32Array, to: number): number {
  const { tail, firstIn, inEdges } = network.arrays;
  let least = Number.POSITIVE_INFINITY;
  for (let i = firstIn[tail[to]!]!; i < firstIn[tail[to]! + 1]!; i++) {
    const by = inEdges[i]!;
    if (reached[by] === UNREACHABLE) continue;
    const turn = turnDs(network, 'driving', by, to);
    if (turn !== undefined) least = Math.min(least, reached[by]! + 100 * turn);
  }
  return least;
}
