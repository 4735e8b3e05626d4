import { workerData } from 'node:worker_threads';
import { type MatchAnswer, type MatchTask, TraceTasks } from '../matching/match-task.js';
import { networkFromShared, type SharedNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { landmarksOf } from '../overlay/landmarks.js';
import { type LimitedSpeedTask, limitSpeed } from '../overlay/limit-speed.js';
import type { Metric } from '../overlay/metric.js';
import { answerGuidedTask, type GuidedOutcome, type GuidedTask } from './guided-task.js';
import { answerIsochroneTask, type IsochroneOutcome, type IsochroneTask } from './isochrone-task.js';
import { answerNearestTask, type NearestOutcome, type NearestTask } from './nearest-task.js';
import { answerRouteTask, type RouteTask, type RouteTaskOutcome } from './route-task.js';
import { answerStopsTask, type StopsOutcome, type StopsTask } from './stops-task.js';
import { answerTableTask, type TableOutcome, type TableTask } from './table-task.js';
import { answerThroughTask, type ThroughOutcome, type ThroughTask } from './through-task.js';
import { answerTraceTask, type TraceOutcome, type TraceTask } from './trace-task.js';
import { answerTripTask, type TripOutcome, type TripTask } from './trip-task.js';

/**
 * Entry of a routing worker thread. Started with `workerData: { network: SharedNetwork }`; each task contains
 * its metric, so a query uses one version from start to end.
 */
export interface RouteWorkerData {
  readonly network: SharedNetwork;
}

const network = networkFromShared((workerData as RouteWorkerData).network);
/** Created with the first trace: a thread that only plans routes needs none. */
let traces: TraceTasks | undefined;

/** Makes the landmarks of a mode, for all threads: else the first search of the mode makes them. */
export function landmarks(mode: TravelMode): void {
  landmarksOf(network, mode);
}

export default function route(task: RouteTask): RouteTaskOutcome {
  return answerRouteTask(network, task);
}

export function through(task: ThroughTask): ThroughOutcome {
  return answerThroughTask(network, task);
}

export function guided(task: GuidedTask): GuidedOutcome {
  return answerGuidedTask(network, task);
}

export function isochrone(task: IsochroneTask): IsochroneOutcome {
  return answerIsochroneTask(network, task);
}

export function nearest(task: NearestTask): NearestOutcome {
  return answerNearestTask(network, task);
}

export function stops(task: StopsTask): StopsOutcome {
  return answerStopsTask(network, task);
}

export function limitedSpeed({ metric, topSpeedKph }: LimitedSpeedTask): Metric {
  return limitSpeed(network, metric, topSpeedKph);
}

export function table(task: TableTask): TableOutcome {
  return answerTableTask(network, task);
}

export function trace(task: TraceTask): TraceOutcome {
  return answerTraceTask(network, task);
}

export function trip(task: TripTask): TripOutcome {
  return answerTripTask(network, task);
}

export function match(task: MatchTask): MatchAnswer {
  traces ??= new TraceTasks(network);
  return traces.answer(task);
}
