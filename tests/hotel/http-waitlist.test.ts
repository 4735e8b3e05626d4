import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
beforeAll(async () => {
  served = await serveHotels();
});
afterAll(() => served?.close());

test('a waiting guest is offered freed rooms as their reservation; no one else sees or ends it', async () => {
  const { anna, bo } = served.tokens as { anna: string; bo: string };
  const hotelID = await served.database.hotel({ total: 1 });
  const stay = {
    hotelID,
    roomTypeID: 'double',
    startDate: '2027-07-01',
    endDate: '2027-07-02',
    roomCount: '1',
  };
  const post = (path: string, token: string, body: object) => served.call('POST', path, { token, body });
  expect((await post('/v1/reservations', anna, { ...stay, reservationID: 'full' })).status).toBe(201);
  const entry = { ...stay, entryID: 'place-1' };
  const joined = await post('/v1/waitlist', bo, entry);
  expect([joined.status, joined.json]).toEqual([
    201,
    { ...entry, status: 'waiting', createdAt: '2027-06-01T12:00:00.000Z' },
  ]);
  expect((await post('/v1/waitlist', bo, entry)).status).toBe(200);
  expect((await post('/v1/waitlist', anna, entry)).json.code).toBe('reservation-id-taken');
  expect((await served.call('DELETE', '/v1/waitlist/place-1', { token: anna })).status).toBe(404);
  expect((await served.call('GET', '/v1/waitlist', { token: anna })).json.entries).toEqual([]);
  expect(await served.waitlist.offerFreedRooms()).toBe(0);

  await served.call('DELETE', '/v1/reservations/full', { token: anna });
  expect(await served.waitlist.offerFreedRooms()).toBe(1);
  const [offered] = (await served.call('GET', '/v1/waitlist', { token: bo })).json.entries;
  expect(offered.status).toBe('offered');
  const held = await served.call('GET', `/v1/reservations/${offered.reservationID}`, { token: bo });
  expect([held.status, held.json.status, held.json.startDate]).toEqual([
    200,
    'pending_payment',
    '2027-07-01',
  ]);
  expect((await served.call('DELETE', '/v1/waitlist/place-1', { token: bo })).status).toBe(404);
  await served.database.prove();
});

test('refuses invalid entries: ranges, counts, unknown room types, own withdrawn entries', async () => {
  const token = served.tokens['anna']!;
  const hotelID = await served.database.hotel();
  const entry = {
    entryID: 'p',
    hotelID,
    roomTypeID: 'double',
    startDate: '2027-07-01',
    endDate: '2027-07-02',
    roomCount: '1',
  };
  const post = (over: object) => served.call('POST', '/v1/waitlist', { token, body: { ...entry, ...over } });
  for (const over of [
    { endDate: '2027-06-30' },
    { endDate: '2027-09-30' },
    { roomCount: '0' },
    { roomCount: 1 },
    { entryID: 'a b' },
    { startDate: '2027-02-29' },
    { status: 'offered' },
  ])
    expect((await post(over)).status, JSON.stringify(over)).toBe(400);
  expect((await post({ roomTypeID: 'castle' })).status).toBe(404);
  expect((await post({ entryID: 'gone' })).status).toBe(201);
  expect((await served.call('DELETE', '/v1/waitlist/gone', { token })).status).toBe(204);
  expect((await served.call('DELETE', '/v1/waitlist/gone', { token })).status).toBe(404);
});
