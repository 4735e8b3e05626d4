import type { Vehicle } from '#routing-engine/network/vehicle.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import type { GuidedOutcome, GuidedTask } from '#routing-engine/tasks/guided-task.js';
import type { IsochroneOutcome, IsochroneTask } from '#routing-engine/tasks/isochrone-task.js';
import type { NearestOutcome, NearestTask } from '#routing-engine/tasks/nearest-task.js';
import type { TableOutcome, TableTask } from '#routing-engine/tasks/table-task.js';
import type { ThroughOutcome, ThroughTask } from '#routing-engine/tasks/through-task.js';
import type { TraceOutcome, TraceTask } from '#routing-engine/tasks/trace-task.js';
import type { TripOutcome, TripTask } from '#routing-engine/tasks/trip-task.js';
import type { Mode } from './planner.js';

/** A task for a routing thread, without the metric, which is the one of the mode at the departure. */
type Question<Task extends { readonly metric: Metric }> = Omit<Task, 'metric'> & {
  readonly mode: Mode;
  /** Of the mode `truck`; absent: the usual one. */
  readonly vehicle?: Vehicle;
  /** Of what has a motor; absent: as fast as the roads allow. */
  readonly topSpeedKph?: number;
  /** Unix milliseconds; absent: now. See `metricAt`. */
  readonly departureMs?: number;
};

export type GuidedQuestion = Question<GuidedTask>;
export type IsochroneQuestion = Question<IsochroneTask>;
export type NearestQuestion = Question<NearestTask>;
export type TableQuestion = Question<TableTask>;
export type ThroughQuestion = Question<ThroughTask>;
export type TraceQuestion = Question<TraceTask>;
export type TripQuestion = Question<TripTask>;

type Ask<Asked, Outcome> = (question: Asked, options: { readonly signal: AbortSignal }) => Promise<Outcome>;

/**
 * Questions about several places, answered beside the event loop, each under one version of the metric. They
 * reject as `Planner.plan` does.
 */
export interface RoutingQuestions {
  /** The steps of a route that is known by its roads. */
  readonly guided: Ask<GuidedQuestion, GuidedOutcome>;
  /** Areas that can be reached from a place. */
  readonly isochrone: Ask<IsochroneQuestion, IsochroneOutcome>;
  /** The roads nearest to places. */
  readonly nearest: Ask<NearestQuestion, NearestOutcome>;
  /** Times and distances between places. */
  readonly table: Ask<TableQuestion, TableOutcome>;
  /** A route through places in their order. */
  readonly through: Ask<ThroughQuestion, ThroughOutcome>;
  /** The drives of a recorded trace. */
  readonly trace: Ask<TraceQuestion, TraceOutcome>;
  /** A route through places in the best order. */
  readonly trip: Ask<TripQuestion, TripOutcome>;
}
