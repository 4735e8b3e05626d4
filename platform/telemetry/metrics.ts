export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  /** Adds `amount` (1 when absent). */
  add(amount?: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

export interface Gauge {
  set(value: number): void;
}

/** What a histogram has counted since the start of the program. */
export interface HistogramCounts {
  readonly labels: Labels;
  /** Upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[];
  /** Observations by bucket; one more than the bounds, for those above. They grow: copy what is kept. */
  readonly counts: Readonly<Float64Array>;
}

/**
 * Figures a program exposes to Prometheus. Every method returns the child for exactly these labels, the same
 * one each time: keep it in a variable on hot paths. Label values come from small closed sets, never from
 * input.
 *
 * ```ts
 * const accepted = metrics.counter('location_points_total', 'Points by outcome.', { outcome: 'accepted' });
 * accepted.add(20);
 * ```
 */
export interface Metrics {
  counter(name: string, help: string, labels?: Labels): Counter;
  /** Buckets are those of the first call for this name. */
  histogram(name: string, help: string, buckets: readonly number[], labels?: Labels): Histogram;
  gauge(name: string, help: string, labels?: Labels): Gauge;
  /** The histograms of this name, one for each combination of labels; none before the first. */
  countsOf(name: string): readonly HistogramCounts[];
  /** Runs before each scrape: the place to flush counts that were kept in typed arrays, and to set gauges. */
  onScrape(flush: () => void): void;
  /** The exposition, and its content type. */
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Seconds; from a cached answer to a request that is about to time out. */
export const latencyBucketsS = [
  0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;
