import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { required } from '../contracts/required-variable.js';
import { eventually } from '../eventually.js';
import { freePort, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from '../programs/drivers-of.js';
import { type Driver, startSenders } from '../programs/recorded-senders.js';
import { mayMount } from './cuttable-disk.js';
import { type Broker, KafkaCluster } from './kafka-cluster.js';
import { pointsInLog } from './points-in-log.js';

const topic = 'location.batch.recorded.v1';
/** `npm run prove mixed-kills` kills a hundred times, among ten million points. */
const kills = Number(process.env['MIXED_KILLS'] ?? 5);
const batchesBetween = Number(process.env['BATCHES_BETWEEN'] ?? 120);
const pointsPerBatch = 100;

// Only root may mount a disk that can be cut.
describe.skipIf(!mayMount())('ingest and three brokers are killed in turn', () => {
  let data: string;
  let cluster: KafkaCluster;
  let ingest: RunningProgram;
  let drivers: readonly Driver[];
  let ports: readonly [number, number];
  const env = () => ({ MERIDIAN_DATA: data, EVENT_LOG: cluster.address });
  async function startIngest(): Promise<void> {
    const own = { LOCATIONS: `lmdb:${join(data, 'locations')}`, CACHE: 'memory:' };
    ingest = await startProgram('ingest', { data, ports, env: { ...unlimited, ...env(), ...own } });
  }
  beforeAll(async () => {
    required('EVENT_LOG', 'kafka://');
    data = await mkdtemp(join(tmpdir(), 'meridian-mixed-kills-'));
    ports = [await freePort(), await freePort()];
    cluster = await KafkaCluster.start();
    await startIngest();
    drivers = await driversOf(
      data,
      Array.from({ length: 12 }, (_, n) => `mixed-${n}`),
    );
  }, 300_000);
  afterAll(async () => {
    await ingest?.stop();
    await cluster?.close();
    await rm(data, { recursive: true, force: true });
  });

  /** Each breaks something and returns what mends it. */
  const faults: ReadonlyArray<(broker: Broker) => Promise<() => Promise<void>>> = [
    async () => {
      await ingest.stop('SIGKILL');
      return startIngest;
    },
    async (broker) => {
      process.kill(broker.pid, 'SIGKILL');
      return () => cluster.startAgain(broker);
    },
    async (broker) => {
      await broker.disk.cutForGood([broker.pid]);
      return () => cluster.startAgain(broker);
    },
    async () => {
      await ingest.stop('SIGTERM');
      return startIngest;
    },
    async (broker) => {
      process.kill(broker.pid, 'SIGSTOP');
      await sleep(3_000);
      return async () => void process.kill(broker.pid, 'SIGCONT');
    },
  ];

  proves('M-006', {
    asked: 'nothing acknowledged is lost; 0 of ten million points through 100 mixed kills on three brokers',
    shown:
      'ingest killed and stopped, a broker killed, cut from power and paused: every point as it was sent',
    scaled: '5 kills and some 100,000 points : 100 and 10,000,000; the long run has them all',
    settings: ['no rate limits'],
    proof: 'mixed-kills',
    control: {
      in: 'platform/event-log/kafka-appends.ts',
      change: 'unsent = (await sendOnce(session, unsent, positions)).failed;',
      to: 'unsent = (await sendOnce(session, unsent, positions)).failed.slice(unsent.length);',
    },
    from: 'outside',
  });
  it('M-006: every acknowledged point is in the log as it was sent', {
    timeout: 300_000 + 60_000 * kills,
  }, async () => {
    const senders = startSenders(ingest.url, drivers, { apartMs: 0, pointsPerBatch, pauseMs: 0 });
    for (let kill = 0; kill < kills; kill += 1) {
      await senders.more(batchesBetween, 120_000);
      const mend = await faults[kill % faults.length]!(cluster.brokers[kill % 3]!);
      await mend();
      // Each partition has three copies again: before that, another fault would be a second one.
      await eventually(async () => expect(await cluster.copies(topic)).toBe(3));
      await senders.more(drivers.length, 120_000);
      if (kill % 10 === 9) console.log(`${kill + 1} kills, ${senders.acknowledged()} batches`);
    }
    await senders.stop();
    const { points, faults: found } = await pointsInLog(env(), senders.batches);
    expect(found).toEqual([]);
    expect(points).toBe(senders.acknowledged() * pointsPerBatch);
    expect(points).toBeGreaterThanOrEqual(kills * batchesBetween * pointsPerBatch);
    console.log(`${kills} kills, ${points} points`);
  });
});
