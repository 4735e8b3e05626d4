import { LogUnavailable, type NewRecord, type RecordPosition } from './event-log.js';
import { eventLogLimits } from './limits.js';
import { type LogFiles, writeLog } from './log-files.js';
import { partitionOf } from './murmur2.js';
import { encodeRecord } from './record-bytes.js';

interface QueuedAppend {
  readonly topic: string;
  readonly partitionCount: number;
  readonly records: readonly NewRecord[];
  readonly bytes: number;
  readonly resolve: (positions: readonly RecordPosition[]) => void;
  readonly reject: (error: LogUnavailable) => void;
}

export interface AppendQueueOptions {
  readonly files: LogFiles;
  readonly clock: () => number;
  /** True: an append resolves after its flush. False: after its commit, which outlives the process but not the machine. */
  readonly awaitFlush: boolean;
  readonly queuedRecordsMax: number;
  readonly queuedBytesMax: number;
  readonly timeoutMs: number;
  /** Called when records became visible to readers. */
  readonly onVisible: (topic: string, partition: number) => void;
}

/**
 * Group commit: all appends of one turn of the event loop, and all that arrive while a commit is under way, share the
 * next commit. Flushes overlap with the commits behind them.
 */
export class AppendQueue {
  readonly #options: AppendQueueOptions;
  #waiting: QueuedAppend[] = [];
  /** Waiting, being committed, or being flushed. */
  #records = 0;
  #bytes = 0;
  #pumping: Promise<void> | undefined;

  constructor(options: AppendQueueOptions) {
    this.#options = options;
  }

  append(
    topic: string,
    partitionCount: number,
    records: readonly NewRecord[],
    bytes: number,
  ): Promise<readonly RecordPosition[]> {
    const { queuedRecordsMax, queuedBytesMax } = this.#options;
    const full =
      this.#records > 0 &&
      (this.#records + records.length > queuedRecordsMax || this.#bytes + bytes > queuedBytesMax);
    if (full) {
      const message = `The event log has ${this.#records} records (${this.#bytes} bytes) waiting for the disk, which is its limit. Try again later.`;
      return Promise.reject(new LogUnavailable(message, { retriable: true }));
    }
    return new Promise((resolve, reject) => {
      this.#records += records.length;
      this.#bytes += bytes;
      this.#waiting.push({ topic, partitionCount, records, bytes, resolve, reject });
      this.#pumping ??= this.#pump();
    });
  }

  /** Resolves when nothing waits for a commit any more. */
  async drain(): Promise<void> {
    while (this.#records > 0) {
      await this.#pumping;
      await new Promise(setImmediate);
    }
  }

  async #pump(): Promise<void> {
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#commit(this.#takeGroup());
    this.#pumping = undefined;
  }

  #takeGroup(): readonly QueuedAppend[] {
    let count = 0;
    let records = 0;
    let bytes = 0;
    for (const append of this.#waiting) {
      records += append.records.length;
      bytes += append.bytes;
      if (count > 0 && (records > eventLogLimits.commitRecordsMax || bytes > eventLogLimits.commitBytesMax))
        break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #commit(group: readonly QueuedAppend[]): Promise<void> {
    const { files, awaitFlush, timeoutMs } = this.#options;
    try {
      const { committed, flushed } = writeLog(files, () => group.map((append) => this.#write(append)));
      const positions = await withDeadline(committed, timeoutMs);
      this.#announce(group, positions);
      if (awaitFlush) {
        withDeadline(flushed, timeoutMs).then(
          () => this.#settle(group, positions),
          (error: unknown) => this.#fail(group, error),
        );
      } else this.#settle(group, positions);
    } catch (error) {
      this.#fail(group, error);
    }
  }

  /** Inside the write transaction: the ends are read here, so that several processes may append to one log. */
  #write({ topic, partitionCount, records }: QueuedAppend): readonly RecordPosition[] {
    const { files, clock } = this.#options;
    const now = clock();
    const states = new Map<number, [end: number, bytes: number]>();
    const positions = records.map((record): RecordPosition => {
      const partition = partitionOf(record.key, partitionCount);
      let state = states.get(partition);
      if (state === undefined) {
        const [end, bytes] = files.partitions.get([topic, partition]) ?? [0, 0];
        state = [end, bytes];
        states.set(partition, state);
      }
      const offset = state[0]++;
      const encoded = encodeRecord(record, offset, now);
      state[1] += encoded.length;
      files.records(topic, partition).put(offset, encoded);
      return { partition, offset };
    });
    for (const [partition, state] of states) files.partitions.put([topic, partition], state);
    return positions;
  }

  #announce(group: readonly QueuedAppend[], positions: ReadonlyArray<readonly RecordPosition[]>): void {
    for (const [index, append] of group.entries()) {
      for (const partition of new Set(positions[index]!.map((position) => position.partition)))
        this.#options.onVisible(append.topic, partition);
    }
  }

  #settle(group: readonly QueuedAppend[], positions: ReadonlyArray<readonly RecordPosition[]>): void {
    this.#leave(group);
    for (const [index, append] of group.entries()) append.resolve(positions[index]!);
  }

  #fail(group: readonly QueuedAppend[], cause: unknown): void {
    this.#leave(group);
    const reason = cause instanceof Error ? cause.message : String(cause);
    for (const append of group) {
      const message = `The event log could not write to its disk (${reason}). Free space or mend the disk; nothing was acknowledged.`;
      append.reject(new LogUnavailable(message, { cause, retriable: true }));
    }
  }

  #leave(group: readonly QueuedAppend[]): void {
    for (const append of group) {
      this.#records -= append.records.length;
      this.#bytes -= append.bytes;
    }
  }
}

function withDeadline<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it did not answer within ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
