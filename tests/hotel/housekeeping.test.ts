import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stays } from '#hotel/reservations/stays.js';
import { requestFor } from './inventory-database.js';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let hotels: ServedHotels;
beforeAll(async () => {
  hotels = await serveHotels();
});
afterAll(() => hotels?.close());

const staff = (method: string, path: string, body?: object) =>
  hotels.call(method, `/v1/staff/hotels/${path}`, {
    token: hotels.tokens['siv']!,
    listener: 'internal',
    ...(body === undefined ? {} : { body }),
  });

/** A paid stay in the named room. */
async function stayIn(hotelId: string, room: string, startDate: string, endDate: string): Promise<string> {
  const reservations = hotels.database.reservations({ holdsPerUserMax: 1_000 });
  const made = await reservations.reserve(requestFor(hotelId, { startDate, endDate }));
  if (made.kind !== 'reserved') throw new Error(made.kind);
  const { reservationId, priceMinor: amountMinor, currency } = made.reservation;
  await reservations.confirmPayment({
    ...{ reservationId, amountMinor, currency },
    paymentId: `p-${reservationId}`,
  });
  await staysOf().assignRooms(reservationId, [room]);
  return reservationId;
}
const staysOf = () => new Stays({ sql: hotels.database.sql, now: () => hotels.database.clock.now });
const at = (time: string) => {
  hotels.database.clock.now = new Date(time);
};
const rule = { noShowAt: null, reason: 'rule' };
const mark = (hotelId: string, room: string, status: string) =>
  staff('PUT', `${hotelId}/rooms/${room}/housekeeping`, { status });

test('the list has departures before stay-overs, and first what the next guest waits for', async () => {
  const hotelId = await hotels.database.hotel({ total: 7 });
  await hotels.database.sql.query(
    "UPDATE room SET floor = CASE WHEN number IN ('1', '2') THEN 2 ELSE 1 END WHERE hotel_id = $1",
    [hotelId],
  );
  at('2027-07-01T14:00:00Z');
  const leaving = await stayIn(hotelId, 'room-1', '2027-07-01', '2027-07-01');
  const left = await stayIn(hotelId, 'room-2', '2027-07-01', '2027-07-01');
  const staying = await stayIn(hotelId, 'room-3', '2027-07-01', '2027-07-02');
  const alsoLeaving = await stayIn(hotelId, 'room-4', '2027-07-01', '2027-07-01');
  for (const id of [leaving, left, staying, alsoLeaving])
    expect((await staysOf().checkIn(id)).kind).toBe('changed');
  await stayIn(hotelId, 'room-1', '2027-07-02', '2027-07-03');
  await stayIn(hotelId, 'room-5', '2027-07-02', '2027-07-03');
  await hotels.database.sql.query(
    "INSERT INTO room_out_of_order VALUES ($1, 'room-7', '2027-07-02', '2027-07-02')",
    [hotelId],
  );
  at('2027-07-02T08:00:00Z');
  await staysOf().checkOut(left);
  const list = async () =>
    (await staff('GET', `${hotelId}/housekeeping`)).json.rooms.map(
      (room: { number: string; kind: string; arrival: boolean }) =>
        `${room.number} ${room.kind}${room.arrival ? ' arrival' : ''}`,
    );
  const work = ['1 departure arrival', '4 departure', '2 departure', '3 stay-over'];
  expect(await list()).toEqual(work);
  const rules = { checkInNeeds: 'inspected', noShowAt: null, reason: 'new house rule' };
  expect((await staff('PUT', `${hotelId}/house-rules`, rules)).json).toMatchObject({
    checkInNeeds: 'inspected',
  });
  expect(await list()).toEqual([...work, '5 inspection arrival', '6 inspection']);
  expect((await mark(hotelId, 'room-5', 'inspected')).status).toBe(204);
  expect((await mark(hotelId, 'room-2', 'inspected')).json).toMatchObject({
    code: 'room-not-changeable',
    detail: 'The room is dirty.',
  });
  expect((await mark(hotelId, 'room-2', 'available')).status).toBe(204);
  expect(await list()).toEqual([
    ...work.filter((one) => one !== '2 departure'),
    ...['5 inspection arrival', '6 inspection', '2 inspection'].slice(1),
  ]);
  expect((await mark(hotelId, 'room-3', 'available')).json.detail).toBe('The room is occupied.');
  expect((await mark(hotelId, 'room-99', 'dirty')).status).toBe(404);
  expect((await staff('GET', 'nowhere/housekeeping')).status).toBe(404);
  expect((await staff('GET', 'nowhere/house-rules')).status).toBe(404);
  at('2027-06-01T12:00:00Z');
});

