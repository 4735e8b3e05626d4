import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import type { ThroughOutcome, ThroughTask } from '#routing-engine/through-task.js';
import type { PlanThrough } from '../nav/plan-through.js';
import type { LiveMetric } from './engine-traffic.js';
import { stillMetrics } from './still-metrics.js';

export interface EngineThroughOptions {
  readonly network: RoadNetwork;
  /** Threads of `routing-engine/route-worker`. */
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
