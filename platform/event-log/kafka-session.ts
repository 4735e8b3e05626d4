import { Connection, initProducerIdV4, metadataV12 } from '@platformatic/kafka';
import type { ProducerIdentity } from './kafka-record-batch.js';

interface Broker {
  readonly host: string;
  readonly port: number;
}

const connectTimeoutMs = 1_500;
const requestTimeoutMs = 5_000;

/**
 * A producer id, the connections that it is used on, and what it has sent. A failed session is closed and
 * replaced: the broker may have stored what it did not acknowledge, and would treat the next sequence numbers
 * as repetitions.
 */
export class KafkaSession {
  readonly identity: ProducerIdentity;
  readonly #seeds: readonly Broker[];
  readonly #connections: Map<string, Promise<Connection>>;
  readonly #sequences = new Map<string, number>();
  readonly #leaders = new Map<string, Broker>();

  /** Rejects within seconds when no broker answers. */
  static async open(brokers: readonly string[]): Promise<KafkaSession> {
    const seeds = brokers.map((address) => {
      const colon = address.lastIndexOf(':');
      return {
        host: address.slice(0, colon).replace(/^\[|\]$/g, ''),
        port: Number(address.slice(colon + 1)),
      };
    });
    const connections = new Map<string, Promise<Connection>>();
    try {
      const connection = await firstThatAnswers(connections, seeds);
      const { producerId, producerEpoch } = await bounded(
        connection,
        initProducerIdV4.api.async(connection, null, 0, -1n, -1),
      );
      return new KafkaSession(seeds, connections, { id: producerId, epoch: producerEpoch });
    } catch (error) {
      closeAll(connections);
      throw error;
    }
  }

  private constructor(
    seeds: readonly Broker[],
    connections: Map<string, Promise<Connection>>,
    identity: ProducerIdentity,
  ) {
    this.#seeds = seeds;
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
    return connected(this.#connections, leader);
  }

  /** After an answer that says that leaders have moved, or after no answer. */
  forgetLeaders(): void {
    this.#leaders.clear();
  }

  close(): void {
    closeAll(this.#connections);
  }

  async #learnLeaders(topic: string): Promise<void> {
    const connection = await firstThatAnswers(this.#connections, this.#seeds);
    const { brokers, topics } = await bounded(
      connection,
      metadataV12.api.async(connection, [topic], false, false),
    );
    const byNode = new Map(brokers.map((broker) => [broker.nodeId, broker]));
    for (const { partitionIndex, leaderId } of topics[0]?.partitions ?? []) {
      const leader = byNode.get(leaderId);
      if (leader !== undefined) this.#leaders.set(`${topic}/${partitionIndex}`, leader);
    }
  }
}

/**
 * The library waits for an answer forever. A broker that is silent for this long counts as dead, and its
 * connection is closed.
 */
export async function bounded<Answer>(connection: Connection, request: Promise<Answer>): Promise<Answer> {
  const timer = setTimeout(() => connection.socket.destroy(), requestTimeoutMs);
  try {
    return await request;
  } finally {
    clearTimeout(timer);
  }
}

async function firstThatAnswers(
  connections: Map<string, Promise<Connection>>,
  brokers: readonly Broker[],
): Promise<Connection> {
  let failure: unknown = new Error('no broker is configured');
  for (const broker of brokers) {
    try {
      return await connected(connections, broker);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function connected(
  connections: Map<string, Promise<Connection>>,
  { host, port }: Broker,
): Promise<Connection> {
  const name = `${host}:${port}`;
  let connection = connections.get(name);
  if (connection === undefined) {
    connection = connect(host, port, () => connections.delete(name));
    connections.set(name, connection);
    connection.catch(() => connections.delete(name));
  }
  return connection;
}

async function connect(host: string, port: number, onLost: () => void): Promise<Connection> {
  const connection = new Connection('meridian', { connectTimeout: connectTimeoutMs });
  // Requests in flight are rejected separately; an error without a listener would end the process.
  connection.on('error', onLost).on('close', onLost);
  await connection.connect(host, port);
  return connection;
}

function closeAll(connections: Map<string, Promise<Connection>>): void {
  for (const connection of connections.values()) {
    connection.then(
      ({ socket }) => socket.destroy(),
      () => undefined,
    );
  }
  connections.clear();
}