test('check-in needs an inspected room where the hotel wants it, and a clean one elsewhere', async () => {
  const hotelId = await hotels.database.hotel({ total: 2 });
  at('2027-07-01T14:00:00Z');
  const one = await stayIn(hotelId, 'room-1', '2027-07-01', '2027-07-01');
  const other = await stayIn(hotelId, 'room-2', '2027-07-01', '2027-07-01');
  expect((await staff('GET', `${hotelId}/house-rules`)).json).toEqual({
    checkInNeeds: 'clean',
    noShowAt: null,
  });
  await staff('PUT', `${hotelId}/house-rules`, { ...rule, checkInNeeds: 'inspected' });
  expect((await staysOf().checkIn(one)).kind).toBe('refused');
  expect((await mark(hotelId, 'room-1', 'inspected')).status).toBe(204);
  expect((await staysOf().checkIn(one)).kind).toBe('changed');
  // A person may decide otherwise.
  expect((await staysOf().checkIn(other)).kind).toBe('refused');
  expect((await staysOf().checkIn(other, { dirtyRooms: true })).kind).toBe('changed');
  await staff('PUT', `${hotelId}/house-rules`, { ...rule, checkInNeeds: 'clean' });
  await staysOf().checkOut(one);
  at('2027-07-02T14:00:00Z');
  const next = await stayIn(hotelId, 'room-1', '2027-07-02', '2027-07-02');
  expect((await staysOf().checkIn(next)).kind).toBe('refused');
  await mark(hotelId, 'room-1', 'available');
  await mark(hotelId, 'room-1', 'inspected');
  expect((await staysOf().checkIn(next)).kind).toBe('changed');
  at('2027-06-01T12:00:00Z');
});

test('all rooms by floor and number, in pages; filtered by status, floor, type and work', async () => {
  const hotelId = await hotels.database.hotel({ total: 12 });
  const { sql } = hotels.database;
  await sql.query('UPDATE room SET floor = (number::integer - 1) / 4 WHERE hotel_id = $1', [hotelId]);
  await sql.query("UPDATE room SET status = 'retired' WHERE hotel_id = $1 AND number = '12'", [hotelId]);
  await sql.query("INSERT INTO room_type (hotel_id, room_type_id, name) VALUES ($1, 'suite', 'Suite')", [
    hotelId,
  ]);
  await sql.query("UPDATE room SET room_type_id = 'suite' WHERE hotel_id = $1 AND number = '11'", [hotelId]);
  await mark(hotelId, 'room-10', 'dirty');
  await mark(hotelId, 'room-3', 'dirty');
  const list = async (query = '') => (await staff('GET', `${hotelId}/rooms${query}`)).json;
  const numbers = ({ rooms }: { rooms: readonly { number: string }[] }) => rooms.map(({ number }) => number);
  const all = await list();
  expect(numbers(all)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
  expect(all).toMatchObject({
    floors: [0, 1, 2],
    toClean: 2,
    statuses: [
      { status: 'available', rooms: 9 },
      { status: 'dirty', rooms: 2 },
      { status: 'retired', rooms: 1 },
    ],
  });
  expect(all.rooms[2]).toEqual({
    ...{ roomID: 'room-3', roomTypeID: 'double', number: '3', floor: 0, status: 'dirty' },
    ...{ kind: 'departure', arrival: false },
  });
  expect(numbers(await list('?status=dirty'))).toEqual(['3', '10']);
  expect(numbers(await list('?toClean=true&floor=2'))).toEqual(['10']);
  expect(numbers(await list('?roomTypeID=suite'))).toEqual(['11']);
  expect(numbers(await list('?number=1'))).toEqual(['1', '10', '11']);
  expect(numbers(await list('?status=retired'))).toEqual(['12']);
  // A page begins behind the last room of the one before, also if the status of that room has changed.
  const first = await list('?limit=5');
  await mark(hotelId, 'room-5', 'dirty');
  const second = await list(`?limit=5&cursor=${first.nextCursor}`);
  const third = await list(`?limit=5&cursor=${second.nextCursor}`);
  expect([first, second, third].flatMap(numbers)).toEqual(numbers(all));
  expect(third.nextCursor).toBeUndefined();
  for (const cursor of [
    'x',
    Buffer.from('[1,"1",2]').toString('base64url'),
    Buffer.from('{}').toString('base64url'),
  ])
    expect((await staff('GET', `${hotelId}/rooms?cursor=${cursor}`)).json.errors[0].pointer).toBe(
      '/query/cursor',
    );
  expect((await staff('GET', 'nowhere/rooms')).status).toBe(404);
});

test('who changes a room says what they saw, and undoes nobody else’s work', async () => {
  const hotelId = await hotels.database.hotel({ total: 1 });
  const change = (status: string, from: string) =>
    staff('PUT', `${hotelId}/rooms/room-1/housekeeping`, { status, from });
  await mark(hotelId, 'room-1', 'dirty');
  await mark(hotelId, 'room-1', 'available');
  expect((await change('inspected', 'available')).status).toBe(204);
  // The others still see a dirty room.
  expect((await change('available', 'dirty')).json).toMatchObject({
    ...{ status: 409, code: 'room-changed-before' },
    detail: 'Somebody else has changed the room: it is inspected now.',
  });
  expect((await change('inspected', 'dirty')).status).toBe(204);
  expect((await staff('GET', `${hotelId}/rooms`)).json.rooms[0].status).toBe('inspected');
});
