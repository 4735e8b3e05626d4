import type { HistogramCounts } from './metrics.js';

/** Requests of one operation in the window. */
export interface OperationRate {
  readonly operation: string;
  readonly requests: number;
  /** Answered with 4xx. */
  readonly refused: number;
  /** Answered with 5xx. */
  readonly failed: number;
  /** Seconds; estimated within a bucket, and at most the last bound. */
  readonly p50S: number;
  readonly p99S: number;
}

export interface Interval {
  /** Of its end, milliseconds. */
  readonly endMs: number;
  readonly requests: number;
  readonly failed: number;
}

export interface Rates {
  /** What the figures cover, milliseconds: less than the window after a start. */
  readonly coveredMs: number;
  /** The busiest first. */
  readonly operations: readonly OperationRate[];
  /** Oldest first; the last one is not complete. */
  readonly intervals: readonly Interval[];
}

export interface RequestRatesOptions {
  /** The histograms of the durations, in seconds, with the labels `route`, `method` and `status`. */
  readonly read: () => readonly HistogramCounts[];
  /** Operations that are told apart; requests of one name are counted together. */
  readonly nameOf: (method: string, route: string) => string;
  readonly nowMs: () => number;
  readonly intervalMs?: number;
  /** Intervals that are kept. */
  readonly intervals?: number;
}

/** Requests of one operation in one interval. */
interface Count {
  /** By bucket. */
  readonly buckets: Float64Array;
  refused: number;
  failed: number;
}

interface Slot {
  readonly endMs: number;
  readonly counts: ReadonlyMap<string, Count>;
}

/**
 * Rates, errors and durations of the last minutes. The counts of requests only grow, so each interval is what
 * they grew by. The memory is bounded by the number of operations and intervals.
 */
export class RequestRates {
  readonly #options: Required<RequestRatesOptions>;
  readonly #slots: Slot[] = [];
  /** What the histograms had at the end of the last interval. */
  #before = new Map<string, Float64Array>();
  #startMs: number;
  #bounds: readonly number[] = [];

  constructor(options: RequestRatesOptions) {
    this.#options = { intervalMs: 15_000, intervals: 20, ...options };
    this.#startMs = this.#options.nowMs();
    this.#before = this.#copied();
  }

  get intervalMs(): number {
    return this.#options.intervalMs;
  }

  /** Ends an interval; called once in `intervalMs`. */
  turn(): void {
    const endMs = this.#options.nowMs();
    this.#slots.push({ endMs, counts: this.#grown() });
    if (this.#slots.length > this.#options.intervals) this.#startMs = this.#slots.shift()!.endMs;
    this.#before = this.#copied();
  }

  rates(): Rates {
    const nowMs = this.#options.nowMs();
    const slots = [...this.#slots, { endMs: nowMs, counts: this.#grown() }];
    const sums = new Map<string, Count>();
    for (const { counts } of slots) for (const [name, count] of counts) addTo(sums, name, count);
    return {
      coveredMs: nowMs - this.#startMs,
      operations: [...sums]
        .map(([operation, count]) => rateOf(operation, count, this.#bounds))
        .toSorted((a, b) => b.requests - a.requests || (a.operation < b.operation ? -1 : 1)),
      intervals: slots.map(({ endMs, counts }) => ({
        endMs,
        requests: sum([...counts.values()].map(({ buckets }) => sum(buckets))),
        failed: sum([...counts.values()].map(({ failed }) => failed)),
      })),
    };
  }

  #copied(): Map<string, Float64Array> {
    return new Map(
      this.#options.read().map(({ labels, counts }) => [keyOf(labels), Float64Array.from(counts)]),
    );
  }

  /** What the counts have grown by since the end of the last interval, of operations with requests. */
  #grown(): Map<string, Count> {
    const grown = new Map<string, Count>();
    for (const { labels, bounds, counts } of this.#options.read()) {
      this.#bounds = bounds;
      const before = this.#before.get(keyOf(labels));
      const buckets = Float64Array.from(counts, (count, i) => count - (before?.[i] ?? 0));
      const requests = sum(buckets);
      if (requests === 0) continue;
      const { method = '', route = '', status = '' } = labels;
      addTo(grown, this.#options.nameOf(method, route), {
        buckets,
        refused: status.startsWith('4') ? requests : 0,
        failed: status.startsWith('5') ? requests : 0,
      });
    }
    return grown;
  }
}

const keyOf = (labels: HistogramCounts['labels']): string =>
  `${labels['method']} ${labels['route']} ${labels['status']}`;

const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

function addTo(sums: Map<string, Count>, name: string, { buckets, refused, failed }: Count): void {
  const known = sums.get(name);
  if (known === undefined) {
    sums.set(name, { buckets: Float64Array.from(buckets), refused, failed });
    return;
  }
  for (const [i, count] of buckets.entries()) known.buckets[i] = (known.buckets[i] ?? 0) + count;
  known.refused += refused;
  known.failed += failed;
}

const rateOf = (
  operation: string,
  { buckets, refused, failed }: Count,
  bounds: readonly number[],
): OperationRate => ({
  operation,
  requests: sum(buckets),
  refused,
  failed,
  p50S: quantile(buckets, bounds, 0.5),
  p99S: quantile(buckets, bounds, 0.99),
});

/** Observations count as spread evenly over their bucket, as in `histogram_quantile` of Prometheus. */
export function quantile(buckets: Readonly<Float64Array>, bounds: readonly number[], share: number): number {
  const rank = share * sum(buckets);
  let below = 0;
  for (const [i, count] of buckets.entries()) {
    if (count > 0 && below + count >= rank) {
      const upper = bounds[i];
      const lower = i === 0 ? 0 : bounds[i - 1]!;
      return upper === undefined ? lower : lower + ((rank - below) / count) * (upper - lower);
    }
    below += count;
  }
  return 0;
}
