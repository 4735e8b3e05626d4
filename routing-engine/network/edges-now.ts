import { edgeFlag } from './edge-flags.js';
import type { RoadNetwork } from './road-network.js';
import { parseEdgeId } from './stable-edge-id.js';

/** A road with more new crossings than this between two old ones counts as another road. */
const piecesMax = 64;

/**
 * The edges on the current roads for an edge of replaced ones: itself; all its pieces in the order of travel
 * if its road got new crossings; none if it was removed.
 */
export function edgesNow(network: RoadNetwork, edgeId: string): readonly number[] {
  const same = network.edgeByStableId(edgeId);
  if (same !== undefined) return [same];
  const wanted = parseEdgeId(edgeId);
  if (wanted === undefined) return [];
  const { wayIds, wayCells, wayId, flags, tail, head, nodeOsmId } = network.arrays;
  const fromNode = new Map<number, number>();
  for (let i = firstAtLeast(wayIds, wanted.way); wayIds[i] === wanted.way; i++) {
    const [first, end] = network.cellEdges(wayCells[i] as Parameters<typeof network.cellEdges>[0]);
    for (let edge = first; edge < end; edge++) {
      const isCopy = (flags[edge]! & edgeFlag.copy) !== 0;
      if (wayId[edge] !== wanted.way || isCopy) continue;
      if (((flags[edge]! & edgeFlag.against) !== 0) === wanted.against)
        fromNode.set(nodeOsmId[tail[edge]!]!, edge);
    }
  }
  const pieces: number[] = [];
  for (let node = wanted.from; pieces.length < piecesMax; ) {
    const edge = fromNode.get(node);
    if (edge === undefined) return [];
    pieces.push(edge);
    node = nodeOsmId[head[edge]!]!;
    if (node === wanted.to) return pieces;
  }
  return [];
}

function firstAtLeast(values: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
