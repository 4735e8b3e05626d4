import type { Admin, Kafka } from 'kafkajs';
import type { TopicContract } from '#schemas/topics.js';
import { silentLogger } from '../telemetry/logger.js';
import { AppendBatcher } from './append-batcher.js';
import { checkRecords } from './check-records.js';
import {
  type Consumer,
  type ConsumerOptions,
  type EventLog,
  type LogRecord,
  LogUnavailable,
  type NewRecord,
  type PartitionOffsets,
  type RecordPosition,
  type TopicPartition,
} from './event-log.js';
import type { EventLogDeps } from './event-log-deps.js';
import { KafkaAppends } from './kafka-appends.js';
import { kafkaClient } from './kafka-client.js';
import { KafkaConsumer } from './kafka-consumer.js';
import { KafkaReader } from './kafka-reader.js';
import type { KafkaServers } from './kafka-servers.js';
import { eventLogLimits } from './limits.js';

export interface KafkaEventLogOptions extends EventLogDeps, KafkaServers {
  /** Copies of each partition for topics made here; the brokers' own default when absent. */
  readonly replicationFactor?: number;
  readonly queuedRecordsMax?: number;
  readonly queuedBytesMax?: number;
}

/**
 * The event log on Kafka. All in-sync replicas acknowledge a record (acks=all), and an idempotent producer
 * makes it take effect once. The brokers' settings decide how many replicas that means and whether they
 * survive a power cut of all brokers. No broker is contacted before the first call, and each call tries
 * again.
 */
