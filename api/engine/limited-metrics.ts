import { LRUCache } from 'lru-cache';
import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import type { LimitedSpeedTask } from '#routing-engine/overlay/limit-speed.js';
import type { Metric } from '#routing-engine/overlay/metric.js';

/** Metrics under a top speed that are kept. Each takes as much memory as the metric of a mode. */
const metricsKept = 4;

type Limited = Pick<Metric, 'topSpeedKph' | 'costMs' | 'covered' | 'weightsMs'>;

/**
 * Metrics for vehicles that are slower than the roads allow. A thread makes each from the current one when it
 * is first asked for; requests of the same speed share it until traffic changes.
 */
class LimitedMetrics {
  readonly #pool: WorkerPool;
  readonly #known = new LRUCache<string, Promise<Limited>>({ max: metricsKept });
  readonly #numbers = new WeakMap<Int32Array, number>();
  #count = 0;

  constructor(pool: WorkerPool) {
    this.#pool = pool;
  }

  async at(metric: Metric, topSpeedKph: number): Promise<Metric> {
    const key = `${this.#numberOf(metric.costMs)} ${topSpeedKph}`;
    let limited = this.#known.get(key);
    if (limited === undefined) {
      // Without the signal of a request: others wait for the same metric.
      limited = this.#pool
        .run<LimitedSpeedTask, Metric>('limitedSpeed', { metric, topSpeedKph })
        .then(({ costMs, covered, weightsMs }) => ({ topSpeedKph, costMs, covered, weightsMs }));
      this.#known.set(key, limited);
      limited.catch(() => this.#known.delete(key));
    }
    return { ...metric, ...(await limited) };
  }

  /** Metrics are compared by their costs: a truck has an object of its own for each request. */
  #numberOf(costMs: Int32Array): number {
    let number = this.#numbers.get(costMs);
    if (number === undefined) {
      number = this.#count++;
      this.#numbers.set(costMs, number);
    }
    return number;
  }
}

const ofPools = new WeakMap<WorkerPool, LimitedMetrics>();

/** The metric for a vehicle that goes no faster. */
export function limitedMetric(pool: WorkerPool, metric: Metric, topSpeedKph: number): Promise<Metric> {
  let limited = ofPools.get(pool);
  if (limited === undefined) {
    limited = new LimitedMetrics(pool);
    ofPools.set(pool, limited);
  }
  return limited.at(metric, topSpeedKph);
}
