import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { hotelLimits } from '#hotel/limits.js';
import { paymentMigrations } from '#payment/migrations.js';
import { settings } from '#platform/config/settings.js';
import { openApiDocument } from '#platform/http/openapi.js';
import { bookingRoutes } from '#processors/booking/booking-routes.js';
import { bookingMigrations } from '#processors/booking/migrations.js';
import { hotelContracts } from '#schemas/http/hotel-contracts.js';
import { postReservation, ReservationView } from '#schemas/http/hotel-reservations.js';
import { routeContracts } from '#schemas/http/routes.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { everyFailureIsAProblem, everyRefusalIsAProblem, type ProblemsOf } from '../http-problems.js';
import { type Answer, opera, reservationForms, type ServedHotels, serveHotels } from './served-hotels.js';

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}

let served: ServedHotels;
let anna: string;
let bo: string;
let hotelID: string;

beforeAll(async () => {
  served = await serveHotels();
  anna = served.tokens['anna']!;
  bo = served.tokens['bo']!;
});
afterAll(() => served?.close());
beforeEach(async () => {
  hotelID = await served.database.hotel({ total: 10 });
});

const form = reservationForms(() => hotelID);
const post = (body: unknown, token = anna): Promise<Answer> =>
  served.call('POST', '/v1/reservations', { token, body });
const stored = async (reservationID: string) =>
  (
    await served.database.sql.query('SELECT *, xmin::text FROM reservation WHERE reservation_id = $1', [
      reservationID,
    ])
  ).rows;

