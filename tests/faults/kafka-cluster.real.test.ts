import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { required } from '../contracts/required-variable.js';
import { eventually } from '../eventually.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from '../programs/drivers-of.js';
import { batchesInLog, lostBatches } from '../programs/read-back.js';
import { type Driver, type Senders, startSenders } from '../programs/recorded-senders.js';
import { mayMount } from './cuttable-disk.js';
import { type Broker, KafkaCluster } from './kafka-cluster.js';

const topic = 'location.batch.recorded.v1';
/** How often a broker breaks; `npm run prove kafka-cluster` breaks 25. */
const rounds = Number(process.env['BROKERS_BROKEN'] ?? 3);
const timeout = 300_000 + 60_000 * rounds;

// Only root may mount a disk that can be cut.
describe.skipIf(!mayMount())('three Kafka brokers break under ingest', () => {
  let data: string;
  let cluster: KafkaCluster;
  let ingest: RunningProgram;
  let drivers: Driver[];
  const env = () => ({ MERIDIAN_DATA: data, EVENT_LOG: cluster.address });
  beforeAll(async () => {
    required('EVENT_LOG', 'kafka://');
    data = await mkdtemp(join(tmpdir(), 'meridian-kafka-cluster-'));
    cluster = await KafkaCluster.start();
    const own = { LOCATIONS: `lmdb:${join(data, 'locations')}`, CACHE: 'memory:' };
    ingest = await startProgram('ingest', { data, env: { ...unlimited, ...env(), ...own } });
  }, 300_000);
  beforeEach(async () => {
    drivers = await driversOf(
      data,
      Array.from({ length: 12 }, () => `cluster-${randomUUID()}`),
    );
  });
  afterAll(async () => {
    await ingest?.stop();
    await cluster?.close();
    await rm(data, { recursive: true, force: true });
  });

  const lost = async (senders: Senders): Promise<readonly string[]> => {
    const inLog = new Set(await batchesInLog(env(), drivers));
    return lostBatches(senders.batches, inLog);
  };
  /** All that was acknowledged is in the log, and nothing that was never sent. */
  async function nothingIsLost(senders: Senders): Promise<void> {
    await senders.more(drivers.length);
    await senders.stop();
    expect(senders.retryAfterS.filter((seconds) => !(seconds > 0))).toEqual([]);
    expect([...senders.statuses.keys()].filter((status) => status !== 202 && status !== 503)).toEqual([]);
    expect(await lost(senders)).toEqual([]);
  }
  const stop = ({ pid }: Broker) => process.kill(pid, 'SIGSTOP');
  const goOn = ({ pid }: Broker) => process.kill(pid, 'SIGCONT');
  /** Each partition has three copies again: before that, another fault would be a second one. */
  const isWhole = () => eventually(async () => expect(await cluster.copies(topic)).toBe(3));
  async function cutAll(): Promise<void> {
    // All of them stand still before the first is cut.
    for (const broker of cluster.brokers) stop(broker);
    for (const { disk, pid } of cluster.brokers) await disk.cutForGood([pid]);
  }
  const startAll = () => Promise.all(cluster.brokers.map((broker) => cluster.startAgain(broker)));

  it('F7 control: with the flush left to the system, a power cut of all brokers loses batches', {
    timeout,
  }, async () => {
    const senders = startSenders(ingest.url, drivers);
    await senders.more(100);
    await cutAll();
    await senders.stop();
    await startAll();
    await isWhole();
    expect(await lost(senders)).not.toEqual([]);
  });

  proves('F7', {
    asked:
      'a power cut of one of three brokers with min.insync 2: nothing lost; of all: with flush.messages=1',
    shown:
      'three cuts of one of three, each another, under twelve senders; then all three at once: nothing lost',
    settings: ['no rate limits', 'flush.messages=1 of the topic where all brokers are cut'],
    control: {
      test: 'F7 control: with the flush left to the system, a power cut of all brokers loses batches',
    },
    from: 'outside',
  });
  it('F7: a power cut of a broker loses nothing, nor one of all brokers that flush each record', {
    timeout,
  }, async () => {
    const senders = startSenders(ingest.url, drivers);
    for (let round = 0; round < rounds; round += 1) {
      await senders.more(60);
      const broker = cluster.brokers[round % 3]!;
      await broker.disk.cutForGood([broker.pid]);
      await senders.more(60);
      await cluster.startAgain(broker);
      await isWhole();
    }
    await cluster.flushEachRecord(topic);
    await senders.more(60);
    await cutAll();
    await startAll();
    await isWhole();
    await nothingIsLost(senders);
  });

  proves('F6', {
    asked: 'kill -9 of a broker, 25 times: nothing lost; 4.8 to 6.8 s each',
    shown: 'three kills of one of three, each another: acknowledged again within 20 s, nothing lost',
    scaled: '3 : 25; 20 s for 6.8 s, on a machine that runs three brokers and all else on two processors',
    settings: ['no rate limits'],
    proof: 'kafka-cluster',
    control: {
      in: 'platform/event-log/kafka-appends.ts',
      change: 'unsent = (await sendOnce(session, unsent, positions)).failed;',
      to: 'unsent = (await sendOnce(session, unsent, positions)).failed.slice(unsent.length);',
    },
    from: 'outside',
  });
  it('F6: after kill -9 of a broker the others go on, and nothing is lost', { timeout }, async () => {
    const senders = startSenders(ingest.url, drivers);
    const silences: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await senders.more(60);
      const broker = cluster.brokers[round % 3]!;
      process.kill(broker.pid, 'SIGKILL');
      const from = performance.now();
      await senders.more(drivers.length);
      silences.push(performance.now() - from);
      await cluster.startAgain(broker);
      await isWhole();
    }
    await nothingIsLost(senders);
    console.log(`acknowledged again after ${silences.map(Math.round).join(', ')} ms`);
    expect(Math.max(...silences)).toBeLessThan(20_000);
  });

  proves('F9', {
    asked: 'a broker is cut off for 60 s: min.insync refuses, no split',
    shown: 'one of three stands for 20 s: the others go on; two stand: no batch is accepted; nothing is lost',
    scaled: '20 s : 60 s, more than twice the time after which a broker is left out',
    settings: ['no rate limits'],
    control: {
      in: 'platform/event-log/kafka-produce-api.ts',
      change: '.appendInt16(ALL_REPLICAS)',
      to: '.appendInt16(1)',
    },
    from: 'outside',
  });
  it('F9: without a majority of the brokers nothing is acknowledged; with one nothing is lost', {
    timeout,
  }, async () => {
    const senders = startSenders(ingest.url, drivers);
    await senders.more(60);
    const [first, second] = cluster.brokers as [Broker, Broker, Broker];
    stop(first);
    const from = performance.now();
    await senders.more(60);
    await sleep(20_000 - (performance.now() - from));
    // Left out, it may still believe that it leads: what it says counts nothing.
    expect(await cluster.copies(topic)).toBe(2);
    stop(second);
    // What both had may still be acknowledged.
    await sleep(1_000);
    const acknowledged = senders.acknowledged();
    const refused = senders.statuses.get(503) ?? 0;
    await eventually(() => expect(senders.statuses.get(503) ?? 0).toBeGreaterThan(refused + drivers.length));
    expect(senders.acknowledged()).toBe(acknowledged);
    expect((await fetch(`${ingest.url}/readyz`)).status).toBe(503);
    for (const broker of [first, second]) goOn(broker);
    await isWhole();
    await ingest.ready();
    await nothingIsLost(senders);
  });
});
