import { workerData } from 'node:worker_threads';
import { type FlatRoads, inertialFlow } from './inertial-flow.js';
import { type CellStarts, type Part, splitAll, splitOnce } from './split-part.js';

/**
 * Entry of a thread that splits parts of a partition. Each part is a run of `order` that only one thread has
 * at a time; everything else is only read.
 */
export interface PartitionWorkerData {
  readonly roads: FlatRoads;
  readonly order: Uint32Array;
  readonly cellNodesMax: readonly number[];
}

export interface PartSplit {
  /** What is left to split. */
  readonly parts: readonly Part[];
  readonly starts: CellStarts;
}

const { roads, order, cellNodesMax } = workerData as PartitionWorkerData;
const bisect = inertialFlow(roads);

export function once(part: Part): PartSplit {
  const starts: CellStarts = cellNodesMax.map(() => []);
  return { parts: splitOnce(order, part, cellNodesMax, bisect, starts), starts };
}

export function all(part: Part): PartSplit {
  const starts: CellStarts = cellNodesMax.map(() => []);
  splitAll(order, part, cellNodesMax, bisect, starts);
  return { parts: [], starts };
}
