import { sharedUint32 } from '#map-data/arrays/shared-array.js';

/** Both directions of every road between two different nodes, by node; worker threads share it. */
export interface Adjacency {
  /** [nodes+1] first direction of each node in `neighbour`. */
  readonly first: Uint32Array;
  readonly neighbour: Uint32Array;
  /** By direction: the opposite one. */
  readonly twin: Uint32Array;
}

export function adjacency(nodeCount: number, from: Uint32Array, to: Uint32Array): Adjacency {
  const first = sharedUint32(nodeCount + 1);
  for (let i = 0; i < from.length; i++) {
    if (from[i] === to[i]) continue;
    first[from[i] + 1]++;
    first[to[i] + 1]++;
  }
  for (let node = 0; node < nodeCount; node++) first[node + 1] += first[node];
  const neighbour = sharedUint32(first[nodeCount]);
  const twin = sharedUint32(first[nodeCount]);
  const next = first.slice(0, nodeCount);
  for (let i = 0; i < from.length; i++) {
    if (from[i] === to[i]) continue;
    const there = next[from[i]]++;
    const back = next[to[i]]++;
    neighbour[there] = to[i];
    neighbour[back] = from[i];
    twin[there] = back;
    twin[back] = there;
  }
  return { first, neighbour, twin };
}
