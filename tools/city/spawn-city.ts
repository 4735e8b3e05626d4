import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type RoadNetwork, shareNetwork } from '#routing-engine/road-network.js';
import type { CitySettings } from './city.js';
import type { CityReport } from './city-report.js';

export interface SpawnedCity {
  /** Rejects when the thread died. */
  readonly ended: Promise<void>;
  close(): Promise<CityReport>;
}

/** Starts the city in a thread; the network's memory is shared with it. */
export function spawnCity(network: RoadNetwork, settings: CitySettings): SpawnedCity {
  const file = createRequire(import.meta.url).resolve('#tools/city/city-worker.js');
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
