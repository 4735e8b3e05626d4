import type { ReserveOutcome, ReserveRequest } from './reservations.js';
import type { BatchOutcome } from './reserve-batch.js';

export interface WriterOptions {
  /** Writers of this process. All requests of a hotel go to the same one. */
  readonly writers: number;
  /** Of one writer. With two, a transaction is on its way while the one before it is flushed. */
  readonly transactionsPerWriter: number;
  readonly batchMax: number;
  /** Requests that wait, over all writers; one more is `busy`. */
  readonly waitingMax: number;
}

interface Waiting {
  readonly request: ReserveRequest;
  readonly resolve: (outcome: ReserveOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One writer per hotel, so that the callers of a hot one do not queue up for its row locks with a connection each: what arrives while a
 * transaction is under way goes into the next one. A quiet hotel's request goes at once and alone.
 *
 * ```
 *  requests ─▶ writer by hotel ─▶ [ waiting … ] ─▶ one or two transactions ─▶ an outcome each
 * ```
 */
export class ReservationWriters {
  readonly #reserveBatch: (requests: readonly ReserveRequest[]) => Promise<readonly BatchOutcome[]>;
  readonly #options: WriterOptions;
  readonly #queues: Waiting[][];
  readonly #running: Array<Set<Promise<void>>>;
  #waiting = 0;

  constructor(
    reserveBatch: (requests: readonly ReserveRequest[]) => Promise<readonly BatchOutcome[]>,
    options: WriterOptions,
  ) {
    this.#reserveBatch = reserveBatch;
    this.#options = options;
    this.#queues = Array.from({ length: options.writers }, () => []);
    this.#running = this.#queues.map(() => new Set());
  }

  reserve(request: ReserveRequest): Promise<ReserveOutcome> {
    if (this.#waiting >= this.#options.waitingMax) return Promise.resolve({ kind: 'busy' });
    const writer = hashOf(request.hotelId) % this.#queues.length;
    return new Promise((resolve, reject) => {
      this.#waiting += 1;
      this.#queues[writer]!.push({ request, resolve, reject });
      this.#wake(writer);
    });
  }

  /** Resolves when everything that waits has its outcome. */
  async drain(): Promise<void> {
    while (this.#waiting > 0) await Promise.all(this.#running.flatMap((running) => [...running]));
  }

  #wake(writer: number): void {
    const running = this.#running[writer]!;
    if (running.size >= this.#options.transactionsPerWriter) return;
    const run = this.#run(writer).finally(() => running.delete(run));
    running.add(run);
  }

  async #run(writer: number): Promise<void> {
    const queue = this.#queues[writer]!;
    // What arrives in the same turn of the event loop shares the first transaction.
    await Promise.resolve();
    while (queue.length > 0) await this.#settle(queue, queue.splice(0, this.#options.batchMax));
  }

  async #settle(queue: Waiting[], batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#reserveBatch(batch.map((waiting) => waiting.request));
      const again: Waiting[] = [];
      for (const [index, waiting] of batch.entries()) {
        const outcome = outcomes[index]!;
        if (outcome.kind === 'again') {
          again.push(waiting);
          continue;
        }
        this.#waiting -= 1;
        waiting.resolve(outcome);
      }
      queue.unshift(...again);
    } catch (error) {
      this.#waiting -= batch.length;
      for (const { reject } of batch) reject(error);
    }
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
