import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import type { ThroughOutcome, ThroughTask } from '#routing-engine/tasks/through-task.js';
import type { PlanThrough } from '../ports/plan-through.js';
import type { LiveMetric } from './engine-traffic.js';
import type { ModeMetrics } from './mode-metrics.js';

export interface EngineThroughOptions {
  /** Threads of `routing-engine/tasks/route-worker`. */
  readonly pool: WorkerPool;
  readonly driving: () => LiveMetric;
  readonly others: ModeMetrics;
}

/** Plans routes through several places in worker threads, each under one version of the metric. */
export function engineThrough({ pool, driving, others }: EngineThroughOptions): PlanThrough {
  return ({ mode, ...question }, options) => {
    const metric = mode === 'driving' ? driving().metric : others.open(mode);
    return pool.run<ThroughTask, ThroughOutcome>('through', { ...question, metric }, options);
  };
}
