import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CachedHotels } from '#hotel/hotels/cached-hotels.js';
import { staticLimits } from '#hotel/hotels/limits.js';
import { PostgresHotels } from '#hotel/hotels/postgres-hotels.js';
import { fillInventory } from '#hotel/inventory/fill-inventory.js';
import { recount } from '#hotel/inventory/recount.js';
import { addDays } from '#hotel/reservations/stay-days.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import { roomStatuses } from '#schemas/http/hotel-housekeeping.js';
import { proves } from '#tools/acceptance/proves.js';
import { documentedMoves } from './documented-moves.js';
import { opera, type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let operator: { readonly token: string };

beforeAll(async () => {
  served = await serveHotels();
  operator = { token: served.tokens['olle']! };
});
afterAll(() => served?.close());

let hotelId: string;
beforeEach(async () => {
  const { status, json } = await served.call('POST', '/v1/hotels', { ...operator, body: opera });
  expect(status).toBe(201);
  hotelId = json.hotelID;
});

const newRoom = async (number: string, over: object = {}) =>
  served.call('POST', `/v1/hotels/${hotelId}/rooms`, {
    ...operator,
    body: { roomTypeID: 'double', number, ...over },
  });

/** Rooms available by day, from the first day with a row. */
async function totals(roomTypeId: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await served.database.sql.query(
    'SELECT date, total_inventory FROM room_type_inventory WHERE hotel_id = $1 AND room_type_id = $2 ORDER BY date',
    [hotelId, roomTypeId],
  );
  return new Map(rows.map((row) => [row['date'] as string, row['total_inventory'] as number]));
}

const distinct = (days: ReadonlyMap<string, number>) => [...new Set(days.values())];

describe('hotels', () => {
  proves('H-030', {
    asked: 'the stored fields, 404 for an unknown one, an ETag that changes only with the row',
    shown:
      'the body of POST; an ETag that outlives an equal PUT, rooms, prices, other hotels, no change; 404',
    control: {
      in: 'hotel/hotels/change-hotel.ts',
      change: 'if (isDeepStrictEqual(factsBefore, facts))',
      to: 'if (ifVersion !== undefined && isDeepStrictEqual(factsBefore, facts))',
    },
  });
  test('H-030: anyone reads exactly what was written; the ETag changes only with the hotel', async () => {
    const first = await served.call('GET', `/v1/hotels/${hotelId}`);
    expect(first.json).toEqual({ hotelID: hotelId, ...opera });
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[^"]+"$/);
    const same = await served.call('PUT', `/v1/hotels/${hotelId}`, { ...operator, body: opera });
    expect([same.status, same.headers.get('etag')]).toEqual([200, etag]);
    // What belongs to the hotel but not to its row, and the row of another hotel.
    const elsewhere = (await served.call('POST', '/v1/hotels', { ...operator, body: opera })).json.hotelID;
    const renamed = { ...operator, body: { ...opera, name: 'Elsewhere' } };
    expect((await served.call('PUT', `/v1/hotels/${elsewhere}`, renamed)).status).toBe(200);
    await reserved();
    const unchanged = await served.call('GET', `/v1/hotels/${hotelId}`);
    expect([unchanged.json, unchanged.headers.get('etag')]).toEqual([first.json, etag]);
    const body = { ...opera, name: 'Grand Opera' };
    const other = await served.call('PUT', `/v1/hotels/${hotelId}`, { ...operator, body });
    expect(other.headers.get('etag')).not.toBe(etag);
    const now = await served.call('GET', `/v1/hotels/${hotelId}`);
    expect([now.json.name, now.headers.get('etag')]).toEqual(['Grand Opera', other.headers.get('etag')]);
    expect((await served.call('GET', '/v1/hotels/nowhere')).status).toBe(404);
  });

  proves('H-030', {
    asked: 'the body is identical to what POST or PUT wrote; the ETag changes with the row',
    shown:
      'every field, facts of both room types too, by a POST and by a PUT: GET equals it, with a new ETag',
    control: {
      in: 'hotel/hotels/hotel-rows.ts',
      change: 'capacity = EXCLUDED.capacity, beds = EXCLUDED.beds,',
      to: 'capacity = EXCLUDED.capacity,',
    },
  });
  test('H-030: every field that POST or PUT wrote is read exactly as it was written', async () => {
    const etag = (await served.call('GET', `/v1/hotels/${hotelId}`)).headers.get('etag');
    const body = {
      name: 'Hotel Elbe',
      address: 'Hafenstraße 7, Hamburg',
      lat: -33.5512,
      lng: 151.25,
      // These two are fixed, H-032.
      timeZone: opera.timeZone,
      currency: opera.currency,
      country: 'DE',
      checkInTime: '16:30',
      checkOutTime: '09:45',
      amenities: ['pool'],
      roomTypes: opera.roomTypes.map((type) => ({
        roomTypeID: type.roomTypeID,
        name: `${type.name} by the river`,
        capacity: type.capacity + 1,
        beds: type.beds + 2,
        freeCancelHours: type.freeCancelHours + 3,
        lateCancelPercent: type.lateCancelPercent - 4,
      })),
    };
    const put = await served.call('PUT', `/v1/hotels/${hotelId}`, { ...operator, body });
    expect([put.status, put.json]).toEqual([200, { hotelID: hotelId, ...body }]);
    const { status, json } = await served.call('GET', `/v1/hotels/${hotelId}`);
    expect([status, json]).toEqual([200, { hotelID: hotelId, ...body }]);
    // So is the least change of a room type, which is a row of its own.
    const tagAfter = async (given: object) =>
      (await served.call('PUT', `/v1/hotels/${hotelId}`, { ...operator, body: given })).headers.get('etag');
    const [first, ...others] = body.roomTypes;
    const second = await tagAfter({ ...body, roomTypes: [{ ...first!, beds: 9 }, ...others] });
    expect(new Set([etag, put.headers.get('etag'), second, await tagAfter(body)]).size).toBe(4);
    const made = await served.call('POST', '/v1/hotels', { ...operator, body });
    const read = await served.call('GET', made.headers.get('location')!);
    expect([made.status, read.status, read.json]).toEqual([
      201,
      200,
      { ...body, hotelID: made.json.hotelID },
    ]);
    const { rows } = await served.database.sql.query(
      'SELECT beds, late_cancel_percent FROM room_type WHERE hotel_id = $1 ORDER BY room_type_id',
      [hotelId],
    );
    expect(rows).toEqual([
      { beds: 3, late_cancel_percent: 96 },
      { beds: 3, late_cancel_percent: 46 },
    ]);
  });

  proves('H-019', {
    asked: 'static assets have Cache-Control and a strong ETag; a conditional GET is 304',
    shown: 'GET of a hotel and of a room: public, s-maxage, strong ETag, 304 for three forms',
    control: {
      in: 'hotel/http/entity-tag.ts',
      change: 'bigint): string => `"${version}"`;',
      to: 'bigint): string => `W/"${version}"`;',
    },
  });
  test('H-019: a conditional GET is 304, and shared caches may keep the answer', async () => {
    const hotel = `/v1/hotels/${hotelId}`;
    for (const path of [hotel, `${hotel}/rooms/${(await newRoom('1')).json.roomID}`]) {
      const first = await served.call('GET', path);
      const etag = first.headers.get('etag')!;
      expect(etag).toMatch(/^"[^"]+"$/);
      expect(first.headers.get('cache-control')).toMatch(/public.*s-maxage=60/);
      for (const tag of [etag, `"x", ${etag}`, '*']) {
        const kept = await served.call('GET', path, { headers: { 'if-none-match': tag } });
        expect([kept.status, kept.text, kept.headers.get('etag')]).toEqual([304, '', etag]);
      }
      expect((await served.call('GET', path, { headers: { 'if-none-match': '"0"' } })).status).toBe(200);
    }
  });

  proves('H-014', {
    asked:
      '1,000 GETs of one hotel cause at most one read for a lifetime; a change is visible within the bound',
    shown: '1,000 GETs in each of three lifetimes: one read each, none before its end; its own PUT at once',
    settings: [
      'the clock of the cache is moved by the test',
      '1,000,000 requests a minute of an address',
      'turnBudgetMs 10,000',
    ],
    control: {
      in: 'hotel/hotels/loading-cache.ts',
      change: 'kept.untilMs > this.#nowMs()',
      to: 'kept.untilMs > this.#nowMs() + this.#ttlMs',
    },
  });
  test('H-014: a thousand reads in a lifetime read the database once; a change shows at once', async () => {
    await served.call('PUT', `/v1/hotels/${hotelId}`, { ...operator, body: { ...opera, name: 'Before' } });
    const before = served.reads.count;
    const ask = async (times: number) => {
      const answers = await Promise.all(
        Array.from({ length: times }, () => served.call('GET', `/v1/hotels/${hotelId}`)),
      );
      expect(new Set(answers.map(({ json }) => json.name))).toEqual(new Set(['Before']));
    };
    for (let lifetimes = 1; lifetimes <= 3; lifetimes += 1) {
      for (let round = 0; round < 20; round += 1) await ask(50);
      served.cacheClock.nowMs += staticLimits.cacheTtlMs - 1;
      await ask(1);
      expect(served.reads.count - before).toBe(lifetimes);
      served.cacheClock.nowMs += 1;
    }
    await served.call('PUT', `/v1/hotels/${hotelId}`, { ...operator, body: { ...opera, name: 'After' } });
    expect((await served.call('GET', `/v1/hotels/${hotelId}`)).json.name).toBe('After');
  });

  proves('H-014', {
    asked: 'after PUT the new value is visible within the stated bound',
    shown:
      'a hotel and a room in another instance: after a message, without one after 5 s (docs/freshness.md)',
    settings: ['the clock of the cache is moved by the test'],
    control: {
      in: 'hotel/hotels/cached-hotels.ts',
      change: '(message) => cached.#forget(message)',
      to: '() => cached',
    },
  });
  test('H-014: another process is notified of a change, or sees it when its cache expires', async () => {
    let nowMs = 0;
    const { live } = served;
    const deaf = { subscribe: () => Promise.reject(new Error('unavailable')) } as unknown as LiveCache;
    const open = async (cache: LiveCache) =>
      CachedHotels.open({
        hotels: new PostgresHotels({ sql: served.database.sql }),
        live: cache,
        nowMs: () => nowMs,
      });
    const [listening, alone] = [await open(live), await open(deaf)];
    const { json: room } = await newRoom('1');
    const of = async ({ hotels }: typeof alone) => [
      (await hotels.get(hotelId))?.name,
      (await hotels.getRoom(hotelId, room.roomID))?.number,
    ];
    const seen = async () => [...(await of(listening)), ...(await of(alone))];
    expect(await seen()).toEqual([opera.name, '1', opera.name, '1']);
    const path = `/v1/hotels/${hotelId}`;
    await served.call('PUT', path, { ...operator, body: { ...opera, name: 'New' } });
    const second = { roomTypeID: 'double', number: '2' };
    await served.call('PUT', `${path}/rooms/${room.roomID}`, { ...operator, body: second });
    await expect.poll(seen).toEqual(['New', '2', opera.name, '1']);
    nowMs = 4_999;
    expect(await seen()).toEqual(['New', '2', opera.name, '1']);
    nowMs = 5_000;
    expect(await seen()).toEqual(['New', '2', 'New', '2']);
    await listening.close();
    await alone.close();
  });

  proves('H-014', {
    asked: 'the bound within which a new value is visible is stated',
    shown: 'docs/freshness.md has the 5 s of processes and the 10 s and 60 s that the answers say to caches',
    control: {
      in: 'hotel/http/hotel-routes.ts',
      change: "'public, max-age=10, s-maxage=60'",
      to: "'public, max-age=10, s-maxage=600'",
    },
  });
  test('H-014: how long hotels and rooms may be old is stated, and no cache is allowed longer', async () => {
    const { json: room } = await newRoom('1');
    const hotel = `/v1/hotels/${hotelId}`;
    const bounds = new Set<string>();
    for (const path of [hotel, `${hotel}/rooms/${room.roomID}`]) {
      const { headers } = await served.call('GET', path);
      const allowed = /^public, max-age=(\d+), s-maxage=(\d+)$/.exec(headers.get('cache-control') ?? '');
      bounds.add(`${allowed?.[1]} s in a browser and ${allowed?.[2]} s in a CDN`);
    }
    const stated = readFileSync(new URL('../../docs/freshness.md', import.meta.url), 'utf8');
    const line = stated.split('\n').find((text) => text.startsWith('| a hotel or a room is changed |'));
    expect(line).toContain(`${staticLimits.cacheTtlMs / 1_000} s in the other processes`);
    expect(bounds.size).toBe(1);
    for (const bound of bounds) expect(line).toContain(bound);
  });

  proves('H-031', {
    asked: '201 with Location; the same key makes one hotel',
    shown: 'three equal requests at once: one 201, two 200, one row; another body 422',
    control: {
      in: 'hotel/hotels/operator-request.ts',
      change: '[caller, idempotencyKey, request, made.hotelId, made.roomId]',
      to: '[made.hotelId, idempotencyKey, request, made.hotelId, made.roomId]',
    },
  });
  test('H-031: an idempotency key creates one hotel; another body or caller is detected', async () => {
    const count = async () =>
      (await served.database.sql.query('SELECT count(*) AS n FROM hotel')).rows[0]!['n'] as bigint;
    const before = await count();
    const headers = { 'idempotency-key': 'key-1' };
    const send = (body: object) => served.call('POST', '/v1/hotels', { ...operator, headers, body });
    const answers = await Promise.all([send(opera), send(opera), send(opera)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ json }) => json.hotelID)).size).toBe(1);
    const made = answers.find(({ status }) => status === 201)!;
    expect(made.headers.get('location')).toBe(`/v1/hotels/${made.json.hotelID}`);
    expect((await served.call('GET', made.headers.get('location')!)).json).toEqual(made.json);
    expect(await count()).toBe(before + 1n);
    const other = await send({ ...opera, name: 'Other' });
    expect([other.status, other.json.code]).toEqual([422, 'idempotency-key-used']);
    expect(await count()).toBe(before + 1n);
    const token = await served.token('olga', 'operator');
    expect((await served.call('POST', '/v1/hotels', { token, headers, body: opera })).status).toBe(201);
    const bad = { 'idempotency-key': 'x'.repeat(200) };
    expect((await served.call('POST', '/v1/hotels', { ...operator, headers: bad, body: opera })).status).toBe(
      400,
    );
    expect(await count()).toBe(before + 2n);
  });

  proves('H-031', {
    asked: 'a customer 403 and no row; an invalid body is 400 with each bad field',
    shown: '403; five wrong fields in one body, all named, and five more one by one; the hotels stay as many',
    control: {
      in: 'schemas/http/hotels.ts',
      change: "summary: 'Add a hotel',\n  description: creatable,\n  scopes: ['operator'],",
      to: "summary: 'Add a hotel',\n  description: creatable,\n  scopes: ['operator', 'customer'],",
    },
  });
  test('H-031: a customer is refused, every wrong field is named, and nothing is stored', async () => {
    const stored = async () =>
      (await served.database.sql.query('SELECT hotel_id, xmin::text FROM hotel ORDER BY 1')).rows;
    const before = await stored();
    const customer = { token: served.tokens['anna']!, body: opera };
    expect((await served.call('POST', '/v1/hotels', customer)).status).toBe(403);
    const body = {
      ...opera,
      name: '',
      lat: 91,
      checkInTime: '25:00',
      stars: 5,
      roomTypes: [{ roomTypeID: 'double' }],
    };
    const { status, json } = await served.call('POST', '/v1/hotels', { ...operator, body });
    expect(status).toBe(400);
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '/checkInTime',
      '/lat',
      '/name',
      '/roomTypes/0/name',
      '/stars',
    ]);
    for (const [field, value] of [
      ['timeZone', '+02:00'],
      ['timeZone', 'Europe/Nowhere'],
      ['currency', 'XXX'],
      ['roomTypes', [opera.roomTypes[0], opera.roomTypes[0]]],
      ['name', 'a\u0000b'],
    ] as const) {
      const answer = await served.call('POST', '/v1/hotels', {
        ...operator,
        body: { ...opera, [field]: value },
      });
      expect([field, answer.status, answer.json.errors[0].pointer]).toEqual([
        field,
        400,
        expect.stringContaining(field),
      ]);
    }
    expect(await stored()).toEqual(before);
  });

  proves('H-032', {
    asked: 'PUT is idempotent; a stale If-Match is 412; a customer 403',
    shown: 'an equal PUT leaves the ETag; 412 for two stale tags and 403 for a customer leave the row',
    control: {
      in: 'hotel/hotels/change-hotel.ts',
      change: "if (ifVersion !== undefined && ifVersion !== before.version) return { kind: 'stale' };",
      to: "if (ifVersion !== undefined && ifVersion > before.version) return { kind: 'stale' };",
    },
  });
  test('H-032: a stale If-Match is 412 and changes nothing; currency and time zone are fixed', async () => {
    const path = `/v1/hotels/${hotelId}`;
    const seen = { 'if-match': (await served.call('GET', path)).headers.get('etag')! };
    const put = (body: object, headers = {}) => served.call('PUT', path, { ...operator, body, headers });
    const row = async () =>
      (await served.database.sql.query('SELECT *, xmin::text FROM hotel WHERE hotel_id = $1', [hotelId]))
        .rows;
    const one = await put({ ...opera, name: 'One' }, seen);
    expect([one.status, one.json.name]).toEqual([200, 'One']);
    const before = await row();
    const again = await put({ ...opera, name: 'One' });
    expect([again.status, again.json, again.headers.get('etag')]).toEqual([
      200,
      one.json,
      one.headers.get('etag'),
    ]);
    const stale = await put({ ...opera, name: 'Two' }, seen);
    expect([stale.status, stale.json.code]).toEqual([412, 'stale-version']);
    expect((await put({ ...opera, name: 'Two' }, { 'if-match': '"other"' })).status).toBe(412);
    const customer = { token: served.tokens['anna']!, body: { ...opera, name: 'Two' } };
    expect((await served.call('PUT', path, customer)).status).toBe(403);
    expect(await row()).toEqual(before);
    expect((await put({ ...opera, currency: 'EUR' })).json.code).toBe('hotel-keeps-its-meaning');
    expect((await put({ ...opera, timeZone: 'UTC' })).status).toBe(409);
    expect((await put({ ...opera, roomTypes: [] })).json.code).toBe('hotel-keeps-its-room-types');
    expect((await served.call('GET', path)).json).toEqual({ hotelID: hotelId, ...opera, name: 'One' });
    expect((await served.call('PUT', '/v1/hotels/nowhere', { ...operator, body: opera })).status).toBe(404);
  });

  test('H-032: an update without room types leaves them as they are', async () => {
    const path = `/v1/hotels/${hotelId}`;
    const before = await served.call('GET', path);
    const { roomTypes: _, ...body } = opera;
    const put = (name: string, headers = {}) =>
      served.call('PUT', path, { ...operator, body: { ...body, name }, headers });
    const changed = await put('New', { 'if-match': before.headers.get('etag')! });
    expect([changed.status, changed.json]).toEqual([200, { ...before.json, name: 'New' }]);
    const same = await put('New');
    expect([same.status, same.headers.get('etag')]).toEqual([200, changed.headers.get('etag')]);
    expect((await served.call('GET', path)).json).toEqual({ ...before.json, name: 'New' });
    expect((await served.call('GET', path)).json.roomTypes).toHaveLength(opera.roomTypes.length);
  });

  test('H-032: an added room type has its days immediately', async () => {
    const suite = { roomTypeID: 'suite', name: 'Suite' };
    await served.call('PUT', `/v1/hotels/${hotelId}`, {
      ...operator,
      body: { ...opera, roomTypes: [...opera.roomTypes, suite] },
    });
    const days = await totals('suite');
    expect([days.size > 700, distinct(days)]).toEqual([true, [0]]);
  });

  /** Every row of the hotel, with the transaction that wrote it. */
  async function rowsOfHotel(): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    for (const table of [
      ...['hotel', 'room_type', 'room', 'room_type_inventory', 'room_type_rate', 'reservation'],
    ]) {
      const { rows } = await served.database.sql.query(
        `SELECT t::text || t.xmin AS row FROM ${table} t WHERE hotel_id = $1 ORDER BY 1`,
        [hotelId],
      );
      expect(rows.length, table).toBeGreaterThan(0);
      found[table] = rows;
    }
    return found;
  }

  /** A hotel with a room, and a night of it that Anna has reserved. */
  async function reserved(): Promise<{ readonly body: object; readonly reservationID: string }> {
    await newRoom('1');
    await served.database.sql.query(
      `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor) VALUES ($1, 'double', '2027-07-01', 10000)`,
      [hotelId],
    );
    const reservationID = `r-${hotelId}`;
    const body = {
      hotelID: hotelId,
      roomTypeID: 'double',
      startDate: '2027-07-01',
      endDate: '2027-07-01',
      roomCount: '1',
      reservationID,
    };
    const token = served.tokens['anna']!;
    expect((await served.call('POST', '/v1/reservations', { token, body })).status).toBe(201);
    return { body, reservationID };
  }
  const remove = () => served.call('DELETE', `/v1/hotels/${hotelId}`, operator);

  proves('H-033', {
    asked: '404 afterwards; 409 with reservations to come; a second DELETE 404',
    shown: 'all three; 409 and the second DELETE change no row of the hotel; no booking afterwards',
    control: {
      in: 'hotel/hotels/change-hotel.ts',
      change: "status IN ('pending_payment', 'paid',",
      to: "status IN ('paid',",
    },
  });
  test('H-033: a deleted hotel is removed; one with future reservations is unchanged', async () => {
    const { body, reservationID } = await reserved();
    const token = served.tokens['anna']!;
    const before = await rowsOfHotel();
    const refused = await remove();
    expect([refused.status, refused.json.code]).toEqual([409, 'hotel-has-reservations']);
    expect(await rowsOfHotel()).toEqual(before);
    expect((await served.call('GET', `/v1/hotels/${hotelId}`)).status).toBe(200);
    await served.call('DELETE', `/v1/reservations/${reservationID}`, { token });
    expect((await remove()).status).toBe(204);
    expect((await served.call('GET', `/v1/hotels/${hotelId}`)).status).toBe(404);
    const deleted = await rowsOfHotel();
    expect((await remove()).status).toBe(404);
    expect(await rowsOfHotel()).toEqual(deleted);
    const again = { ...body, reservationID: `again-${hotelId}` };
    expect((await served.call('POST', '/v1/reservations', { token, body: again })).status).toBe(404);
  });

  proves('H-033', {
    asked: 'with active reservations to come 409 and nothing changes',
    shown: 'paid, with the payment returned, and checked in: each 409 and no row changed; completed: 204',
    control: {
      in: 'hotel/hotels/change-hotel.ts',
      change: "'payment_returned', 'checked_in') LIMIT 1`",
      to: "'payment_returned') LIMIT 1`",
    },
  });
  test('H-033: a stay in any active state keeps its hotel, a completed one does not', async () => {
    const { reservationID } = await reserved();
    const move = (status: string) =>
      served.database.sql.query('UPDATE reservation SET status = $2 WHERE reservation_id = $1', [
        ...[reservationID, status],
      ]);
    for (const status of ['paid', 'payment_returned', 'paid', 'checked_in']) {
      await move(status);
      const before = await rowsOfHotel();
      const refused = await remove();
      expect([status, refused.status, refused.json.code]).toEqual([status, 409, 'hotel-has-reservations']);
      expect(await rowsOfHotel()).toEqual(before);
    }
    await move('completed');
    expect((await remove()).status).toBe(204);
  });

  test('H-033: of a concurrent deletion and booking exactly one succeeds', async () => {
    const token = served.tokens['bo']!;
    for (let round = 0; round < 8; round += 1) {
      const hotel = (await served.call('POST', '/v1/hotels', { ...operator, body: opera })).json.hotelID;
      await served.call('POST', `/v1/hotels/${hotel}/rooms`, {
        ...operator,
        body: { roomTypeID: 'double', number: '1' },
      });
      await served.database.sql.query(
        `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor) VALUES ($1, 'double', '2027-07-01', 10000)`,
        [hotel],
      );
      const body = {
        hotelID: hotel,
        roomTypeID: 'double',
        startDate: '2027-07-01',
        endDate: '2027-07-01',
        roomCount: '1',
        reservationID: `race-${hotel}`,
      };
      const [removed, booked] = await Promise.all([
        served.call('DELETE', `/v1/hotels/${hotel}`, operator),
        served.call('POST', '/v1/reservations', { token, body }),
      ]);
      expect([
        [204, 404],
        [204, 409],
        [409, 201],
      ]).toContainEqual([removed.status, booked.status]);
    }
  });
});

