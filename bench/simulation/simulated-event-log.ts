import { createHash } from 'node:crypto';
import { checkRecords } from '#platform/event-log/check-records.js';
import {
  type Consumer,
  type ConsumerOptions,
  type EventLog,
  type LogRecord,
  LogUnavailable,
  type NewRecord,
  type PartitionOffsets,
  type RecordBatch,
  type RecordPosition,
  type TopicPartition,
} from '#platform/event-log/event-log.js';
import { eventLogLimits } from '#platform/event-log/limits.js';
import { LmdbConsumer } from '#platform/event-log/lmdb-consumer.js';
import { partitionOf } from '#platform/event-log/murmur2.js';
import type { TopicContract } from '#schemas/topics.js';
import { MemoryGroups } from './memory-groups.js';
import { outside, type SimulatedProcess, type VirtualClock } from './virtual-clock.js';

/** Probabilities; all zero once the faults have stopped. */
export interface LogFaults {
  /** Of an append: nothing is stored, and the caller is told so. */
  lostAppends: number;
  /** Of an append: it is stored, and the caller is told that it may not be. */
  lostReplies: number;
  /** Of new records: a consumer sees them seconds later. */
  lateRecords: number;
  /** Of a commit: the log takes the consumer for dead, and its partition begins again. */
  lostSessions: number;
}

export interface SimulatedEventLogOptions {
  readonly clock: VirtualClock;
  /** Of the same stream for the whole run. */
  readonly random: () => number;
  readonly faults: LogFaults;
  /** Called when a record became readable. */
  readonly onRecord?: (topic: string, record: LogRecord) => void;
}

interface Reader {
  readonly consumer: LmdbConsumer;
  readonly owner: SimulatedProcess;
  readonly topics: ReadonlySet<string>;
  /** Partitions that are to be woken already. */
  readonly waking: Set<string>;
  /** Until when the records of a partition are on their way. */
  readonly lateUntilMs: Map<string, number>;
}

const flushMsMax = 4;
const replyMsMax = 2;
const lateMsMax = 5_000;

/**
 * The event log in memory and in virtual time, for all processes of a run. Its consumers are those of the
 * embedded log, with their partitions, offsets, redelivery and rebalancing.
 */
export class SimulatedEventLog implements EventLog {
  readonly #options: SimulatedEventLogOptions;
  readonly #topics = new Map<string, LogRecord[][]>();
  readonly #groups: MemoryGroups;
  readonly #readers = new Set<Reader>();
  /** Appends become durable in their order, as on one disk. */
  #writtenMs = 0;

