import { Batcher, type BatcherOptions } from '#platform/batcher/batcher.js';
import type { ReserveOutcome, ReserveRequest } from './reservations.js';
import type { BatchOutcome } from './reserve-batch.js';

export interface WriterOptions extends BatcherOptions {
  /** Writers of this process. All requests of a hotel go to the same one. */
  readonly writers: number;
  /** Requests that wait, over all writers; further ones are `busy`. */
  readonly waitingMax: number;
}

/**
 * One writer per hotel, so that callers of a busy hotel do not each occupy a connection while they wait for
 * row locks. Requests that arrive during a transaction form the next one. An idle writer sends immediately.
 *
 * ```
 *  requests ─▶ writer by hotel ─▶ [ waiting … ] ─▶ one or two transactions ─▶ an outcome each
 * ```
 */
export class ReservationBatchers {
  readonly #writers: ReadonlyArray<Batcher<ReserveRequest, BatchOutcome>>;
  readonly #waitingMax: number;
  #waiting = 0;

  constructor(
    reserveBatch: (requests: readonly ReserveRequest[]) => Promise<readonly BatchOutcome[]>,
    options: WriterOptions,
  ) {
    this.#writers = Array.from({ length: options.writers }, () => new Batcher(reserveBatch, options));
    this.#waitingMax = options.waitingMax;
  }

  async reserve(request: ReserveRequest): Promise<ReserveOutcome> {
    if (this.#waiting >= this.#waitingMax) return { kind: 'busy' };
    this.#waiting += 1;
    try {
      const writer = this.#writers[hashOf(request.hotelId) % this.#writers.length]!;
      for (;;) {
        const outcome = await writer.call(request);
        if (outcome.kind !== 'again') return outcome;
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Resolves when all waiting requests have their outcome. */
  async drain(): Promise<void> {
    while (this.#waiting > 0) await Promise.all(this.#writers.map((writer) => writer.drain()));
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
