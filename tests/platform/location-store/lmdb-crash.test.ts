import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import type { UserId } from '#schemas/units.js';
import { killedWriter } from '../../contracts/killed-writer.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-locations-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Eight users write batches of 20 points at the same time; the line `user batch` says that a batch was acknowledged. */
const writer = `
  const { openLocationStore } = await import('#platform/location-store/open-location-store.js');
  const [folder, base, firstBatch] = [process.argv[1], Number(process.argv[2]), Number(process.argv[3])];
  const store = await openLocationStore('lmdb:' + folder);
  await store.prepare();
  const drive = async (user) => {
    for (let batch = firstBatch; ; batch++) {
      const at = Array.from({ length: 20 }, (_, index) => batch * 20 + index);
      await store.write([{
        userId: 'user-' + user, batchId: 'b' + batch, receivedMs: Date.now(),
        points: {
          count: 20, latE7: Int32Array.from(at), lngE7: Int32Array.from(at, (n) => n + user),
          timeMs: Float64Array.from(at, (n) => base + n * 1000),
        },
      }]);
      process.stdout.write(user + ' ' + batch + '\\n');
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, user) => drive(user)));
`;

test('F1: after kill -9 every acknowledged point is there, and nothing that was never sent', async () => {
  const base = Date.now() - 6 * 3_600_000;
  const acknowledged = new Set<string>();
  for (let round = 0; round < 3; round += 1) {
    const lines = await killedWriter(writer, [folder, String(base), String(round * 1_000)], 100 + round * 41);
    for (const line of lines) acknowledged.add(line);
    const store = await openLocationStore(`lmdb:${folder}`);
    await store.prepare();
    const found = new Map<string, number>();
    for (let user = 0; user < 8; user += 1) {
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const request = { fromMs: 0, toMs: 8.64e15, limit: 1_000, ...(cursor === '' ? {} : { cursor }) };
        const page = await store.read(`user-${user}` as UserId, request);
        for (const { lat, lng, timestamp } of page.locations) {
          const n = (timestamp - base) / 1000;
          expect([Math.round(lat * 1e7), Math.round(lng * 1e7)]).toEqual([n, n + user]);
          const batch = `${user} ${Math.floor(n / 20)}`;
          found.set(batch, (found.get(batch) ?? 0) + 1);
        }
        cursor = page.nextCursor;
      }
    }
    expect([...acknowledged].filter((batch) => found.get(batch) !== 20)).toEqual([]);
    expect([...found.values()].every((count) => count === 20)).toBe(true); // A batch is written in one transaction.
    await store.close();
  }
});
