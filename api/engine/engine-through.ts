import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { ThroughOutcome, ThroughTask } from '#routing-engine/tasks/through-task.js';
import type { PlanThrough } from '../ports/plan-through.js';
import type { LiveMetric } from './engine-traffic.js';
import { stillMetrics } from './still-metrics.js';

export interface EngineThroughOptions {
  readonly network: RoadNetwork;
  /** Threads of `routing-engine/tasks/route-worker`. */
  readonly pool: WorkerPool;
  readonly driving: () => LiveMetric;
}

/** Plans ways through several places in worker threads, each under one version of the metric. */
export function engineThrough({ network, pool, driving }: EngineThroughOptions): PlanThrough {
  const still = stillMetrics(network);
  return ({ mode, ...question }, options) => {
    const metric = mode === 'driving' ? driving().metric : still(mode);
    return pool.run<ThroughTask, ThroughOutcome>('through', { ...question, metric }, options);
  };
}
