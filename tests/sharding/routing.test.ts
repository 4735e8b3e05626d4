import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveHotel } from '#hotel/sharding/move-hotel.js';
import type { UserId } from '#schemas/units.js';
import { requestFor } from '../hotel/inventory-database.js';
import { openTwoServers, type TwoServers } from './two-servers.js';

let two: TwoServers;
beforeAll(async () => {
  two = await openTwoServers();
  two.relay(async () => {});
});
afterAll(() => two.dispose());

test('an id belongs to one hotel, whichever server has it', async () => {
  const [here, there] = [await two.db.hotel(), await two.db.hotel()];
  await moveHotel(two.moves, there, 'b');
  const { reservations } = two.process();
  const userId = 'anna' as UserId;
  const request = requestFor(here, { userId });
  const both = await Promise.all([
    reservations.reserve(request),
    two.process().reservations.reserve({ ...request, hotelId: there }),
  ]);
  expect(both.map(({ kind }) => kind).toSorted()).toEqual(['differs', 'reserved']);
  const again = { ...request, hotelId: both[0]!.kind === 'reserved' ? there : here };
  expect((await reservations.reserve({ ...again, userId: 'olle' as UserId })).kind).toBe('taken');
  await two.prove();
});

test('a reservation from before there were several servers is found after a move', async () => {
  const hotelId = await two.db.hotel();
  const request = requestFor(hotelId);
  await two.db.reservations().reserve(request);
  const { reservations } = two.process();
  expect((await reservations.reserve(request)).kind).toBe('repeated');
  const other = requestFor(hotelId);
  await two.db.reservations().reserve(other);
  await moveHotel(two.moves, hotelId, 'b');
  expect((await reservations.get(other.reservationId, { staff: true }))?.hotelId).toBe(hotelId);
  expect((await reservations.cancel(other.reservationId, { staff: true })).kind).toBe('changed');
});

test('a user sees the reservations of all servers once, newest first, page by page', async () => {
  const hotels = [await two.db.hotel(), await two.db.hotel()];
  const { reservations } = two.process();
  const userId = `user-${hotels[0]}` as UserId;
  const start = two.db.clock.now;
  const made: string[] = [];
  for (let i = 0; i < 9; i += 1) {
    two.db.clock.now = new Date(start.getTime() + i * 1_000);
    const request = requestFor(hotels[i % 2]!, { userId });
    made.unshift(request.reservationId);
    expect((await reservations.reserve(request)).kind).toBe('reserved');
    if (i === 3) await moveHotel(two.moves, hotels[1]!, 'b');
  }
  two.db.clock.now = start;
  const seen: string[] = [];
  let page = await reservations.list(userId, { limit: 2 });
  while (page.length > 0) {
    seen.push(...page.map(({ reservationId }) => reservationId));
    page = await reservations.list(userId, { limit: 2, before: page.at(-1)! });
  }
  expect(seen).toEqual(made);
});

test('what happens after a move has a higher number than what happened before', async () => {
  const hotelId = await two.db.hotel();
  await moveHotel(two.moves, hotelId, 'b');
  const { reservations } = two.process();
  const request = requestFor(hotelId);
  await reservations.reserve(request);
  await moveHotel(two.moves, hotelId, 'main');
  expect((await reservations.cancel(request.reservationId, { staff: true })).kind).toBe('changed');
  // The history of each reservation is a path.
  await two.prove();
});

test('numbers of people and events of one server are not those of another', async () => {
  const [here, there] = [await two.db.hotel(), await two.db.hotel()];
  await moveHotel(two.moves, there, 'b');
  const { reservations } = two.process();
  const sequences = [];
  for (const hotelId of [here, there, here, there]) {
    const outcome = await reservations.reserve(requestFor(hotelId));
    if (outcome.kind === 'reserved') sequences.push(outcome.reservation.sequence);
  }
  expect(sequences.map((each) => each % 64n)).toEqual([0n, 1n, 0n, 1n]);
});
