import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import type { Mode } from '../ports/planner.js';
import type { RoutingQuestions } from '../ports/routing-questions.js';
import type { LiveMetric } from './engine-traffic.js';
import type { ModeMetrics } from './mode-metrics.js';

export interface EngineRoutingOptions {
  /** Threads of `routing-engine/tasks/route-worker`. */
  readonly pool: WorkerPool;
  readonly driving: () => LiveMetric;
  readonly others: ModeMetrics;
}

/** Answers questions about several places in worker threads. */
export function engineRouting({ pool, driving, others }: EngineRoutingOptions): RoutingQuestions {
  const ask =
    <Outcome>(name: keyof RoutingQuestions) =>
    async <Asked extends { readonly mode: Mode }>(
      { mode, ...question }: Asked,
      options: { readonly signal: AbortSignal },
    ): Promise<Outcome> => {
      const metric = mode === 'driving' ? driving().metric : others.open(mode);
      return pool.run<object, Outcome>(name, { ...question, metric }, options);
    };
  return {
    isochrone: ask('isochrone'),
    nearest: ask('nearest'),
    table: ask('table'),
    through: ask('through'),
    trace: ask('trace'),
    trip: ask('trip'),
  };
}
