import { compiledFile } from '#platform/worker-pool/compiled-file.js';
import { createWorkerPool, type WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { type RoadNetwork, shareNetwork } from '#routing-engine/network/road-network.js';

/** One routing worker on the network, as the API has several. */
export function routePool(network: RoadNetwork): WorkerPool {
  return createWorkerPool({
    // The compiled file by its path: the test runner resolves names to sources, which a thread cannot load.
    file: compiledFile('routing-engine/tasks/route-worker.js'),
    workerData: { network: shareNetwork(network) },
    threads: 1,
  });
}
