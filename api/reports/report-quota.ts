import { reportersMax, reportsPerHourMax } from '../http/limits.js';

const hourMs = 3_600_000;

/**
 * Reports that a user may still make on this instance this hour. At its limit, the user with the oldest
 * report is evicted.
 */
export class ReportQuota {
  /** In the order of their first report of the hour. */
  readonly #used = new Map<string, { readonly sinceMs: number; count: number }>();

  /** 0 if the report is accepted, else the seconds until the next one is accepted. */
  take(userId: string, nowMs: number): number {
    const known = this.#used.get(userId);
    if (known !== undefined && nowMs - known.sinceMs < hourMs) {
      if (known.count >= reportsPerHourMax) return Math.ceil((known.sinceMs + hourMs - nowMs) / 1_000);
      known.count++;
      return 0;
    }
    this.#used.delete(userId);
    for (const oldest of this.#used.keys()) {
      if (this.#used.size < reportersMax) break;
      this.#used.delete(oldest);
    }
    this.#used.set(userId, { sinceMs: nowMs, count: 1 });
    return 0;
  }
}
