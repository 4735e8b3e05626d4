import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { processResidentMib } from '#bench/process-cpu.js';
import { percentile } from '#bench/routing/statistics.js';
import { proves } from '#tools/acceptance/proves.js';
import { required } from '../contracts/required-variable.js';
import { eventually } from '../eventually.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from '../programs/drivers-of.js';
import { infra } from '../programs/infra.js';
import { postLocations } from '../programs/post-locations.js';
import { batchesInLog, lostBatches } from '../programs/read-back.js';
import { type Driver, type Senders, startSenders } from '../programs/recorded-senders.js';
import { pidOf, stoppedFor } from './infra-server.js';

/** `append` waits for 10 s; a busy machine is a little late. */
const answerMsMax = 15_000;
const growthMibMax = 150;

/** `meridian ingest` on one broker, under a dozen senders. */
describe('Kafka breaks under ingest', () => {
  let data: string;
  let ingest: RunningProgram;
  let drivers: Driver[];
  beforeAll(async () => {
    required('EVENT_LOG', 'kafka://');
    data = await mkdtemp(join(tmpdir(), 'meridian-kafka-fault-'));
    const env = { ...unlimited, LOCATIONS: `lmdb:${join(data, 'locations')}`, CACHE: 'memory:' };
    ingest = await startProgram('ingest', { data, env });
  });
  // Others than of the test before: what the log has of them is of this one.
  beforeEach(async () => {
    const users = Array.from({ length: 12 }, () => `kafka-${randomUUID()}`);
    drivers = await driversOf(data, users);
  });
  afterAll(async () => {
    await infra('start', 'kafka');
    await ingest?.stop();
    await rm(data, { recursive: true, force: true });
  });

  /** All that was acknowledged is in the log, and nothing that was refused; every 503 said when to return. */
  async function nothingIsLost(senders: Senders): Promise<void> {
    await senders.more(drivers.length);
    await senders.stop();
    expect(senders.retryAfterS.filter((seconds) => !(seconds > 0))).toEqual([]);
    expect([...senders.statuses.keys()].filter((status) => status !== 202 && status !== 503)).toEqual([]);
    const inLog = new Set(await batchesInLog({ MERIDIAN_DATA: data }, drivers));
    expect(lostBatches(senders.batches, inLog)).toEqual([]);
    // A 503 says that the log may have the batch all the same.
    const sent = new Set(senders.batches.map(({ batchId }) => batchId));
    expect([...inLog].filter((id) => !sent.has(id))).toEqual([]);
  }

  /** Each refusal came in time, and what waited was bounded. */
  function refusedInTime(answers: readonly Probe[], residentBefore: number): void {
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([503]);
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(answerMsMax);
    expect(processResidentMib(ingest.pid) - residentBefore).toBeLessThan(growthMibMax);
  }

  interface Probe {
    readonly status: number;
    readonly ms: number;
  }
  /** One batch after the other, each without another attempt, until `isOver`. */
  async function probes(isOver: () => boolean): Promise<Probe[]> {
    const [driver] = await driversOf(data, [`probe-${randomUUID()}`]);
    const seen: Probe[] = [];
    const ask = async (): Promise<void> => {
      const from = performance.now();
      const loc = [35.9, 14.5, Date.now() - seen.length];
      const answer = await postLocations(ingest.url, driver!.token, [loc]);
      await answer.arrayBuffer();
      seen.push({ status: answer.status, ms: performance.now() - from });
    };
    const all: Promise<void>[] = [];
    while (!isOver()) {
      all.push(ask());
      await sleep(100);
    }
    await Promise.all(all);
    return seen;
  }

  proves('F4', {
    asked: 'Kafka is away for 30 s: 503 with Retry-After, memory bounded, no 202',
    shown:
      'away for 15 s under twelve senders: no 202, each 503 with Retry-After, at most 150 MB more memory',
    scaled: '15 s : 30 s',
    settings: ['no rate limits'],
    control: {
      in: 'ingest/receive-location-batch.ts',
      change: '      if (failure === undefined) report(accepted);\n',
      to: '      if (failure === undefined || performance.now() > 0) report(accepted);\n',
    },
    from: 'outside',
  });
  it('F4: without Kafka every batch is refused in time, and the memory is bounded', async () => {
    const senders = startSenders(ingest.url, drivers);
    await senders.more(100);
    const before = processResidentMib(ingest.pid);
    await infra('kill', 'kafka');
    await eventually(() => expect(senders.statuses.get(503) ?? 0).toBeGreaterThan(0));
    const acknowledged = senders.acknowledged();
    const untilMs = performance.now() + 15_000;
    const answers = await probes(() => performance.now() > untilMs);
    expect(senders.acknowledged()).toBe(acknowledged);
    refusedInTime(answers, before);
    expect((await fetch(`${ingest.url}/readyz`)).status).toBe(503);
    await infra('start', 'kafka');
    await ingest.ready();
    await nothingIsLost(senders);
  }, 300_000);

  proves('F9', {
    asked: 'the broker is cut off for 60 s',
    shown: 'the only broker stands for 14 s with its connections open: refused in time, nothing lost',
    scaled: '14 s : 60 s',
    settings: ['no rate limits'],
    control: {
      in: 'platform/event-log/limits.ts',
      change: '  appendTimeoutMs: 10_000,',
      to: '  appendTimeoutMs: 120_000,',
    },
    from: 'outside',
  });
  it('F9: behind a broker that nothing reaches, each batch is refused in time', async () => {
    const senders = startSenders(ingest.url, drivers);
    await senders.more(100);
    const before = processResidentMib(ingest.pid);
    const answers = await stoppedFor('kafka', 14_000, async () => {
      // What the broker had stored may still be acknowledged.
      await sleep(500);
      const acknowledged = senders.acknowledged();
      const endMs = performance.now() + 12_000;
      const seen = await probes(() => performance.now() > endMs);
      expect(senders.acknowledged()).toBe(acknowledged);
      return seen;
    });
    refusedInTime(answers, before);
    await ingest.ready();
    await nothingIsLost(senders);
  }, 300_000);

  proves('F5', {
    asked: 'latency of 500 ± 100 ms, 100 KB/s: back-pressure, shed early, p99 of accepted within the limit',
    shown: 'the broker answers every 500 ms only: p99 of accepted within 4 s, bounded memory, nothing lost',
    settings: ['no rate limits'],
    control: {
      in: 'platform/event-log/append-batcher.ts',
      change: '    while (this.#waiting.length > 0) await this.#writeGroup(this.#takeGroup());',
      to: '    while (this.#waiting.length > 0) {\n      await new Promise((resolve) => setTimeout(resolve, 4_000));\n      await this.#writeGroup(this.#takeGroup());\n    }',
    },
    from: 'outside',
  });
  it('F5: a slow broker delays batches by its own time only, and nothing is lost', async () => {
    const senders = startSenders(ingest.url, drivers);
    await senders.more(100);
    const before = processResidentMib(ingest.pid);
    let isSlow = true;
    const slow = (async () => {
      const pid = pidOf('kafka');
      while (isSlow) {
        process.kill(pid, 'SIGSTOP');
        await sleep(450);
        process.kill(pid, 'SIGCONT');
        await sleep(50);
      }
    })();
    const untilMs = performance.now() + 15_000;
    const answers = await probes(() => performance.now() > untilMs);
    isSlow = false;
    await slow;
    const accepted = answers.filter(({ status }) => status === 202).map(({ ms }) => ms);
    expect(accepted.length).toBeGreaterThan(answers.length * 0.9);
    expect(percentile(accepted, 0.5)).toBeGreaterThan(100);
    expect(percentile(accepted, 0.99)).toBeLessThan(4_000);
    expect(processResidentMib(ingest.pid) - before).toBeLessThan(growthMibMax);
    await nothingIsLost(senders);
  }, 300_000);
});
