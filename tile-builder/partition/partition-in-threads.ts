import { sharedUint32 } from '#map-data/arrays/shared-array.js';
import { compiledFile } from '#platform/worker-pool/compiled-file.js';
import { createWorkerPool } from '#platform/worker-pool/worker-pool.js';
import type { FlatRoads } from './inertial-flow.js';
import { type Partition, partitionOf } from './partition.js';
import type { PartitionWorkerData, PartSplit } from './partition-worker.js';
import type { CellStarts, Part } from './split-part.js';

/** A thread splits smaller parts completely, so that it is not asked for each cell. */
const PART_NODES_MAX = 8_192;
/** The first part of a continent takes minutes, and the tasks of all threads wait in one queue. */
const TASK_TIMEOUT_MS = 24 * 3_600_000;

/**
 * What `partition` makes with inertial flow, on several threads: byte for byte the same, whatever their
 * number. Until the first cut, one thread works. Rejects when a thread ends early, for instance for want of
 * memory.
 */
export async function partitionInThreads(
  roads: FlatRoads,
  cellNodesMax: readonly number[],
  threads: number,
  onProgress: (placed: number) => void = () => {},
  partNodesMax = PART_NODES_MAX,
): Promise<Partition> {
  const order = sharedUint32(roads.x.length);
  for (let node = 0; node < order.length; node++) order[node] = node;
  const starts: CellStarts = cellNodesMax.map(() => []);
  const workerData: PartitionWorkerData = { roads, order, cellNodesMax };
  const pool = createWorkerPool({
    file: compiledFile('tile-builder/partition/partition-worker.js'),
    workerData,
    threads,
    maxQueue: Math.max(1, order.length),
    taskTimeoutMs: TASK_TIMEOUT_MS,
  });
  let placed = 0;
  const split = async (part: Part): Promise<void> => {
    const nodes = part.end - part.first;
    const isLast = nodes <= partNodesMax;
    const { parts, starts: begun } = await pool.run<Part, PartSplit>(isLast ? 'all' : 'once', part);
    for (const [level, firsts] of begun.entries()) starts[level].push(...firsts);
    if (parts.length === 0) {
      placed += nodes;
      onProgress(placed);
    }
    await Promise.all(parts.map(split));
  };
  try {
    if (order.length > 0) await split({ first: 0, end: order.length, openLevel: cellNodesMax.length - 1 });
  } finally {
    await pool.close();
  }
  return partitionOf(order, starts);
}
