import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RoomPlanView } from '#schemas/http/hotel-desk.js';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let hotelID: string;
beforeAll(async () => {
  served = await serveHotels();
});
afterAll(() => served?.close());
beforeEach(async () => {
  served.database.clock.now = new Date('2027-06-01T12:00:00Z');
  hotelID = await served.database.hotel({ total: 12 });
});

const siv = (method: string, path: string, body?: object, token = served.tokens['siv']!) =>
  served.call(method, `/v1/staff/${path}`, {
    ...{ token, listener: 'internal' },
    ...(body === undefined ? {} : { body }),
  });
async function booked(name: string, startDate: string, endDate: string, rooms = 1): Promise<string> {
  const reservationID = randomUUID();
  const made = await served.call('POST', '/v1/reservations', {
    token: served.tokens['anna']!,
    body: {
      ...{ reservationID, hotelID, roomTypeID: 'double', roomCount: String(rooms), startDate, endDate },
      guest: { name, guests: rooms },
    },
  });
  expect(made.status).toBe(201);
  const amountMinor = BigInt(Math.round(Number(made.json.price) * 100));
  const payment = { reservationId: reservationID, paymentId: `p-${reservationID}`, currency: 'SEK' };
  await served.database.reservations().confirmPayment({ ...payment, amountMinor });
  return reservationID;
}
const assign = (id: string, ...roomIDs: string[]) =>
  siv('POST', `reservations/${id}/rooms`, roomIDs.length === 0 ? {} : { roomIDs });
