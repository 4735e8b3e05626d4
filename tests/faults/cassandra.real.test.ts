import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import type { LocationHistory } from '#schemas/http/locations.js';
import { locationBatchRecorded } from '#schemas/topics.js';
import { proves } from '#tools/acceptance/proves.js';
import { consumerLag } from '../consumer-lag.js';
import { required } from '../contracts/required-variable.js';
import { eventually } from '../eventually.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, issuerOf, unlimited } from '../programs/drivers-of.js';
import { infra } from '../programs/infra.js';
import { postLocations } from '../programs/post-locations.js';
import { allStored, historyOf } from '../programs/read-back.js';
import { type Driver, type Senders, startSenders } from '../programs/recorded-senders.js';
import { ShiftedClock } from './shifted-clock.js';

const kills = 5;
const awayMs = 40_000;
/** Of each of four senders, so that the rate of live batches leaves processors for the rest. */
const livePauseMs = 100;
const hourMs = 3_600_000;

/** `meridian up` with its location store on Cassandra, and a clock that the test may shift. */
describe('Cassandra breaks under the location writer', () => {
  let data: string;
  let clock: ShiftedClock;
  let up: RunningProgram;
  let drivers: Driver[];
  let log: EventLog;
  beforeAll(async () => {
    required('LOCATIONS', 'cassandra://');
    data = await mkdtemp(join(tmpdir(), 'meridian-cassandra-fault-'));
    clock = new ShiftedClock(join(data, 'shift'));
    up = await startProgram('up', {
      data,
      args: ['--drivers', '0'],
      env: {
        ...unlimited,
        CACHE: 'memory:',
        EVENT_LOG: `embedded:${join(data, 'log')}`,
        SQL: `embedded:${join(data, 'sql')}`,
        ...clock.env,
      },
    });
    log = await openEventLog(`embedded:${join(data, 'log')}`);
  });
  // Others than of the test before: what the store has of them is of this one.
  beforeEach(async () => {
    const users = Array.from({ length: 4 }, () => `cassandra-${randomUUID()}`);
    drivers = await driversOf(data, users);
  });
  afterAll(async () => {
    await infra('start', 'cassandra');
    await log?.close();
    await up?.stop();
    await rm(data, { recursive: true, force: true });
  });

  /** Until the writer is at most a second behind live senders: both rates, in batches a second. */
  async function caughtUp(senders: Senders) {
    const { name } = locationBatchRecorded;
    const lag = () => consumerLag(log, 'location-writer', name);
    const [from, before, ackedBefore] = [performance.now(), await lag(), senders.acknowledged()];
    const rates = () => {
      const seconds = (performance.now() - from) / 1_000;
      return { seconds, live: senders.acknowledged() - ackedBefore };
    };
    const behind = await eventually(
      async () => {
        const now = await lag();
        const { seconds, live } = rates();
        expect(now).toBeLessThanOrEqual(Math.max(1, live / seconds));
        return now;
      },
      { deadlineMs: 120_000, everyMs: 50 },
    );
    const { seconds, live } = rates();
    const [storedPerS, livePerS] = [(before - behind + live) / seconds, live / seconds];
    console.log(
      `${before} batches behind, caught up in ${seconds.toFixed(1)} s:`,
      `${Math.round(storedPerS)} a second, ${Math.round(livePerS)} live`,
    );
    return { storedPerS, livePerS };
  }

  proves('F13', {
    asked: 'Cassandra: kill -9, five times: nothing lost; ingest continues',
    shown: 'five kills under four senders: batches are accepted meanwhile, and all of them are stored',
    settings: ['no rate limits'],
    control: {
      in: 'ingest/write-locations.ts',
      change: "throw new StoreUnavailable('The location store did not store a batch.', { cause });",
      to: 'void cause;',
    },
    from: 'outside',
  });
  it('F13: kill -9 of Cassandra loses no acknowledged point, and batches are accepted', async () => {
    const senders = startSenders(up.url, drivers);
    for (let kill = 0; kill < kills; kill += 1) {
      await senders.more(40);
      await infra('kill', 'cassandra');
      await senders.more(40);
      await infra('start', 'cassandra');
    }
    await senders.stop();
    expect([...senders.statuses.keys()]).toEqual([202]);
    await eventually(() => allStored(up.url, drivers, senders.batches));
  }, 300_000);

  proves('F14', {
    asked: 'away for five minutes: ingest unaffected, reads 503, the writer catches up at 3 × live',
    shown: 'away for 40 s: no batch is refused, reads are 503, then all is stored, at 3 × the live rate',
    scaled: '40 s : 5 min',
    settings: ['no rate limits'],
    control: {
      in: 'ingest/write-locations.ts',
      change: '  readonly retriable = true;',
      to: '  readonly retriable = false;',
    },
    from: 'outside',
  });
  proves('F14', {
    asked: 'the writer catches up at 3 × live',
    shown: 'after 40 s without Cassandra: at least 3 × the rate of senders that go on meanwhile',
    settings: ['no rate limits'],
    control: {
      in: 'ingest/write-locations.ts',
      change: '            await store.write(batch).catch(',
      to: '            await new Promise((resolve) => setTimeout(resolve, 25 * records.length));\n            await store.write(batch).catch(',
    },
    from: 'outside',
  });
  it('F14: while Cassandra is away nothing is refused, and afterwards everything is stored', async () => {
    const senders = startSenders(up.url, drivers, { pauseMs: livePauseMs });
    await senders.more(20);
    await infra('kill', 'cassandra');
    const endMs = performance.now() + awayMs;
    await eventually(async () => {
      const read = await historyOf(up.url, drivers[0]!);
      expect([read.status, Number(read.headers.get('retry-after')) > 0]).toEqual([503, true]);
    });
    await senders.more(100);
    while (performance.now() < endMs) await sleep(100);
    await infra('start', 'cassandra');
    const { storedPerS, livePerS } = await caughtUp(senders);
    await senders.more(20);
    await senders.stop();
    expect([...senders.statuses.keys()]).toEqual([202]);
    await eventually(() => allStored(up.url, drivers, senders.batches));
    expect(storedPerS).toBeGreaterThanOrEqual(3 * livePerS);
  }, 300_000);

  proves('F16', {
    asked: 'the clock of the writer is an hour fast or slow: rows by event time, none is shadowed',
    shown: 'points and an erasure of a fast clock, then the same times of a slow one: these are read',
    settings: ['no rate limits', 'a preload shifts Date in the program'],
    control: {
      in: 'platform/location-store/cassandra-location-store.ts',
      change: 'null as unknown as cassandra.policies.timestampGeneration.TimestampGenerator',
      to: 'Object.assign(cassandra.policies.defaultTimestampGenerator(), { next: () => Date.now() * 1e3 })',
    },
    from: 'outside',
  });
  it('F16: points are read by their own times, however wrong the clock of the writer was', async () => {
    const userId = `clock-${randomUUID()}`;
    const startMs = Date.now() - 3 * hourMs;
    const at = async (shiftMs: number): Promise<Driver> => {
      await clock.shift(shiftMs);
      const issuer = await issuerOf(data, () => Date.now() + shiftMs);
      return { userId, token: await issuer.issueToken({ sub: userId, scopes: ['driver'], ttlS: 3_600 }) };
    };
    const send = async ({ token }: Driver, lat: number): Promise<void> => {
      const locs = Array.from({ length: 10 }, (_, i) => [lat, 14.5, startMs + i * 1_000]);
      expect((await postLocations(up.url, token, locs)).status).toBe(202);
    };
    const reads = (driver: Driver, lats: readonly number[]) =>
      eventually(
        async () => {
          const { locations } = (await (await historyOf(up.url, driver)).json()) as LocationHistory;
          expect(locations.map(({ lat }) => lat)).toEqual(lats);
        },
        { deadlineMs: 20_000, everyMs: 100 },
      );
    const fast = await at(hourMs);
    await send(fast, 35.1);
    await reads(fast, Array(10).fill(35.1));
    const erased = await fetch(`${up.url}/v1/users/${userId}/locations`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${fast.token}` },
    });
    expect(erased.ok).toBe(true);
    await reads(fast, []);
    const slow = await at(-hourMs);
    await send(slow, 35.2);
    await reads(slow, Array(10).fill(35.2));
    const right = await at(0);
    await send(right, 35.3);
    await reads(right, Array(10).fill(35.3));
  }, 120_000);
});
