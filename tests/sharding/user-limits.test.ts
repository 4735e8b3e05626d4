import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hotelLimits } from '#hotel/limits.js';
import type { Reservations } from '#hotel/reservations/reservations.js';
import { moveHotel } from '#hotel/sharding/move-hotel.js';
import { Waitlist } from '#hotel/waitlist/waitlist.js';
import type { UserId } from '#schemas/units.js';
import { eventually } from '../eventually.js';
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

describe('unpaid reservations of a user over all servers', () => {
  const processes = () => [two.process({ holdsPerUserMax }), two.process({ holdsPerUserMax })] as const;
  const reserve = (
    at: { reservations: Reservations },
    hotelId: string,
    userId: string,
    reservationId?: string,
  ) =>
    at.reservations.reserve(
      requestFor(hotelId, { userId: userId as UserId, ...(reservationId && { reservationId }) }),
    );

  test('are at most five, however many are requested at a time', async () => {
    const [hotels, both] = [await hotelAtEach(), processes()];
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        reserve(both[n % 2]!, hotels[Math.floor(n / 2) % 2]!, `user-${hotels[0]}`),
      ),
    );
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'reserved')).toHaveLength(holdsPerUserMax);
    expect(new Set(kinds)).toEqual(new Set(['reserved', 'too-many-holds']));
    // A hotel that moves takes none of them away.
    await moveHotel(two.moves, hotels[1], 'main');
    const other = await two.db.hotel();
    await moveHotel(two.moves, other, 'b');
    for (const hotelId of [...hotels, other])
      expect(await reserve(both[0], hotelId, `user-${hotels[0]}`)).toEqual({ kind: 'too-many-holds' });
    expect((await reserve(both[0], other, `another-${hotels[0]}`)).kind).toBe('reserved');
    await two.prove();
  });

  test('make room when one ends, and one that exists can be requested again', async () => {
    const [hotels, [one, other]] = [await hotelAtEach(), processes()];
    const userId = `user-${hotels[0]}`;
    const ids = Array.from({ length: holdsPerUserMax }, (_, n) => `${hotels[0]}-${n}`);
    for (const [n, id] of ids.entries())
      expect((await reserve(one, hotels[n % 2]!, userId, id)).kind).toBe('reserved');
    expect((await reserve(other, hotels[0], userId)).kind).toBe('too-many-holds');
    expect((await reserve(other, hotels[0], userId, ids[0])).kind).toBe('repeated');
    expect((await one.reservations.cancel(ids[1]!, { staff: true })).kind).toBe('changed');
    expect((await reserve(other, hotels[0], userId)).kind).toBe('reserved');
    expect((await reserve(other, hotels[1], userId)).kind).toBe('too-many-holds');
    // The cancelled one is known; it does not become a sixth.
    expect((await reserve(other, hotels[1], userId, ids[1])).kind).toBe('repeated');
  });

  test('are not used up by requests that are refused', async () => {
    const [[hotelId], [one]] = [await hotelAtEach(), processes()];
    const user = { userId: `user-${hotelId}` as UserId };
    const never = { ...user, startDate: '2099-01-01', endDate: '2099-01-01' };
    for (let n = 0; n < 2 * holdsPerUserMax; n += 1)
      expect((await one.reservations.reserve(requestFor(hotelId, never))).kind).toBe('not-bookable');
    expect((await one.reservations.reserve(requestFor(hotelId, user))).kind).toBe('reserved');
  });

  test('a program that died before it made the reservation takes a place for a minute', async () => {
    const [[hotelId], [one]] = [await hotelAtEach(), processes()];
    const userId = `user-${hotelId}`;
    await two.db.sql.query(
      `INSERT INTO user_hold (user_id, reservation_id, requests, claimed_at)
       SELECT $1, $1 || n, 1, clock_timestamp() - make_interval(secs => 58) FROM generate_series(1, $2) n`,
      [userId, holdsPerUserMax],
    );
    expect((await reserve(one, hotelId, userId)).kind).toBe('too-many-holds');
    await eventually(async () => expect((await reserve(one, hotelId, userId)).kind).toBe('reserved'));
  });
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
