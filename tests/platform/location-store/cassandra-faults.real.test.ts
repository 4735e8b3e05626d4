import cassandra from 'cassandra-driver';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocationStore, LocationStoreUnavailable } from '#platform/location-store/location-store.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import type { LocationBatch } from '#schemas/location.js';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { survivesKilledWriters } from '../../contracts/killed-location-writer.js';
import { required } from '../../contracts/required-variable.js';
import { until } from '../../contracts/until.js';
import { WireCut } from '../../contracts/wire-cut.js';

const server = () => new URL(required('LOCATIONS', 'cassandra://').split(',')[0]!);
let wire: WireCut;
let store: LocationStore;

beforeEach(async () => {
  wire = new WireCut({ host: server().hostname, port: Number(server().port) });
  await wire.mend();
  store = await openLocationStore(`cassandra://127.0.0.1:${wire.port}${server().pathname}${server().search}`);
});
afterEach(async () => {
  await store.close();
  await wire.cut();
});

function batchOf(userId: UserId, count: number): LocationBatch {
  const at = Array.from({ length: count }, (_, index) => index);
  return {
    userId,
    batchId: 'b',
    receivedMs: Date.now(),
    points: {
      count,
      latE7: Int32Array.from(at),
      lngE7: Int32Array.from(at),
      timeMs: Float64Array.from(at, (index) => Date.now() - index * 60_000),
    },
  };
}

const succeeds = (call: () => Promise<unknown>) =>
  call().then(
    () => true,
    () => false,
  );

const everything = { fromMs: 0, toMs: 8.64e15, limit: 1_000 };

/** Whether the call succeeds; adds to `others` what failed for another reason than an unavailable store. */
const isAvailable = (call: () => Promise<unknown>, others: unknown[]): Promise<boolean> =>
  call().then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof LocationStoreUnavailable)) others.push(error);
      return false;
    },
  );

test('F42: the next prepare finds a Cassandra that starts late', async () => {
  await wire.cut();
  await expect(store.prepare()).rejects.toThrow(LocationStoreUnavailable);
  await wire.mend();
  await until('prepare', () => succeeds(() => store.prepare()));
  await store.check();
});

test('F13: a write without Cassandra rejects, and succeeds when it is repeated', async () => {
  await store.prepare();
  const id = `faults-${process.pid}-${Date.now()}` as UserId;
  const batch = batchOf(id, 500);
  const others: unknown[] = [];
  const isWritten = () => isAvailable(() => store.write([batch]), others);
  const isRead = () => isAvailable(() => store.read(id, everything), others);
  await wire.cut();
  await until('the loss', async () => !(await isWritten()));
  // No statement that reads is prepared yet.
  expect(await isRead()).toBe(false);
  await wire.mend();
  await until('the write', isWritten);
  // The driver may still be opening its connections.
  await until('the read', isRead);
  expect(others).toEqual([]);
  const page = await store.read(id, everything);
  expect(page.locations).toHaveLength(500);
});

test('F1: after kill -9 of writers every acknowledged point is stored, and nothing else', async () => {
  const users = `killed-${process.pid}-${Date.now()}-`;
  await expect(
    survivesKilledWriters(required('LOCATIONS', 'cassandra://'), users, false),
  ).resolves.toBeUndefined();
});

proves('M-003', {
  asked: 'user_id partition key, timestamp clustering key',
  shown: 'on Cassandra: 30 rows by partition (user_id, day) come back in order of their timestamp',
  missing: 'a partition has one day of one user, so days are read one after the other',
});
test('M-003: a row is in the partition of its user and day, by time; days exist with rows', async () => {
  await store.prepare();
  const id = `tables-${process.pid}-${Date.now()}` as UserId;
  await store.write([batchOf(id, 30)]);
  const client = new cassandra.Client({
    contactPoints: [server().host],
    localDataCenter: server().searchParams.get('dc') ?? 'datacenter1',
    keyspace: server().pathname.slice(1),
  });
  const { rows: days } = await client.execute(
    'SELECT day FROM location_day_by_user WHERE user_id = ?',
    [id],
    { prepare: true },
  );
  const times: number[] = [];
  for (const { day } of days) {
    const query =
      'SELECT timestamp, ttl(lat_e7) AS left FROM location_by_user_day WHERE user_id = ? AND day = ?';
    for (const row of (await client.execute(query, [id, day], { prepare: true })).rows) {
      times.push((row['timestamp'] as Date).getTime());
      expect(row['left']).toBeGreaterThan(30 * 86_400 - 60);
      expect(row['left']).toBeLessThanOrEqual(30 * 86_400);
    }
  }
  await client.shutdown();
  expect(times).toHaveLength(30);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
