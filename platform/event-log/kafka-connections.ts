import { Connection } from '@platformatic/kafka';
import type { KafkaServers } from './kafka-servers.js';

export interface Broker {
  readonly host: string;
  readonly port: number;
}

const connectTimeoutMs = 1_500;
const requestTimeoutMs = 5_000;

type Options = NonNullable<ConstructorParameters<typeof Connection>[1]>;

/** One connection to each broker, opened when it is first needed and again after it was lost. */
export class KafkaConnections {
  readonly #seeds: readonly Broker[];
  readonly #options: Options;
  readonly #open = new Map<string, Promise<Connection>>();

  constructor({ brokers, tls, login }: KafkaServers) {
    this.#seeds = brokers.map(brokerOf);
    this.#options = {
      connectTimeout: connectTimeoutMs,
      ...(tls === undefined ? {} : { tls }),
      ...(login === undefined ? {} : { sasl: saslOf(login) }),
    };
  }

  to({ host, port }: Broker): Promise<Connection> {
    const name = `${host}:${port}`;
    let connection = this.#open.get(name);
    if (connection === undefined) {
      connection = this.#connect(host, port, () => this.#open.delete(name));
      this.#open.set(name, connection);
      connection.catch(() => this.#open.delete(name));
    }
    return connection;
  }

  /**
   * The first answer to a request that any broker can answer. All configured ones are asked at once: one
   * that takes connections and never answers must not keep the others from being asked. Rejects within
   * seconds when none answers.
   */
  async first<Answer>(request: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    try {
      return await Promise.any(
        this.#seeds.map(async (broker) => {
          const connection = await this.to(broker);
          return bounded(connection, request(connection));
        }),
      );
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error;
    }
  }

  close(): void {
    for (const connection of this.#open.values()) {
      connection.then(
        ({ socket }) => socket.destroy(),
        () => undefined,
      );
    }
    this.#open.clear();
  }

  async #connect(host: string, port: number, onLost: () => void): Promise<Connection> {
    const connection = new Connection('meridian', this.#options);
    // Requests in flight are rejected separately; an error without a listener would end the process.
    connection.on('error', onLost).on('close', onLost);
    await connection.connect(host, port);
    return connection;
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

function brokerOf(address: string): Broker {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) };
}

/** The names of kafkajs in the words of this library. */
const mechanisms = {
  plain: 'PLAIN',
  'scram-sha-256': 'SCRAM-SHA-256',
  'scram-sha-512': 'SCRAM-SHA-512',
} as const;

const saslOf = ({ mechanism, username, password }: NonNullable<KafkaServers['login']>) => ({
  ...{ mechanism: mechanisms[mechanism], username, password },
});
