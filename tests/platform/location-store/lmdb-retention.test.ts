import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import type { LocationBatch } from '#schemas/location.js';
import type { UserId } from '#schemas/units.js';

const dayMs = 86_400_000;
const id = 'driver-with-a-long-name-0123456789' as UserId;
const everything = { fromMs: 0, toMs: 8.64e15, limit: 1_000 };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-locations-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** One point a second along a street, as a car sends them, in batches of 20. */
function drive(userId: UserId, startMs: number, seconds: number, fields = false): LocationBatch[] {
  return Array.from({ length: seconds / 20 }, (_, batch) => {
    const at = Array.from({ length: 20 }, (_, index) => batch * 20 + index);
    return {
      userId,
      batchId: `${batch}`,
      receivedMs: startMs + (batch + 1) * 20_000,
      points: {
        count: 20,
        latE7: Int32Array.from(
          at,
          (second) => 577_000_000 + Math.round(1_100 * second + 300 * Math.sin(second)),
        ),
        lngE7: Int32Array.from(
          at,
          (second) => 119_000_000 + Math.round(900 * second + 300 * Math.cos(second)),
        ),
        timeMs: Float64Array.from(at, (second) => startMs + second * 1_000),
        ...(fields && fieldsOf(at)),
      },
    };
  });
}

/** As a phone reports them: 35 to 60 km/h, a turn every two minutes, 3 to 8 m of accuracy. */
function fieldsOf(at: readonly number[]) {
  const noise = (second: number, salt: number) => Math.sin(second * 12.9898 + salt) * 0.5;
  return {
    accuracyM: Float32Array.from(at, (second) => 5 + 2 * Math.sin(second / 60) + noise(second, 1)),
    speedMps: Float32Array.from(at, (second) => 13 + 3 * Math.sin(second / 30) + noise(second, 2)),
    headingDeg: Float32Array.from(
      at,
      (second) => (40 + 90 * Math.floor(second / 120) + 8 * noise(second, 3)) % 360,
    ),
    modeIndex: new Float32Array(at.length),
  };
}

/** Bytes of all keys and values, without the free space that a tree keeps. */
function storedBytes(path = folder): { bytes: number; entries: number } {
  const root = open({ path, noSubdir: false, maxDbs: 2, readOnly: true });
  let [bytes, entries] = [0, 0];
  for (const name of ['blocks', 'receipts']) {
    const database = root.openDB<Buffer, Buffer>(name, { encoding: 'binary', keyEncoding: 'binary' });
    for (const { key, value } of database.getRange({})) {
      bytes += key.length + value.length;
      entries += 1;
    }
  }
  return { bytes, entries };
}

test('P1: the sweeper removes exactly what no page shows any more', async () => {
  let now = 100 * dayMs;
  const store = await openLocationStore(`lmdb:${folder}`, { retentionMs: 30 * dayMs, now: () => now });
  await store.write([...drive(id, now, 200), ...drive('other' as UserId, now, 40)]);
  now += 20 * dayMs;
  await store.write(drive(id, 100 * dayMs + 100_000, 100).map((batch) => ({ ...batch, receivedMs: now })));
  now = 130 * dayMs + 50_000;
  expect((await store.read(id, everything)).locations).toHaveLength(100 + 60);
  now = 132 * dayMs;
  await store.prepare();
  expect((await store.read(id, everything)).locations.map((location) => location.timestamp)).toEqual(
    Array.from({ length: 100 }, (_, second) => 100 * dayMs + (100 + second) * 1_000),
  );
  now = 152 * dayMs;
  await store.prepare();
  await store.close();
  expect(storedBytes()).toEqual({ bytes: 0, entries: 0 });
});

test('M-009: an erase leaves no key of the user behind', async () => {
  const now = Date.now();
  const store = await openLocationStore(`lmdb:${folder}`);
  for (let day = 0; day < 3; day += 1) await store.write(drive(id, now - day * dayMs, 400));
  await store.erase(id);
  await store.close();
  expect(storedBytes()).toEqual({ bytes: 0, entries: 0 });
});

test('a point takes less than a quarter of its JSON', async () => {
  const store = await openLocationStore(`lmdb:${folder}`);
  const startMs = Math.floor(Date.now() / dayMs) * dayMs;
  for (const batch of drive(id, startMs, 3_600)) await store.write([batch]);
  await store.close();
  const json = JSON.stringify({ user_id: id, lat: 57.7012345, lng: 11.9012345, timestamp: startMs }).length;
  expect(storedBytes().bytes / 3_600).toBeLessThan(json / 4);
});

test('a point with all optional fields takes at most 3.5 bytes more than one without', async () => {
  const startMs = Math.floor(Date.now() / dayMs) * dayMs;
  const bytesPerPoint = async (fields: boolean) => {
    const path = join(folder, `${fields}`);
    const store = await openLocationStore(`lmdb:${path}`);
    for (const batch of drive(id, startMs, 3_600, fields)) await store.write([batch]);
    await store.close();
    return storedBytes(path).bytes / 3_600;
  };
  const [without, all] = [await bytesPerPoint(false), await bytesPerPoint(true)];
  expect(all - without).toBeLessThan(3.5);
  // As much as before the store had optional fields.
  expect(without).toBeLessThan(7.7);
});

test('F41: rejects a file that is not a store with a sentence', async () => {
  await writeFile(join(folder, 'data.mdb'), 'x'.repeat(100_000));
  await expect(openLocationStore(`lmdb:${folder}`)).rejects.toThrow('cannot be opened');
});

test('F41: rejects a store that is cut off with a sentence; LMDB would end the process', async () => {
  const store = await openLocationStore(`lmdb:${folder}`);
  for (const batch of drive(id, Date.now(), 3_600)) await store.write([batch]);
  await store.close();
  const file = join(folder, 'data.mdb');
  await truncate(file, 3 * 4_096);
  await expect(openLocationStore(`lmdb:${folder}`)).rejects.toThrow('is truncated: 12288 of');
});

test('a damaged block is an error that says what to do, never a wrong place', async () => {
  const store = await openLocationStore(`lmdb:${folder}`);
  await store.write(drive(id, Date.now(), 20));
  await store.close();
  const root = open({ path: folder, noSubdir: false, maxDbs: 2 });
  const blocks = root.openDB<Buffer, Buffer>('blocks', { encoding: 'binary', keyEncoding: 'binary' });
  const [entry] = blocks.getRange({ limit: 1 });
  const damaged = Buffer.from(entry!.value);
  damaged[10]! ^= 1;
  await blocks.put(Buffer.from(entry!.key), damaged);
  await root.close();
  const again = await openLocationStore(`lmdb:${folder}`);
  await expect(again.read(id, everything)).rejects.toThrow('A block of locations is damaged');
  await again.close();
});
