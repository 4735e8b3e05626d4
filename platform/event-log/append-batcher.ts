import type { WatchQueue } from '../telemetry/bounded-queue.js';
import { LogUnavailable, type NewRecord, type RecordPosition } from './event-log.js';

export interface QueuedAppend {
  readonly topic: string;
  readonly partitionCount: number;
  readonly records: readonly NewRecord[];
  readonly bytes: number;
}

/** A group of appends that was written. The next group is written while this one becomes durable. */
export interface WrittenGroup {
  /** One list for each append of the group. */
  readonly positions: ReadonlyArray<readonly RecordPosition[]>;
  readonly durable: Promise<unknown>;
}

export interface AppendBatcherOptions {
  readonly write: (group: readonly QueuedAppend[]) => Promise<WrittenGroup>;
  /** The name of what the log writes to, for messages: "the disk". */
  readonly target: string;
  readonly queuedRecordsMax: number;
  readonly queuedBytesMax: number;
  readonly groupRecordsMax: number;
  readonly groupBytesMax: number;
  readonly timeoutMs: number;
  readonly watchQueue?: WatchQueue | undefined;
}

interface Waiting extends QueuedAppend {
  readonly resolve: (positions: readonly RecordPosition[]) => void;
  readonly reject: (error: LogUnavailable) => void;
}

/**
 * Group commit: all appends of one turn of the event loop, and all that arrive while a group is being
 * written, form the next group. At its limit, the batcher refuses. When a group fails, the groups behind it
 * fail too, so that a caller never waits for several timeouts in a row.
 */
export class AppendBatcher {
  readonly #options: AppendBatcherOptions;
  #waiting: Waiting[] = [];
  /** Waiting, being written, or becoming durable. */
  #records = 0;
  #bytes = 0;
  #pumping: Promise<void> | undefined;
  #failedBytes = 0;

  constructor(options: AppendBatcherOptions) {
    this.#options = options;
    options.watchQueue?.('log appends', () => this.#records, options.queuedRecordsMax);
  }

  /** Bytes of the last group when that could not be made durable; else 0. */
  get failedBytes(): number {
    return this.#failedBytes;
  }

  /**
   * Rejects with a retriable `LogUnavailable` when the queue is full or the group could not be made durable.
   */
  append(append: QueuedAppend): Promise<readonly RecordPosition[]> {
    const { queuedRecordsMax, queuedBytesMax, target } = this.#options;
    const records = this.#records + append.records.length;
    const bytes = this.#bytes + append.bytes;
    if (this.#records > 0 && (records > queuedRecordsMax || bytes > queuedBytesMax)) {
      const message =
        `The event log has ${this.#records} records (${this.#bytes} bytes) waiting for ${target}, ` +
        'which is its limit. Try again later.';
      return Promise.reject(new LogUnavailable(message, { retriable: true }));
    }
    return new Promise((resolve, reject) => {
      this.#records = records;
      this.#bytes = bytes;
      this.#waiting.push({ ...append, resolve, reject });
      this.#pumping ??= this.#pump();
    });
  }

  /** Resolves when nothing waits for durability any more. */
  async drain(): Promise<void> {
    while (this.#records > 0) {
      await this.#pumping;
      await new Promise(setImmediate);
    }
  }

  async #pump(): Promise<void> {
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#writeGroup(this.#takeGroup());
    this.#pumping = undefined;
  }

  #takeGroup(): readonly Waiting[] {
    const { groupRecordsMax, groupBytesMax } = this.#options;
    let count = 0;
    let records = 0;
    let bytes = 0;
    for (const append of this.#waiting) {
      records += append.records.length;
      bytes += append.bytes;
      if (count > 0 && (records > groupRecordsMax || bytes > groupBytesMax)) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    const { write, timeoutMs } = this.#options;
    try {
      const { positions, durable } = await withDeadline(write(group), timeoutMs);
      withDeadline(durable, timeoutMs).then(
        () => {
          this.#failedBytes = 0;
          this.#leave(group);
          for (const [index, append] of group.entries()) append.resolve(positions[index]!);
        },
        (error: unknown) => {
          this.#failedBytes = bytesOf(group);
          this.#fail(group, error);
        },
      );
    } catch (error) {
      this.#failedBytes = bytesOf(group);
      this.#fail([...group, ...this.#waiting.splice(0)], error);
    }
  }

  #fail(group: readonly Waiting[], cause: unknown): void {
    this.#leave(group);
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message =
      `The event log could not make records durable on ${this.#options.target} (${reason}). ` +
      'Nothing was acknowledged. Try again later.';
    const retriable = !(cause instanceof LogUnavailable) || cause.retriable;
    for (const append of group) append.reject(new LogUnavailable(message, { cause, retriable }));
  }

  #leave(group: readonly Waiting[]): void {
    for (const append of group) {
      this.#records -= append.records.length;
      this.#bytes -= append.bytes;
    }
  }
}

const bytesOf = (group: readonly Waiting[]): number => group.reduce((sum, { bytes }) => sum + bytes, 0);

function withDeadline<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
