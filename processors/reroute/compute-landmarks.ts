import { Worker } from 'node:worker_threads';
import { compiledFile } from '#platform/worker-pool/compiled-file.js';
import { type RoadNetwork, shareNetwork } from '#routing-engine/network/road-network.js';
import { landmarksCount } from '../limits.js';
import type { LandmarkWorkerData } from './landmark-worker.js';
import type { Landmarks } from './landmarks.js';

export interface ComputedLandmarks {
  /** Never resolves when the computation is stopped before. */
  readonly made: Promise<Landmarks>;
  stop(): Promise<void>;
}

/** Landmarks of a network, computed in a separate thread: a second for a city, minutes for a country. */
export function computeLandmarks(network: RoadNetwork): ComputedLandmarks {
  const file = compiledFile('processors/reroute/landmark-worker.js');
  const workerData: LandmarkWorkerData = { network: shareNetwork(network), count: landmarksCount };
  const worker = new Worker(file, { workerData });
  const made = new Promise<Landmarks>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return {
    made,
    async stop() {
      await worker.terminate();
    },
  };
}
