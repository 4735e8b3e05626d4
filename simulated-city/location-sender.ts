import type { Random } from '#platform/random/random.js';
import { bufferedPointsMax, pointsPerBatch, retryBackoffMsMax, retryBackoffMsMin } from './limits.js';
import type { LocationTuple, PlatformClient } from './platform-client.js';

export interface SenderCounts {
  accepted: number;
  refused: number;
  retried: number;
  thinned: number;
}

/**
 * One driver's outbox: points wait here until a batch with them is acknowledged. A batch keeps its id through
 * all retries, so it counts once. During a long outage of the platform, every second point of the older half
 * is dropped.
 */
export class LocationSender {
  readonly #client: PlatformClient;
  readonly #random: Random;
  readonly #counts: SenderCounts;
  readonly #userId: string;
  #waiting: LocationTuple[] = [];
  #batch: { id: string; locs: readonly LocationTuple[] } | undefined;
  #sequence = 0;
  #backoffMs = 0;
  #notBeforeMs = 0;
  #sending = false;

  constructor(userId: string, client: PlatformClient, random: Random, counts: SenderCounts) {
    this.#userId = userId;
    this.#client = client;
    this.#random = random;
    this.#counts = counts;
  }

  add(point: LocationTuple): void {
    this.#waiting.push(point);
    if (this.#waiting.length <= bufferedPointsMax) return;
    const half = bufferedPointsMax / 2;
    const kept = this.#waiting.filter((_, index) => index >= half || index % 2 === 0);
    this.#counts.thinned += this.#waiting.length - kept.length;
    this.#waiting = kept;
  }

  /** Sends one batch unless one is in flight or the platform requested a pause. */
  async flush(token: string, nowMs: number): Promise<'idle' | 'sent' | 'unauthorized'> {
    if (this.#sending || nowMs < this.#notBeforeMs) return 'idle';
    if (this.#batch === undefined) {
      if (this.#waiting.length === 0) return 'idle';
      const id = `${this.#userId}-${nowMs}-${this.#sequence++}`;
      this.#batch = { id, locs: this.#waiting.splice(0, pointsPerBatch) };
    }
    this.#sending = true;
    const { id, locs } = this.#batch;
    const sent = await this.#client.sendBatch(token, id, locs);
    this.#sending = false;
    if (sent.outcome === 'retry') {
      this.#counts.retried++;
      this.#backoffMs = Math.min(retryBackoffMsMax, Math.max(retryBackoffMsMin, this.#backoffMs * 2));
      // Full jitter: a thousand phones that lost the same server must not come back at the same instant.
      this.#notBeforeMs = nowMs + Math.max(sent.afterMs ?? 0, this.#random.next() * this.#backoffMs);
      return 'idle';
    }
    if (sent.outcome === 'refused' && sent.status === 401) return 'unauthorized';
    this.#batch = undefined;
    this.#backoffMs = 0;
    if (sent.outcome === 'accepted') this.#counts.accepted += locs.length;
    else this.#counts.refused += locs.length;
    return 'sent';
  }
}
