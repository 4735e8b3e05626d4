import type { TopicContract } from '#schemas/topics.js';

/** A record to append. The partition follows from the key (murmur2, as Kafka's own clients do it). */
export interface NewRecord {
  readonly key: string;
  /** Null is a tombstone: compaction removes the key. */
  readonly value: Uint8Array | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Unix milliseconds; the log's clock when absent. */
  readonly timestampMs?: number;
}

export interface LogRecord {
  readonly offset: number;
  readonly key: string;
  /** Null is a tombstone: in a compacted topic the key is gone. */
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly timestampMs: number;
}

export interface RecordPosition {
  readonly partition: number;
  readonly offset: number;
}

export interface PartitionOffsets {
  readonly partition: number;
  /** Offset of the oldest record still kept. */
  readonly earliest: number;
  /** Offset that the next record will get. */
  readonly end: number;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** Consecutive records of one partition, never empty. */
export interface RecordBatch extends TopicPartition {
  readonly records: readonly LogRecord[];
  /** Offset that the next batch of this partition begins at. */
  readonly nextOffset: number;
}

export interface ConsumerOptions {
  /** Members of one group share the partitions; every group sees every record. */
  readonly group: string;
  readonly topics: readonly string[];
  /** Where a group without a committed offset begins. */
  readonly startAt: 'earliest' | 'latest';
  /** Upper bound of a batch; the default is 500. */
  readonly maxBatchRecords?: number;
  /**
   * Called with one batch of a partition at a time; batches of different partitions may overlap. When it
   * resolves, `nextOffset` is committed. When it rejects, the same batch is redelivered after a back-off.
   */
  readonly onBatch: (batch: RecordBatch) => Promise<void>;
  /**
   * Called before the first batch after partitions were given to this member. A returned offset replaces the
   * committed one, for consumers that store their offset with their state.
   */
  readonly onAssigned?: (
    partitions: readonly TopicPartition[],
  ) => Promise<ReadonlyArray<TopicPartition & { readonly offset: number }>>;
  /** Called after the last batch before partitions are given to another member. */
  readonly onRevoked?: (partitions: readonly TopicPartition[]) => Promise<void>;
  /** A failure that was retried or that ends the consumer. */
  readonly onError?: (error: Error, position: TopicPartition | undefined) => void;
}

export interface Consumer {
  /** Resolves once partitions were assigned for the first time. */
  readonly ready: Promise<void>;
  /** Finishes the current batch, commits, leaves the group. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * The durable, partitioned, ordered log between all programs: Kafka at scale, a log on LMDB in one process.
 *
 * ```ts
 * await log.createTopics([locationBatchRecorded]);
 * const [position] = await log.append('location.batch.recorded.v1', [{ key: 'u1', value }]);
 * const topics = ['location.batch.recorded.v1'];
 * const consumer = await log.consume({ group: 'traffic', topics, startAt: 'earliest', onBatch });
 * ```
 */
export interface EventLog {
  /** Creates what is missing. A topic that exists with another number of partitions is an error. */
  createTopics(topics: readonly TopicContract[]): Promise<void>;
  /**
   * Appends in order and resolves with the positions only when the records are durable (the fault class is
   * stated by the adapter). Rejects with `LogUnavailable` when they may not be: the caller must not
   * acknowledge.
   */
  append(topic: string, records: readonly NewRecord[]): Promise<readonly RecordPosition[]>;
  consume(options: ConsumerOptions): Promise<Consumer>;
  /** Reads one partition from an offset up to its present end, without a group: replay and `events tail`. */
  read(topic: string, partition: number, fromOffset: number): AsyncIterable<LogRecord>;
  offsets(topic: string): Promise<readonly PartitionOffsets[]>;
  /** Next offset to consume per partition; -1 where the group committed nothing yet. */
  committed(group: string, topic: string): Promise<readonly RecordPosition[]>;
  /** Rejects with a sentence if the log cannot append or read records now. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The log could not make records durable in time; nothing may be acknowledged. `retriable`: the same call may
 * succeed later.
 */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable';
  readonly retriable: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly retriable: boolean }) {
    super(message, { cause: options.cause });
    this.retriable = options.retriable;
  }
}
