import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { networkFromShared, type SharedNetwork } from '#routing-engine/network/road-network.js';
import {
  applyChanges,
  type EdgeChange,
  freeFlowMetric,
  type Metric,
} from '#routing-engine/overlay/metric.js';
import { changeSet } from './change-set.js';
import { seeded } from './seeded.js';

/** Entry of the thread that changes a share of all edges each second, while another answers queries. */
export interface UpdateWorkerData {
  readonly network: SharedNetwork;
  readonly share: number;
  readonly pattern: 'clustered' | 'random';
  readonly seed: number;
  /**
   * Port for new metrics: the reader receives them between two queries without handling other events.
   */
  readonly updates: MessagePort;
}

export interface UpdateMessage {
  readonly metric: Metric;
  readonly tookMs: number;
}

const { network: shared, share, pattern, seed, updates } = workerData as UpdateWorkerData;
const network = networkFromShared(shared);
const random = seeded(seed);
let metric = freeFlowMetric(network, 'driving');
let timer: NodeJS.Timeout | undefined;

parentPort!.on('message', (wanted: 'change' | 'stop') => {
  clearInterval(timer);
  timer = wanted === 'change' ? setInterval(change, 1_000) : undefined;
  // Follows the customization in progress.
  if (wanted === 'stop') parentPort!.postMessage('stopped');
});
parentPort!.postMessage('ready');

function change(): void {
  const changes = changeSet(network, share, pattern, random);
  const list = [...changes].map(([edge, speedKph]): EdgeChange => ({ edge, speedKph }));
  const began = performance.now();
  metric = applyChanges(network, metric, list, metric.version + 1);
  updates.postMessage({ metric, tookMs: performance.now() - began } satisfies UpdateMessage);
}
