import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { freePort } from '../main-job/running-platform.js';
import { infra } from '../programs/infra.js';
import { CuttableDisk } from './cuttable-disk.js';
import { pidOf } from './infra-server.js';

/** One broker, on a disk of its own. */
export interface Broker {
  readonly id: number;
  readonly disk: CuttableDisk;
  readonly pid: number;
}

/**
 * Three brokers, each with a copy of each partition; an append needs two of them. Each is a voter of the
 * controllers too.
 */
export class KafkaCluster {
  readonly address: string;
  readonly #ports: readonly number[];
  readonly #disks: readonly CuttableDisk[];

  private constructor(ports: readonly number[], disks: readonly CuttableDisk[]) {
    this.#ports = ports;
    this.#disks = disks;
    this.address = `kafka://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`;
  }

  static async start(): Promise<KafkaCluster> {
    const disks = Array.from({ length: 3 }, () => CuttableDisk.open(1_024));
    const ports: number[] = [];
    // Each takes three ports in a row.
    while (ports.length < 3) {
      const port = await freePort();
      if (ports.every((other) => Math.abs(other - port) > 2)) ports.push(port);
    }
    const cluster = new KafkaCluster(ports, disks);
    await Promise.all(disks.map((_, at) => cluster.#run('up', at)));
    for (const disk of disks) disk.flush();
    return cluster;
  }

  get brokers(): readonly Broker[] {
    return this.#disks.map((disk, at) => ({ id: at + 1, disk, pid: pidOf('kafka', this.#folder(at)) }));
  }

  /** Resolves when it answers again. */
  startAgain({ id }: Broker): Promise<void> {
    return this.#run('start', id - 1);
  }

  /** The brokers flush each record of a topic before they acknowledge it. */
  async flushEachRecord(topic: string): Promise<void> {
    const admin = this.#client().admin();
    await admin.connect();
    const configEntries = [{ name: 'flush.messages', value: '1' }];
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: 2, name: topic, configEntries }],
    });
    await admin.disconnect();
  }

  /** By the last broker: copies of the partition with the fewest, of those that keep up with the leader. */
  async copies(topic: string): Promise<number> {
    const admin = this.#client().admin();
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    await admin.disconnect();
    return Math.min(...topics[0]!.partitions.map(({ isr }) => isr.length));
  }

  async close(): Promise<void> {
    for (const { pid } of this.brokers) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
    for (const disk of this.#disks) await disk.close();
  }

  #client(): Kafka {
    // This library stays with a broker that takes its connection, even if that one never answers.
    const brokers = [`127.0.0.1:${this.#ports.at(-1)}`];
    return new Kafka({ clientId: randomUUID(), brokers, logLevel: logLevel.NOTHING });
  }

  #folder(at: number): string {
    return join(this.#disks[at]!.folder, 'infra');
  }

  #run(what: 'up' | 'start', at: number): Promise<void> {
    return infra(what, 'kafka', {
      EVENT_LOG: '',
      MERIDIAN_INFRA_DATA: this.#folder(at),
      MERIDIAN_INFRA_KAFKA_PORT: String(this.#ports[at]),
      MERIDIAN_INFRA_KAFKA_NODES: this.#ports.join(','),
    });
  }
}
