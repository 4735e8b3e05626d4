import type { NetworkArrays } from '#routing-engine/network-arrays.js';
import type { CellBorder } from './cell-border.js';

type Linked = Pick<NetworkArrays, 'firstOut' | 'head' | 'firstIn' | 'inEdges' | 'inRank'>;

/** Orders the edges that lead to the nodes of a cell by node, then number. They begin at `firstInEdge` in `inEdges`. */
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
  const each = (visit: (edge: number) => void): void => {
    let entry = 0;
    for (; entry < entries.length && entries[entry] < firstEdge; entry++) visit(entries[entry]);
    let exit = 0;
    for (let edge = firstEdge; edge < endEdge; edge++) {
      if (exits[exit] === edge) exit++;
      else visit(edge);
    }
    for (; entry < entries.length; entry++) visit(entries[entry]);
  };
  each((edge) => {
    next[head[edge] - firstNode + 1]++;
  });
  next[0] = firstInEdge;
  for (let node = 0; node < endNode - firstNode; node++) next[node + 1] += next[node];
  for (let node = firstNode; node <= endNode; node++) firstIn[node] = next[node - firstNode];
  each((edge) => {
    const node = head[edge];
    inRank[edge] = next[node - firstNode] - firstIn[node];
    inEdges[next[node - firstNode]++] = edge;
  });
}
