import { afterAll, beforeAll, expect, test } from 'vitest';
import { hotelLimits } from '#hotel/limits.js';
import { moveHotel } from '#hotel/sharding/move-hotel.js';
import { Waitlist } from '#hotel/waitlist/waitlist.js';
import type { UserId } from '#schemas/units.js';
import { requestFor } from '../hotel/inventory-database.js';
import { openTwoServers, type TwoServers } from './two-servers.js';

let two: TwoServers;
beforeAll(async () => {
  two = await openTwoServers();
  two.relay(async () => {});
});
afterAll(() => two.dispose());

const { holdsPerUserMax, waitingPerUserMax } = hotelLimits;

/** One hotel at each of the servers. */
async function hotelAtEach(): Promise<readonly [string, string]> {
  const [here, there] = [await two.db.hotel(), await two.db.hotel()];
  await moveHotel(two.moves, there, 'b');
  return [here, there];
}

test('a user has at most five unpaid reservations on each server, however many come at a time', async () => {
  const hotels = await hotelAtEach();
  const userId = `user-${hotels[0]}` as UserId;
  const processes = [two.process({ holdsPerUserMax }), two.process({ holdsPerUserMax })];
  const reserve = (hotelId: string, n: number) =>
    processes[n % 2]!.reservations.reserve(requestFor(hotelId, { userId })).then(({ kind }) => kind);
  const outcomes = await Promise.all(
    hotels.map((hotelId) => Promise.all(Array.from({ length: 20 }, (_, n) => reserve(hotelId, n)))),
  );
  for (const kinds of outcomes) {
    expect(kinds.filter((kind) => kind === 'reserved')).toHaveLength(holdsPerUserMax);
    expect(new Set(kinds)).toEqual(new Set(['reserved', 'too-many-holds']));
  }
  // What moves is kept, and counts where its hotel is.
  await moveHotel(two.moves, hotels[1], 'main');
  const other = await two.db.hotel();
  await moveHotel(two.moves, other, 'b');
  expect(await reserve(hotels[0], 0)).toBe('too-many-holds');
  expect(await reserve(hotels[1], 0)).toBe('too-many-holds');
  expect(await reserve(other, 0)).toBe('reserved');
  await two.prove();
});

test('a user waits in 20 waitlists over all servers, however many are joined at a time', async () => {
  const hotels = await hotelAtEach();
  const userId = `waits-${hotels[0]}` as UserId;
  const everywhere = [two.db.sql, two.b];
  const offers = two.process().reservations;
  const lists = everywhere.map(
    (sql) => new Waitlist({ sql, everywhere, offers, now: () => two.db.clock.now }),
  );
  const join = (at: number, n: number) =>
    lists[at]!.join({
      ...{ entryId: `${hotels[at]}-${n}`, userId, hotelId: hotels[at]!, roomTypeId: 'double' },
      ...{ startDate: '2027-07-01', endDate: '2027-07-02', roomCount: 1 },
    }).then(({ kind }) => kind);
  const kinds = await Promise.all(Array.from({ length: 60 }, (_, n) => join(n % 2, n)));
  expect(kinds.filter((kind) => kind === 'joined')).toHaveLength(waitingPerUserMax);
  expect(new Set(kinds)).toEqual(new Set(['joined', 'too-many']));
  // Another user is not held up by it, and one that has left a waitlist may join another, at either server.
  const [entry] = await lists[0]!.list(userId);
  expect(await lists[0]!.withdraw(entry!.entryId, userId)).toBe(true);
  const at = entry!.hotelId === hotels[0] ? 1 : 0;
  expect(await join(at, 100)).toBe('joined');
  expect(await join(1 - at, 101)).toBe('too-many');
  // Repeated, it is the same entry.
  expect(await join(at, 100)).toBe('repeated');
});