const plan = async (query = '?from=2027-07-01'): Promise<RoomPlanView> => {
  const answer = await siv('GET', `hotels/${hotelID}/room-plan${query}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return answer.json;
};
const namesOf = (stays: RoomPlanView['stays']) => stays.map(({ guestName }) => guestName);

test('rooms of a type, who has them, who has none yet, and what is out of order', async () => {
  const { sql } = served.database;
  await sql.query("INSERT INTO room_type (hotel_id, room_type_id, name) VALUES ($1, 'attic', 'Attic')", [
    hotelID,
  ]);
  const ada = await booked('Ada', '2027-07-01', '2027-07-02', 2);
  const bo = await booked('Bo', '2027-07-03', '2027-07-04');
  await booked('Waits', '2027-07-02', '2027-07-03');
  const before = await booked('Before', '2027-07-01', '2027-07-01');
  await booked('Later', '2027-07-09', '2027-07-09');
  const cancelled = await booked('Cancelled', '2027-07-02', '2027-07-02');
  await assign(ada, 'room-1', 'room-12');
  await assign(bo, 'room-1');
  await assign(before, 'room-2');
  await assign(cancelled, 'room-3');
  await siv('POST', `reservations/${cancelled}/cancellation`, { reason: 'rang' });
  await sql.query("INSERT INTO room_out_of_order VALUES ($1, 'room-4', '2027-07-03', '2027-07-20')", [
    hotelID,
  ]);
  await sql.query("INSERT INTO room_out_of_order VALUES ($1, 'room-4', '2027-08-03', '2027-08-20')", [
    hotelID,
  ]);
  await sql.query(
    "UPDATE room SET in_service_from = '2027-07-04' WHERE hotel_id = $1 AND room_id = 'room-5'",
    [hotelID],
  );
  await sql.query("UPDATE room SET status = 'retired' WHERE hotel_id = $1 AND room_id = 'room-6'", [hotelID]);
  const shown = await plan('?from=2027-07-02&nights=3&roomTypeID=double');
  expect(shown).toMatchObject({
    ...{ today: '2027-06-01', from: '2027-07-02', to: '2027-07-04', roomTypeID: 'double' },
    types: [
      { roomTypeID: 'attic', rooms: 0, unassigned: 0 },
      { roomTypeID: 'double', rooms: 11, unassigned: 1 },
    ],
  });
  expect(shown.rooms.map(({ number }) => number)).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '7',
    '8',
    '9',
    '10',
    '11',
    '12',
  ]);
  expect(
    shown.rooms.flatMap(({ number, closed }) => closed.map(({ from, to }) => [number, from, to])),
  ).toEqual([
    ['4', '2027-07-03', '2027-07-20'],
    ['5', '2027-07-02', '2027-07-03'],
  ]);
  expect(namesOf(shown.stays)).toEqual(['Ada', 'Bo']);
  expect(shown.stays[0]).toEqual({
    ...{ reservationID: ada, guestName: 'Ada', status: 'paid', roomTypeID: 'double', roomCount: '2' },
    ...{ startDate: '2027-07-01', endDate: '2027-07-02' },
    rooms: [
      { roomID: 'room-1', number: '1' },
      { roomID: 'room-12', number: '12' },
    ],
  });
  expect(namesOf(shown.unassigned)).toEqual(['Waits']);
  // Without a type the first one, without a day today.
  expect(await plan('')).toMatchObject({ from: '2027-06-01', to: '2027-06-14', roomTypeID: 'attic' });
});

test('rooms are paged; a stay in a room of another page is left out, and names all its rooms', async () => {
  const both = await booked('Both', '2027-07-01', '2027-07-01', 2);
  const last = await booked('Last', '2027-07-01', '2027-07-01');
  await assign(both, 'room-2', 'room-11');
  await assign(last, 'room-12');
  const first = await plan('?from=2027-07-01&limit=10');
  expect(first.rooms).toHaveLength(10);
  expect(namesOf(first.stays)).toEqual(['Both']);
  const second = await plan(`?from=2027-07-01&limit=10&cursor=${first.nextCursor}`);
  expect(second.rooms.map(({ number }) => number)).toEqual(['11', '12']);
  expect(namesOf(second.stays)).toEqual(['Both', 'Last']);
  expect(second.stays[0]!.rooms.map(({ number }) => number)).toEqual(['2', '11']);
  expect(second.nextCursor).toBeUndefined();
});

test('of 2,000 rooms and 50 types an answer has 50 rooms, and at most 100 stays without one', async () => {
  const { sql } = served.database;
  hotelID = await served.database.hotel({ total: 140 });
  await sql.query(
    `INSERT INTO room_type (hotel_id, room_type_id, name)
     SELECT $1, 'type-' || t, 'Type ' || t FROM generate_series(1, 49) t`,
    [hotelID],
  );
  await sql.query(
    `INSERT INTO room (hotel_id, room_id, room_type_id, number)
     SELECT $1, t || '-' || n, 'type-' || t, t || '-' || n
     FROM generate_series(1, 49) t, generate_series(1, 38) n`,
    [hotelID],
  );
  for (let n = 0; n < 101; n += 1) await booked(`Guest ${n}`, '2027-07-01', '2027-07-02');
  const shown = await plan('?from=2027-07-01&roomTypeID=double');
  expect(shown.types).toHaveLength(50);
  expect(shown.types.reduce((sum, { rooms }) => sum + rooms, 0)).toBe(2_002);
  expect(shown.types.find(({ roomTypeID }) => roomTypeID === 'double')).toMatchObject({
    ...{ rooms: 140, unassigned: 101 },
  });
  expect([shown.rooms.length, shown.unassigned.length]).toEqual([50, 100]);
  expect(namesOf(shown.unassigned)[0]).toBe('Guest 0');
});

test('a stay moves to another room at once; a room that is taken or out of order refuses it', async () => {
  const ada = await booked('Ada', '2027-07-01', '2027-07-02');
  const bo = await booked('Bo', '2027-07-02', '2027-07-03');
  await assign(ada, 'room-1');
  await assign(bo, 'room-2');
  expect((await assign(ada, 'room-2')).json).toMatchObject({ status: 409, code: 'no-free-rooms' });
  await served.database.sql.query(
    "UPDATE room SET status = 'out_of_order' WHERE hotel_id = $1 AND room_id = 'room-3'",
    [hotelID],
  );
  expect((await assign(ada, 'room-3')).json).toMatchObject({ status: 409, code: 'no-free-rooms' });
  expect((await plan()).stays.map(({ rooms }) => rooms[0]!.number)).toEqual(['1', '2']);
  expect((await assign(ada, 'room-5')).status).toBe(200);
  expect((await plan()).stays.map(({ rooms }) => rooms[0]!.number)).toEqual(['5', '2']);
});

test('what is wrong is refused with one error; another hotel is not found', async () => {
  const wrong = ['nights=0', 'nights=32', 'limit=101', 'cursor=x', 'from=2027-02-30', 'from=9999-12-31'];
  for (const query of [...wrong, 'from=0001-01-01', 'to=2027-07-01'])
    expect([query, (await siv('GET', `hotels/${hotelID}/room-plan?${query}`)).status]).toEqual([query, 400]);
  expect((await siv('GET', `hotels/${hotelID}/room-plan?roomTypeID=none`)).status).toBe(404);
  expect((await siv('GET', 'hotels/none/room-plan')).status).toBe(404);
  const single = await served.token('mia', 'desk', [hotelID]);
  expect((await siv('GET', `hotels/${hotelID}/room-plan`, undefined, single)).status).toBe(200);
  const other = await served.database.hotel();
  expect((await siv('GET', `hotels/${other}/room-plan`, undefined, single)).status).toBe(404);
});
