import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import type { Vehicle } from '#routing-engine/network/vehicle.js';
import type { Mode } from '../ports/planner.js';
import type { RoutingQuestions } from '../ports/routing-questions.js';
import { limitedMetric } from './limited-metrics.js';
import { type MetricSources, metricAt } from './metric-at.js';

export interface EngineRoutingOptions extends MetricSources {
  /** Threads of `routing-engine/tasks/route-worker`. */
  readonly pool: WorkerPool;
}

interface AskedMetric {
  readonly mode: Mode;
  readonly vehicle?: Vehicle;
  readonly topSpeedKph?: number;
  readonly departureMs?: number;
}

/** Answers questions about several places in worker threads. */
export function engineRouting({ pool, ...sources }: EngineRoutingOptions): RoutingQuestions {
  const ask =
    <Outcome>(name: keyof RoutingQuestions) =>
    async <Asked extends AskedMetric>(
      { mode, vehicle, topSpeedKph, departureMs, ...question }: Asked,
      options: { readonly signal: AbortSignal },
    ): Promise<Outcome> => {
      const { metric: usual } = metricAt(sources, { mode, vehicle, departureMs });
      const metric = topSpeedKph === undefined ? usual : await limitedMetric(pool, usual, topSpeedKph);
      return pool.run<object, Outcome>(name, { ...question, metric }, options);
    };
  return {
    guided: ask('guided'),
    isochrone: ask('isochrone'),
    nearest: ask('nearest'),
    table: ask('table'),
    through: ask('through'),
    trace: ask('trace'),
    trip: ask('trip'),
  };
}
