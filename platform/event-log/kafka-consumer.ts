import { setTimeout as delay } from 'node:timers/promises';
import type { EachBatchPayload, Kafka, Consumer as KafkaGroupMember } from 'kafkajs';
import type { Consumer, ConsumerOptions, RecordBatch, TopicPartition } from './event-log.js';
import { logRecordOf } from './kafka-records.js';
import { eventLogLimits } from './limits.js';
import { moduloAssigner } from './modulo-assigner.js';
import { redeliveryDelayMs } from './redelivery.js';

export interface KafkaConsumerOptions extends ConsumerOptions {
  readonly kafka: Kafka;
  /** Where a partition starts: at the committed offset, else at its first or next offset. */
  readonly startOf: (partitions: readonly TopicPartition[]) => Promise<readonly number[]>;
  readonly onClosed: (consumer: KafkaConsumer) => void;
}

const SESSION_TIMEOUT_MS = 10_000;
const HEARTBEAT_MS = 1_000;
const REBALANCE_TIMEOUT_MS = 30_000;
/** How long a fetch waits for the first byte; new records end the wait at once. */
const FETCH_WAIT_MS = 250;

const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/**
 * One member of a group on Kafka. We manage offsets ourselves: we seek to the start offset when a partition
 * is assigned, and commit after each batch.
 */
