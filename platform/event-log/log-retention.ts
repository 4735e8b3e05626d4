import type { LogFiles } from './log-files.js';
import { writeLog } from './log-files.js';
import { decodeRecord } from './record-bytes.js';

export interface RetentionOptions {
  readonly files: LogFiles;
  readonly clock: () => number;
  /**
   * How long a tombstone stays readable, so that every consumer learns of the removal; Kafka's default is a
   * day.
   */
  readonly tombstoneMs: number;
}

/** Records that one transaction removes, so that appends never wait long. */
const STEP = 1_000;
/**
 * Compaction runs over a partition after this many new records since the last run, or half of its retained
 * records.
 */
const DIRTY_RECORDS_MIN = 1_000;

/**
 * Removes records that a topic's contract does not retain. `delete`: the oldest records past the age or the
 * bytes. `compact`: of each key all records but the latest, and tombstones after a day. The newest record of
 * a partition always stays, so that a consumer's lag can reach zero.
 */
export class LogRetention {
  readonly #options: RetentionOptions;
  readonly #compactedTo = new Map<string, number>();

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Over all topics; `force` compacts whatever the amount of new records. */
  async enforce(options: { readonly force?: boolean } = {}): Promise<void> {
    const { files } = this.#options;
    for (const { key: topic, value } of [...files.topics.getRange()]) {
      for (let partition = 0; partition < value.partitions; partition++) {
        if (value.retention.policy === 'delete') {
          const { ageMs, bytesPerPartition } = value.retention;
          await this.#deleteOldest(topic, partition, ageMs, bytesPerPartition);
        } else await this.#compact(topic, partition, options.force ?? false);
      }
    }
  }

  async #deleteOldest(topic: string, partition: number, ageMs: number, bytesMax: number): Promise<void> {
    const { files, clock } = this.#options;
    const oldest = clock() - ageMs;
    const table = files.records(topic, partition);
    for (let removed = STEP; removed === STEP; ) {
      const [end, bytes] = files.partitions.get([topic, partition]) ?? [0, 0];
      let excess = bytes - bytesMax;
      const gone: Array<{ readonly offset: number; readonly bytes: number }> = [];
      for (const { key: offset, value } of table.getRange({ limit: STEP, end: end - 1 })) {
        const { timestampMs } = decodeRecord(value, offset, `${topic}/${partition}`);
        if (excess <= 0 && timestampMs >= oldest) break;
        excess -= value.length;
        gone.push({ offset, bytes: value.length });
      }
      removed = gone.length;
      await this.#remove(topic, partition, gone);
    }
  }

  async #compact(topic: string, partition: number, force: boolean): Promise<void> {
    const { files, clock, tombstoneMs } = this.#options;
    const where = `${topic}/${partition}`;
    const [end] = files.partitions.get([topic, partition]) ?? [0, 0];
    const from = this.#compactedTo.get(where) ?? 0;
    const table = files.records(topic, partition);
    if (!force && end - from < Math.max(DIRTY_RECORDS_MIN, table.getKeysCount({ end: from }) / 2)) return;

    const latest = new Map<string, number>();
    for await (const { offset, value } of inSteps(table, from, end))
      latest.set(decodeRecord(value, offset, where).key, offset);

    let gone: Array<{ readonly offset: number; readonly bytes: number }> = [];
    for await (const { offset, value } of inSteps(table, 0, end - 1)) {
      const record = decodeRecord(value, offset, where);
      const superseded = (latest.get(record.key) ?? offset) > offset;
      const expired = record.value === null && record.timestampMs < clock() - tombstoneMs;
      if (superseded || expired) gone.push({ offset, bytes: value.length });
      if (gone.length < STEP) continue;
      await this.#remove(topic, partition, gone);
      gone = [];
    }
    await this.#remove(topic, partition, gone);
    this.#compactedTo.set(where, end);
  }

  async #remove(
    topic: string,
    partition: number,
    gone: ReadonlyArray<{ readonly offset: number; readonly bytes: number }>,
  ): Promise<void> {
    if (gone.length === 0) return;
    const { files } = this.#options;
    const table = files.records(topic, partition);
    await writeLog(files, () => {
      const [end, bytes] = files.partitions.get([topic, partition]) ?? [0, 0];
      let freed = 0;
      for (const record of gone) {
        // Another process may have removed it meanwhile.
        if (!table.doesExist(record.offset)) continue;
        table.removeSync(record.offset);
        freed += record.bytes;
      }
      files.partitions.putSync([topic, partition], [end, bytes - freed]);
    }).committed;
  }
}

/** The records of a range, letting the event loop turn between steps. */
async function* inSteps(
  table: ReturnType<LogFiles['records']>,
  from: number,
  end: number,
): AsyncGenerator<{ readonly offset: number; readonly value: Buffer }> {
  for (let start = from; start < end; ) {
    const step = [...table.getRange({ start, end, limit: STEP })];
    if (step.length === 0) return;
    for (const { key, value } of step) yield { offset: key, value };
    start = step.at(-1)!.key + 1;
    await new Promise(setImmediate);
  }
}
