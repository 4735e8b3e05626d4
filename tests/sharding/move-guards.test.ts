import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBlock } from '#hotel/blocks/create-block.js';
import { releaseBlocks } from '#hotel/blocks/release-blocks.js';
import { Guests } from '#hotel/guests/guests.js';
import { findPlaces } from '#hotel/hotels/find-places.js';
import { begin } from '#hotel/sharding/begin-move.js';
import { becomeServers, isElsewhere } from '#hotel/sharding/hotel-servers.js';
import { type MoveStep, moveHotel, resumeMoves } from '#hotel/sharding/move-hotel.js';
import { searchHotels, searchReservations } from '#hotel/staff/search.js';
import { Envelope } from '#platform/encryption/envelope.js';
import type { Sql } from '#platform/sql/sql.js';
import { newReservationId } from '#schemas/reservation-id.js';
import { requestFor } from '../hotel/inventory-database.js';
import { openTwoServers, type TwoServers } from './two-servers.js';

const staff = { staff: true } as const;

let two: TwoServers;
beforeAll(async () => {
  two = await openTwoServers();
  two.relay(async () => {});
});
afterAll(() => two.dispose());

/** Ends a move before the step. */
const stopAt = (step: MoveStep) => ({
  onStep(reached: MoveStep) {
    if (reached === step) throw new Error(`stopped before ${step}`);
  },
});

/** The same database; `seen` is called after each statement that is not part of a transaction. */
function watched(sql: Sql, seen: (text: string) => Promise<void> | void): Sql {
  return new Proxy(sql, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'query') return value.bind(target);
      return async (text: string, values: []) => {
        const result = await target.query(text, values);
        await seen(text);
        return result;
      };
    },
  });
}

