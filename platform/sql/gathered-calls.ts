import { SqlUnavailable } from './sql.js';

export interface GatheringOptions {
  /** Batches under way at once. With two, one is on its way while the one before it is flushed. */
  readonly atOnce: number;
  readonly batchMax: number;
  /**
   * Ends the turn whose calls the first batch takes. At once by default, which a simulation needs; `oneLoop` also takes what other sockets
   * bring in this turn of the event loop.
   */
  readonly turn?: () => Promise<void>;
}

const usual: Required<GatheringOptions> = { atOnce: 2, batchMax: 32, turn: () => Promise.resolve() };

export const oneLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes batches of single calls: what arrives while a batch is under way goes into the next one, and a call that comes to nobody goes at
 * once and alone. A batch that fails for good is worked on again one by one, so that a bad item harms nobody beside it; `work` must be
 * safe to repeat. What may wait at all is bounded by who calls.
 *
 * ```
 *  calls ─▶ [ waiting … ] ─▶ one or two batches ─▶ an answer each
 * ```
 */
export class GatheredCalls<Item, Answer> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly #options: Required<GatheringOptions>;
  readonly #queue: Array<Waiting<Item, Answer>> = [];
  readonly #running = new Set<Promise<void>>();

  /** `work` answers in the order of its items. */
  constructor(
    work: (items: readonly Item[]) => Promise<readonly Answer[]>,
    options: Partial<GatheringOptions> = {},
  ) {
    this.#work = work;
    this.#options = { ...usual, ...options };
  }

  call(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      if (this.#running.size >= this.#options.atOnce) return;
      const run = this.#run().finally(() => this.#running.delete(run));
      this.#running.add(run);
    });
  }

  /** Resolves when nothing is under way. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #run(): Promise<void> {
    // What is called in the same turn shares the first batch.
    await this.#options.turn();
    while (this.#queue.length > 0) await this.#settle(this.#queue.splice(0, this.#options.batchMax));
  }

  async #settle(batch: ReadonlyArray<Waiting<Item, Answer>>): Promise<void> {
    try {
      const answers = await this.#work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!);
    } catch (error) {
      if (batch.length === 1 || error instanceof SqlUnavailable)
        for (const { reject } of batch) reject(error);
      else for (const one of batch) await this.#settle([one]);
    }
  }
}
