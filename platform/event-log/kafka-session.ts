import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, initProducerIdV4, metadataV12 } from '@platformatic/kafka';
import { type Broker, KafkaConnections } from './kafka-connections.js';
import type { ProducerIdentity } from './kafka-record-batch.js';
import type { KafkaServers } from './kafka-servers.js';

/**
 * A producer id, the connections that it is used on, and what it has sent. A failed session is closed and
 * replaced: the broker may have stored what it did not acknowledge, and would treat the next sequence numbers
 * as repetitions.
 */
export class KafkaSession {
  readonly identity: ProducerIdentity;
  readonly #connections: KafkaConnections;
  readonly #sequences = new Map<string, number>();
  readonly #leaders = new Map<string, Broker>();

  /** Rejects within seconds when no broker answers. */
  static async open(servers: KafkaServers): Promise<KafkaSession> {
    const connections = new KafkaConnections(servers);
    try {
      const { producerId, producerEpoch } = await producerOf(connections);
      return new KafkaSession(connections, { id: producerId, epoch: producerEpoch });
    } catch (error) {
      connections.close();
      throw error;
    }
  }

  private constructor(connections: KafkaConnections, identity: ProducerIdentity) {
    this.#connections = connections;
    this.identity = identity;
  }

  /** The sequence number of the first of `count` records that go to the partition next. */
  takeSequence(destination: string, count: number): number {
    const first = this.#sequences.get(destination) ?? 0;
    this.#sequences.set(destination, (first + count) % 2 ** 31);
    return first;
  }

  async leaderOf(topic: string, partition: number): Promise<Connection> {
    const destination = `${topic}/${partition}`;
    if (!this.#leaders.has(destination)) await this.#learnLeaders(topic);
    const leader = this.#leaders.get(destination);
    if (leader === undefined) throw new Error(`the partition ${destination} has no leader now`);
    return this.#connections.to(leader);
  }

  /** After an answer that says that leaders have moved, or after no answer. */
  forgetLeaders(): void {
    this.#leaders.clear();
  }

  close(): void {
    this.#connections.close();
  }

  async #learnLeaders(topic: string): Promise<void> {
    const { brokers, topics } = await this.#connections.first((connection) =>
      metadataV12.api.async(connection, [topic], false, false),
    );
    const byNode = new Map(brokers.map((broker) => [broker.nodeId, broker]));
    for (const { partitionIndex, leaderId } of topics[0]?.partitions ?? []) {
      const leader = byNode.get(leaderId);
      if (leader !== undefined) this.#leaders.set(`${topic}/${partitionIndex}`, leader);
    }
  }
}

/** A broker that has just started has no ids yet, and asks for some when it is asked first. */
const loadingMs = [50, 100, 200, 400, 800] as const;
const COORDINATOR_LOADING = 14;

async function producerOf(connections: KafkaConnections) {
  const ask = () =>
    connections.first((connection) => initProducerIdV4.api.async(connection, null, 0, -1n, -1));
  for (const pauseMs of loadingMs) {
    try {
      return await ask();
    } catch (error) {
      if (!isLoading(error)) throw error;
      await delay(pauseMs);
    }
  }
  return ask();
}

const isLoading = (error: unknown): boolean =>
  (error as { response?: { errorCode?: number } }).response?.errorCode === COORDINATOR_LOADING;