test('an id that names its hotel needs a place for its user, but no look into the directory', async () => {
  const hotelId = await two.db.hotel();
  await moveHotel(two.moves, hotelId, 'b');
  const seen: string[] = [];
  const servers = new Map<string, Sql>(
    [...two.servers].map(([name, sql]) => [name, watched(sql, (text) => void seen.push(`${name}: ${text}`))]),
  );
  const { placement, reservations } = two.process({ staleMs: 60_000, servers });
  await placement.refresh();
  seen.length = 0;
  const request = requestFor(hotelId, { reservationId: newReservationId(hotelId) });
  expect((await reservations.reserve(request)).kind).toBe('reserved');
  expect(seen).toEqual([
    expect.stringMatching(/^main: SELECT claim_user_holds\(/),
    expect.stringMatching(/^b: SELECT .* FROM reserve_one\(/s),
  ]);
  seen.length = 0;
  expect((await reservations.get(request.reservationId, staff))?.hotelId).toBe(hotelId);
  expect(seen).toEqual(['b: SELECT * FROM reservation WHERE reservation_id = ANY ($1)']);
});

test('an id that names another hotel is refused', async () => {
  const [here, there] = [await two.db.hotel(), await two.db.hotel()];
  await moveHotel(two.moves, there, 'b');
  const { reservations } = two.process();
  const reservationId = newReservationId(there);
  expect(await reservations.reserve(requestFor(here, { reservationId }))).toEqual({
    kind: 'invalid',
    problem: 'This reservationID names another hotel before its last "~".',
  });
  expect((await reservations.reserve(requestFor(there, { reservationId }))).kind).toBe('reserved');
  await two.prove();
});

test('a program that knows the old place never shows what has changed at the new one', async () => {
  const hotelId = await two.db.hotel();
  const staleMs = 400;
  const late = two.process({ staleMs });
  const current = two.process({ staleMs: 0 });
  const request = requestFor(hotelId);
  await late.reservations.reserve(request);
  await late.reservations.get(request.reservationId, staff);
  let looked: Promise<void> | undefined;
  const moving = moveHotel(
    {
      ...two.moves,
      staleMs,
      graceMs: 600,
      onStep(step) {
        if (step === 'switch') looked = late.placement.refresh();
      },
    },
    hotelId,
    'b',
  );
  // Waits for the end of the pause.
  while ((await current.placement.placeOf(hotelId)).server === 'main') await delay(5);
  expect((await current.reservations.cancel(request.reservationId, staff)).kind).toBe('changed');
  await looked;
  expect((await late.reservations.get(request.reservationId, staff))?.status).toBe('cancelled');
  await moving;
});

test('rows stay at the old server for reads that have begun', async () => {
  const hotelId = await two.db.hotel();
  const at = new Map<MoveStep, number>();
  const onStep = (step: MoveStep) => void at.set(step, performance.now());
  await moveHotel({ ...two.moves, graceMs: 200, onStep }, hotelId, 'b');
  expect(at.get('delete')! - at.get('open')!).toBeGreaterThanOrEqual(199);
});

test('a run that looked at the place before another run moved the hotel looks again', async () => {
  const hotelId = await two.db.hotel();
  const { reservations } = two.process();
  const request = requestFor(hotelId);
  await reservations.reserve(request);
  let other: Promise<unknown> | undefined;
  const main = watched(two.db.sql, async (text) => {
    if (!text.startsWith('SELECT FROM hotel ')) return;
    other ??= moveHotel(two.moves, hotelId, 'b');
    await other;
  });
  const servers = new Map(two.servers).set('main', main);
  expect(await moveHotel({ ...two.moves, servers }, hotelId, 'b')).toEqual({ kind: 'there' });
  expect((await reservations.get(request.reservationId, staff))?.status).toBe('pending_payment');
  await two.prove();
});

test('a run that another one has overtaken opens no fence', async () => {
  const hotelId = await two.db.hotel();
  let newer: Promise<unknown> | undefined;
  const main = new Proxy(two.db.sql, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'transaction' || newer !== undefined) return value.bind(target);
      return async (...given: Parameters<Sql['transaction']>) => {
        const begun = await target.transaction(...given);
        newer = moveHotel(two.moves, hotelId, 'b');
        await newer;
        return begun;
      };
    },
  });
  const servers = new Map(two.servers).set('main', main);
  await expect(moveHotel({ ...two.moves, servers }, hotelId, 'b')).rejects.toThrow('Another run');
  const { rows } = await two.db.sql.query('SELECT state FROM hotel_fence WHERE hotel_id = $1', [hotelId]);
  expect(rows).toEqual([{ state: 'gone' }]);
});

test('a run that another one has overtaken does not switch the directory', async () => {
  const hotelId = await two.db.hotel();
  const main = watched(two.db.sql, async (text) => {
    if (text.includes('FROM hotel_numbers()')) await begin(two.servers, hotelId, 'b');
  });
  const servers = new Map(two.servers).set('main', main);
  await expect(moveHotel({ ...two.moves, servers }, hotelId, 'b')).rejects.toThrow('Another run');
  const { rows } = await two.db.sql.query('SELECT step FROM hotel_move WHERE hotel_id = $1', [hotelId]);
  expect(rows).toEqual([{ step: 'copying' }]);
  expect(await moveHotel(two.moves, hotelId, 'b')).toMatchObject({ kind: 'moved' });
});

test.each(['leave', 'delete'] as const)(
  'before the step "%s", with rows on both servers, lists show each once',
  async (step) => {
    const hotelId = await two.db.hotel();
    const { reservations } = two.process();
    const request = requestFor(hotelId);
    await reservations.reserve(request);
    await expect(moveHotel({ ...two.moves, ...stopAt(step) }, hotelId, 'b')).rejects.toThrow('stopped');
    const both = [...two.servers.values()];
    const id = [request.reservationId];
    const own = await reservations.list(request.userId, { limit: 10 });
    expect(own.map(({ reservationId }) => reservationId)).toEqual(id);
    const found = await searchReservations(both, { hotelId, limit: 10 });
    expect(found.map(({ reservationId }) => reservationId)).toEqual(id);
    const hotels = await searchHotels(both, { limit: 100 });
    expect(hotels.filter(({ hotelID }) => hotelID === hotelId)).toHaveLength(1);
    const places = await findPlaces(both, { limit: 100 });
    expect(places.filter(({ hotelID }) => hotelID === hotelId)).toHaveLength(1);
    await resumeMoves(two.moves, -60_000);
  },
);

