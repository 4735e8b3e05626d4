import { setTimeout as delay } from 'node:timers/promises';
import type { QueuedAppend, WrittenGroup } from './append-batcher.js';
import { recordBytes } from './check-records.js';
import type { NewRecord, RecordPosition } from './event-log.js';
import { bounded } from './kafka-connections.js';
import { type PartitionBatch, produce } from './kafka-produce-api.js';
import { encodeRecordBatch } from './kafka-record-batch.js';
import type { KafkaServers } from './kafka-servers.js';
import { KafkaSession } from './kafka-session.js';
import { eventLogLimits } from './limits.js';
import { partitionOf } from './murmur2.js';

/** What Kafka's record batch adds to a record's own bytes, at most: lengths, offsets, timestamp. */
const RECORD_OVERHEAD_BYTES = 40;
const BROKER_TIMEOUT_MS = 4_000;
/**
 * Pauses before a failed batch is sent again with the same sequence numbers, so that it takes effect once.
 */
const RETRY_AFTER_MS = [100, 200, 400, 800] as const;
/** A repeated batch that the broker had stored already: acknowledged, but without its offset. */
const DUPLICATE_SEQUENCE = 46;
/** Unknown topic, leader not available or elsewhere, timeout, too few replicas: all are temporary. */
const PASSING = new Set([3, 5, 6, 7, 8, 9, 13, 19, 20, 56, 75]);

interface Destination {
  readonly topic: string;
  readonly partition: number;
  readonly records: NewRecord[];
  /** Which append each record is of, and which of its records. */
  readonly appends: number[];
  readonly indexes: number[];
  bytes: number;
}

interface Outgoing extends PartitionBatch {
  readonly destination: Destination;
}

type Round = Map<string, Destination>;

/**
 * Sends groups of appends with acks=all by an idempotent producer of our own over @platformatic/kafka's
 * connections.
 */
export class KafkaAppends {
  readonly #servers: KafkaServers;
  readonly #clock: () => number;
  #session: Promise<KafkaSession> | undefined;

  constructor(servers: KafkaServers, clock: () => number) {
    this.#servers = servers;
    this.#clock = clock;
  }

  async write(group: readonly QueuedAppend[]): Promise<WrittenGroup> {
    const positions = group.map(({ records }) => new Array<RecordPosition>(records.length));
    for (const round of roundsOf(group)) await this.#send(round, positions);
    return { positions, durable: Promise.resolve() };
  }

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    session?.close();
  }

  async #send(round: Round, positions: ReadonlyArray<RecordPosition[]>): Promise<void> {
    this.#session ??= KafkaSession.open(this.#servers);
    const opening = this.#session;
    try {
      const session = await opening;
      const nowMs = this.#clock();
      let unsent: readonly Outgoing[] = [...round].map(([name, destination]) => {
        const { topic, partition, records } = destination;
        const sequence = session.takeSequence(name, records.length);
        return {
          topic,
          partition,
          destination,
          batch: encodeRecordBatch(records, session.identity, sequence, nowMs),
        };
      });
      for (const pauseMs of RETRY_AFTER_MS) {
        unsent = (await sendOnce(session, unsent, positions)).failed;
        if (unsent.length === 0) return;
        session.forgetLeaders();
        await delay(pauseMs);
      }
      const { failed, failure } = await sendOnce(session, unsent, positions);
      if (failed.length > 0) throw failure;
    } catch (error) {
      this.#session = undefined;
      void opening.then((session) => session.close()).catch(() => {});
      throw error;
    }
  }
}

/** Returns the batches that failed and may be sent again; rejects for errors that must not be retried. */
async function sendOnce(
  session: KafkaSession,
  outgoing: readonly Outgoing[],
  positions: ReadonlyArray<RecordPosition[]>,
): Promise<{ readonly failed: readonly Outgoing[]; readonly failure: unknown }> {
  const failed: Outgoing[] = [];
  let failure: unknown;
  const byLeader = new Map<Awaited<ReturnType<KafkaSession['leaderOf']>>, Outgoing[]>();
  for (const one of outgoing) {
    try {
      const leader = await session.leaderOf(one.topic, one.partition);
      const list = byLeader.get(leader);
      if (list === undefined) byLeader.set(leader, [one]);
      else list.push(one);
    } catch (error) {
      failed.push(one);
      failure = error;
    }
  }
  await Promise.all(
    [...byLeader].map(async ([leader, batches]) => {
      try {
        const answers = await bounded(leader, produce.async(leader, batches, BROKER_TIMEOUT_MS));
        for (const { topic, partition, errorCode, baseOffset } of answers) {
          const one = batches.find((batch) => batch.topic === topic && batch.partition === partition)!;
          if (errorCode === 0 || errorCode === DUPLICATE_SEQUENCE) {
            const { appends, indexes } = one.destination;
            for (let i = 0; i < appends.length; i++)
              positions[appends[i]!]![indexes[i]!] = {
                partition,
                offset: baseOffset < 0 ? -1 : baseOffset + i,
              };
            continue;
          }
          failed.push(one);
          const fault = new BrokerRefusal(topic, partition, errorCode);
          if (failure instanceof BrokerRefusal && !failure.passing) continue;
          failure = fault;
        }
      } catch (error) {
        failed.push(...batches);
        if (!(failure instanceof BrokerRefusal)) failure = error;
      }
    }),
  );
  if (failure instanceof BrokerRefusal && !failure.passing) throw failure;
  return { failed, failure };
}

class BrokerRefusal extends Error {
  override readonly name = 'BrokerRefusal';
  readonly passing: boolean;

  constructor(topic: string, partition: number, errorCode: number) {
    super(`the broker answered with Kafka's error ${errorCode} for ${topic}/${partition}`);
    this.passing = PASSING.has(errorCode);
  }
}

/** All records of a partition in one request form one record batch, whose bytes the broker limits. */
function roundsOf(group: readonly QueuedAppend[]): Round[] {
  const rounds: Round[] = [];
  /** By topic, for each partition: where its next record goes, and in which round that is. */
  const open = new Map<string, Array<{ round: number; destination: Destination } | undefined>>();
  for (let append = 0; append < group.length; append++) {
    const { topic, partitionCount, records } = group[append]!;
    let partitions = open.get(topic);
    if (partitions === undefined) {
      partitions = new Array(partitionCount).fill(undefined);
      open.set(topic, partitions);
    }
    for (let index = 0; index < records.length; index++) {
      const record = records[index]!;
      const partition = partitionOf(record.key, partitionCount);
      const bytes = recordBytes(record) + RECORD_OVERHEAD_BYTES;
      let present = partitions[partition];
      if (present === undefined || present.destination.bytes + bytes > eventLogLimits.recordBytesMax) {
        const round = present === undefined ? 0 : present.round + 1;
        const destination = { topic, partition, records: [], appends: [], indexes: [], bytes: 0 };
        present = { round, destination };
        partitions[partition] = present;
        rounds[round] ??= new Map();
        rounds[round].set(`${topic}/${partition}`, destination);
      }
      const { destination } = present;
      destination.bytes += bytes;
      destination.appends.push(append);
      destination.indexes.push(index);
      destination.records.push(record);
    }
  }
  return rounds;
}
