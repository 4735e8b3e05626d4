import type { ThroughOutcome, ThroughTask } from '#routing-engine/tasks/through-task.js';
import type { Mode } from './planner.js';

export type ThroughQuestion = Omit<ThroughTask, 'metric'> & { readonly mode: Mode };

/**
 * Plans a route through several places beside the event loop, under the current metric. Rejects as
 * `Planner.plan` does.
 */
export type PlanThrough = (
  question: ThroughQuestion,
  options: { readonly signal: AbortSignal },
) => Promise<ThroughOutcome>;