export class KafkaConsumer implements Consumer {
  readonly ready: Promise<void>;
  readonly #options: KafkaConsumerOptions;
  readonly #limit: number;
  #markReady: () => void = () => {};
  #member: KafkaGroupMember | undefined;
  /** Next offset of each partition that is ours. */
  readonly #positions = new Map<string, { readonly place: TopicPartition; next: number; attempts: number }>();
  /** Settles when the partitions of the current generation are ready to be read. */
  #assigned: Promise<void> = Promise.resolve();
  readonly #batches = new Set<Promise<void>>();
  #closing: Promise<void> | undefined;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: KafkaConsumerOptions) {
    this.#options = options;
    this.#limit = Math.min(
      options.maxBatchRecords ?? eventLogLimits.batchRecordsDefault,
      eventLogLimits.batchRecordsMax,
    );
    this.ready = new Promise((resolve) => {
      this.#markReady = resolve;
    });
    this.#running = this.#run();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Joins, and joins again when the brokers were unavailable or kafkajs stopped. */
  async #run(): Promise<void> {
    for (let attempt = 1; !this.#stop.signal.aborted; attempt++) {
      try {
        const { crashed } = await this.#join();
        attempt = 0;
        await Promise.race([crashed, aborted(this.#stop.signal)]);
      } catch (error) {
        this.#report(error);
      }
      if (this.#stop.signal.aborted) return;
      await this.#member?.disconnect().catch(() => {});
      await this.#revokeAll();
      await delay(redeliveryDelayMs(attempt + 3), undefined, { signal: this.#stop.signal }).catch(() => {});
    }
  }

  /** `crashed` settles when the member has stopped. */
  async #join(): Promise<{ readonly crashed: Promise<void> }> {
    const { kafka, group, topics, startAt } = this.#options;
    const member = kafka.consumer({
      groupId: group,
      sessionTimeout: SESSION_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
      retry: { restartOnFailure: async () => false },
      partitionAssigners: [
        (config) => {
          // kafkajs reports a rebalance without waiting. It looks up the coordinator before every join, so
          // our batches end there and `onRevoked` is called while the partitions are still ours.
          const find = config.cluster.findGroupCoordinator.bind(config.cluster);
          config.cluster.findGroupCoordinator = async (request) => {
            await this.#revokeAll();
            return find(request);
          };
          return moduloAssigner(config);
        },
      ],
    });
    this.#member = member;
    await member.connect();
    await member.subscribe({ topics: [...topics], fromBeginning: startAt === 'earliest' });
    member.on(member.events.GROUP_JOIN, ({ payload }) => {
      const places = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => ({ topic, partition })),
      );
      this.#assigned = this.#assign(member, places);
      this.#assigned.then(this.#markReady, (error: unknown) => this.#report(error));
    });
    const crashed = new Promise<void>((resolve) => {
      member.on(member.events.CRASH, ({ payload }) => {
        this.#report(payload.error);
        if (!payload.restart) resolve();
      });
    });
    await member.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: eventLogLimits.partitionsMax,
      eachBatch: (payload) => this.#track(this.#eachBatch(member, payload)),
    });
    return { crashed };
  }

  async #assign(member: KafkaGroupMember, places: readonly TopicPartition[]): Promise<void> {
    for (let attempt = 1; !this.#stop.signal.aborted; attempt++) {
      try {
        const own = (await this.#options.onAssigned?.(places)) ?? [];
        const starts = await this.#options.startOf(places);
        for (const [index, place] of places.entries()) {
          const override = own.find(
            ({ topic, partition }) => topic === place.topic && partition === place.partition,
          );
          const next = override?.offset ?? starts[index]!;
          this.#positions.set(nameOf(place), { place, next, attempts: 0 });
          member.seek({ ...place, offset: String(next) });
        }
        return;
      } catch (error) {
        this.#report(error);
        await delay(redeliveryDelayMs(attempt));
      }
    }
  }

  async #eachBatch(member: KafkaGroupMember, payload: EachBatchPayload): Promise<void> {
    const { batch, heartbeat, isRunning, isStale } = payload;
    const place = { topic: batch.topic, partition: batch.partition };
    await this.#assigned;
    const position = this.#positions.get(nameOf(place));
    const records = batch.messages.map(logRecordOf).filter(({ offset }) => offset >= (position?.next ?? 0));
    let lost: Error | undefined;
    const beat = setInterval(() => {
      heartbeat().catch((error: Error) => {
        lost ??= error;
      });
    }, HEARTBEAT_MS);
    try {
      for (let at = 0; at < records.length; at += this.#limit) {
        if (position === undefined || this.#closing !== undefined || lost !== undefined) break;
        if (!isRunning() || isStale()) break;
        const slice = records.slice(at, at + this.#limit);
        if (!(await this.#handOver(member, payload, position, slice))) break;
      }
    } finally {
      clearInterval(beat);
    }
    if (lost !== undefined) throw lost;
  }

  /** False when the batch was refused and will be redelivered. */
  async #handOver(
    member: KafkaGroupMember,
    payload: EachBatchPayload,
    position: { readonly place: TopicPartition; next: number; attempts: number },
    records: RecordBatch['records'],
  ): Promise<boolean> {
    const { place } = position;
    const nextOffset = records.at(-1)!.offset + 1;
    try {
      await this.#options.onBatch({ ...place, records, nextOffset });
    } catch (error) {
      this.#report(error, place);
      position.attempts++;
      // Other partitions continue; this one is not fetched until its back-off is over.
      member.seek({ ...place, offset: String(position.next) });
      const resume = payload.pause();
      setTimeout(resume, redeliveryDelayMs(position.attempts));
      return false;
    }
    position.attempts = 0;
    position.next = nextOffset;
    payload.resolveOffset(String(nextOffset - 1));
    const { topic, partition } = place;
    await payload.commitOffsetsIfNecessary({
      topics: [{ topic, partitions: [{ partition, offset: String(nextOffset) }] }],
    });
    return true;
  }

  #track(batch: Promise<void>): Promise<void> {
    this.#batches.add(batch);
    batch.finally(() => this.#batches.delete(batch)).catch(() => {});
    return batch;
  }

  async #revokeAll(): Promise<void> {
    await this.#assigned.catch(() => {});
    await Promise.allSettled([...this.#batches]);
    const places = [...this.#positions.values()].map(({ place }) => place);
    if (places.length === 0) return;
    this.#positions.clear();
    try {
      await this.#options.onRevoked?.(places);
    } catch (error) {
      this.#report(error);
    }
  }

  async #close(): Promise<void> {
    await Promise.allSettled([...this.#batches]);
    await this.#revokeAll();
    this.#stop.abort();
    await this.#running;
    await this.#member?.disconnect().catch(() => {});
    this.#options.onClosed(this);
  }

  #report(error: unknown, place?: TopicPartition): void {
    this.#options.onError?.(error instanceof Error ? error : new Error(String(error)), place);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
