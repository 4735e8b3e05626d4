import { SqlUnavailable } from '../sql/sql.js';
import { traced, tracing } from '../telemetry/tracing.js';

export interface BatcherOptions<Item = unknown> {
  /** Batches in progress at the same time. With two, one is sent while the previous one is flushed. */
  readonly atOnce: number;
  /** Greatest weight of a batch; one item that weighs more is a batch of its own. */
  readonly batchMax: number;
  /** What an item adds to its batch; 1 by default, so that `batchMax` counts items. */
  readonly weightOf?: (item: Item) => number;
  /**
   * Items that may wait; the next one is rejected with `BatcherFull`. If absent, the caller must bound them.
   */
  readonly queuedMax?: number;
  /**
   * A batch that fails rejects all of its items. By default each is processed again on its own, see
   * `Batcher`.
   */
  readonly failsTogether?: boolean;
  /**
   * The longest that the first item waits for others: until this resolves. By default the end of the
   * microtask queue, which a simulation needs; `oneLoop` also takes what other sockets bring in this turn of
   * the event loop.
   */
  readonly turn?: () => Promise<void>;
  /** When a batch ends with `SqlUnavailable`, items that have waited this long are rejected with it. */
  readonly patienceMs?: number;
}

const usual = { atOnce: 2, batchMax: 32, turn: () => Promise.resolve(), patienceMs: 5_000 };

export const oneLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The queue is full. This item was not processed. */
export class BatcherFull extends Error {
  override readonly name = 'BatcherFull';
  readonly retriable = true;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  /** `traceparent` of its caller. */
  readonly trace: string | undefined;
  /** As `performance.now()`. */
  readonly since: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines single calls into batches.
 *
 * - Size: a batch weighs at most `batchMax`.
 * - Waiting: an idle batcher sends at the end of the turn. Items that arrive while `atOnce` batches are in
 *   progress form the next batch.
 * - Bound: at `queuedMax` waiting items, `call` rejects with `BatcherFull`.
 * - Order: items start in the order of their calls; `work` answers in the order of its items.
 * - Errors: when `work` rejects with `SqlUnavailable`, every item of the batch is rejected, and so is every
 *   item that has waited for `patienceMs`: no call waits through several time-outs in a row. After any other
 *   error each item is worked on again alone, so that a bad item does not fail the others; `work` must be
 *   safe to repeat. With `failsTogether` every error rejects the whole batch.
 *
 * ```
 *  calls ─▶ [ waiting … ] ─▶ up to `atOnce` batches ─▶ an answer each
 * ```
 */
export class Batcher<Item, Answer> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly #options: BatcherOptions<Item> & typeof usual;
  readonly #queue: Array<Waiting<Item, Answer>> = [];
  readonly #running = new Set<Promise<void>>();
  /** Runs that still read the queue. Not the size of `#running`, which a run leaves microtasks later. */
  #active = 0;

  constructor(
    work: (items: readonly Item[]) => Promise<readonly Answer[]>,
    options: Partial<BatcherOptions<Item>> = {},
  ) {
    this.#work = work;
    this.#options = { ...usual, ...options };
  }

  call(item: Item): Promise<Answer> {
    const { queuedMax, atOnce } = this.#options;
    if (queuedMax !== undefined && this.#queue.length >= queuedMax)
      return Promise.reject(new BatcherFull(`${queuedMax} calls are already waiting. Try again later.`));
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, trace: tracing()?.current(), since: performance.now(), resolve, reject });
      if (this.#active >= atOnce) return;
      this.#active++;
      const run = this.#run().finally(() => this.#running.delete(run));
      this.#running.add(run);
    });
  }

  /** Resolves when nothing is in progress. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #run(): Promise<void> {
    await this.#options.turn();
    while (this.#queue.length > 0) await this.#settle(this.#nextBatch());
    this.#active--;
  }

  #nextBatch(): ReadonlyArray<Waiting<Item, Answer>> {
    const { weightOf, batchMax } = this.#options;
    if (weightOf === undefined) return this.#queue.splice(0, batchMax);
    let weight = 0;
    const end = this.#queue.findIndex(({ item }, index) => {
      weight += weightOf(item);
      return index > 0 && weight > batchMax;
    });
    return this.#queue.splice(0, end === -1 ? this.#queue.length : end);
  }

  async #settle(batch: ReadonlyArray<Waiting<Item, Answer>>): Promise<void> {
    try {
      const causes = batch.flatMap(({ trace }) => trace ?? []);
      const attributes = { 'meridian.batch.size': batch.length };
      // Not in the trace of the caller whose call began this run.
      const answers = await traced('batch', { causes, attributes }, () =>
        this.#work(batch.map(({ item }) => item)),
      );
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!);
    } catch (error) {
      if (batch.length === 1 || this.#options.failsTogether || error instanceof SqlUnavailable)
        for (const { reject } of batch) reject(error);
      else for (const one of batch) await this.#settle([one]);
      if (error instanceof SqlUnavailable) this.#rejectPatient(error);
    }
  }

  #rejectPatient(error: SqlUnavailable): void {
    const latest = performance.now() - this.#options.patienceMs;
    const end = this.#queue.findIndex(({ since }) => since > latest);
    for (const { reject } of this.#queue.splice(0, end === -1 ? this.#queue.length : end)) reject(error);
  }
}
