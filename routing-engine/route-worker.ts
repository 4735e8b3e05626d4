import { workerData } from 'node:worker_threads';
import { networkFromShared, type SharedNetwork } from './road-network.js';
import { answerRouteTask, type RouteTask, type RouteTaskOutcome } from './route-task.js';

/**
 * Entry of a routing worker thread. Started with `workerData: { network: SharedNetwork }`; each task brings the metric
 * that it is answered on, so a query sees one version from start to end.
 */
export interface RouteWorkerData {
  readonly network: SharedNetwork;
}

const network = networkFromShared((workerData as RouteWorkerData).network);

export default function route(task: RouteTask): RouteTaskOutcome {
  return answerRouteTask(network, task);
}
