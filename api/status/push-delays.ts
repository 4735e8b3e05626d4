import type { Histogram, Metrics } from '#platform/telemetry/metrics.js';

/** Seconds: from a push within the same turn to one that is too late to help. */
const bucketsS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60] as const;
const keptMax = 256;

/** The time from the acceptance of the point that triggers a change to the frame on a socket. */
export class PushDelays {
  readonly #histogram: Histogram;
  /** The last delays in milliseconds, a ring; `#count` pushes were ever seen. */
  readonly #recentMs = new Float64Array(keptMax);
  #count = 0;

  constructor(metrics: Metrics) {
    this.#histogram = metrics.histogram(
      'incident_to_push_seconds',
      'Seconds from accepting the point that caused a reroute to sending its frame.',
      bucketsS,
    );
  }

  observe(delayMs: number): void {
    this.#histogram.observe(delayMs / 1_000);
    this.#recentMs[this.#count % keptMax] = delayMs;
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  /** Median of the last 256 pushes; null before the first. */
  get medianMs(): number | null {
    const kept = Math.min(this.#count, keptMax);
    if (kept === 0) return null;
    return this.#recentMs.slice(0, kept).toSorted()[Math.floor(kept / 2)]!;
  }
}
