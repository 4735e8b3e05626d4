import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { required } from '../contracts/required-variable.js';
import { type RunningProgram, spawnProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from './drivers-of.js';
import { infra } from './infra.js';
import { allStored, batchesInLog, lostBatches, strangeBatches } from './read-back.js';
import { type Driver, type SentBatch, startSenders } from './recorded-senders.js';
import { soonMs } from './soon.js';

/** Each server and its name in `/readyz`. */
const servers = {
  s3: 'object store',
  kafka: 'event log',
  registry: 'schema registry',
  redis: 'live cache',
  cassandra: 'location store',
} as const;
type Server = keyof typeof servers;
const names = Object.keys(servers) as Server[];

/** The names of missing servers, as `/readyz` returns them; empty if it answers 200. */
async function missing(url: string): Promise<readonly string[]> {
  const answer = await fetch(`${url}/readyz`);
  if (answer.status === 200) return Object.keys(((await answer.json()) as { without: object }).without);
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  const { errors } = (await answer.json()) as { readonly errors: readonly { readonly pointer: string }[] };
  return errors.map(({ pointer }) => pointer.slice(1));
}

describe('programs whose servers start late, stop and return', () => {
  let data: string;
  let up: RunningProgram;
  let drivers: Driver[];
  const sent: SentBatch[] = [];

  beforeAll(async () => {
    required('EVENT_LOG', 'kafka://');
    required('SCHEMA_REGISTRY_URL');
    required('LOCATIONS', 'cassandra://');
    required('CACHE', 'redis://');
    required('OBJECTS', 's3://');
    data = await mkdtemp(join(tmpdir(), 'meridian-servers-'));
    drivers = await driversOf(data, [`r1-${randomUUID()}`, `r2-${randomUUID()}`]);
  });
  afterAll(async () => {
    await up?.stop();
    for (const name of names) await infra('start', name);
    await rm(data, { recursive: true, force: true });
  });

  async function nothingIsLost(): Promise<void> {
    const inLog = new Set(await batchesInLog({ MERIDIAN_DATA: data }, drivers));
    expect(lostBatches(sent, inLog)).toEqual([]);
    expect(strangeBatches(sent, inLog)).toEqual([]);
    await allStored(up.url, drivers, sent);
  }

  proves('F42', {
    asked: 'started in ten random orders, each server late by 30 s; /readyz is correct',
    shown: 'one random order of all servers: ready by itself, /readyz names only unavailable servers',
    scaled: '1 : 10 orders; servers are late by the time that the others take to start',
    control: {
      in: 'platform/lifecycle/readiness.ts',
      change: 'ready: Object.keys(reasons).length === 0,',
      to: 'ready: Object.keys(reasons).length >= 0,',
    },
    from: 'outside',
  });
  it('F42: started before its servers, it names what it waits for and becomes ready', async () => {
    for (const name of names) await infra('kill', name);
    up = await spawnProgram('up', { data, args: ['--drivers', '0'], env: unlimited });
    const away = new Set(names);
    await vi.waitFor(async () => expect(await missing(up.url)).toContain('object store'), {
      timeout: 60_000,
    });
    for (const name of names.toSorted(() => Math.random() - 0.5)) {
      // It continues by itself; while it cannot, it names an unavailable server; between two of them it
      // builds its tiles.
      await vi.waitFor(
        async () => {
          const waitsFor = await missing(up.url);
          const named = waitsFor.filter((reason) => reason !== 'start');
          const truly = [...away].map((server) => servers[server] as string);
          expect(truly, `/readyz says ${waitsFor.join()}`).toEqual(expect.arrayContaining(named));
          expect(named, `${truly.join()} are away`).not.toEqual([]);
        },
        { timeout: 60_000, interval: 250 },
      );
      await infra('start', name);
      away.delete(name);
    }
    await up.ready();
  }, 600_000);

  it('F4: during an outage of Kafka batches are rejected with Retry-After and none is lost', async () => {
    const senders = startSenders(up.url, drivers);
    await senders.more(20);
    await infra('kill', 'kafka');
    await vi.waitFor(() => expect(senders.statuses.get(503)).toBeGreaterThan(0), { timeout: 60_000 });
    // Its view of the servers is up to a second old.
    await vi.waitFor(async () => expect(await missing(up.url)).toContain('event log'), { timeout: 60_000 });
    const acknowledged = senders.acknowledged();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(senders.acknowledged()).toBe(acknowledged);
    await infra('start', 'kafka');
    await senders.more(20);
    await up.ready();
    await senders.stop();
    sent.push(...senders.batches);
    expect(senders.retryAfterS.filter((seconds) => !(seconds > 0))).toEqual([]);
    await nothingIsLost();
  }, 600_000);

  it('F13, F14: batches are accepted without Cassandra and Redis, and stored afterwards', async () => {
    const senders = startSenders(up.url, drivers);
    await senders.more(20);
    await infra('kill', 'cassandra');
    await infra('kill', 'redis');
    await senders.more(20);
    const [{ userId, token }] = drivers as [Driver];
    const read = await fetch(`${up.url}/v1/users/${userId}/locations`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(read.status).toBe(503);
    await vi.waitFor(
      async () =>
        expect(await missing(up.url)).toEqual(expect.arrayContaining(['location store', 'live cache'])),
      { timeout: 60_000 },
    );
    await infra('start', 'redis');
    await infra('start', 'cassandra');
    await senders.more(20);
    await up.ready();
    await senders.stop();
    sent.push(...senders.batches);
    await nothingIsLost();
  }, 600_000);

  it('M-006, F1: kill -9 of the program itself loses nothing on them either', async () => {
    const ports = [Number(new URL(up.url).port), Number(new URL(up.internalUrl).port)] as const;
    const senders = startSenders(up.url, drivers);
    for (let round = 0; round < 2; round++) {
      await senders.more(20 + Math.floor(Math.random() * 50));
      up.signal('SIGKILL');
      await up.ended;
      up = await startProgram('up', { data, ports, args: ['--drivers', '0'], env: unlimited });
    }
    await senders.more(20);
    await senders.stop();
    sent.push(...senders.batches);
    await nothingIsLost();
  }, 600_000);

  it('F41: keys that the store rejects end the program instead of letting it wait', async () => {
    const withinMs = await soonMs();
    const startedMs = performance.now();
    const wrong = await spawnProgram('processors', { data, env: { AWS_SECRET_ACCESS_KEY: 'wrong' } });
    expect(await wrong.ended).toBe(1);
    expect(performance.now() - startedMs).toBeLessThan(withinMs);
    expect(wrong.output()).toContain('Check the bucket, the region and the keys.');
  });
});
