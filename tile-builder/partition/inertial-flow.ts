import type { Adjacency } from './adjacency.js';
import { sortByKey } from './sort-by-key.js';
import type { Bisect } from './split-part.js';

/** Share of the nodes at either end of a direction that the cut may not touch. */
const SOURCE_SHARE = 0.3;
/** A place along a direction is one of 2^26. */
const PLACE_BITS = 26;
/** Directions in which nodes are ordered: west–east, south–north and the two diagonals. */
const directions: readonly (readonly [number, number])[] = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
];

/** Crossings on a plane, and the roads between them. */
export interface FlatRoads extends Adjacency {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * Inertial flow (Schild and Sommer, SEA 2015): order the nodes in a direction, fix the first and the last
 * share as source and sink, and cut the fewest roads between them; the best of four directions by cut, then
 * by balance.
 */
export function inertialFlow({ x, y, first, neighbour, twin }: FlatRoads): Bisect {
  const nodeCount = x.length;
  const inside = new Int32Array(nodeCount).fill(-1);
  const level = new Int32Array(nodeCount);
  const cursor = new Uint32Array(nodeCount);
  const queue = new Uint32Array(nodeCount);
  const stack = new Int32Array(nodeCount + 1);
  const flow = new Int8Array(neighbour.length);
  /** 1 source, 2 sink, 0 between. */
  const role = new Uint8Array(nodeCount);
  let round = 0;

  /**
   * Breadth first from the source along unused roads; true when the sink is reached. Leaves `reached` nodes
   * in `queue`.
   */
  let reached = 0;
  const spread = (nodes: Uint32Array): boolean => {
    for (const node of nodes) level[node] = -1;
    reached = 0;
    for (const node of nodes)
      if (role[node] === 1) {
        level[node] = 0;
        queue[reached++] = node;
      }
    let found = false;
    for (let head = 0; head < reached; head++) {
      const node = queue[head];
      if (role[node] === 2) {
        found = true;
        continue;
      }
      for (let arc = first[node]; arc < first[node + 1]; arc++) {
        const other = neighbour[arc];
        if (flow[arc] >= 1 || inside[other] !== round || level[other] >= 0) continue;
        level[other] = level[node] + 1;
        queue[reached++] = other;
      }
    }
    return found;
  };

  /** One more unit from `start` to the sink along the levels; false when there is none. */
  const augment = (start: number): boolean => {
    let depth = 0;
    let node = start;
    for (;;) {
      if (role[node] === 2) {
        for (let i = 0; i < depth; i++) {
          flow[stack[i]]++;
          flow[twin[stack[i]]]--;
        }
        return true;
      }
      let advanced = false;
      for (; cursor[node] < first[node + 1]; cursor[node]++) {
        const arc = cursor[node];
        const other = neighbour[arc];
        if (flow[arc] < 1 && inside[other] === round && level[other] === level[node] + 1) {
          stack[depth++] = arc;
          node = other;
          advanced = true;
          break;
        }
      }
      if (advanced) continue;
      if (depth === 0) return false;
      node = neighbour[twin[stack[--depth]]];
      cursor[node]++;
    }
  };

  return (nodes) => {
    round++;
    for (const node of nodes) inside[node] = round;
    const size = nodes.length;
    const held = Math.max(1, Math.floor(size * SOURCE_SHARE));
    let bestCut = Number.POSITIVE_INFINITY;
    let bestBalance = 0;
    let best = nodes.slice();
    let bestSplit = size >>> 1;
    for (const [dx, dy] of directions) {
      const lined = lineUp(nodes, x, y, dx, dy);
      for (let i = 0; i < size; i++) {
        const node = lined[i];
        role[node] = i < held ? 1 : i >= size - held ? 2 : 0;
        for (let arc = first[node]; arc < first[node + 1]; arc++) flow[arc] = 0;
      }
      let cut = 0;
      while (cut <= bestCut && spread(nodes)) {
        for (let i = 0; i < size; i++) cursor[lined[i]] = first[lined[i]];
        for (let i = 0; i < held; i++) while (augment(lined[i])) cut++;
      }
      if (cut > bestCut) continue;
      const balance = Math.min(reached, size - reached);
      if (cut === bestCut && balance <= bestBalance) continue;
      bestCut = cut;
      bestBalance = balance;
      bestSplit = reached;
      // The last search stopped at the cut: it reached the source's side.
      let left = 0;
      let right = reached;
      best = new Uint32Array(size);
      for (let i = 0; i < size; i++) {
        const node = lined[i];
        if (level[node] >= 0) best[left++] = node;
        else best[right++] = node;
      }
    }
    nodes.set(best);
    return bestSplit;
  };
}

/** Nodes by their place along a direction; ties by number, so that a build repeats. */
function lineUp(nodes: Uint32Array, x: Float64Array, y: Float64Array, dx: number, dy: number): Uint32Array {
  const places = new Float64Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) places[i] = dx * x[nodes[i]] + dy * y[nodes[i]];
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const place of places) {
    if (place < low) low = place;
    if (place > high) high = place;
  }
  const scale = high > low ? (2 ** PLACE_BITS - 1) / (high - low) : 0;
  const keys = new Uint32Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) keys[i] = Math.floor((places[i] - low) * scale);
  return sortByKey(nodes, keys, PLACE_BITS);
}
