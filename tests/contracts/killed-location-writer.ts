import { expect } from 'vitest';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import type { UserId } from '#schemas/units.js';
import { killedWriter } from './killed-writer.js';

/**
 * Eight users write batches of 20 points at the same time; the line `user batch` means that a batch was
 * acknowledged.
 */
const writer = `
  const { openLocationStore } = await import('#platform/location-store/open-location-store.js');
  const [address, users] = [process.argv[1], process.argv[2]];
  const [base, firstBatch] = [Number(process.argv[3]), Number(process.argv[4])];
  const store = await openLocationStore(address);
  await store.prepare();
  const drive = async (user) => {
    for (let batch = firstBatch; ; batch++) {
      const at = Array.from({ length: 20 }, (_, index) => batch * 20 + index);
      await store.write([{
        userId: users + user, batchId: 'b' + batch, receivedMs: Date.now(),
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

/**
 * Kills writers at different instants and reads after each kill: every acknowledged point is there, and
 * nothing that was never sent. `whole` means that a batch is one transaction, so that none is stored in part.
 */
export async function survivesKilledWriters(address: string, users: string, whole: boolean): Promise<void> {
  const base = Date.now() - 6 * 3_600_000;
  const acknowledged = new Set<string>();
  for (let round = 0; round < 3; round += 1) {
    const lines = await killedWriter(
      writer,
      [address, users, String(base), String(round * 1_000)],
      100 + round * 41,
    );
    for (const line of lines) acknowledged.add(line);
    const store = await openLocationStore(address);
    await store.prepare();
    const found = new Map<string, number>();
    for (let user = 0; user < 8; user += 1) {
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const request = { fromMs: 0, toMs: 8.64e15, limit: 1_000, ...(cursor === '' ? {} : { cursor }) };
        const page = await store.read(`${users}${user}` as UserId, request);
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
    expect(whole && [...found.values()].some((count) => count !== 20)).toBe(false);
    await store.close();
  }
}
