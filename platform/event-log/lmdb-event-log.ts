import { setTimeout as delay } from 'node:timers/promises';
import type { TopicContract } from '#schemas/topics.js';
import { makeFolder } from '../config/folders.js';
import { type Logger, silentLogger } from '../telemetry/logger.js';
import { AppendBatcher } from './append-batcher.js';
import { cannotWrite, checkFreeSpace } from './check-free-space.js';
import { checkRecords } from './check-records.js';
import { wholeLogFile } from './complete-log-file.js';
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
} from './event-log.js';
import type { EventLogDeps } from './event-log-deps.js';
import { eventLogLimits } from './limits.js';
import { type LmdbAppendsOptions, writeGroup } from './lmdb-appends.js';
import { LmdbConsumer } from './lmdb-consumer.js';
import { type LogFiles, openLogFiles, type StoredTopic, writeLog } from './log-files.js';
import { LogGroups } from './log-groups.js';
import { LogProcesses } from './log-processes.js';
import { LogRetention } from './log-retention.js';
import { decodeRecord } from './record-bytes.js';
import { recoverTails } from './recover-tails.js';

export interface LmdbEventLogOptions extends EventLogDeps {
  /** Folder of the log; created if it is missing. */
  readonly folder: string;
  /**
   * `every-commit` (default): `append` resolves after the flush of its commit; nothing acknowledged is lost
   * by `kill -9` or by a power cut, if the disk flushes correctly. `background`: it resolves after the
   * commit, and the flush follows at once; `kill -9` loses nothing, a power cut the last few milliseconds.
   * The log itself stays consistent in both.
   */
  readonly flush?: 'every-commit' | 'background';
  readonly queuedRecordsMax?: number;
  readonly queuedBytesMax?: number;
  readonly tombstoneMs?: number;
}

const DAY_MS = 86_400_000;
const RETENTION_EVERY_MS = 60_000;
const READ_STEP = 256;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * The event log of one machine, on LMDB: several processes may have it open at once and share topics and
 * groups. Formats and guarantees: docs/formats/event-log.md, docs/adr/0020-embedded-event-log.md.
 */
export class LmdbEventLog implements EventLog {
  readonly #files: LogFiles;
  readonly #folder: string;
  readonly #clock: () => number;
  readonly #queue: AppendBatcher;
  readonly #groups: LogGroups;
  readonly #processes: LogProcesses;
  readonly #retention: LogRetention;
  readonly #retentionTimer: NodeJS.Timeout;
  readonly #topics = new Map<string, StoredTopic>();
  readonly #consumers = new Set<LmdbConsumer>();
  readonly #logger;
  #closing: Promise<void> | undefined;

  /** Opens or creates the log, and repairs what a crash of the machine may have left. */
  static async open(options: LmdbEventLogOptions): Promise<LmdbEventLog> {
    const log = new LmdbEventLog(options, openFolder(options.folder, options.logger ?? silentLogger));
    await log.#start();
    return log;
  }

