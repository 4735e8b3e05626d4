import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { compiledFile } from '#platform/worker-pool/compiled-file.js';
import { type RoadNetwork, shareNetwork } from '#routing-engine/network/road-network.js';
import type { CitySettings } from './city.js';
import type { CityReport } from './city-report.js';

export interface SpawnedCity {
  /** Rejects when the thread died. */
  readonly ended: Promise<void>;
  close(): Promise<CityReport>;
}

/** Starts the city in a thread; the network's memory is shared with it. */
export function spawnCity(network: RoadNetwork, settings: CitySettings): SpawnedCity {
  const file = compiledFile('simulated-city/city-worker.js');
  const worker = new Worker(file, { workerData: { shared: shareNetwork(network), settings } });
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
  return {
    ended,
    async close() {
      const report = once(worker, 'message') as Promise<[CityReport]>;
      worker.postMessage('close');
      return (await report)[0];
    },
  };
}