test('an erasure of personal data misses nobody while a hotel is between the servers', async () => {
  const hotelId = await two.db.hotel();
  const { reservations } = two.process();
  const request = requestFor(hotelId);
  await reservations.reserve(request);
  await two.db.sql.query(`INSERT INTO guest_key VALUES ($1, $2, '\\x01')`, [
    request.reservationId,
    request.userId,
  ]);
  const envelope = new Envelope([new Uint8Array(32)]);
  const guests = new Guests({ sql: two.db.sql, everywhere: [...two.servers.values()], envelope });
  await expect(moveHotel({ ...two.moves, ...stopAt('open') }, hotelId, 'b')).rejects.toThrow('stopped');
  await expect(guests.erase({ userId: request.userId })).rejects.toSatisfy(isElsewhere);
  await resumeMoves(two.moves, -60_000);
  expect(await guests.erase({ userId: request.userId })).toBe(1);
});

test('jobs leave a hotel that is being moved alone, on both servers, and go on with the others', async () => {
  const [moving, staying] = [await two.db.hotel(), await two.db.hotel()];
  const { reservations } = two.process();
  const held = [requestFor(moving), requestFor(staying)];
  for (const request of held) expect((await reservations.reserve(request)).kind).toBe('reserved');
  const block = {
    ...{ blockId: 'b', name: 'Wedding', startDate: '2027-07-01', endDate: '2027-07-02', request: '{}' },
    rooms: [{ roomTypeId: 'double', rooms: 1 }],
  };
  for (const hotelId of [moving, staying]) {
    const given = { ...block, code: 'WEDDING', releaseAt: new Date('2027-06-02T00:00:00Z') };
    const made = await two.db.sql.transaction((tx) => createBlock(tx, two.db.clock.now, hotelId, given));
    expect(made.kind).toBe('created');
  }
  await expect(moveHotel({ ...two.moves, ...stopAt('leave') }, moving, 'b')).rejects.toThrow('stopped');
  const before = two.db.clock.now;
  two.db.clock.now = new Date('2027-06-02T12:00:00Z');
  try {
    await reservations.expireHolds();
    for (const sql of two.servers.values())
      await sql.transaction((tx) => releaseBlocks(tx, two.db.clock.now));
    const status = async (id: string) => (await reservations.get(id, staff))?.status;
    expect(await Promise.all(held.map(({ reservationId }) => status(reservationId)))).toEqual([
      'pending_payment',
      'expired',
    ]);
    await resumeMoves(two.moves, -60_000);
    await reservations.expireHolds();
    for (const sql of two.servers.values())
      await sql.transaction((tx) => releaseBlocks(tx, two.db.clock.now));
    expect(await status(held[0]!.reservationId)).toBe('expired');
  } finally {
    two.db.clock.now = before;
  }
  for (const sql of two.servers.values())
    expect((await sql.query('SELECT FROM group_block WHERE released_at IS NULL')).rows).toEqual([]);
  await two.prove();
});

test('a database that has hotels, or ids that name others, does not become a server', async () => {
  const fresh = await openTwoServers(undefined, false);
  try {
    const hotelId = await fresh.db.hotel();
    await fresh.db.reservations().reserve(requestFor(hotelId));
    // From before ids named hotels.
    await fresh.db.sql.query(
      `INSERT INTO reservation OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(r,
         jsonb_build_object('reservation_id', 'elsewhere~0123456789abcdef', 'sequence', 1000))).* FROM reservation r`,
    );
    await expect(becomeServers(fresh.servers)).rejects.toThrow('has an id that names another hotel');
    const swapped = new Map([
      ['main', fresh.b],
      ['c', fresh.db.sql],
    ]);
    await expect(becomeServers(swapped)).rejects.toThrow('It already has hotels.');
  } finally {
    await fresh.dispose();
  }
});