  private constructor(options: LmdbEventLogOptions, files: LogFiles) {
    this.#files = files;
    this.#folder = options.folder;
    this.#clock = options.clock ?? Date.now;
    this.#logger = options.logger ?? silentLogger;
    const appends: LmdbAppendsOptions = {
      files,
      clock: this.#clock,
      awaitFlush: options.flush !== 'background',
      onVisible: (topic, partition) => {
        for (const consumer of this.#consumers) consumer.wake(topic, partition);
      },
    };
    this.#queue = new AppendBatcher({
      write: (group) => writeGroup(appends, group),
      target: `the disk of ${options.folder}`,
      queuedRecordsMax: options.queuedRecordsMax ?? eventLogLimits.queuedRecordsMax,
      queuedBytesMax: options.queuedBytesMax ?? eventLogLimits.queuedBytesMax,
      groupRecordsMax: eventLogLimits.commitRecordsMax,
      groupBytesMax: eventLogLimits.commitBytesMax,
      timeoutMs: eventLogLimits.appendTimeoutMs,
      watchQueue: options.watchQueue,
    });
    this.#processes = new LogProcesses(
      files,
      () => {
        for (const consumer of this.#consumers) consumer.wakeAll();
      },
      (dead) => this.#groups.bury(dead),
    );
    this.#groups = new LogGroups(files, this.#processes.name, (group) => {
      for (const consumer of this.#consumers) if (consumer.group === group) consumer.groupChanged();
    });
    this.#retention = new LogRetention({
      files,
      clock: this.#clock,
      tombstoneMs: options.tombstoneMs ?? DAY_MS,
    });
    this.#retentionTimer = setInterval(() => void this.#enforceRetention(), RETENTION_EVERY_MS);
    this.#retentionTimer.unref();
  }

  async createTopics(contracts: readonly TopicContract[]): Promise<void> {
    for (const { name, partitions, retention } of contracts) {
      const known = this.#files.topics.get(name);
      if (known !== undefined && known.partitions !== partitions) {
        const message =
          `The topic ${name} has ${known.partitions} partitions in ${this.#folder}, ` +
          `but its contract says ${partitions}. Change the contract back or start with an empty log folder.`;
        throw new LogUnavailable(message, { retriable: false });
      }
      await writeLog(this.#files, () => this.#files.topics.putSync(name, { partitions, retention }))
        .committed;
      this.#topic(name);
    }
  }

  async append(topic: string, records: readonly NewRecord[]): Promise<readonly RecordPosition[]> {
    this.#mustBeOpen();
    const { partitions: partitionCount } = this.#topic(topic);
    const bytes = checkRecords(topic, records);
    return records.length === 0 ? [] : this.#queue.append({ topic, partitionCount, records, bytes });
  }

  async consume(options: ConsumerOptions): Promise<Consumer> {
    this.#mustBeOpen();
    for (const topic of options.topics) this.#topic(topic);
    const limit = Math.min(
      options.maxBatchRecords ?? eventLogLimits.batchRecordsDefault,
      eventLogLimits.batchRecordsMax,
    );
    const consumer = new LmdbConsumer({
      ...options,
      groups: this.#groups,
      next: (place, fromOffset) => this.#nextBatch(place, fromOffset, limit),
      firstOffset: (place, wanted) => this.#firstOffset(place, wanted, options),
      onClosed: (closed) => {
        this.#consumers.delete(closed);
        this.#processes.keepAlive(this.#consumers.size > 0);
      },
    });
    this.#consumers.add(consumer);
    this.#processes.keepAlive(true);
    return consumer;
  }

  async *read(topic: string, partition: number, fromOffset: number): AsyncIterable<LogRecord> {
    this.#topic(topic);
    const { end } = this.#offsets(topic, partition);
    const table = this.#files.records(topic, partition);
    for (let start = fromOffset; start < end; ) {
      this.#mustBeOpen();
      const step = [...table.getRange({ start, end, limit: READ_STEP })];
      if (step.length === 0) return;
      for (const { key, value } of step) yield decodeRecord(value, key, `${topic}/${partition}`);
      start = step.at(-1)!.key + 1;
    }
  }

  async offsets(topic: string): Promise<readonly PartitionOffsets[]> {
    this.#mustBeOpen();
    const { partitions } = this.#topic(topic);
    this.#files.env.resetReadTxn();
    return Array.from({ length: partitions }, (_, partition) => ({
      partition,
      ...this.#offsets(topic, partition),
    }));
  }

  async committed(group: string, topic: string): Promise<readonly RecordPosition[]> {
    this.#mustBeOpen();
    const { partitions } = this.#topic(topic);
    this.#files.env.resetReadTxn();
    return Array.from({ length: partitions }, (_, partition) => ({
      partition,
      offset: this.#files.committed.get([group, topic, partition]) ?? -1,
    }));
  }

  async check(): Promise<void> {
    this.#mustBeOpen();
    await checkFreeSpace(this.#files, this.#queue.failedBytes).catch(cannotWrite(this.#folder));
  }

  /** Applies the topics' retention now; it also runs by itself once a minute. */
  async enforceRetention(): Promise<void> {
    await this.#retention.enforce({ force: true });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #start(): Promise<void> {
    const { alone, foundDead } = await this.#processes.look();
    for (const { key } of [...this.#files.topics.getRange()]) this.#topic(key);
    if (alone && foundDead) await recoverTails(this.#files, this.#logger);
    await this.#processes.register();
  }

  async #close(): Promise<void> {
    clearInterval(this.#retentionTimer);
    await Promise.all([...this.#consumers].map((consumer) => consumer.close()));
    await this.#queue.drain();
    await this.#processes.close();
    // A flush that follows a failed commit never ends; a log with a full disk must close anyway.
    await Promise.race([this.#files.env.flushed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    await Promise.race([this.#files.env.close(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async #enforceRetention(): Promise<void> {
    try {
      await this.#retention.enforce();
    } catch (error) {
      this.#logger.error('Retention of the event log failed; it runs again in a minute.', {
        error,
        folder: this.#folder,
      });
    }
  }

  /** Its tables are opened here, because a write transaction cannot open tables. */
  #topic(name: string): StoredTopic {
    const known = this.#topics.get(name);
    if (known !== undefined) return known;
    this.#files.env.resetReadTxn();
    const topic = this.#files.topics.get(name);
    if (topic === undefined)
      throw new LogUnavailable(`The event log has no topic ${name}. Create it first.`, { retriable: false });
    for (let partition = 0; partition < topic.partitions; partition++) this.#files.records(name, partition);
    this.#topics.set(name, topic);
    return topic;
  }

  #offsets(topic: string, partition: number): { readonly earliest: number; readonly end: number } {
    const [end] = this.#files.partitions.get([topic, partition]) ?? [0, 0];
    const [first] = this.#files.records(topic, partition).getKeys({ limit: 1 });
    return { earliest: first === undefined || first > end ? end : first, end };
  }

  #firstOffset(
    { topic, partition }: TopicPartition,
    wanted: number | undefined,
    { group, startAt, onError }: ConsumerOptions,
  ): number {
    this.#files.env.resetReadTxn();
    const { earliest, end } = this.#offsets(topic, partition);
    const from = wanted ?? this.#files.committed.get([group, topic, partition]);
    if (from === undefined) return startAt === 'earliest' ? earliest : end;
    const fault =
      from > end
        ? `ends at ${end}: the log was replaced by an older one. Reading continues at ${end}.`
        : from < earliest
          ? `starts at ${earliest}: older records are past retention. Reading continues at ${earliest}.`
          : undefined;
    const asked = `The group ${group} wants offset ${from} of ${topic}/${partition}`;
    if (fault !== undefined) onError?.(new Error(`${asked}, but the log ${fault}`), { topic, partition });
    return Math.min(Math.max(from, earliest), end);
  }

  #nextBatch(
    { topic, partition }: TopicPartition,
    fromOffset: number,
    limit: number,
  ): RecordBatch | undefined {
    const [end] = this.#files.partitions.get([topic, partition]) ?? [0, 0];
    if (fromOffset >= end) return undefined;
    const records: LogRecord[] = [];
    let bytes = 0;
    for (const { key, value } of this.#files
      .records(topic, partition)
      .getRange({ start: fromOffset, end, limit })) {
      records.push(decodeRecord(value, key, `${topic}/${partition}`));
      bytes += value.length;
      if (bytes >= eventLogLimits.batchBytesMax) break;
    }
    const last = records.at(-1);
    return last === undefined ? undefined : { topic, partition, records, nextOffset: last.offset + 1 };
  }

  #mustBeOpen(): void {
    if (this.#closing !== undefined)
      throw new LogUnavailable(`The event log in ${this.#folder} is closed.`, { retriable: false });
  }
}

function openFolder(folder: string, logger: Logger): LogFiles {
  try {
    makeFolder(folder);
    const state = wholeLogFile(folder);
    if (state === 'flushed')
      logger.error('The event log was truncated after its last flush and continues from there.', { folder });
    return openLogFiles(folder, { flushedOnly: state === 'flushed' });
  } catch (cause) {
    if (cause instanceof LogUnavailable) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message =
      `The event log in ${folder} cannot be opened (${reason}). ` +
      'The folder must be writable and contain only a log.';
    throw new LogUnavailable(message, { cause, retriable: false });
  }
}
