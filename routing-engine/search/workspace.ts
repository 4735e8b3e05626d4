import type { RoadNetwork } from '../road-network.js';
import { MinHeap } from './min-heap.js';

/** Memory of one search, kept from query to query: a label counts only when its stamp is the query's. */
export interface Workspace {
  readonly heap: MinHeap;
  /** [E] milliseconds from the start to the head of the edge. */
  readonly label: Float64Array;
  /** [E] edge before, or -1. */
  readonly parent: Int32Array;
  readonly stamp: Uint32Array;
  readonly settled: Uint32Array;
  /** [N] */
  readonly cellOf: Uint32Array;
  readonly cellStamp: Uint32Array;
  round: number;
}

const workspaces = new WeakMap<RoadNetwork, Workspace>();

/** The workspace of this network in this thread, with a fresh stamp. Searches do not interleave. */
export function takeWorkspace(network: RoadNetwork): Workspace {
  let workspace = workspaces.get(network);
  if (workspace === undefined) {
    const { edgeCount, nodeCount, cellCount } = network;
    const cellOf = new Uint32Array(nodeCount);
    const { cellFirstNode } = network.arrays;
    for (let cell = 0; cell < cellCount; cell++)
      cellOf.fill(cell, cellFirstNode[cell], cellFirstNode[cell + 1]);
    workspace = {
      heap: new MinHeap(),
      label: new Float64Array(edgeCount),
      parent: new Int32Array(edgeCount),
      stamp: new Uint32Array(edgeCount),
      settled: new Uint32Array(edgeCount),
      cellOf,
      cellStamp: new Uint32Array(cellCount),
      round: 0,
    };
    workspaces.set(network, workspace);
  }
  workspace.heap.clear();
  if (++workspace.round === 2 ** 32 - 1) {
    workspace.stamp.fill(0);
    workspace.settled.fill(0);
    workspace.cellStamp.fill(0);
    workspace.round = 1;
  }
  return workspace;
}