/** The same to `at` on a connection of its own, with the port of this side; `onSent` when it is written. */
function postAlone(
  at: ServedHotels,
  body: unknown,
  onSent: () => void,
): Promise<{ port: number; status: number; replayed: boolean; json: unknown }> {
  const headers = { authorization: `Bearer ${at.tokens['anna']!}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(`${at.publicUrl}/v1/reservations`, { method: 'POST', agent: false, headers });
    sent.on('finish', onSent);
    sent.on('error', reject).on('response', (answer) => {
      const port = answer.socket.localPort!;
      const replayed = answer.headers['idempotent-replayed'] === 'true';
      readJson(answer).then((json) => resolve({ port, status: answer.statusCode!, replayed, json }), reject);
    });
    sent.end(JSON.stringify(body));
  });
}
const reserved = () => served.database.counts(hotelID);
const dump = async () =>
  (await served.database.sql.query('SELECT *, xmin::text FROM room_type_inventory ORDER BY 1, 2, 3')).rows;
const rows = async () =>
  (await served.database.sql.query('SELECT count(*) AS n FROM reservation')).rows[0]!['n'] as bigint;

describe('POST /v1/reservations', () => {
  proves('H-040', {
    asked: '201 with reservationID and status',
    shown: '201 with both, Location, prices by night and hold, as the schema says',
    control: {
      in: 'hotel/http/reservation-view.ts',
      change: 'status: reservation.status,',
      to: "status: 'paid',",
    },
  });
  test('H-040, H-052: 201 with id, status and locked prices; counts exactly the nights', async () => {
    const body = form({ startDate: '2027-07-02', endDate: '2027-07-04', roomCount: '2' });
    const answer = await post(body);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      201,
      `/v1/reservations/${body.reservationID}`,
    ]);
    expect(Value.Check(ReservationView, answer.json)).toBe(true);
    expect(answer.json).toMatchObject({
      ...body,
      status: 'pending_payment',
      currency: 'SEK',
      price: '600.00',
      paid: '0.00',
      nights: [
        { date: '2027-07-02', price: '100.00' },
        { date: '2027-07-03', price: '100.00' },
        { date: '2027-07-04', price: '100.00' },
      ],
      holdExpiresAt: '2027-06-01T12:15:00.000Z',
    });
    expect(answer.json.roomNumbers).toBeUndefined();
    expect((await reserved()).slice(0, 5)).toEqual([0, 2, 2, 2, 0]);
    await served.database.prove();
  });

  test('H-050…H-059: a wrong field is 400 with its name; no row is written, no count changes', async () => {
    const [before, count] = [await dump(), await rows()];
    const wrong: readonly (readonly [string, unknown])[] = [
      ['/startDate', form({ startDate: '2026-02-30' })],
      ['/endDate', form({ endDate: '2027-06-30' })],
      ['/endDate', form({ endDate: '2054-11-15' })],
      ['/hotelID', form({ hotelID: 7 })],
      ['/roomTypeID', form({ roomTypeID: null })],
      ['/roomCount', form({ roomCount: 1 })],
      ['/roomCount', form({ roomCount: '0' })],
      ['/reservationID', form({ reservationID: 'x'.repeat(65) })],
      ['/roomID', form({ roomID: '101' })],
      ['/price', form({ price: '0.01' })],
    ];
    for (const [pointer, body] of wrong) {
      const { status, json } = await post(body);
      expect([status, json.code, json.errors[0].pointer]).toEqual([400, 'invalid-request', pointer]);
    }
    for (const body of ['', '[]', 'null', '{', '"x"', `{"a":1,"a":2}`, `{"__proto__":{"x":1}}`])
      expect((await post(body)).status, body).toBe(400);
    expect([await dump(), await rows()]).toEqual([before, count]);
  });

  proves('H-050', {
    asked: 'a past date, as the hotel counts days, is refused',
    shown: 'at midnight in Auckland sold a second before, then 422; sold where it is the day before',
    control: {
      in: 'hotel/schema/reserve-one-by-plan.ts',
      change: 'first_day >= (clock AT TIME ZONE h.time_zone)::date',
      to: "first_day >= (clock AT TIME ZONE 'UTC')::date",
    },
  });
  test("H-050: a past day is determined at the hotel's midnight, not ours", async () => {
    const { clock } = served.database;
    const noon = clock.now;
    const auckland = await served.database.hotel({ timeZone: 'Pacific/Auckland', firstDay: '2027-06-30' });
    const honolulu = await served.database.hotel({ timeZone: 'Pacific/Honolulu', firstDay: '2027-06-29' });
    const stay = (hotel: string, day: string) => post(form({ hotelID: hotel, startDate: day, endDate: day }));
    // 11:59:59 UTC on 30 June is one second before 1 July in Auckland, and still 30 June, 01:59, in Honolulu.
    clock.now = new Date('2027-06-30T11:59:59Z');
    expect((await stay(auckland, '2027-06-30')).status).toBe(201);
    clock.now = new Date('2027-06-30T12:00:00Z');
    const late = await stay(auckland, '2027-06-30');
    expect([late.status, late.json.code]).toEqual([422, 'stay-in-the-past']);
    expect((await stay(honolulu, '2027-06-30')).status).toBe(201);
    expect((await stay(honolulu, '2027-06-29')).status).toBe(422);
    clock.now = noon;
  });

  proves('H-054', {
    asked: 'the type of another hotel is 404',
    shown: 'an unknown type, and one that only another hotel has',
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: 'LEFT JOIN room_type t ON t.hotel_id = h.hotel_id AND t.room_type_id = g.type',
      to: 'LEFT JOIN room_type t ON t.room_type_id = g.type',
    },
  });
  test('H-053, H-054: unknown hotels and room types are 404, in any form of id', async () => {
    for (const id of ['nowhere', "' OR 1=1 --", '<b>x</b>'])
      expect((await post(form({ hotelID: id }))).status, id).toBe(404);
    const other = await served.database.hotel();
    await served.database.sql.query(
      `INSERT INTO room_type (hotel_id, room_type_id, name) VALUES ($1, 'suite', 'S')`,
      [other],
    );
    const before = await rows();
    for (const roomTypeID of ['castle', 'suite'])
      expect((await post(form({ roomTypeID }))).status, roomTypeID).toBe(404);
    expect(await rows()).toBe(before);
  });

  proves('H-072', {
    asked: 'the middle night full: refused, the others unchanged',
    shown: 'one full night of three',
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: "        outcomes[p] := 'insufficient';\n",
      to: "        outcomes[p] := 'insufficient';\n        FOR k IN starts[p] - g.first_day + 1 .. ends[p] - g.first_day + 1 LOOP\n          IF free[k] >= rooms[p] THEN\n            taken[k] := taken[k] + rooms[p];\n          END IF;\n        END LOOP;\n",
    },
  });
  proves('H-073', {
    asked: 'a dump before and after is equal, xmin too',
    shown: 'a full night: the whole inventory with xmin is as before, and there are as many reservations',
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: "        outcomes[p] := 'insufficient';\n",
      to: "        outcomes[p] := 'insufficient';\n        UPDATE room_type_inventory SET total_reserved = total_reserved\n          WHERE hotel_id = g.hotel AND room_type_id = g.type AND date = starts[p];\n",
    },
  });
  proves('H-130', {
    asked: '409 problem with type, title, status, detail and the dates',
    shown: 'all of them; of three nights the full one is named, of four both with too few',
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: 'full_days := full_days || (g.first_day + k - 1);',
      to: 'full_days := full_days || (g.first_day + k);',
    },
  });
  test('H-072, H-073, H-130: a full night refuses the stay, is named, and changes no byte', async () => {
    await post(form({ startDate: '2027-07-02', endDate: '2027-07-02', roomCount: '10' }));
    await post(form({ startDate: '2027-07-02', endDate: '2027-07-02' }));
    const [before, count] = [await dump(), await rows()];
    const { status, headers, json } = await post(form());
    expect([status, headers.get('content-type')]).toEqual([409, 'application/problem+json']);
    expect(json).toMatchObject({
      code: 'insufficient-inventory',
      status: 409,
      dates: ['2027-07-02'],
      type: '/problems/insufficient-inventory',
    });
    expect(json.title && json.detail).toBeTruthy();
    expect([await dump(), await rows()]).toEqual([before, count]);
    await post(form({ startDate: '2027-07-04', endDate: '2027-07-04', roomCount: '10' }));
    const longer = await post(form({ endDate: '2027-07-04', roomCount: '2' }));
    expect([longer.status, longer.json.dates]).toEqual([409, ['2027-07-02', '2027-07-04']]);
  });

  proves('H-066', {
    asked: 'a range past the last filled date is refused and books nothing',
    shown: 'over HTTP: two of four nights filled, or none, with rates: 409 with the days; no row is written',
    control: {
      in: 'hotel/schema/reserve-one-by-plan.ts',
      change: 'days.found = nights AND ',
      to: '',
    },
  });
  proves('H-073', {
    asked: 'a dump before and after is equal, xmin too',
    shown:
      'nights without a row and nights without a rate: the whole inventory with xmin, and the reservations',
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: "        outcomes[p] := 'no-rate';\n",
      to: "        outcomes[p] := 'no-rate';\n        UPDATE room_type_inventory SET total_reserved = total_reserved\n          WHERE hotel_id = g.hotel AND room_type_id = g.type AND date = starts[p];\n",
    },
  });
  test('H-066, H-015, H-073: nights without a row or a rate are named, and nothing is booked', async () => {
    // Nothing but the missing rows of the inventory may refuse these stays.
    await served.database.sql.query(
      `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor)
       SELECT $1, 'double', '2027-07-11'::date + d, 10000 FROM generate_series(0, 3) d`,
      [hotelID],
    );
    await served.database.sql.query(
      `DELETE FROM room_type_rate WHERE hotel_id = $1 AND date = '2027-07-02'`,
      [hotelID],
    );
    const [before, count] = [await dump(), await rows()];
    for (const [startDate, endDate, ...dates] of [
      ['2027-07-09', '2027-07-12', '2027-07-11', '2027-07-12'],
      ['2027-07-13', '2027-07-14', '2027-07-13', '2027-07-14'],
    ]) {
      const beyond = await post(form({ startDate, endDate }));
      const said = [beyond.status, beyond.json.code, beyond.json.dates];
      expect.soft(said).toEqual([409, 'not-bookable', dates]);
    }
    const unpriced = await post(form());
    expect([unpriced.status, unpriced.json.code, unpriced.json.dates]).toEqual([
      409,
      'no-rate',
      ['2027-07-02'],
    ]);
    expect(await reserved()).toEqual(Array(10).fill(0));
    expect([await dump(), await rows()]).toEqual([before, count]);
  });

  proves('H-076', {
    asked: 'a double click is one row; both replies carry it: 201 and 200; raised once',
    shown: 'two at once: 201 and 200 with one body, one row, counts 1',
    control: {
      in: 'hotel/reservations/reserve-batch.ts',
      change: '...[hotelId, roomTypeId, startDate, endDate, roomCount],\n    ...(isPlain',
      to: '...[hotelId, roomTypeId, startDate, endDate, roomCount, performance.now()],\n    ...(isPlain',
    },
  });
  test('H-076: a double click is one reservation, and both replies carry it', async () => {
    const body = form();
    const before = await rows();
    const both = await Promise.all([post(body), post(body)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 201]);
    expect(both[0].json).toMatchObject(body);
    expect(both[1].json).toEqual(both[0].json);
    expect(await rows()).toBe(before + 1n);
    expect((await reserved()).slice(0, 4)).toEqual([1, 1, 1, 0]);
  });

  proves('H-077', {
    asked: '100 submissions at once from 100 connections: one row, one increment, 100 equal bodies',
    shown:
      "100 on 100 connections, all sent before one is answered, with a user's limits: one 201, 99 times 200",
    settings: ['turnBudgetMs 10,000', '1,000,000 requests a minute of a user and of an address'],
    control: {
      in: 'hotel/reservations/reserve-batch.ts',
      change: '...[hotelId, roomTypeId, startDate, endDate, roomCount],\n    ...(isPlain',
      to: '...[hotelId, roomTypeId, startDate, endDate, roomCount, performance.now()],\n    ...(isPlain',
    },
  });
  test('H-077: a hundred submissions of one form are one reservation, and all get it', async () => {
    // With the limits of a user as they are by default.
    const { holdsPerUserMax } = hotelLimits;
    const bookingsPerUserMax = Number(settings.BOOKINGS_PER_USER.fallback);
    const own = await serveHotels({ bookingsPerUserMax, holdsPerUserMax });
    onTestFinished(() => own.close());
    const hotel = await own.database.hotel();
    const body = form({ hotelID: hotel });
    let [sent, answered] = [0, 0];
    // The days are locked until all have been sent, so that none is answered before.
    const asked = await own.database.sql.transaction(async (tx) => {
      await tx.query('SELECT FROM room_type_inventory WHERE hotel_id = $1 FOR UPDATE', [hotel]);
      const all = Array.from({ length: 100 }, () =>
        postAlone(own, body, () => {
          sent += 1;
        }).finally(() => {
          answered += 1;
        }),
      );
      await eventually(() => expect(sent).toBe(100));
      expect(answered).toBe(0);
      return all;
    });
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ port }) => port)).size).toBe(100);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(99).fill(200), 201]);
    expect(answers.filter(({ replayed }) => replayed)).toHaveLength(99);
    expect(answers[0]!.json).toMatchObject(body);
    expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1);
    const made = await own.database.sql.query('SELECT reservation_id AS id FROM reservation');
    expect(made.rows).toEqual([{ id: body.reservationID }]);
    expect((await own.database.counts(hotel)).slice(0, 4)).toEqual([1, 1, 1, 0]);
  });

  proves('H-078', {
    asked: 'the same id with another body is 422; the first reservation is untouched',
    shown: '422 for other rooms, days, type and hotel; its row, with xmin, and all counts as before',
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: "WHEN r.same THEN 'repeated'",
      to: "WHEN r.same OR true THEN 'repeated'",
    },
  });
  test('H-078: the same id with another body is 422, and the first reservation stays as it is', async () => {
    const body = form();
    await post(body);
    const others = [
      { roomCount: '2' },
      { endDate: '2027-07-04' },
      { startDate: '2027-07-02' },
      { roomTypeID: 'suite' },
      { hotelID: await served.database.hotel() },
    ];
    const before = [await stored(body.reservationID), await dump()];
    for (const over of others) {
      const other = await post({ ...body, ...over });
      expect([over, other.status, other.json.code]).toEqual([over, 422, 'reservation-id-taken']);
    }
    expect([await stored(body.reservationID), await dump()]).toEqual(before);
  });

  proves('H-079', {
    asked: 'refused without the data of the first user',
    shown: 'the same and another body: a 422 without detail, in fixed words; the row of the first as before',
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: "CASE WHEN NOT r.own THEN 'taken' ",
      to: 'CASE ',
    },
  });
  test("H-079: another user's id is refused and reveals nothing", async () => {
    const body = form();
    await post(body);
    const before = await stored(body.reservationID);
    for (const stranger of [await post(body, bo), await post({ ...body, hotelID: 'x' }, bo)]) {
      expect(stranger.status).toBe(422);
      expect(stranger.json).toEqual({
        type: '/problems/reservation-id-taken',
        title: 'This reservationID cannot be used',
        status: 422,
        code: 'reservation-id-taken',
        instance: expect.any(String),
        trace_id: expect.any(String),
      });
      expect(stranger.headers.get('location')).toBeNull();
    }
    expect(await stored(body.reservationID)).toEqual(before);
    expect((await reserved()).slice(0, 4)).toEqual([1, 1, 1, 0]);
  });

  proves('H-131', {
    asked: 'a duplicate reservationID makes no reservation',
    shown:
      'the same, another body, another user, after a cancellation too: no row, no count and no xmin changes',
    control: {
      in: 'hotel/http/reservation-routes.ts',
      change: '? reservations.reserve(request).then(reserveAnswer)',
      to: "? reservations.reserve(request).then(async (outcome) =>\n                    reserveAnswer(\n                      outcome.kind === 'differs'\n                        ? await reservations.reserve({ ...request, reservationId: `${request.reservationId}+` })\n                        : outcome,\n                    ),\n                  )",
    },
  });
  test('H-131: whoever sends a reservationID again, and with what, makes no reservation', async () => {
    const body = form();
    const { reservationID } = body;
    await post(body);
    const table = async () =>
      (await served.database.sql.query('SELECT *, xmin::text FROM reservation ORDER BY sequence')).rows;
    for (const turn of ['pending', 'cancelled']) {
      const before = [await table(), await dump()];
      const answers = [
        await post(body),
        await post({ ...body, roomCount: '2' }),
        await post(body, bo),
        await post({ ...body, startDate: '2027-07-02' }, bo),
      ];
      expect.soft([await table(), await dump()]).toEqual(before);
      expect([turn, ...answers.map(({ status }) => status)]).toEqual([turn, 200, 422, 422, 422]);
      const cancelled = await served.call('DELETE', `/v1/reservations/${reservationID}`, { token: anna });
      expect([turn, cancelled.status]).toEqual([turn, 200]);
    }
  });

  proves('H-081', {
    asked: 'a refused submission is judged again: after a cancellation the same id may succeed',
    shown: 'over HTTP 409 twice while full, stored nowhere; after the cancellation 201, stored and counted',
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: "        outcomes[p] := 'insufficient';\n",
      to: "        outcomes[p] := 'insufficient';\n        INSERT INTO reservation (reservation_id, user_id, hotel_id, room_type_id, start_date, end_date, room_count,\n          night_prices_minor, price_minor, currency, hold_expires_at, free_cancel_until, late_cancel_percent, request,\n          created_at, updated_at)\n        VALUES (ids[p], users[p], g.hotel, g.type, starts[p], ends[p], rooms[p],\n          price[starts[p] - g.first_day + 1 : ends[p] - g.first_day + 1], 0, place.currency, clock, clock, 0,\n          requests[p], clock, clock);\n",
    },
  });
  test('H-081: a refused form that is sent again is judged again', async () => {
    const first = form({ roomCount: '10' });
    const second = form({ roomCount: '2' });
    expect((await post(first)).status).toBe(201);
    for (const turn of [1, 2]) {
      const refused = await post(second);
      expect([turn, refused.status, refused.json.code]).toEqual([turn, 409, 'insufficient-inventory']);
      expect.soft(await stored(second.reservationID)).toEqual([]);
    }
    const path = `/v1/reservations/${first.reservationID}`;
    expect((await served.call('DELETE', path, { token: anna })).status).toBe(200);
    expect((await reserved()).slice(0, 4)).toEqual([0, 0, 0, 0]);
    const sold = await post(second);
    expect([sold.status, sold.json]).toMatchObject([201, { ...second, status: 'pending_payment' }]);
    expect(await stored(second.reservationID)).toHaveLength(1);
    expect((await reserved()).slice(0, 4)).toEqual([2, 2, 2, 0]);
  });

  proves('H-082', {
    asked: 'the cancelled one is returned and books nothing; a new id books',
    shown: 'over HTTP 200 with the cancelled one, no row changes; the same dates with a new id: 201, counted',
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: 'v.request = requests[q.i] AS same',
      to: "v.request = requests[q.i] AND v.status <> 'cancelled' AS same",
    },
  });
  test('H-082: a form whose reservation was cancelled gets that one; a new id books', async () => {
    const body = form();
    const { reservationID } = body;
    expect((await post(body)).status).toBe(201);
    await served.call('DELETE', `/v1/reservations/${reservationID}`, { token: anna });
    const before = [await stored(reservationID), await dump(), await rows()];
    const again = await post(body);
    expect([again.status, again.json]).toMatchObject([200, { ...body, status: 'cancelled' }]);
    expect.soft([await stored(reservationID), await dump(), await rows()]).toEqual(before);
    expect((await reserved()).slice(0, 4)).toEqual([0, 0, 0, 0]);
    const other = await post(form());
    expect([other.status, other.json.status]).toEqual([201, 'pending_payment']);
    expect((await reserved()).slice(0, 4)).toEqual([1, 1, 1, 0]);
    expect((await stored(reservationID))[0]).toMatchObject({ status: 'cancelled' });
  });
});

describe('a user’s own reservations', () => {
  proves('H-038', {
    asked: '3 users × 50: each sees exactly 50, no gap or repeat while others insert',
    shown: '3 × 50 in pages of 7, newest first; the user inserts between pages, another during each',
    settings: ['holdsPerUserMax 1,000', 'bookingsPerUserMax 100,000'],
    control: {
      in: 'hotel/reservations/locked-reservation.ts',
      change: 'sequence < $2 ORDER BY sequence DESC',
      to: 'sequence <= $2 ORDER BY sequence DESC',
    },
  });
  test('H-038: three users page through fifty each during inserts, newest first, without gaps', async () => {
    const users = await Promise.all(
      ['u1', 'u2', 'u3'].map(async (sub) => ({ sub, token: await served.token(sub, 'customer') })),
    );
    const big = await served.database.hotel({ total: 500 });
    const one = (reservationID: string) => form({ hotelID: big, endDate: '2027-07-01', reservationID });
    for (let n = 0; n < 50; n += 1)
      await Promise.all(users.map(({ sub, token }) => post(one(`${sub}-${n}`), token)));
    for (const { sub, token } of users) {
      const seen: string[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < 20; pages += 1) {
        const query = `?limit=7${cursor === undefined ? '' : `&cursor=${cursor}`}`;
        const [{ status, json }] = await Promise.all([
          served.call('GET', `/v1/reservations${query}`, { token }),
          post(one(`other-${sub}-${pages}`), bo),
        ]);
        expect(status).toBe(200);
        seen.push(...json.reservations.map((each: { reservationID: string }) => each.reservationID));
        cursor = json.nextCursor;
        if (cursor === undefined) break;
        expect((await post(one(`${sub}-later-${pages}`), token)).status).toBe(201);
      }
      expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => `${sub}-${49 - n}`));
    }
  });

  test('H-038: a cursor of another user or an invalid cursor is refused', async () => {
    const stranger = await served.token('u1', 'customer');
    const page = await served.call('GET', '/v1/reservations?limit=1', { token: stranger });
    const foreign = page.json.nextCursor;
    expect(foreign).toBeTruthy();
    for (const cursor of [foreign, 'x', '%00', 'bm9ib2R5', '-_-']) {
      const answer = await served.call('GET', `/v1/reservations?cursor=${cursor}`, { token: anna });
      expect([cursor, answer.status, answer.json.errors?.[0].pointer]).toEqual([
        cursor,
        400,
        '/query/cursor',
      ]);
    }
    for (const query of ['limit=0', 'limit=1000', 'limit=x', 'page=2'])
      expect((await served.call('GET', `/v1/reservations?${query}`, { token: anna })).status).toBe(400);
  });

  proves('H-039', {
    asked: 'owner 200, another user 404',
    shown: 'GET and DELETE of another user answer as for an id that does not exist',
    control: {
      in: 'hotel/reservations/locked-reservation.ts',
      change: "'staff' in actor || actor.userId === userId;",
      to: "'staff' in actor || userId !== undefined;",
    },
  });
  test('H-039, H-041: for others a reservation does not exist, and they cannot change it', async () => {
    const body = form();
    await post(body);
    const path = `/v1/reservations/${body.reservationID}`;
    const told = ({ status, json }: Answer) => ({ status, ...json, instance: '', trace_id: '' });
    for (const method of ['GET', 'DELETE']) {
      const foreign = await served.call(method, path, { token: bo });
      expect(told(foreign)).toEqual(told(await served.call(method, '/v1/reservations/none', { token: bo })));
      expect(foreign.status).toBe(404);
    }
    const dates = { startDate: '2027-07-05', endDate: '2027-07-06' };
    expect((await served.call('PUT', `${path}/dates`, { token: bo, body: dates })).status).toBe(404);
    const own = await served.call('GET', path, { token: anna });
    expect([own.status, own.json.status]).toEqual([200, 'pending_payment']);
    expect((await reserved()).slice(0, 4)).toEqual([1, 1, 1, 0]);
    expect((await served.call('GET', '/v1/reservations/a%00b', { token: anna })).status).toBe(404);
  });

  test('H-005, H-041: cancelling releases exactly the rooms, once, and is visible', async () => {
    const body = form({ roomCount: '3' });
    await post(body);
    await post(form());
    const path = `/v1/reservations/${body.reservationID}`;
    const part = await served.call('DELETE', `${path}?rooms=1`, { token: anna });
    expect([part.status, part.json.roomCount, part.json.status]).toEqual([200, '2', 'pending_payment']);
    expect((await reserved())[0]).toBe(3);
    // The response was lost, and the same request is sent again.
    const again = await served.call('DELETE', `${path}?rooms=1&of=3`, { token: anna });
    expect([again.status, again.json.detail]).toEqual([
      409,
      'The reservation is pending_payment, with 2 rooms.',
    ]);
    expect((await reserved())[0]).toBe(3);
    const answers = await Promise.all([1, 2, 3].map(() => served.call('DELETE', path, { token: anna })));
    expect(answers.map(({ status, json }) => [status, json.status])).toEqual(
      Array(3).fill([200, 'cancelled']),
    );
    expect((await reserved()).slice(0, 4)).toEqual([1, 1, 1, 0]);
    expect((await served.call('GET', path, { token: anna })).json.status).toBe('cancelled');
    expect((await served.call('DELETE', `${path}?rooms=9`, { token: anna })).status).toBe(409);
  });

  test('dates change in one step or not at all', async () => {
    const body = form();
    await post(body);
    const path = `/v1/reservations/${body.reservationID}/dates`;
    const put = (dates: object) => served.call('PUT', path, { token: anna, body: dates });
    const moved = await put({ startDate: '2027-07-03', endDate: '2027-07-04' });
    expect([moved.status, moved.json.startDate, moved.json.price]).toEqual([200, '2027-07-03', '200.00']);
    expect((await reserved()).slice(0, 5)).toEqual([0, 0, 1, 1, 0]);
    expect((await put({ startDate: '2027-07-09', endDate: '2027-07-12' })).json.code).toBe('not-bookable');
    expect((await put({ startDate: '2027-07-04', endDate: '2027-07-03' })).status).toBe(400);
    expect((await reserved()).slice(0, 5)).toEqual([0, 0, 1, 1, 0]);
  });
});

describe('access by role', () => {
  /** As in the table of the specification, with the status of success. */
  const operations = [
    ['GET', '/v1/hotels/{hotel}', 'anyone', 200],
    ['POST', '/v1/hotels', 'operator', 201],
    ['PUT', '/v1/hotels/{hotel}', 'operator', 200],
    ['DELETE', '/v1/hotels/{hotel}', 'operator', 204],
    ['GET', '/v1/hotels/{hotel}/rooms/{room}', 'anyone', 200],
    ['POST', '/v1/hotels/{hotel}/rooms', 'operator', 201],
    ['PUT', '/v1/hotels/{hotel}/rooms/{room}', 'operator', 200],
    ['DELETE', '/v1/hotels/{hotel}/rooms/{room}', 'operator', 204],
    ['GET', '/v1/reservations', 'customer', 200],
    ['GET', '/v1/reservations/{reservation}', 'customer', 200],
    ['POST', '/v1/reservations', 'customer', 201],
    ['DELETE', '/v1/reservations/{reservation}', 'customer', 200],
  ] as const;
  const people = { anna: 'customer', olle: 'operator', siv: 'staff', driver: 'driver' } as const;

  /** A hotel with a room, and a reservation of Anna elsewhere, because it would keep the hotel. */
  async function created(): Promise<Readonly<Record<string, string>>> {
    const operator = { token: served.tokens['olle']! };
    const hotel = (await served.call('POST', '/v1/hotels', { ...operator, body: opera })).json.hotelID;
    const body = { roomTypeID: 'double', number: '1' };
    const room = await served.call('POST', `/v1/hotels/${hotel}/rooms`, { ...operator, body });
    const reservation = form({ hotelID: await served.database.hotel() });
    expect([room.status, (await post(reservation)).status]).toEqual([201, 201]);
    return { hotel, room: room.json.roomID, reservation: reservation.reservationID };
  }
  /** Every row that one of the twelve may write, with the transaction that wrote it; of counts their sums. */
  const written = async () => {
    const tables = ['hotel', 'room_type', 'room', 'reservation'];
    const texts = tables.map((table) => `SELECT '${table}' || t::text || t.xmin AS row FROM ${table} t`);
    const { rows } = await served.database.sql.query(
      `SELECT string_agg(row, '' ORDER BY row) AS all FROM (${texts.join(' UNION ALL ')}) r
       UNION ALL SELECT concat_ws(' ', count(*), sum(total_inventory), sum(total_reserved), sum(version))
       FROM room_type_inventory`,
    );
    return rows;
  };

  proves('H-111', {
    asked: '12 routes × {anonymous, customer, operator, staff}: exactly as in the endpoint table',
    shown:
      '12 routes × these four, a driver and a broken token: 401 or 403 and no row written, else done: 2xx',
    control: {
      in: 'schemas/http/hotels.ts',
      change: "summary: 'Delete a hotel without current or future reservations',\n  scopes: ['operator'],",
      to: "summary: 'Delete a hotel without current or future reservations',\n  scopes: ['operator', 'customer'],",
    },
  });
  test.each(operations)('H-111: %s %s is for %s', async (method, template, allowed, done) => {
    const bodies: Readonly<Record<string, () => object>> = {
      'POST /v1/hotels': () => opera,
      'PUT /v1/hotels/{hotel}': () => ({ ...opera, name: 'Another' }),
      'POST /v1/hotels/{hotel}/rooms': () => ({ roomTypeID: 'double', number: '2' }),
      'PUT /v1/hotels/{hotel}/rooms/{room}': () => ({ roomTypeID: 'single', number: '1' }),
      'POST /v1/reservations': () => form(),
    };
    const ask = async (token: string | undefined) => {
      const ids = await created();
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
      const body = bodies[`${method} ${template}`]?.();
      const before = await written();
      const { status } = await served.call(method, path, {
        ...(token === undefined ? {} : { token }),
        ...(body === undefined ? {} : { body }),
      });
      const isSame = isDeepStrictEqual(await written(), before);
      return [status, isSame];
    };
    const success = [done, method === 'GET'];
    const expected = (scope: string, refused: number) =>
      allowed === 'anyone' || allowed === scope ? success : [refused, true];
    expect(['anonymous', ...(await ask(undefined))]).toEqual(['anonymous', ...expected('nobody', 401)]);
    for (const [person, scope] of Object.entries(people))
      expect([person, ...(await ask(served.tokens[person]))]).toEqual([person, ...expected(scope, 403)]);
    if (allowed !== 'anyone') expect(await ask(`${anna}x`)).toEqual([401, true]);
  });

  proves('H-110', {
    asked: 'missing, expired, wrong audience and alg:none 401, wrong role 403',
    shown: 'each of them over HTTP, on reading and on booking: 401 or 403, and nothing is booked',
    control: {
      in: 'platform/auth/jwt-authenticator.ts',
      change: '        audience: options.audience,\n',
      to: '',
    },
  });
  test('H-110: without a valid token for this listener it is 401, in another role 403', async () => {
    const [, payload] = anna.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    const refused: Record<string, readonly [token: string | undefined, status: number]> = {
      missing: [undefined, 401],
      expired: [await served.signed({ agoMs: 2 * 3_600_000 }), 401],
      'of another audience': [await served.signed({ audience: 'meridian-internal' }), 401],
      'alg none': [`${none}.${payload}.`, 401],
      operator: [served.tokens['olle'], 403],
      desk: [served.tokens['siv'], 403],
    };
    const before = [await rows(), await dump()];
    for (const [what, [token, status]] of Object.entries(refused)) {
      const bearer = token === undefined ? {} : { token };
      for (const answer of [
        await served.call('GET', '/v1/reservations', bearer),
        await served.call('POST', '/v1/reservations', { ...bearer, body: form() }),
      ])
        expect([what, answer.status]).toEqual([what, status]);
    }
    expect([await rows(), await dump()]).toEqual(before);
    const valid = await served.signed({});
    expect((await served.call('GET', '/v1/reservations', { token: valid })).status).toBe(200);
    expect((await post(form(), valid)).status).toBe(201);
  });

  test('H-111: a path answers no other methods, and a wrong path is 404', async () => {
    expect((await served.call('PUT', '/v1/reservations', { token: anna, body: {} })).status).toBe(405);
    expect((await served.call('POST', `/v1/hotels/${hotelID}`, { token: anna, body: {} })).status).toBe(405);
    const headers = { 'x-http-method-override': 'DELETE', 'x-forwarded-prefix': '/v1/staff' };
    const fooled = await served.call('GET', `/v1/hotels/${hotelID}`, { headers, token: anna });
    expect([fooled.status, fooled.json.hotelID]).toEqual([200, hotelID]);
    for (const path of ['/hotels/x', '//v1/hotels/x', '/v1//hotels/x', '/v1/hotels/x/%2e%2e/rooms'])
      expect((await served.call('GET', path)).status, path).toBe(404);
  });

  proves('H-150', {
    asked: 'every path begins with /v1; a path without the prefix is 404; the policy is stated',
    shown:
      'every HTTP operation; each of hotels without /v1: 404 on both ports; docs/api-versions, its 365 days',
    control: {
      in: 'schemas/http/hotels.ts',
      change: "path: '/v1/hotels',\n  listener: 'both',",
      to: "path: '/hotels',\n  listener: 'both',",
    },
  });
  test('H-150: every path starts with /v1, without it is 404, and what is served is described', async () => {
    expect(served.routes.map(({ contract }) => contract.operationId).toSorted()).toEqual(
      hotelContracts.map(({ operationId }) => operationId).toSorted(),
    );
    for (const { path } of routeContracts) expect(path).toMatch(/^\/v1\//);
    for (const { contract } of served.routes) {
      const path = contract.path.replace('/v1', '').replaceAll(/\{\w+\}/g, hotelID);
      for (const listener of ['public', 'internal'] as const)
        expect([path, (await served.call(contract.method, path, { listener })).status]).toEqual([path, 404]);
    }
    const policy = readFileSync(new URL('../../docs/api-versions.md', import.meta.url), 'utf8');
    expect(policy).toMatch(/Every path starts with `\/v1`[\s\S]*deprecated[\s\S]*at least 365 days/);
  });

  proves('H-011', {
    asked: 'no search by several criteria in the OpenAPI file; a beyond-feature is labelled so',
    shown: 'each public operation, of all methods, is one of the 12 of the specification or says (extension)',
    control: {
      in: 'schemas/http/hotel-places.ts',
      change: 'for a map (extension)',
      to: 'for a map',
    },
  });
  test('H-011: OpenAPI has the twelve operations of the specification; all others are extensions', () => {
    const contracts = served.routes
      .map(({ contract }) => contract)
      .filter(({ listener }) => listener !== 'internal');
    const { paths } = openApiDocument({ title: 'x', version: '1', description: 'x' }, contracts) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{id}')}`,
        ...operation,
      })),
    );
    expect(operations).toHaveLength(contracts.length);
    const specified = operations.filter(({ summary }) => !summary.endsWith('(extension)'));
    expect(specified.map(({ name }) => name).toSorted()).toEqual(
      ['/v1/hotels', '/v1/hotels/{id}/rooms', '/v1/reservations']
        .flatMap((path) => [`POST ${path}`, `GET ${path}/{id}`, `DELETE ${path}/{id}`])
        .concat('PUT /v1/hotels/{id}', 'PUT /v1/hotels/{id}/rooms/{id}', 'GET /v1/reservations')
        .toSorted(),
    );
    // None of the reads has criteria.
    const queries = specified
      .filter(({ name }) => name.startsWith('GET '))
      .flatMap(({ name, parameters = [] }) =>
        parameters.filter((one) => one.in === 'query').map((one) => `${name} ${one.name}`),
      );
    expect(queries).toEqual(['GET /v1/reservations limit', 'GET /v1/reservations cursor']);
  });
});