export class KafkaEventLog implements EventLog {
  readonly #kafka: Kafka;
  readonly #brokers: string;
  readonly #replicationFactor: number;
  readonly #appends: KafkaAppends;
  readonly #queue: AppendBatcher;
  readonly #reader: KafkaReader;
  readonly #partitionCounts = new Map<string, Promise<number>>();
  readonly #consumers = new Set<KafkaConsumer>();
  #admin: Promise<Admin> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: KafkaEventLogOptions) {
    this.#kafka = kafkaClient(options, options.logger ?? silentLogger);
    this.#brokers = options.brokers.join(', ');
    this.#replicationFactor = options.replicationFactor ?? -1;
    this.#appends = new KafkaAppends(options, options.clock ?? Date.now);
    this.#reader = new KafkaReader(this.#kafka);
    this.#queue = new AppendBatcher({
      write: (group) => this.#appends.write(group),
      target: `Kafka at ${this.#brokers}`,
      queuedRecordsMax: options.queuedRecordsMax ?? eventLogLimits.queuedRecordsMax,
      queuedBytesMax: options.queuedBytesMax ?? eventLogLimits.queuedBytesMax,
      groupRecordsMax: eventLogLimits.commitRecordsMax,
      groupBytesMax: eventLogLimits.commitBytesMax,
      timeoutMs: eventLogLimits.appendTimeoutMs,
      watchQueue: options.watchQueue,
    });
  }

  async createTopics(contracts: readonly TopicContract[]): Promise<void> {
    await this.#ask('create topics', async (admin) => {
      const present = new Set(await admin.listTopics());
      const missing = contracts.filter(({ name }) => !present.has(name));
      if (missing.length > 0) {
        await admin.createTopics({
          waitForLeaders: true,
          topics: missing.map(({ name, partitions, retention }) => ({
            topic: name,
            numPartitions: partitions,
            replicationFactor: this.#replicationFactor,
            configEntries: configOf(retention),
          })),
        });
      }
    });
    for (const { name, partitions } of contracts) {
      const found = await this.#partitionCount(name);
      if (found === partitions) continue;
      const message =
        `The topic ${name} has ${found} partitions on Kafka at ${this.#brokers}, ` +
        `but its contract says ${partitions}. Change the contract back or use another topic name.`;
      throw new LogUnavailable(message, { retriable: false });
    }
  }

  async append(topic: string, records: readonly NewRecord[]): Promise<readonly RecordPosition[]> {
    this.#mustBeOpen();
    const bytes = checkRecords(topic, records);
    if (records.length === 0) return [];
    const partitionCount = await this.#partitionCount(topic);
    return this.#queue.append({ topic, partitionCount, records, bytes });
  }

  async consume(options: ConsumerOptions): Promise<Consumer> {
    this.#mustBeOpen();
    const consumer = new KafkaConsumer({
      ...options,
      kafka: this.#kafka,
      startOf: (partitions) => this.#startOf(partitions, options),
      onClosed: (closed) => this.#consumers.delete(closed),
    });
    this.#consumers.add(consumer);
    return consumer;
  }

  async *read(topic: string, partition: number, fromOffset: number): AsyncIterable<LogRecord> {
    const offsets = (await this.offsets(topic)).find((found) => found.partition === partition);
    if (offsets === undefined)
      throw new LogUnavailable(`The topic ${topic} has no partition ${partition}.`, { retriable: false });
    try {
      yield* this.#reader.read(topic, partition, Math.max(fromOffset, offsets.earliest), offsets.end);
    } catch (cause) {
      throw this.#unavailable(`read ${topic}/${partition}`, cause);
    }
  }

  async offsets(topic: string): Promise<readonly PartitionOffsets[]> {
    return this.#ask(`read the offsets of ${topic}`, async (admin) => {
      await this.#partitionCount(topic);
      const offsets = await admin.fetchTopicOffsets(topic);
      return offsets
        .map(({ partition, low, high }) => ({ partition, earliest: Number(low), end: Number(high) }))
        .toSorted((a, b) => a.partition - b.partition);
    });
  }

  async committed(group: string, topic: string): Promise<readonly RecordPosition[]> {
    return this.#ask(`read the committed offsets of ${group}`, async (admin) => {
      await this.#partitionCount(topic);
      const [answer] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
      return (answer?.partitions ?? [])
        .map(({ partition, offset }) => ({ partition, offset: Number(offset) }))
        .toSorted((a, b) => a.partition - b.partition);
    });
  }

  async check(): Promise<void> {
    await this.#ask('answer', (admin) => admin.describeCluster());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.close()));
    await this.#queue.drain();
    await this.#appends.close();
    await this.#reader.close();
    const admin = await this.#admin?.catch(() => undefined);
    await admin?.disconnect();
  }

  async #startOf(
    partitions: readonly TopicPartition[],
    { group, startAt }: ConsumerOptions,
  ): Promise<readonly number[]> {
    const topics = [...new Set(partitions.map(({ topic }) => topic))];
    const found = await Promise.all(
      topics.map(async (topic) => {
        const [offsets, committed] = await Promise.all([this.offsets(topic), this.committed(group, topic)]);
        return [topic, { offsets, committed }] as const;
      }),
    );
    const byTopic = new Map(found);
    return partitions.map(({ topic, partition }) => {
      const { offsets, committed } = byTopic.get(topic)!;
      const { earliest, end } = offsets.find((candidate) => candidate.partition === partition)!;
      const next = committed.find((candidate) => candidate.partition === partition)?.offset ?? -1;
      if (next < 0) return startAt === 'earliest' ? earliest : end;
      return Math.min(Math.max(next, earliest), end);
    });
  }

  /** Cached after the first query: topics never change their number of partitions here. */
  #partitionCount(topic: string): Promise<number> {
    let count = this.#partitionCounts.get(topic);
    if (count === undefined) {
      count = this.#ask(`describe ${topic}`, async (admin) => {
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
        return topics[0]!.partitions.length;
      });
      this.#partitionCounts.set(topic, count);
      count.catch(() => this.#partitionCounts.delete(topic));
    }
    return count;
  }

  async #ask<Answer>(what: string, call: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    this.#mustBeOpen();
    try {
      this.#admin ??= this.#connectAdmin();
      return await call(await this.#admin);
    } catch (cause) {
      throw cause instanceof LogUnavailable ? cause : this.#unavailable(what, cause);
    }
  }

  async #connectAdmin(): Promise<Admin> {
    const admin = this.#kafka.admin();
    try {
      await admin.connect();
      return admin;
    } catch (error) {
      this.#admin = undefined;
      throw error;
    }
  }

  #unavailable(what: string, cause: unknown): LogUnavailable {
    const { message, type } = cause as { readonly message: string; readonly type?: string };
    if (type === 'UNKNOWN_TOPIC_OR_PARTITION')
      return new LogUnavailable(
        `Kafka at ${this.#brokers} could not ${what}: the topic does not exist. Create it first.`,
        {
          cause,
          retriable: false,
        },
      );
    return new LogUnavailable(`Kafka at ${this.#brokers} could not ${what}: ${message}`, {
      cause,
      retriable: true,
    });
  }

  #mustBeOpen(): void {
    if (this.#closing !== undefined)
      throw new LogUnavailable(`The event log on Kafka at ${this.#brokers} is closed.`, { retriable: false });
  }
}

function configOf(retention: TopicContract['retention']): Array<{ name: string; value: string }> {
  if (retention.policy === 'compact') return [{ name: 'cleanup.policy', value: 'compact' }];
  return [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: String(retention.ageMs) },
    { name: 'retention.bytes', value: String(retention.bytesPerPartition) },
  ];
}
