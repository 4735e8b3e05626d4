import { Worker } from 'node:worker_threads';
import { compiledFile } from '#platform/worker-pool/compiled-file.js';
import { type RoadNetwork, shareNetwork } from '#routing-engine/network/road-network.js';
import type { SimulationTruth } from '#schemas/http/simulation.js';
import type { CitySettings } from './city.js';
import type { CityReport } from './city-report.js';

/** The requests to the thread; it answers in the same order. */
export type CityRequest = 'truth' | 'close';

export interface SpawnedCity {
  /** Rejects when the thread died. */
  readonly ended: Promise<void>;
  /** Undefined once the city has ended. */
  truth(): Promise<SimulationTruth | undefined>;
  close(): Promise<CityReport | undefined>;
}

/** Starts the city in a thread; the network's memory is shared with it. */
export function spawnCity(network: RoadNetwork, settings: CitySettings): SpawnedCity {
  const file = compiledFile('simulated-city/city-worker.js');
  const worker = new Worker(file, { workerData: { shared: shareNetwork(network), settings } });
  const waiting: ((answer: unknown) => void)[] = [];
  let hasEnded = false;
  worker.on('message', (answer) => waiting.shift()?.(answer));
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => {
      hasEnded = true;
      for (const answer of waiting.splice(0)) answer(undefined);
      resolve();
    });
  });
  const ask = (request: CityRequest): Promise<unknown> =>
    new Promise((resolve) => {
      if (hasEnded) {
        resolve(undefined);
        return;
      }
      waiting.push(resolve);
      worker.postMessage(request);
    });
  return {
    ended,
    truth: () => ask('truth') as Promise<SimulationTruth | undefined>,
    close: () => ask('close') as Promise<CityReport | undefined>,
  };
}