proves('H-132', {
  asked: 'every 4xx and 5xx body fits one schema; no stack, SQL or host',
  shown:
    'no token, bad body, of nothing, no tables (but for one); each refusal of all tests of served hotels',
  control: {
    in: 'platform/http/server/request-pipeline.ts',
    change: 'exchange.answer(problem(problems.internal));',
    to: 'exchange.answer(problem(problems.internal, String(error)));',
  },
});
test('H-132: refusals and failures of all operations are problems without internal names', async () => {
  // Also what the platform serves of the payment of a reservation.
  const own = await serveHotels({
    otherRoutes: (database) =>
      bookingRoutes(
        { sql: database.sql, reservations: database.reservations(), nowMs: Date.now },
        { sql: database.sql },
      ),
  });
  try {
    await own.database.sql.migrate('payment', paymentMigrations);
    await own.database.sql.migrate('booking', bookingMigrations);
    const tokens: Readonly<Record<string, string | undefined>> = {
      customer: own.tokens['anna'],
      operator: own.tokens['olle'],
      desk: own.tokens['siv'],
      staff: own.tokens['siv'],
    };
    const contracts = own.routes.map(({ contract }) => contract);
    const room = { body: { roomTypeID: 'double', number: '1' } };
    const stay = { query: '?startDate=2027-07-01&endDate=2027-07-03' };
    const days = { query: '?from=2027-07-01&to=2027-07-03' };
    const valid: ProblemsOf['valid'] = {
      ...{ postHotel: { body: opera }, putHotel: { body: opera }, postRoom: room, putRoom: room },
      ...{ getAvailability: stay, getStayPrice: stay, listOffers: stay, getHotelAri: days },
      ...{ getHotelCalendar: days, searchReservations: { query: '?hotelID=none' } },
      postReservation: { body: form({ hotelID: 'none' }) },
      postGuestErasure: { body: { userID: 'u1', reason: 'asked for it' } },
    };
    const problems = { contracts, call: own.call, tokenOf: (scope: string) => tokens[scope], valid };
    await everyRefusalIsAProblem(problems);
    const failed = await everyFailureIsAProblem(problems, own.database.sql);
    expect(contracts.map(({ operationId }) => operationId).filter((name) => !failed.includes(name))).toEqual([
      // Another user's data do not exist, whatever the database says.
      'deleteGuestData',
    ]);
  } finally {
    await own.close();
  }
});

