import type { ConsumerOptions, RecordBatch, TopicPartition } from './event-log.js';
import { redeliveryDelayMs } from './redelivery.js';

export interface PartitionReaderOptions extends TopicPartition {
  readonly from: number;
  /** The records from an offset on; undefined when there are none yet. */
  readonly next: (fromOffset: number) => RecordBatch | undefined;
  /** False when the partition was revoked. */
  readonly commit: (nextOffset: number) => Promise<boolean>;
  readonly onBatch: ConsumerOptions['onBatch'];
  readonly onError: (error: Error) => void;
}

/** Passes the batches of one partition to a consumer, one at a time, until it is stopped. */
export class PartitionReader {
  readonly topic: string;
  readonly partition: number;
  readonly #options: PartitionReaderOptions;
  #offset: number;
  #stopped = false;
  #wake: () => void = () => {};
  /** Settles when the last batch has ended. False: the partition was revoked meanwhile. */
  readonly done: Promise<boolean>;

  constructor(options: PartitionReaderOptions) {
    this.#options = options;
    this.topic = options.topic;
    this.partition = options.partition;
    this.#offset = options.from;
    this.done = this.#run();
  }

  /** New records may be there. */
  wake(): void {
    this.#wake();
  }

  stop(): Promise<boolean> {
    this.#stopped = true;
    this.#wake();
    return this.done;
  }

  async #run(): Promise<boolean> {
    let batch: RecordBatch | undefined;
    for (let attempt = 0; !this.#stopped; ) {
      try {
        batch ??= this.#options.next(this.#offset);
        if (batch === undefined) {
          await this.#pause();
          continue;
        }
        await this.#options.onBatch(batch);
        if (!(await this.#options.commit(batch.nextOffset))) return false;
        this.#offset = batch.nextOffset;
        batch = undefined;
        attempt = 0;
      } catch (error) {
        this.#options.onError(error instanceof Error ? error : new Error(String(error)));
        attempt++;
        await this.#pause(redeliveryDelayMs(attempt));
      }
    }
    return true;
  }

  /** Waits for new records or, if a time is given, until it is over. A stop ends both. */
  async #pause(ms?: number): Promise<void> {
    if (this.#stopped) return;
    await new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.#wake = () => {
        if (timer !== undefined && !this.#stopped) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
