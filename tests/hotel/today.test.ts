import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TodayStay } from '#schemas/http/hotel-desk.js';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let hotelID: string;
beforeAll(async () => {
  served = await serveHotels();
});
afterAll(() => served?.close());
beforeEach(async () => {
  served.database.clock.now = new Date('2027-06-01T12:00:00Z');
  hotelID = await served.database.hotel({ total: 20 });
});

const at = (time: string) => {
  served.database.clock.now = new Date(time);
};
const siv = (method: string, path: string, body?: object, token = served.tokens['siv']!) =>
  served.call(method, `/v1/staff/${path}`, {
    ...{ token, listener: 'internal' },
    ...(body === undefined ? {} : { body }),
  });
async function booked(name: string, startDate: string, endDate: string, pay = true): Promise<string> {
  const reservationID = randomUUID();
  const made = await served.call('POST', '/v1/reservations', {
    token: served.tokens['anna']!,
    body: {
      ...{ reservationID, hotelID, roomTypeID: 'double', roomCount: '1', startDate, endDate },
      ...(name === '' ? {} : { guest: { name, guests: 1 } }),
    },
  });
  expect(made.status).toBe(201);
  const amountMinor = BigInt(Math.round(Number(made.json.price) * 100));
  const payment = { reservationId: reservationID, paymentId: `p-${reservationID}`, currency: 'SEK' };
  if (pay) await served.database.reservations().confirmPayment({ ...payment, amountMinor });
  return reservationID;
}
const act = async (id: string, deed: string, body: object = {}) =>
  expect((await siv('POST', `reservations/${id}/${deed}`, body)).status).toBeLessThan(300);
const checkedIn = async (name: string, startDate: string, endDate: string) => {
  const id = await booked(name, startDate, endDate);
  await act(id, 'rooms');
  at(`${startDate}T15:00:00Z`);
  await act(id, 'check-in');
  at('2027-06-01T12:00:00Z');
  return id;
};

interface Shown {
  readonly date: string;
  readonly lists: {
    readonly list: string;
    readonly total: number;
    readonly stays: readonly TodayStay[];
    readonly nextCursor?: string;
  }[];
}
const today = async (query = ''): Promise<Shown> => {
  const answer = await siv('GET', `hotels/${hotelID}/today${query}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return answer.json;
};
const namesIn = ({ lists }: Shown) =>
  lists.map(({ list, stays }) => [list, ...stays.map(({ guestName }) => guestName ?? '?')]);

test('each stay is in one list, with its guest, its rooms and their state, and what is due', async () => {
  await checkedIn('Leaving', '2027-07-01', '2027-07-01');
  await checkedIn('Staying', '2027-07-01', '2027-07-03');
  await booked('Late', '2027-07-01', '2027-07-02');
  const arriving = await booked('Ada <b>', '2027-07-02', '2027-07-03');
  await booked('', '2027-07-02', '2027-07-02');
  await booked('Unpaid', '2027-07-02', '2027-07-02', false);
  await booked('Tomorrow', '2027-07-03', '2027-07-03');
  await booked('Gone', '2027-07-01', '2027-07-01');
  await act(arriving, 'rooms', { roomIDs: ['room-7'] });
  await siv('PUT', `hotels/${hotelID}/rooms/room-7/housekeeping`, { status: 'dirty' });
  const extra = { entryID: 'e1', name: 'Minibar', amount: '45.00', vatPercent: '12', reason: 'minibar' };
  await act(arriving, 'folio/extras', extra);
  at('2027-07-02T08:00:00Z');
  const shown = await today();
  expect(shown.date).toBe('2027-07-02');
  expect(namesIn(shown)).toEqual([
    ['arrivals', '?', 'Ada <b>', 'Late'],
    ['departures', 'Leaving'],
    ['in-house', 'Staying'],
  ]);
  expect(shown.lists[0]!.stays[1]).toEqual({
    ...{ reservationID: arriving, guestName: 'Ada <b>', status: 'paid', roomTypeID: 'double' },
    ...{ roomCount: '1', startDate: '2027-07-02', endDate: '2027-07-03', currency: 'SEK' },
    ...{ rooms: [{ number: '7', status: 'dirty' }], balance: '45.00' },
  });
  expect(shown.lists[1]!.stays[0]).toMatchObject({
    rooms: [{ number: '1', status: 'occupied' }],
    balance: '0.00',
  });
  // Erased: the stay is still expected, without a name.
  await siv('POST', 'guest-erasures', { reservationID: arriving, reason: 'letter' });
  expect(namesIn(await today())[0]).toEqual(['arrivals', '?', '?', 'Late']);
  // In the evening here it is tomorrow there.
  at('2027-07-02T22:30:00Z');
  expect((await today()).date).toBe('2027-07-03');
  expect(namesIn(await today())[1]).toEqual(['departures', 'Leaving']);
});

test('a list is paged without gaps, and every list counts all of its stays', async () => {
  for (let n = 1; n <= 5; n += 1) await booked(`Guest ${n}`, '2027-07-01', '2027-07-02');
  await checkedIn('Here', '2027-07-01', '2027-07-02');
  at('2027-07-01T16:00:00Z');
  const first = await today('?limit=2');
  expect(namesIn(first)).toEqual([['arrivals', 'Guest 5', 'Guest 4'], ['departures'], ['in-house', 'Here']]);
  expect(first.lists.map(({ total }) => total)).toEqual([5, 0, 1]);
  expect(first.lists.map(({ nextCursor }) => nextCursor === undefined)).toEqual([false, true, true]);
  const next = async (cursor: string) => today(`?limit=2&list=arrivals&cursor=${cursor}`);
  const second = await next(first.lists[0]!.nextCursor!);
  expect(namesIn(second)).toEqual([['arrivals', 'Guest 3', 'Guest 2']]);
  expect(second.lists[0]!.total).toBe(5);
  const last = await next(second.lists[0]!.nextCursor!);
  expect(namesIn(last)).toEqual([['arrivals', 'Guest 1']]);
  expect(last.lists[0]!.nextCursor).toBeUndefined();
});

test('what is wrong is refused with one error; another hotel is not found', async () => {
  for (const query of ['?cursor=4', '?limit=0', '?limit=101', '?list=all', '?list=arrivals&cursor=x', '?x=1'])
    expect([query, (await siv('GET', `hotels/${hotelID}/today${query}`)).status]).toEqual([query, 400]);
  expect((await siv('GET', 'hotels/none/today')).status).toBe(404);
  const single = await served.token('mia', 'desk', [hotelID]);
  expect((await siv('GET', `hotels/${hotelID}/today`, undefined, single)).status).toBe(200);
  const other = await served.database.hotel();
  expect((await siv('GET', `hotels/${other}/today`, undefined, single)).status).toBe(404);
});