test('S4: internal operations for operators do not exist in public, whatever the headers', async () => {
  const inside = await serveHotels({ operatorListener: 'internal' });
  try {
    const operator = { token: inside.tokens['olle']!, body: {} };
    const tricks = {
      'x-http-method-override': 'POST',
      'x-forwarded-port': '8081',
      'x-original-url': '/v1/hotels',
    };
    for (const [method, path, status] of [
      ['POST', '/v1/hotels', 404],
      ['PUT', '/v1/hotels/x', 405],
      ['DELETE', '/v1/hotels/x', 405],
      ['POST', '/v1/hotels/x/rooms', 404],
      ['PUT', '/v1/hotels/x/rooms/y', 405],
      ['POST', '//v1/hotels', 404],
      ['POST', '/v1/%68otels', 404],
    ] as const) {
      const asked = method === 'DELETE' ? { token: operator.token } : operator;
      const answer = await inside.call(method, path, { ...asked, headers: tricks });
      expect([method, path, answer.status]).toEqual([method, path, status]);
    }
    expect((await inside.call('POST', '/v1/hotels', { ...operator, listener: 'internal' })).status).toBe(400);
  } finally {
    await inside.close();
  }
});

proves('H-142', {
  asked: 'rate limit and maximum roomCount are documented, enforced, and in headers and OpenAPI',
  shown:
    '10 rooms are sold, 11 are 400; 120 calls a minute in the headers, the 121st is 429; OpenAPI names both',
  settings: ['1,000,000 requests a minute of a user and of an address', 'the clock of the limiter stands'],
  control: {
    in: 'hotel/limits.ts',
    change: 'roomCountMax: 10,',
    to: 'roomCountMax: 20,',
  },
});
proves('H-142', {
  asked: 'the rate limit is enforced',
  shown: 'by default 120 calls a minute that reserve, of all of which the headers state what is left',
  settings: ['1,000,000 requests a minute of a user and of an address', 'the clock of the limiter stands'],
  control: {
    in: 'hotel/http/reservation-routes.ts',
    change: "const booking = { rate: { name: 'bookings', limit: bookingsPerUserMax, windowS: 60 } };",
    to: "const booking = { rate: { name: 'bookings', limit: bookingsPerUserMax + 1, windowS: 60 } };",
  },
});
test('H-142: bookings of a user are limited, in headers and as 429 with Retry-After', async () => {
  const { holdsPerUserMax } = hotelLimits;
  const bookingsPerUserMax = Number(settings.BOOKINGS_PER_USER.fallback);
  expect([holdsPerUserMax, bookingsPerUserMax]).toEqual([5, 120]);
  const limited = await serveHotels({ bookingsPerUserMax, holdsPerUserMax });
  try {
    const hotel = await limited.database.hotel();
    const send = (person: string, over: object = {}) =>
      limited.call('POST', '/v1/reservations', {
        token: limited.tokens[person]!,
        body: form({ hotelID: hotel, endDate: '2027-07-01', ...over }),
      });
    for (let call = 1; call <= 120; call += 1) {
      const { status, headers, json } = await send('anna');
      const said = call <= 5 ? [201, undefined] : [409, 'too-many-holds'];
      expect([call, status, json.code]).toEqual([call, ...said]);
      expect(headers.get('ratelimit-policy')).toBe('"bookings";q=120;w=60');
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"bookings";r=${120 - call};t=\\d+$`));
    }
    const refused = await send('anna');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const day = { startDate: '2027-07-05', endDate: '2027-07-05' };
    expect((await send('bo', { ...day, roomCount: '10' })).status).toBe(201);
    const eleven = await send('bo', { ...day, roomCount: '11' });
    expect([eleven.status, eleven.json.errors?.[0].pointer]).toEqual([400, '/roomCount']);
    const described = JSON.stringify(
      openApiDocument({ title: '', version: '', description: '' }, [postReservation]),
    );
    for (const words of ['\\"1\\" to \\"10\\"', '^([1-9]|10)$', 'RateLimit-Policy and RateLimit', '"429":'])
      expect(described).toContain(words);
  } finally {
    await limited.close();
  }
});