  constructor(options: SimulatedEventLogOptions) {
    const { clock, random, faults } = options;
    this.#options = options;
    this.#groups = new MemoryGroups({
      clock,
      partitionsOf: (topic) => this.#topic(topic).length,
      onChange: (group) => this.#groupChanged(group),
      losesSession: () => faults.lostSessions > 0 && random() < faults.lostSessions,
    });
  }

  async createTopics(topics: readonly TopicContract[]): Promise<void> {
    for (const { name, partitions } of topics) {
      const known = this.#topics.get(name);
      if (known === undefined)
        this.#topics.set(
          name,
          Array.from({ length: partitions }, () => []),
        );
      else if (known.length !== partitions) {
        const { length } = known;
        const message = `The topic ${name} has ${length} partitions, but its contract says ${partitions}.`;
        throw new LogUnavailable(message, { retriable: false });
      }
    }
  }

  async append(topic: string, records: readonly NewRecord[]): Promise<readonly RecordPosition[]> {
    this.#topic(topic);
    checkRecords(topic, records);
    if (records.length === 0) return [];
    const { clock, random, faults } = this.#options;
    const { owner } = clock;
    const isLost = faults.lostAppends > 0 && random() < faults.lostAppends;
    const isUnsure = faults.lostReplies > 0 && random() < faults.lostReplies;
    this.#writtenMs = Math.max(this.#writtenMs, clock.nowMs + 1 + Math.floor(random() * flushMsMax));
    const replyMs = random() * replyMsMax;
    return new Promise((resolve, reject) => {
      clock.at(
        this.#writtenMs - clock.nowMs,
        () => {
          const positions = isLost ? [] : this.#write(topic, records);
          const reply = (): void => {
            if (isLost || isUnsure)
              reject(new LogUnavailable('The simulated log did not answer in time.', { retriable: true }));
            else resolve(positions);
          };
          clock.at(replyMs, reply, owner);
        },
        outside,
      );
    });
  }

  async consume(options: ConsumerOptions): Promise<Consumer> {
    const { clock } = this.#options;
    for (const topic of options.topics) this.#topic(topic);
    const limit = options.maxBatchRecords ?? eventLogLimits.batchRecordsDefault;
    const consumer = new LmdbConsumer({
      ...options,
      groups: this.#groups,
      next: (place, fromOffset) => this.#nextBatch(reader, place, fromOffset, limit),
      firstOffset: (place, wanted) => this.#firstOffset(place, wanted, options),
      onClosed: () => this.#readers.delete(reader),
    });
    const reader: Reader = {
      ...{ consumer, owner: clock.owner, topics: new Set(options.topics) },
      ...{ waking: new Set(), lateUntilMs: new Map() },
    };
    this.#readers.add(reader);
    return consumer;
  }

  async *read(topic: string, partition: number, fromOffset: number): AsyncIterable<LogRecord> {
    const records = this.#topic(topic)[partition]!;
    const end = records.length;
    for (let offset = fromOffset; offset < end; offset++) yield records[offset]!;
  }

  async offsets(topic: string): Promise<readonly PartitionOffsets[]> {
    return this.#topic(topic).map(({ length }, partition) => ({ partition, earliest: 0, end: length }));
  }

  async committed(group: string, topic: string): Promise<readonly RecordPosition[]> {
    return this.#topic(topic).map((_, partition) => ({
      partition,
      offset: this.#groups.committed(group, { topic, partition }) ?? -1,
    }));
  }

  async check(): Promise<void> {}

  /** A program that closes leaves the log to the others. */
  async close(): Promise<void> {}

  /** Once the log has noticed that a process is dead, its partitions go to others. */
  removeMembers(owner: SimulatedProcess): void {
    for (const reader of this.#readers) if (reader.owner === owner) this.#readers.delete(reader);
    this.#groups.removeMembers(owner);
  }

  /** All records of a topic, partition by partition. */
  *records(topic: string): Iterable<LogRecord> {
    for (const records of this.#topics.get(topic) ?? []) yield* records;
  }

  /** A digest of every record at its place: the same for the same story. */
  get digest(): string {
    const digest = createHash('sha256');
    for (const [topic, partitions] of [...this.#topics].sort(([a], [b]) => (a < b ? -1 : 1)))
      for (const [partition, records] of partitions.entries())
        for (const { offset, key, value, headers, timestampMs } of records) {
          digest.update(JSON.stringify([topic, partition, offset, key, headers, timestampMs]));
          digest.update(value ?? 'tombstone');
        }
    return digest.digest('hex');
  }

  #write(topic: string, records: readonly NewRecord[]): readonly RecordPosition[] {
    const { clock, onRecord } = this.#options;
    const partitions = this.#topic(topic);
    const touched = new Set<number>();
    const positions = records.map(({ key, value, headers = {}, timestampMs = clock.nowMs }) => {
      const partition = partitionOf(key, partitions.length);
      const kept = partitions[partition]!;
      const record = { offset: kept.length, key, value, headers, timestampMs };
      kept.push(record);
      touched.add(partition);
      onRecord?.(topic, record);
      return { partition, offset: record.offset };
    });
    for (const reader of this.#readers)
      if (reader.topics.has(topic)) for (const partition of touched) this.#wake(reader, topic, partition);
    return positions;
  }

  #wake(reader: Reader, topic: string, partition: number): void {
    const { clock, random, faults } = this.#options;
    const place = `${topic}/${partition}`;
    if (reader.waking.has(place)) return;
    reader.waking.add(place);
    const isLate = faults.lateRecords > 0 && random() < faults.lateRecords;
    const afterMs = isLate ? random() * lateMsMax : 0;
    if (isLate) reader.lateUntilMs.set(place, clock.nowMs + Math.round(afterMs));
    clock.at(
      afterMs,
      () => {
        reader.waking.delete(place);
        reader.consumer.wake(topic, partition);
      },
      reader.owner,
    );
  }

  #groupChanged(group: string): void {
    for (const { consumer, owner } of this.#readers)
      if (consumer.group === group) this.#options.clock.at(0, () => consumer.groupChanged(), owner);
  }

  #topic(name: string): LogRecord[][] {
    const topic = this.#topics.get(name);
    if (topic === undefined)
      throw new LogUnavailable(`The event log has no topic ${name}. Create it first.`, { retriable: false });
    return topic;
  }

  #firstOffset(
    place: TopicPartition,
    wanted: number | undefined,
    { group, startAt }: ConsumerOptions,
  ): number {
    const { length } = this.#topic(place.topic)[place.partition]!;
    const from = wanted ?? this.#groups.committed(group, place) ?? (startAt === 'earliest' ? 0 : length);
    return Math.min(from, length);
  }

  #nextBatch(
    { lateUntilMs }: Reader,
    { topic, partition }: TopicPartition,
    fromOffset: number,
    limit: number,
  ): RecordBatch | undefined {
    if ((lateUntilMs.get(`${topic}/${partition}`) ?? 0) > this.#options.clock.nowMs) return undefined;
    const records = this.#topic(topic)[partition]!.slice(fromOffset, fromOffset + limit);
    return records.length === 0
      ? undefined
      : { topic, partition, records, nextOffset: fromOffset + records.length };
  }
}
