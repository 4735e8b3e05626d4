import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hotelLimits } from '#hotel/limits.js';
import { Waitlist, type WaitlistRequest } from '#hotel/waitlist/waitlist.js';
import type { UserId } from '#schemas/units.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

describe('waitlist', () => {
  let db: HotelDatabase;
  let waitlist: Waitlist;

  beforeAll(async () => {
    db = await openHotelDatabase();
    waitlist = new Waitlist({ sql: db.sql, offers: offers(), now: () => db.clock.now });
  });
  afterAll(async () => {
    await db?.prove();
    await db?.dispose();
  });

  const offers = () => db.reservations({ holdSeconds: hotelLimits.offerSeconds, holdsPerUserMax: 1_000_000 });
  const wish = (hotelId: string, given: Partial<WaitlistRequest> = {}): WaitlistRequest => {
    const { reservationId: entryId, ...request } = requestFor(hotelId);
    return { ...request, entryId, ...given };
  };
  const statusOf = async ({ userId }: { readonly userId: UserId }) =>
    (await waitlist.list(userId))[0]?.status;

  test('rooms that become free are offered once, to the longest waiting guest whom they fit', async () => {
    const hotelId = await db.hotel({ total: 2, days: 3 });
    const reservations = db.reservations();
    const holder = requestFor(hotelId, { roomCount: 2 });
    await reservations.reserve(holder);
    const [big, first, second] = [wish(hotelId, { roomCount: 2 }), wish(hotelId), wish(hotelId)];
    for (const one of [big, first, second]) expect((await waitlist.join(one)).kind).toBe('joined');
    expect(await waitlist.offerFreedRooms()).toBe(0);
    await reservations.cancel(holder.reservationId, holder, { rooms: 1 });
    // Two of this process and one of another.
    const other = new Waitlist({ sql: db.sql, offers: offers(), now: () => db.clock.now });
    const made = await Promise.all([
      waitlist.offerFreedRooms(),
      other.offerFreedRooms(),
      waitlist.offerFreedRooms(),
    ]);
    expect(made.reduce((a, b) => a + b)).toBe(1);
    expect([await statusOf(big), await statusOf(first), await statusOf(second)]).toEqual([
      'waiting',
      'offered',
      'waiting',
    ]);
    expect(await db.counts(hotelId)).toEqual([2, 2, 2]);
    const [entry] = await waitlist.list(first.userId);
    expect(await reservations.get(entry!.reservationId, first)).toMatchObject({
      status: 'pending_payment',
      userId: first.userId,
      holdExpiresAt: new Date(db.clock.now.getTime() + hotelLimits.offerSeconds * 1_000),
    });
  });

  test('an expired offer lapses and goes to the next', async () => {
    const hotelId = await db.hotel({ total: 1, days: 3 });
    const reservations = db.reservations();
    const holder = requestFor(hotelId);
    await reservations.reserve(holder);
    const [first, second] = [wish(hotelId), wish(hotelId)];
    await waitlist.join(first);
    await waitlist.join(second);
    await reservations.cancel(holder.reservationId, holder);
    await waitlist.offerFreedRooms();
    const before = db.clock.now;
    db.clock.now = new Date(before.getTime() + hotelLimits.offerSeconds * 1_000);
    await reservations.expireHolds();
    expect(await waitlist.offerFreedRooms()).toBeGreaterThan(0);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['lapsed', 'offered']);
    db.clock.now = before;
  });

  test('joining twice is one entry; only its owner withdraws it; a stay that started lapses', async () => {
    const hotelId = await db.hotel();
    const mine = wish(hotelId);
    expect((await waitlist.join(mine)).kind).toBe('joined');
    expect((await waitlist.join(mine)).kind).toBe('repeated');
    expect((await waitlist.join({ ...mine, userId: 'other' as UserId })).kind).toBe('taken');
    expect((await waitlist.join(wish(hotelId, { roomTypeId: 'suite' }))).kind).toBe('unknown-room-type');
    expect((await waitlist.join(wish(hotelId, { endDate: '2027-02-30' }))).kind).toBe('invalid');
    expect(await waitlist.withdraw(mine.entryId, 'other' as UserId)).toBe(false);
    expect(await waitlist.withdraw('\0', mine.userId)).toBe(false);
    expect(await waitlist.withdraw(mine.entryId, mine.userId)).toBe(true);
    expect(await statusOf(mine)).toBe('withdrawn');

    const late = wish(hotelId);
    await waitlist.join(late);
    const before = db.clock.now;
    db.clock.now = new Date('2027-07-01T22:00:00Z');
    await waitlist.offerFreedRooms();
    expect(await statusOf(late)).toBe('lapsed');
    db.clock.now = before;
  });

  test('one user waits at most twenty times, also with concurrent attempts', async () => {
    const hotelId = await db.hotel();
    const userId = `user-${randomUUID()}` as UserId;
    const tries = Array.from({ length: 60 }, () => waitlist.join(wish(hotelId, { userId })));
    const kinds = (await Promise.all(tries)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'joined')).toHaveLength(hotelLimits.waitingPerUserMax);
    expect(kinds.filter((kind) => kind === 'too-many')).toHaveLength(60 - hotelLimits.waitingPerUserMax);
  });
});
