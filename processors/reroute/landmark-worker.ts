import { parentPort, workerData } from 'node:worker_threads';
import { networkFromShared, type SharedNetwork } from '#routing-engine/network/road-network.js';
import { makeLandmarks } from './landmarks.js';

/** The data with which the thread is started. */
export interface LandmarkWorkerData {
  readonly network: SharedNetwork;
  readonly count: number;
}

const { network, count } = workerData as LandmarkWorkerData;
parentPort?.postMessage(makeLandmarks(networkFromShared(network), count));
