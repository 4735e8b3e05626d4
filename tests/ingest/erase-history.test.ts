import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { type IngestRoom, startIngestRoom } from './ingest-fixture.js';

const now = Date.now();
const patience = { timeout: 60_000, interval: 20 };

describe('DELETE /v1/users/{id}/locations', () => {
  let room: IngestRoom;
  beforeAll(async () => {
    room = await startIngestRoom();
  });
  afterAll(() => room.close());

  const erase = (user: string, as = user) =>
    fetch(new URL(`/v1/users/${user}/locations`, room.url), {
      method: 'DELETE',
      headers: { authorization: `Bearer ${as}` },
    });
  const stored = async (user: string) =>
    (await room.store.read(user as UserId, { fromMs: 0, toMs: now + 1e6, limit: 1_000 })).locations.map(
      ({ lat }) => lat,
    );

  proves('M-009', {
    asked: "a user's own history can be erased; nobody else's can",
    shown: 'over HTTP: what was sent before is gone, what is sent later stays, and so does that of others',
    control: {
      in: 'ingest/write-locations.ts',
      change: 'store.erase(key as UserId)',
      to: 'Promise.resolve(key as UserId)',
    },
  });
  it('M-009: deletes earlier points, keeps later ones, and affects no other user', async () => {
    for (let i = 0; i < 5; i++) await room.post('gone', { locs: [[i, 1, now - 10_000 - i]] });
    await room.post('stays', { locs: [[7, 7, now]] });
    expect((await erase('gone')).status).toBe(202);
    await room.post('gone', { locs: [[42, 1, now - 10_000]] });
    await vi.waitFor(async () => expect(await stored('gone')).toEqual([42]), patience);
    // In the partition of that user, behind everything that was sent before.
    await room.post('stays', { locs: [[8, 7, now + 1]] });
    await vi.waitFor(async () => expect(await stored('stays')).toEqual([7, 8]), patience);
  });

  proves('M-009', {
    asked: "nobody else's history can be erased",
    shown: 'another user gets 404, as for an unknown user, and the history stays',
    control: {
      in: 'ingest/erase-route.ts',
      change: 'if (params.id !== identity.userId)',
      to: "if (params.id === '')",
    },
  });
  it("M-009: another user's history is refused like that of an unknown user", async () => {
    await room.post('victim', { locs: [[1, 1, now]] });
    const [foreign, nobody] = [await erase('victim', 'thief'), await erase('no-such-user', 'thief')];
    expect([foreign.status, nobody.status]).toEqual([404, 404]);
    // In the same partition, behind what the refused requests would have written.
    await room.post('victim', { locs: [[2, 1, now + 1]] });
    await vi.waitFor(async () => expect(await stored('victim')).toEqual([1, 2]), patience);
  });

  it('P2: is durable before it is answered, and survives a store outage', async () => {
    const away = await startIngestRoom({ storeFailures: 4 });
    await away.post('patient', { locs: [[1, 1, now]] });
    const answer = await fetch(new URL('/v1/users/patient/locations', away.url), {
      method: 'DELETE',
      headers: { authorization: 'Bearer patient' },
    });
    expect(answer.status).toBe(202);
    await away.post('patient', { locs: [[2, 2, now]] });
    await vi.waitFor(async () => {
      const page = await away.store.read('patient' as UserId, { fromMs: 0, toMs: now + 1, limit: 10 });
      expect(page.locations.map(({ lat }) => lat)).toEqual([2]);
    }, patience);
    await away.log.close();
    const refused = await fetch(new URL('/v1/users/patient/locations', away.url), {
      method: 'DELETE',
      headers: { authorization: 'Bearer patient' },
    });
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await away.close();
  });
});
