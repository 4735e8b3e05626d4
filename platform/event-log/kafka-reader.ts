import type { Cluster, Kafka, KafkaMessage } from 'kafkajs';
import type { LogRecord } from './event-log.js';
import { logRecordOf } from './kafka-records.js';
import { moduloAssigner } from './modulo-assigner.js';

const FETCH_BYTES_MAX = 2 ** 20;
const FETCH_WAIT_MS = 100;

/**
 * Reads partitions without a group. kafkajs has no such consumer, but passes its connections to the partition
 * assigner of a consumer, and they can fetch.
 */
export class KafkaReader {
  readonly #kafka: Kafka;
  #cluster: Promise<Cluster> | undefined;

  constructor(kafka: Kafka) {
    this.#kafka = kafka;
  }

  /** The records from `fromOffset` up to `end`, which is the offset behind the last. */
  async *read(topic: string, partition: number, fromOffset: number, end: number): AsyncGenerator<LogRecord> {
    for (let next = fromOffset; next < end; ) {
      const messages = await this.#fetch(topic, partition, next);
      // Compaction and aborted transactions leave holes; an answer without records means nothing is left
      // before the end.
      if (messages.length === 0) return;
      for (const message of messages) {
        const record = logRecordOf(message);
        if (record.offset < next) continue;
        if (record.offset >= end) return;
        yield record;
        next = record.offset + 1;
      }
    }
  }

  async close(): Promise<void> {
    const cluster = await this.#cluster?.catch(() => undefined);
    await cluster?.disconnect();
  }

  async #fetch(topic: string, partition: number, offset: number): Promise<readonly KafkaMessage[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        const cluster = await this.#connect();
        await cluster.addTargetTopic(topic);
        const leaders = cluster.findLeaderForPartitions(topic, [partition]);
        const broker = await cluster.findBroker({ nodeId: Object.keys(leaders)[0]! });
        const answer = (await broker.fetch({
          maxWaitTime: FETCH_WAIT_MS,
          minBytes: 1,
          maxBytes: FETCH_BYTES_MAX,
          isolationLevel: 1,
          topics: [
            { topic, partitions: [{ partition, fetchOffset: String(offset), maxBytes: FETCH_BYTES_MAX }] },
          ],
        })) as FetchAnswer;
        return answer.responses[0]?.partitions[0]?.messages ?? [];
      } catch (error) {
        if (attempt === 3) throw error;
        // A leader moved or a connection was closed: look up the leader of the partition again.
        await (await this.#connect()).refreshMetadata();
      }
    }
  }

  #connect(): Promise<Cluster> {
    this.#cluster ??= this.#newCluster().catch((error: unknown) => {
      this.#cluster = undefined;
      throw error;
    });
    return this.#cluster;
  }

  async #newCluster(): Promise<Cluster> {
    let cluster: Cluster | undefined;
    this.#kafka.consumer({
      groupId: 'meridian-read',
      partitionAssigners: [
        (config) => {
          cluster = config.cluster;
          return moduloAssigner(config);
        },
      ],
    });
    if (cluster === undefined) throw new Error('kafkajs does not expose its connections; is it still 2.2.4?');
    await cluster.connect();
    return cluster;
  }
}

interface FetchAnswer {
  readonly responses: ReadonlyArray<{
    readonly partitions: ReadonlyArray<{ readonly messages: readonly KafkaMessage[] }>;
  }>;
}
