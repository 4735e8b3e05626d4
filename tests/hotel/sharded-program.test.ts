import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import { openSql } from '#platform/sql/open-sql.js';
import { newReservationId } from '#schemas/reservation-id.js';
import { meridian, type RunningProgram, startProgram } from '../main-job/running-platform.js';

let data: string;
let program: RunningProgram;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'meridian-sharded-program-'));
});
afterAll(async () => {
  await program?.stop();
  await rm(data, { recursive: true, force: true });
});

const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Malta' }).format(new Date());

test('two servers: a hotel moves while it is booked, and all operations find it', async () => {
  const env = { BOOKINGS_PER_USER: '1000', HOTEL_SHARDS: `b=embedded:${join(data, 'sql-b')}` };
  const settings = { MERIDIAN_DATA: data, ...env };
  const size = ['--hotels', '2', '--room-types', '1', '--rooms', '40', '--days', '30', '--json'];
  const loaded = await meridian(['hotel', 'load', ...size], settings);
  expect(loaded.code, loaded.stderr).toBe(0);
  program = await startProgram('hotel', { data, args: ['serve'], env });
  const customer = await program.token('anna', 'customer');
  const operator = await program.token('olle', 'operator');
  const desk = await program.token('maja', 'desk');
  const call = async (method: string, path: string, body?: object, bearer = customer) => {
    const base = path.startsWith('/v1/staff') ? program.internalUrl : program.url;
    const answer = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: /^[{[]/.test(text) ? JSON.parse(text) : text };
  };
  const stay = { startDate: addDays(today, 10), endDate: addDays(today, 11) };
  const guest = { name: 'Anna Å', email: 'anna@example.org', phone: '+356 2100 0000', guests: 1 };
  const form = (hotelID: string, reservationID: string) => ({
    ...stay,
    hotelID,
    roomTypeID: 't01',
    roomCount: '1',
    reservationID,
    guest,
  });
  expect((await call('POST', '/v1/reservations', form('h00001', 'a'))).status).toBe(201);
  expect((await call('POST', '/v1/reservations', form('h00002', 'b'))).status).toBe(201);

  let isOver = false;
  const booked: string[] = [];
  const booking = (async () => {
    for (let i = 0; !isOver; i += 1) {
      const reservationID = `moving-${i}`;
      for (;;) {
        const { status } = await call('POST', '/v1/reservations', form('h00001', reservationID));
        expect([200, 201, 503]).toContain(status);
        if (status !== 503) break;
      }
      booked.push(reservationID);
      expect((await call('DELETE', `/v1/reservations/${reservationID}`)).status).toBe(200);
    }
  })();
  const moved = await meridian(['hotel', 'move', 'h00001', '--to', 'b'], settings);
  isOver = true;
  await booking;
  expect([moved.code, moved.stdout], moved.stderr).toEqual([
    0,
    expect.stringMatching(/^The hotel h00001 moved from main to b; it was paused for \d+\.\d s\.\n$/),
  ]);
  expect((await meridian(['hotel', 'servers'], settings)).stdout).toBe('main: 1 hotels\nb: 1 hotels\n');

  const again = await call('POST', '/v1/reservations', form('h00001', 'a'));
  expect([again.status, again.json.reservationID]).toEqual([200, 'a']);
  expect((await call('POST', '/v1/reservations', form('h00002', 'a'))).status).toBe(422);
  const named = newReservationId('h00001');
  const wrong = await call('POST', '/v1/reservations', form('h00002', named));
  expect([wrong.status, wrong.json.detail]).toEqual([400, expect.stringContaining('names another hotel')]);
  expect((await call('POST', '/v1/reservations', form('h00001', named))).status).toBe(201);
  expect((await call('GET', `/v1/reservations/${named}`)).json.reservationID).toBe(named);
  expect((await call('DELETE', `/v1/reservations/${named}`)).status).toBe(200);
  expect((await call('GET', '/v1/reservations/a/guest')).json).toMatchObject({ name: 'Anna Å' });
  expect((await call('PUT', '/v1/reservations/a/guest', { ...guest, name: 'Anna B' })).status).toBe(204);
  expect((await call('GET', '/v1/reservations/a/folio')).status).toBe(200);
  const listed: string[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await call('GET', `/v1/reservations?limit=20${cursor}`);
    listed.push(...json.reservations.map(({ reservationID }: { reservationID: string }) => reservationID));
    if (json.nextCursor === undefined) break;
    cursor = `&cursor=${encodeURIComponent(json.nextCursor)}`;
  }
  expect(listed).toEqual([named, ...booked.toReversed(), 'b', 'a']);
  expect((await call('GET', '/v1/hotels/h00001')).status).toBe(200);
  const room = { roomTypeID: 't01', number: '999' };
  expect((await call('POST', '/v1/hotels/h00001/rooms', room, operator)).status).toBe(201);
  const query = new URLSearchParams(stay).toString();
  expect((await call('GET', `/v1/hotels/h00001/room-types/t01/availability?${query}`)).status).toBe(200);
  const found = await call('GET', '/v1/staff/hotels?limit=10', undefined, desk);
  expect(found.json.hotels.map(({ hotelID }: { hotelID: string }) => hotelID)).toEqual(['h00001', 'h00002']);
  const staffList = await call(
    'GET',
    '/v1/staff/reservations?userID=anna&status=pending_payment',
    undefined,
    desk,
  );
  expect(staffList.json.reservations).toHaveLength(2);
  expect((await call('GET', '/v1/staff/reservations/a', undefined, desk)).json.userID).toBe('anna');
  expect((await call('GET', '/v1/hotel-places')).json.hotels).toHaveLength(2);
  expect((await call('DELETE', '/v1/reservations/a')).json.status).toBe('cancelled');
  expect((await call('DELETE', '/v1/users/anna/guest-data')).status).toBe(204);
  expect((await call('GET', '/v1/reservations/a/guest')).status).toBe(404);
  expect(await program.stop()).toBe(0);

  const proof = await meridian(['hotel', 'prove'], settings);
  expect(proof.code, proof.stdout).toBe(0);
  const forgotten = await meridian(['hotel', 'prove'], { MERIDIAN_DATA: data });
  expect([forgotten.code === 0, forgotten.stderr]).toEqual([
    false,
    expect.stringContaining('Set HOTEL_SHARDS.'),
  ]);
  const sql = await openSql(env.HOTEL_SHARDS.slice(2));
  expect((await sql.query('SELECT FROM hotel_outbox')).rows).toEqual([]);
  await sql.close();
}, 180_000);