describe('rooms', () => {
  proves('H-034', {
    asked: 'a room under another hotel is 404',
    shown: 'GET, PUT and DELETE of a room under another hotel are 404; under its own it is as before',
    control: {
      in: 'hotel/hotels/hotel-rows.ts',
      change: 'WHERE r.hotel_id = $1 AND r.room_id = $2 AND r.retired_from',
      to: 'WHERE $1::text IS NOT NULL AND r.room_id = $2 AND r.retired_from',
    },
  });
  test('H-034: a room is found only under its own hotel', async () => {
    const { json } = await newRoom('101', { floor: 1 });
    const path = `/rooms/${json.roomID}`;
    expect((await served.call('GET', `/v1/hotels/${hotelId}${path}`)).json).toEqual({
      hotelID: hotelId,
      roomID: json.roomID,
      roomTypeID: 'double',
      number: '101',
      floor: 1,
      status: 'available',
      outOfOrder: [],
    });
    const other = (await served.call('POST', '/v1/hotels', { ...operator, body: opera })).json.hotelID;
    expect((await served.call('GET', `/v1/hotels/${other}${path}`)).status).toBe(404);
    expect(
      (
        await served.call('PUT', `/v1/hotels/${other}${path}`, {
          ...operator,
          body: { roomTypeID: 'double', number: '7' },
        })
      ).status,
    ).toBe(404);
    expect((await served.call('DELETE', `/v1/hotels/${other}${path}`, operator)).status).toBe(404);
    const still = await served.call('GET', `/v1/hotels/${hotelId}${path}`);
    expect([still.status, still.json.number]).toEqual([200, '101']);
  });

  proves('H-035', {
    asked: 'the type rises by exactly 1 on every filled date, in the same transaction',
    shown: '10 rooms at once: 10 on each of 731 days; 2 days later 11, not on days past; one transaction',
    control: {
      in: 'hotel/hotels/change-room.ts',
      change: 'recount_rooms($1, $2, $3, $3',
      to: 'recount_rooms($1, $2, $3::date + 1, $3',
    },
  });
  test('H-035: a room counts on every day from today on, also under concurrent additions', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => newRoom(`${n}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const days = await totals('double');
    expect([distinct(days), days.size, [...days.keys()][0]]).toEqual([[10], 731, '2027-06-01']);
    const single = await totals('single');
    const { clock } = served.database;
    const noon = clock.now;
    clock.now = new Date('2027-06-03T12:00:00Z');
    expect((await newRoom('99')).status).toBe(201);
    clock.now = noon;
    expect(await totals('double')).toEqual(
      new Map([...days].map(([day, rooms]) => [day, day < '2027-06-03' ? rooms : rooms + 1])),
    );
    expect(await totals('single')).toEqual(single);
    const { rows: written } = await served.database.sql.query<{ room: string; days: string[] }>(
      `SELECT (SELECT xmin::text FROM room WHERE hotel_id = $1 AND number = '99') AS room,
         array_agg(DISTINCT xmin::text) AS days
       FROM room_type_inventory WHERE hotel_id = $1 AND room_type_id = 'double' AND date >= '2027-06-03'`,
      [hotelId],
    );
    expect(written[0]!.days).toEqual([written[0]!.room]);
    expect((await newRoom('3')).json.code).toBe('room-number-used');
    expect((await newRoom('98', { roomTypeID: 'castle' })).json.errors[0].pointer).toBe('/roomTypeID');
    expect(distinct(await totals('double'))).toEqual([10, 11]);
  });

  test('H-035: an idempotency key creates one room', async () => {
    const headers = { 'idempotency-key': `room-${hotelId}` };
    const body = { roomTypeID: 'double', number: '5' };
    const add = () => served.call('POST', `/v1/hotels/${hotelId}/rooms`, { ...operator, headers, body });
    const answers = await Promise.all([add(), add()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 201]);
    expect(distinct(await totals('double'))).toEqual([1]);
  });

  proves('H-036', {
    asked: 'another type lowers one and raises the other; out of order lowers only those dates',
    shown: 'one room moved; two overlapping ranges lower five days by one, and back',
    control: {
      in: 'hotel/hotels/change-room.ts',
      change: 'moved ? [before.roomTypeId, facts.roomTypeId] : [facts.roomTypeId], today',
      to: '[facts.roomTypeId], today',
    },
  });
  test('H-036: a room counts at its new type; out-of-order days are subtracted, overlaps once', async () => {
    const { json } = await newRoom('1');
    await newRoom('2');
    const path = `/v1/hotels/${hotelId}/rooms/${json.roomID}`;
    const put = (over: object) =>
      served.call('PUT', path, { ...operator, body: { roomTypeID: 'single', number: '1', ...over } });
    expect([distinct(await totals('double')), distinct(await totals('single'))]).toEqual([[2], [0]]);
    const moved = await put({ floor: 4 });
    expect([moved.status, moved.json.roomTypeID, moved.json.floor]).toEqual([200, 'single', 4]);
    expect((await served.call('GET', path)).json).toEqual(moved.json);
    expect([distinct(await totals('double')), distinct(await totals('single'))]).toEqual([[1], [1]]);
    const outOfOrder = [
      { from: '2027-08-01', to: '2027-08-03', reason: 'paint' },
      { from: '2027-08-02', to: '2027-08-05', reason: '' },
    ];
    expect((await put({ outOfOrder })).json.outOfOrder).toEqual(outOfOrder);
    const closed = [...(await totals('single'))].filter(([, rooms]) => rooms === 0).map(([day]) => day);
    expect(closed).toEqual(['2027-08-01', '2027-08-02', '2027-08-03', '2027-08-04', '2027-08-05']);
    expect([distinct(await totals('double')), distinct(await totals('single'))]).toEqual([[1], [1, 0]]);
    expect((await put({ outOfOrder: [{ from: '2027-08-03', to: '2027-08-01' }] })).status).toBe(400);
    expect((await put({ outOfOrder: [{ from: '2027-02-29', to: '2027-03-01' }] })).status).toBe(400);
    await put({});
    expect(distinct(await totals('single'))).toEqual([1]);
  });

  proves('H-037', {
    asked: 'the type falls by 1 from the effective date',
    shown: 'by one on every day from today on, not on the two days before; a second DELETE is 404',
    control: {
      in: 'hotel/hotels/change-room.ts',
      change: "  await recount(tx, hotelId, [before.roomTypeId], today);\n  return 'deleted';",
      to: "  return 'deleted';",
    },
  });
  test('H-037: a removed room is no longer counted from the day of its removal on', async () => {
    const first = await newRoom('1');
    await newRoom('2');
    const path = `/v1/hotels/${hotelId}/rooms/${first.json.roomID}`;
    const stale = { ...operator, headers: { 'if-match': '"77"' } };
    expect((await served.call('DELETE', path, stale)).status).toBe(412);
    const { clock } = served.database;
    const before = clock.now;
    clock.now = new Date('2027-06-03T12:00:00Z');
    expect((await served.call('DELETE', path, operator)).status).toBe(204);
    clock.now = before;
    const days = [...(await totals('double'))];
    expect(days.slice(0, 3)).toEqual([
      ['2027-06-01', 2],
      ['2027-06-02', 2],
      ['2027-06-03', 1],
    ]);
    expect(distinct(new Map(days.slice(2)))).toEqual([1]);
    expect((await served.call('GET', path)).status).toBe(404);
    expect((await served.call('DELETE', path, operator)).status).toBe(404);
    expect((await newRoom('1')).status).toBe(201);
  });

  proves('H-037', {
    asked: 'existing reservations stay; above 110 % nothing more is sold',
    shown:
      'both of two sold rooms removed over HTTP: reservation and what is reserved stay, the next POST 409',
    control: {
      in: 'hotel/hotels/change-room.ts',
      change: '  // Guests who were assigned this room',
      to: "  await tx.query(\n    `UPDATE reservation SET status = 'cancelled' WHERE hotel_id = $1 AND room_type_id = $2 AND end_date >= $3`,\n    [hotelId, before.roomTypeId, today],\n  );\n  // Guests who were assigned this room",
    },
  });
  test('H-037: rooms that are sold are removed; their reservation stays, and no other is made', async () => {
    const rooms = [await newRoom('1'), await newRoom('2')];
    await served.database.sql.query(
      `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor)
       SELECT $1, 'double', '2027-07-01'::date + d, 10000 FROM generate_series(0, 1) d`,
      [hotelId],
    );
    const token = served.tokens['anna']!;
    const stay = { hotelID: hotelId, roomTypeID: 'double', startDate: '2027-07-01', endDate: '2027-07-02' };
    const post = (reservationID: string, roomCount: string) =>
      served.call('POST', '/v1/reservations', { token, body: { ...stay, roomCount, reservationID } });
    const counts = async () =>
      (
        await served.database.sql.query(
          `SELECT total_inventory, total_reserved FROM room_type_inventory
           WHERE hotel_id = $1 AND room_type_id = 'double' AND date BETWEEN '2027-07-01' AND '2027-07-02'`,
          [hotelId],
        )
      ).rows;
    const made = `sold-${hotelId}`;
    expect((await post(made, '2')).status).toBe(201);
    const before = await served.call('GET', `/v1/reservations/${made}`, { token });
    expect(before.json).toMatchObject({ status: 'pending_payment', roomCount: '2' });
    for (const room of rooms) {
      const path = `/v1/hotels/${hotelId}/rooms/${room.json.roomID}`;
      expect((await served.call('DELETE', path, operator)).status).toBe(204);
    }
    const after = await served.call('GET', `/v1/reservations/${made}`, { token });
    expect([after.status, after.json]).toEqual([200, before.json]);
    const overbooked = { total_inventory: 0, total_reserved: 2 };
    expect(await counts()).toEqual([overbooked, overbooked]);
    const next = await post(`next-${hotelId}`, '1');
    expect([next.status, next.json.code]).toEqual([409, 'insufficient-inventory']);
    expect(await counts()).toEqual([overbooked, overbooked]);
  });

  proves('H-061', {
    asked: 'rooms of the type less those removed on that date, for every row (recount over all rooms)',
    shown: 'over HTTP on four days, and the job: 740 days of two types by a list; a recount from today on',
    control: {
      in: 'hotel/schema/change-counts.ts',
      change: 'r.retired_from > first_day + d',
      to: 'r.retired_from >= first_day + d',
    },
  });
  proves('H-061', {
    asked: 'days that the job adds have the rooms less those removed on that date',
    shown: 'a room that is out of order on one of the nine days that are added',
    control: {
      in: 'hotel/schema/change-counts.ts',
      change: 'SELECT t.hotel_id, t.room_type_id, r.day, r.rooms FROM',
      to: 'SELECT t.hotel_id, t.room_type_id, r.day, max(r.rooms) OVER () FROM',
    },
  });
  test('H-061: every day of a type has its rooms, less those that are out of order on it', async () => {
    const { clock, sql } = served.database;
    const noon = clock.now;
    const days = Array.from({ length: 740 }, (_, day) => addDays('2027-06-01', day));
    // The plain list: one number a day, changed from a day on, or between two.
    const rooms = { double: days.map(() => 0), single: days.map(() => 0) };
    const add = (type: keyof typeof rooms, by: number, from: string, to = '9999-12-31') => {
      for (const [at, day] of days.entries()) if (day >= from && day <= to) rooms[type][at]! += by;
    };
    const on = (day: string) => {
      clock.now = new Date(`${day}T12:00:00Z`);
    };
    const put = (roomID: string, number: string, over: object) =>
      served.call('PUT', `/v1/hotels/${hotelId}/rooms/${roomID}`, {
        ...operator,
        body: { roomTypeID: 'double', number, ...over },
      });
    try {
      const [moved, closed, gone] = await Promise.all(
        ['1', '2', '3'].map(async (number) => (await newRoom(number)).json.roomID as string),
      );
      add('double', 3, '2027-06-01');
      on('2027-06-03');
      await newRoom('4', { roomTypeID: 'single' });
      add('single', 1, '2027-06-03');
      // As often as hotels write it down: two causes that overlap, and one in two years.
      const outOfOrder = [
        { from: '2027-06-04', to: '2027-06-08', reason: '' },
        { from: '2027-06-07', to: '2027-06-20', reason: '' },
        { from: '2029-06-06', to: '2029-06-06', reason: '' },
      ];
      expect((await put(closed!, '2', { outOfOrder })).status).toBe(200);
      add('double', -1, '2027-06-04', '2027-06-20');
      add('double', -1, '2029-06-06', '2029-06-06');
      on('2027-06-06');
      expect((await put(moved!, '1', { roomTypeID: 'single' })).status).toBe(200);
      add('double', -1, '2027-06-06');
      add('single', 1, '2027-06-06');
      expect((await served.call('DELETE', `/v1/hotels/${hotelId}/rooms/${gone}`, operator)).status).toBe(204);
      add('double', -1, '2027-06-06');
      on('2027-06-10');
      // Repaired early: the days until now are over, and it was away on them.
      expect((await put(closed!, '2', { outOfOrder: outOfOrder.slice(2) })).status).toBe(200);
      add('double', 1, '2027-06-10', '2027-06-20');
      await fillInventory(sql, { now: clock.now });
      for (const type of ['double', 'single'] as const)
        expect([...(await totals(type))]).toEqual(days.map((day, at) => [day, rooms[type][at]]));
      const misfilled = async () => (await recount(sql, { rooms: true, now: clock.now })).misfilled;
      expect(await misfilled()).toEqual([]);
      const off = (by: number) =>
        sql.query(
          `UPDATE room_type_inventory SET total_inventory = total_inventory + $2
           WHERE hotel_id = $1 AND room_type_id = 'double' AND date = '2028-02-29'`,
          [hotelId, by],
        );
      await off(1);
      expect(await misfilled()).toMatchObject([
        { hotel_id: hotelId, day: '2028-02-29', counted: 2, found: 1 },
      ]);
      await off(-1);
    } finally {
      clock.now = noon;
    }
  });

  test('finds hotels by part of the name, nearest first, and says if there are more', async () => {
    const near = (query: string) => served.call('GET', `/v1/hotel-places?${query}`);
    const all = (await near('')).json;
    expect(all.hotels.map((each: { hotelID: string }) => each.hotelID)).toContain(hotelId);
    const [first] = (await near('lat=57.7072&lng=11.9668&limit=1')).json.hotels;
    expect(first).toMatchObject({ lat: opera.lat, lng: opera.lng });
    expect((await near('name=no%20such%20hotel')).json).toEqual({ hotels: [], more: false });
    expect((await near(`name=${encodeURIComponent("' OR true --")}`)).json.hotels).toEqual([]);
    expect((await near('limit=1')).json.more).toBe(all.hotels.length > 1);
    for (const bad of ['lat=57', 'lat=91&lng=0', 'limit=0', 'town=x', 'lat=57&lng=e'])
      expect((await near(bad)).status, bad).toBe(400);
  });

  proves('H-100', {
    asked: 'every documented change of status is accepted, every other is 409 and changes nothing',
    shown:
      'all 30 pairs over HTTP against docs/hotel-states.md; a refused row is equal; a retired room is 404',
    control: {
      in: 'hotel/schema/hotels.ts',
      change: 'room_status_move WHERE from_status = OLD.status AND to_status',
      to: 'room_status_move WHERE to_status',
    },
  });
  test('H-100: only the documented changes of status are allowed', async () => {
    const documented = documentedMoves('Room');
    expect(documented.size).toBe(17);
    const rowOf = async (roomId: string) =>
      (
        await served.database.sql.query(
          'SELECT *, xmin::text FROM room WHERE hotel_id = $1 AND room_id = $2',
          [hotelId, roomId],
        )
      ).rows;
    for (const from of roomStatuses) {
      for (const to of roomStatuses.filter((status) => status !== from)) {
        const number = `${from}-${to}`.slice(0, 16);
        const { json } = await newRoom(number, { status: from === 'retired' ? 'available' : from });
        const path = `/v1/hotels/${hotelId}/rooms/${json.roomID}`;
        // A room is retired by DELETE; nothing else is retired.
        if (from === 'retired') expect((await served.call('DELETE', path, operator)).status).toBe(204);
        const before = await rowOf(json.roomID);
        expect(before).toMatchObject([{ status: from }]);
        const answer =
          to === 'retired'
            ? await served.call('DELETE', path, operator)
            : await served.call('PUT', path, {
                ...operator,
                body: { roomTypeID: 'double', number, status: to },
              });
        if (documented.has(`${from}>${to}`)) {
          expect([from, to, answer.status], answer.text).toEqual([from, to, to === 'retired' ? 204 : 200]);
          expect(await rowOf(json.roomID)).toMatchObject([{ status: to }]);
        } else {
          const refusal = from === 'retired' ? [404, 'not-found'] : [409, 'status-move-refused'];
          expect([from, to, answer.status, answer.json.code]).toEqual([from, to, ...refusal]);
          expect(await rowOf(json.roomID)).toEqual(before);
        }
      }
    }
  });
});
