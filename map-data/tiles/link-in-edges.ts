import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';
import type { Scratch } from '../arrays/scratch.js';
import type { CellBorder } from './cell-border.js';

type Linked = Pick<NetworkArrays, 'firstOut' | 'head' | 'firstIn' | 'inEdges' | 'inRank'>;

/** Like `linkInEdges` for each cell, for a network with all edges loaded. */
export function linkAllInEdges(
  head: Uint32Array,
  nodeCount: number,
  kept: Scratch,
): Pick<Linked, 'firstIn' | 'inEdges' | 'inRank'> {
  const firstIn = kept.uint32('roads firstIn', nodeCount + 1).fill(0);
  const inEdges = kept.uint32('roads inEdges', head.length);
  const inRank = kept.uint16('roads inRank', head.length);
  for (let edge = 0; edge < head.length; edge++) inRank[edge] = firstIn[head[edge] + 1]++;
  for (let node = 0; node < nodeCount; node++) firstIn[node + 1] += firstIn[node];
  for (let edge = 0; edge < head.length; edge++) inEdges[firstIn[head[edge]] + inRank[edge]] = edge;
  return { firstIn, inEdges, inRank };
}

/**
 * Orders the edges that lead to the nodes of a cell by node, then number. They begin at `firstInEdge` in
 * `inEdges`.
 */
export function linkInEdges(
  { firstOut, head, firstIn, inEdges, inRank }: Linked,
  firstNode: number,
  endNode: number,
  { entries, exits }: CellBorder,
  firstInEdge: number,
): void {
  const firstEdge = firstOut[firstNode];
  const endEdge = firstOut[endNode];
  const next = new Uint32Array(endNode - firstNode + 1);
  // Entries from cells before this one, own edges that stay, then entries from cells behind: numbers ascend.
  const leading = new Uint32Array(entries.length + endEdge - firstEdge - exits.length);
  let count = 0;
  let entry = 0;
  for (; entry < entries.length && entries[entry] < firstEdge; entry++) leading[count++] = entries[entry];
  let exit = 0;
  for (let edge = firstEdge; edge < endEdge; edge++)
    if (exits[exit] === edge) exit++;
    else leading[count++] = edge;
  for (; entry < entries.length; entry++) leading[count++] = entries[entry];
  for (let i = 0; i < count; i++) next[head[leading[i]] - firstNode + 1]++;
  next[0] = firstInEdge;
  for (let node = 0; node < endNode - firstNode; node++) next[node + 1] += next[node];
  for (let node = firstNode; node <= endNode; node++) firstIn[node] = next[node - firstNode];
  for (let i = 0; i < count; i++) {
    const edge = leading[i];
    const node = head[edge];
    inRank[edge] = next[node - firstNode] - firstIn[node];
    inEdges[next[node - firstNode]++] = edge;
  }
}
