import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExpectedStay } from '#hotel/reservations/expected-stay.js';
import type { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { Reservation } from '#hotel/reservations/reservation.js';
import { addDays } from '#hotel/reservations/stay-days.js';
import { Stays } from '#hotel/reservations/stays.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

describe('stays', () => {
  let db: HotelDatabase;
  let reservations: PostgresReservations;
  let stays: Stays;
  const before = new Date('2027-06-01T12:00:00Z');

  beforeAll(async () => {
    db = await openHotelDatabase();
    reservations = db.reservations();
    stays = new Stays({ sql: db.sql, now: () => db.clock.now });
  });
  afterAll(async () => {
    await db?.prove();
    await db?.dispose();
  });

  async function paid(hotelId: string, roomCount = 1): Promise<Reservation> {
    const outcome = await reservations.reserve(requestFor(hotelId, { roomCount }));
    if (outcome.kind !== 'reserved') throw new Error(outcome.kind);
    const { reservationId, priceMinor: amountMinor, currency } = outcome.reservation;
    await reservations.confirmPayment({
      reservationId,
      paymentId: `p-${reservationId}`,
      amountMinor,
      currency,
    });
    return outcome.reservation;
  }
  const numbers = async (reservation: Reservation) =>
    (await stays.assignedRooms(reservation.reservationId)).map((room) => room.number);

  test('H-054: a reservation gets its room numbers later, and no room is assigned twice', async () => {
    const hotelId = await db.hotel({ total: 4, days: 3 });
    const [one, two] = [await paid(hotelId, 2), await paid(hotelId, 2)];
    expect(await numbers(one)).toEqual([]);
    await Promise.all([stays.assignRooms(one.reservationId), stays.assignRooms(two.reservationId)]);
    expect([...(await numbers(one)), ...(await numbers(two))].toSorted()).toEqual(['1', '2', '3', '4']);
    const three = await reservations.reserve(requestFor(hotelId));
    expect(three.kind).toBe('insufficient');
    expect((await stays.assignRooms(one.reservationId, ['room-1'])).kind).toBe('refused');
    const others = (await stays.assignedRooms(two.reservationId)).map((room) => room.roomId);
    const mine = await numbers(one);
    expect(await stays.assignRooms(one.reservationId, others)).toEqual({ kind: 'no-free-rooms' });
    expect(await numbers(one)).toEqual(mine);
    await reservations.cancel(two.reservationId, two);
    expect((await stays.assignRooms(one.reservationId, others)).kind).toBe('assigned');
    expect(await numbers(two)).toEqual([]);
  });

  test('H-054: only a paid reservation gets rooms', async () => {
    const hotelId = await db.hotel({ total: 4, days: 3 });
    const waiting = requestFor(hotelId);
    expect((await reservations.reserve(waiting)).kind).toBe('reserved');
    const refusedAs = (status: string) => ({ kind: 'refused', reservation: { status } });
    expect(await stays.assignRooms(waiting.reservationId)).toMatchObject(refusedAs('pending_payment'));
    const named = await stays.assignRooms(waiting.reservationId, ['room-1']);
    expect(named).toMatchObject(refusedAs('pending_payment'));
    expect(await stays.assignedRooms(waiting.reservationId)).toEqual([]);
    await reservations.cancel(waiting.reservationId, waiting);
    expect(await stays.assignRooms(waiting.reservationId)).toMatchObject(refusedAs('cancelled'));
    const guest = await paid(hotelId);
    expect((await stays.assignRooms(guest.reservationId)).kind).toBe('assigned');
    db.clock.now = new Date('2027-07-01T13:00:00Z');
    expect((await stays.checkIn(guest.reservationId)).kind).toBe('changed');
    expect(await stays.assignRooms(guest.reservationId)).toMatchObject(refusedAs('checked_in'));
    db.clock.now = before;
  });

  test('of two people who assign rooms to the same stay, the second one changes nothing', async () => {
    const hotelId = await db.hotel({ total: 6, days: 6 });
    const mine = await paid(hotelId, 2);
    const { reservationId: id, roomTypeId, startDate, endDate, roomCount } = mine;
    const seen = { roomTypeId, startDate, endDate, roomCount, roomIds: [] };
    const assign = async (rooms: readonly string[], expected: ExpectedStay) =>
      (await stays.assignRooms(id, rooms, expected)).kind;
    expect(await assign(['room-1', 'room-2'], seen)).toBe('assigned');
    expect(await assign(['room-3', 'room-4'], seen)).toBe('changed-before');
    expect(await numbers(mine)).toEqual(['1', '2']);
    // The answer was lost; the order of rooms does not matter.
    expect(await assign(['room-2', 'room-1'], seen)).toBe('assigned');
    expect(await assign(['room-3', 'room-4'], { ...seen, roomIds: ['room-2', 'room-1'] })).toBe('assigned');
    expect(await assign(['room-5', 'room-6'], { ...seen, roomIds: ['room-3'] })).toBe('changed-before');
    // Nights of which nobody knew.
    const earlier = { startDate: addDays(startDate, 1), endDate };
    expect((await reservations.changeStay(id, mine, earlier)).kind).toBe('changed');
    expect(await assign(['room-5', 'room-6'], seen)).toBe('changed-before');
    expect(await assign(['room-5', 'room-6'], { ...seen, ...earlier })).toBe('assigned');
    for (const wrong of [{ roomTypeId: 'suite' }, { roomCount: 1 }, { endDate: startDate }])
      expect(await assign(['room-1', 'room-2'], { ...seen, ...earlier, roomIds: undefined, ...wrong })).toBe(
        'changed-before',
      );
    expect(await numbers(mine)).toEqual(['5', '6']);
  });

  test('a room that is out of order on one of the nights is not assigned', async () => {
    const hotelId = await db.hotel({ total: 2, days: 3 });
    await db.sql.query(`INSERT INTO room_out_of_order VALUES ($1, 'room-1', '2027-07-03', '2027-07-09')`, [
      hotelId,
    ]);
    const one = await paid(hotelId);
    await stays.assignRooms(one.reservationId);
    expect(await numbers(one)).toEqual(['2']);
  });

  test('check-in requires a paid stay, its dates and clean rooms; check-out leaves them dirty', async () => {
    const hotelId = await db.hotel({ total: 2, days: 3 });
    const one = await paid(hotelId);
    await stays.assignRooms(one.reservationId);
    expect((await stays.checkIn(one.reservationId)).kind).toBe('refused');
    db.clock.now = new Date('2027-07-01T13:00:00Z');
    const setRoom = (status: string) =>
      db.sql.query(`UPDATE room SET status = $2::room_status WHERE hotel_id = $1 AND number = '1'`, [
        hotelId,
        status,
      ]);
    await setRoom('dirty');
    expect((await stays.checkIn(one.reservationId)).kind).toBe('refused');
    await setRoom('available');
    expect(await stays.checkIn(one.reservationId)).toMatchObject({
      kind: 'changed',
      reservation: { status: 'checked_in' },
    });
    expect((await stays.checkIn(one.reservationId)).kind).toBe('unchanged');
    expect((await reservations.cancel(one.reservationId, one)).kind).toBe('refused');
    expect(await stays.checkOut(one.reservationId)).toMatchObject({ reservation: { status: 'completed' } });
    const { rows } = await db.sql.query('SELECT status FROM room WHERE hotel_id = $1 ORDER BY number', [
      hotelId,
    ]);
    expect(rows).toEqual([{ status: 'dirty' }, { status: 'available' }]);
    expect(await db.counts(hotelId)).toEqual([1, 1, 1]);
    db.clock.now = before;
  });

  test('a no-show releases the remaining nights, once, and keeps the penalty', async () => {
    const hotelId = await db.hotel({ total: 2, days: 3 });
    await db.sql.query('UPDATE room_type SET late_cancel_percent = 80 WHERE hotel_id = $1', [hotelId]);
    const one = await paid(hotelId, 2);
    db.clock.now = new Date('2027-07-01T20:00:00Z');
    expect((await stays.markNoShow(one.reservationId)).kind).toBe('refused');
    db.clock.now = new Date('2027-07-02T00:00:00Z');
    expect(await stays.markNoShow(one.reservationId)).toMatchObject({
      kind: 'changed',
      reservation: {
        status: 'no_show',
        endDate: '2027-07-01',
        refundDueMinor: 12_000n,
        nightPricesMinor: [10_000n],
      },
    });
    expect((await stays.markNoShow(one.reservationId)).kind).toBe('unchanged');
    expect(await db.counts(hotelId)).toEqual([2, 0, 0]);
    expect((await stays.markNoShow('nobody')).kind).toBe('unknown');
    db.clock.now = before;
  });
});
