import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openApiDocument } from '#platform/http/openapi.js';
import { postReservation } from '#schemas/http/hotel-reservations.js';
import { proves } from '#tools/acceptance/proves.js';
import { type Answer, reservationForms, type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let hotelID: string;

beforeAll(async () => {
  served = await serveHotels();
});
afterAll(async () => {
  await served?.database.prove();
  await served?.close();
});
beforeEach(async () => {
  hotelID = await served.database.hotel({ total: 10, firstDay: '2027-06-30', days: 5 });
});

const form = reservationForms(() => hotelID);
/** JSON leaves out what is undefined, so that field is missing. */
const post = (body: unknown): Promise<Answer> =>
  served.call('POST', '/v1/reservations', { token: served.tokens['anna']!, body });
const counts = () => served.database.counts(hotelID);

/** Every count, with the transaction that wrote it, and the number of reservations. */
async function stored() {
  const { sql } = served.database;
  const days = await sql.query('SELECT *, xmin::text FROM room_type_inventory ORDER BY 1, 2, 3');
  const { rows } = await sql.query('SELECT count(*) AS n FROM reservation');
  return [days.rows, rows];
}

/** Each body is 400 and names exactly this field; afterwards the database is as it was. */
async function refused(pointer: string, bodies: readonly unknown[]): Promise<void> {
  const before = await stored();
  for (const body of bodies) {
    const { status, headers, json } = await post(body);
    expect([status, headers.get('content-type'), json.code], JSON.stringify(body)).toEqual([
      400,
      'application/problem+json',
      'invalid-request',
    ]);
    const pointers = json.errors.map((one: { readonly pointer: string }) => one.pointer);
    expect(pointers, JSON.stringify(body)).toEqual([pointer]);
  }
  expect(await stored()).toEqual(before);
}

/** The forms of the row, at its date and at one that is not past. */
const noDays = [
  ...['2026-2-3', '2026-02-30', '20260203', '2026-02-03T00:00Z'],
  ...['2027-7-1', '2028-02-30', '20270701', '2027-07-01T00:00Z', '2027-07-01 ', '２０２７-07-01', ''],
  // 2027 and 2100 are no leap years.
  ...['2027-02-29', '2029-02-29', '2100-02-29'],
  ...[20_270_701, null, undefined, true, ['2027-07-01']],
];

proves('H-050', {
  asked: 'seven wrong forms are 400 and store nothing; 29 February only in leap years',
  shown: 'these and twelve more over HTTP: 400, no row; 29 February 2028 is sold, of three others 400',
  control: {
    in: 'hotel/http/parse-reservation.ts',
    change: '  return isDay(text) ? undefined : messages.badDay;',
    to: '  return isDay(text) || /^\\d{8}$/.test(text) ? undefined : messages.badDay;',
  },
});
test('H-050: a startDate that is no day is 400 and stores nothing; leap years have 29 February', async () => {
  await refused(
    '/startDate',
    noDays.map((startDate) => form({ startDate })),
  );
  const leap = await served.database.hotel({ firstDay: '2028-02-28', days: 3 });
  const night = await post(form({ hotelID: leap, startDate: '2028-02-29', endDate: '2028-02-29' }));
  expect([night.status, night.json.startDate]).toEqual([201, '2028-02-29']);
  expect(await served.database.counts(leap)).toEqual([0, 1, 0]);
});

proves('H-051', {
  asked: 'the same forms; an end before the start is 400; an end on the first day books exactly one day',
  shown: 'the forms of H-050 over HTTP: 400, no row; one day before: 400; one night: 0 1 0 0 0',
  control: {
    in: 'hotel/http/parse-reservation.ts',
    change: '  if (nights < 1) return',
    to: '  if (nights < 2) return',
  },
});
proves('H-051', {
  asked: 'the same forms, 29 February only in leap years',
  shown: 'ends of a stay that are neither early nor far, but no days: 400; 29 February 2028: 201',
  control: {
    in: 'hotel/http/parse-reservation.ts',
    change: '  return isDay(text) ? undefined : messages.badDay;',
    to: '  return isDay(text) || /^\\d{4}-\\d\\d-\\d\\d$/.test(text) ? undefined : messages.badDay;',
  },
});
test('H-051: an endDate that is no day or too early is 400; the first day is one night', async () => {
  await refused(
    '/endDate',
    [...noDays, '2027-06-30', '2026-07-03'].map((endDate) => form({ endDate })),
  );
  // Days that a calendar would read as the next month's: as ends of a stay they are neither early nor far.
  for (const [startDate, endDate] of [
    ['2028-02-28', '2028-02-30'],
    ['2028-02-29', '2028-02-31'],
    ['2029-02-27', '2029-02-29'],
  ])
    await refused('/endDate', [form({ startDate, endDate })]);
  const hotel = await served.database.hotel({ firstDay: '2028-02-28', days: 3 });
  const leap = await post(form({ hotelID: hotel, startDate: '2028-02-28', endDate: '2028-02-29' }));
  expect([leap.status, leap.json.endDate]).toEqual([201, '2028-02-29']);
  const one = await post(form({ endDate: '2027-07-01' }));
  expect([one.status, one.json.nights?.length]).toEqual([201, 1]);
  expect(await counts()).toEqual([0, 1, 0, 0, 0]);
});

proves('H-052', {
  asked: '1 to 3 July raises exactly 1, 2 and 3 July; 30 June and 4 July stay',
  shown: 'over HTTP: 0 1 1 1 0, and xmin of both neighbours is unchanged',
});
proves('H-006', {
  asked: '10 % above the rooms are sold, and no more',
  shown: 'of 10 rooms 11 over HTTP on three nights; the twelfth is 409, changes no count, stores no stay',
});
proves('H-056', {
  asked: 'N rooms raise each date row by exactly N; with 2 free and N=3 nothing is booked',
  shown: '1, 2 and 6 rooms over HTTP; then 2 of 11 are free: 3 are 409 and change no byte, 2 are sold',
  control: {
    in: 'hotel/schema/reserve-one-by-plan.ts',
    change: 'total_reserved = total_reserved + rooms',
    to: 'total_reserved = total_reserved + 1',
  },
});
test('H-006, H-052, H-056: nights rise by exactly the rooms, up to the cap, or not at all', async () => {
  const neighbours = async () =>
    (
      await served.database.sql.query(
        `SELECT *, xmin::text FROM room_type_inventory
         WHERE hotel_id = $1 AND date IN ('2027-06-30', '2027-07-04')`,
        [hotelID],
      )
    ).rows;
  const beside = await neighbours();
  let sold = 0;
  for (const rooms of [1, 2, 6]) {
    expect((await post(form({ roomCount: `${rooms}` }))).status).toBe(201);
    sold += rooms;
    expect(await counts()).toEqual([0, sold, sold, sold, 0]);
  }
  const before = await stored();
  const three = await post(form({ roomCount: '3' }));
  expect([three.status, three.json.code]).toEqual([409, 'insufficient-inventory']);
  expect(await stored()).toEqual(before);
  expect((await post(form({ roomCount: '2' }))).status).toBe(201);
  expect(await counts()).toEqual([0, 11, 11, 11, 0]);
  const full = await stored();
  expect((await post(form())).status).toBe(409);
  expect(await stored()).toEqual(full);
  expect(await neighbours()).toEqual(beside);
});

const code = ["'; DROP TABLE reservation; --", "' OR 1=1 --", '<script>alert(1)</script>', '../../etc', '💒'];

proves('H-053', {
  asked: 'hotelID is a string; an unknown hotel is 404; SQL and HTML text is data',
  shown: 'five such ids: 404 while no hotel has them, then sold and read back; seven other values 400',
  control: {
    in: 'hotel/http/parse-reservation.ts',
    change: '|| notStorable.test(text)',
    to: "|| notStorable.test(text) || text.includes('<')",
  },
});
test('H-053: text that looks like code is the id of no hotel, or of one like any other', async () => {
  await refused(
    '/hotelID',
    ['', 'x'.repeat(65), 'a\0b', 7, null, undefined, {}].map((wrong) => form({ hotelID: wrong })),
  );
  const before = await stored();
  for (const unknown of ['nowhere', ...code])
    expect((await post(form({ hotelID: unknown }))).status, unknown).toBe(404);
  expect(await stored()).toEqual(before);
  for (const hotelId of code) {
    await served.database.hotel({ hotelId });
    const made = await post(form({ hotelID: hotelId }));
    expect([made.status, made.json.hotelID]).toEqual([201, hotelId]);
    const hotel = await served.call('GET', `/v1/hotels/${encodeURIComponent(hotelId)}`);
    expect([hotel.status, hotel.json.hotelID]).toEqual([200, hotelId]);
    expect((await served.database.counts(hotelId)).slice(0, 4)).toEqual([1, 1, 1, 0]);
  }
});

proves('H-054', {
  asked: 'roomTypeID is a string',
  shown: 'seven other values over HTTP: 400, no row; five texts that look like code: 404, no row',
  control: {
    in: 'hotel/http/parse-reservation.ts',
    change: 'roomTypeID: idFault,',
    to: 'roomTypeID: () => undefined,',
  },
});
test('H-054: roomTypeID is a string; text that looks like code is no type of the hotel', async () => {
  await refused(
    '/roomTypeID',
    ['', 'x'.repeat(65), 'a\0b', 7, null, undefined, {}].map((roomTypeID) => form({ roomTypeID })),
  );
  const before = await stored();
  for (const roomTypeID of code) expect((await post(form({ roomTypeID }))).status, roomTypeID).toBe(404);
  expect(await stored()).toEqual(before);
});

proves('H-055', {
  asked: '"1", "10" are accepted; "0", "-1", "1.5", "1e1", " 1", "٣", 20 digits, 1, true, [] are 400, no row',
  shown: 'these and eight more wrong ones over HTTP; the counts are those of "1" and "10"',
  control: { in: 'hotel/http/parse-reservation.ts', change: '/^[1-9][0-9]?$/.test(text) && ', to: '' },
});
test('H-055: roomCount is a whole number in a string; anything else is 400 and stores nothing', async () => {
  const wrong = ['0', '-1', '1.5', '1e1', ' 1', '٣', '99999999999999999999', 1, true, []];
  await refused(
    '/roomCount',
    [...wrong, '1 ', '11', '01', '+1', '0x1', '', null, undefined].map((roomCount) => form({ roomCount })),
  );
  for (const [roomCount, sold] of [
    ['1', 1],
    ['10', 11],
  ] as const) {
    const made = await post(form({ roomCount }));
    expect([made.status, made.json.roomCount]).toEqual([201, roomCount]);
    expect(await counts()).toEqual([0, sold, sold, sold, 0]);
  }
});

proves('H-057', {
  asked: 'missing 400; over the limit 400; the reply carries the same value',
  shown:
    'over HTTP: missing, 65 characters and seven more are 400; three of up to 64 are in body and Location',
  control: {
    in: 'hotel/http/reservation-view.ts',
    change: 'reservationID: reservation.reservationId,',
    to: 'reservationID: reservation.reservationId.slice(0, 63),',
  },
});
test('H-057: reservationID is required and bounded, and the reply has the same', async () => {
  const wrong = [undefined, 'x'.repeat(65), '', 'a b', 'a\n', 'a\u200b', 5, null, ['a']];
  await refused(
    '/reservationID',
    wrong.map((reservationID) => form({ reservationID })),
  );
  for (const reservationID of [
    'x'.repeat(64),
    `Ä/?#%~${form().reservationID}`,
    `${hotelID}~0123456789abcdef`,
  ]) {
    const made = await post(form({ reservationID }));
    expect([made.status, made.json.reservationID]).toEqual([201, reservationID]);
    expect(made.headers.get('location')).toBe(`/v1/reservations/${encodeURIComponent(reservationID)}`);
    const read = await served.call('GET', made.headers.get('location')!, { token: served.tokens['anna']! });
    expect([read.status, read.json.reservationID]).toEqual([200, reservationID]);
  }
});

proves('H-058', {
  asked: 'roomID without roomTypeID and roomCount is 400 and named as superseded; a body with both is 400',
  shown: 'both over HTTP, with the sentence; no row',
  control: {
    in: 'hotel/http/parse-reservation.ts',
    change: "name === 'roomID'",
    to: "name === 'roomId'",
  },
});
test('H-058: the superseded roomID is refused by name, alone and beside the new fields', async () => {
  const before = await stored();
  const superseded = { pointer: '/roomID', message: expect.stringContaining('superseded') };
  const alone = await post(form({ roomTypeID: undefined, roomCount: undefined, roomID: '101' }));
  expect([alone.status, alone.json.code]).toEqual([400, 'invalid-request']);
  expect(alone.json.errors).toHaveLength(3);
  expect(alone.json.errors).toEqual(
    expect.arrayContaining([
      superseded,
      expect.objectContaining({ pointer: '/roomTypeID' }),
      expect.objectContaining({ pointer: '/roomCount' }),
    ]),
  );
  const both = await post(form({ roomID: '101' }));
  expect([both.status, both.json.errors]).toEqual([400, [superseded]]);
  expect(await stored()).toEqual(before);
});

proves('H-059', {
  asked: 'unknown fields in one documented way; `__proto__` and duplicate keys never change the result',
  shown: 'OpenAPI allows no other field; six are 400 by name; complete forms with such keys are 400, no row',
  control: {
    in: 'hotel/http/parse-reservation.ts',
    change: '    .slice(0, strangersShown)',
    to: '    .slice(strangersShown)',
  },
});
test('H-059: unknown fields, repeated keys and keys of prototypes are refused as documented', async () => {
  const document = openApiDocument({ title: 'x', version: '1', description: 'x' }, [postReservation]);
  expect(document).toMatchObject({
    paths: {
      '/v1/reservations': {
        post: {
          requestBody: { content: { 'application/json': { schema: { additionalProperties: false } } } },
        },
      },
    },
  });
  for (const field of ['is_admin', 'total_reserved', 'price', 'status', 'userID'])
    await refused(`/${field}`, [form({ [field]: 1 })]);
  await refused('/a~1b~0c', [form({ 'a/b~c': 1 })]);
  const before = await stored();
  for (const tail of [
    ',"__proto__":{"roomCount":"9"}}',
    ',"constructor":{"prototype":{"roomCount":"9"}}}',
    ',"roomCount":"9"}',
    ',"roomCount":"1"}',
  ]) {
    const { status, json } = await post(JSON.stringify(form()).slice(0, -1) + tail);
    expect([status, json.code], tail).toEqual([400, 'malformed-request']);
  }
  expect(await stored()).toEqual(before);
  expect(({} as Record<string, unknown>)['roomCount']).toBeUndefined();
});
