import { SqlUnavailable } from '#platform/sql/sql.js';

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** While one batch is on its way to the disk the next one is already made. */
const atOnceMax = 2;
const batchMax = 32;

/**
 * Makes batches of single calls: what comes while batches are under way goes into the next one, and a call that comes alone goes at once. A
 * batch that the database refuses is worked on again one by one, so that a bad item harms nobody beside it: `work` must be safe to repeat.
 */
export class GatheredCalls<Item, Answer> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly #queue: Array<Waiting<Item, Answer>> = [];
  #running = 0;

  /** `work` answers in the order of its items. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Answer[]>) {
    this.#work = work;
  }

  call(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      if (this.#running < atOnceMax) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running += 1;
    // What comes in the same turn of the event loop shares the first batch.
    await Promise.resolve();
    while (this.#queue.length > 0) await this.#settle(this.#queue.splice(0, batchMax));
    this.#running -= 1;
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
