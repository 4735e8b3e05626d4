import { afterAll, beforeAll, expect, test } from 'vitest';
import { hotelMigrations } from '#hotel/migrations.js';
import { moveHotel } from '#hotel/sharding/move-hotel.js';
import { proveBookings } from '#processors/booking/prove-bookings.js';
import { eventually } from '../eventually.js';
import { quick } from '../sharding/two-servers.js';
import { openDatabase } from '../shared-postgres.js';
import { BookingRoom } from './booking-fixture.js';

const staff = { staff: true } as const;

let second: Awaited<ReturnType<typeof openDatabase>>;
let room: BookingRoom;
beforeAll(async () => {
  second = await openDatabase('hotel', hotelMigrations, { connectionsMax: 16 });
  room = await BookingRoom.open({ hotels: 3, second: second.sql });
  for (const hotelId of ['h00002', 'h00003']) await move(hotelId, 'b');
});
afterAll(async () => {
  await room?.close();
  await second?.dispose();
});

const move = (hotelId: string, to: string) =>
  moveHotel({ servers: room.servers, ...quick }, hotelId, to).then(({ kind }) => expect(kind).toBe('moved'));

test('hotels on both servers: booked, paid, confirmed, cancelled and refunded', async () => {
  for (const hotelId of ['h00001', 'h00002']) {
    const reservation = await room.reserve(hotelId);
    const payment = await room.registered(reservation);
    await room.typeCard(payment);
    expect(await room.until(reservation, 'paid')).toMatchObject({
      paymentId: payment.paymentOrderId,
      paidMinor: reservation.priceMinor,
    });
    await room.publishAgain();
    await room.quiet();
    expect(await room.orders.charges(payment.paymentOrderId)).toBe(1);
    await room.reservations.cancel(reservation.reservationId, staff);
    expect(await room.until(reservation, 'refunded')).toMatchObject({
      refundDueMinor: reservation.priceMinor,
    });
  }
  const stored = await Promise.all(
    [...room.servers.values()].map((sql) => sql.query('SELECT hotel_id FROM reservation')),
  );
  expect(stored.map(({ rows }) => rows.map((row) => row['hotel_id']))).toEqual([['h00001'], ['h00002']]);
  await room.prove();
});

test('a hotel moves before the payment, and again before the refund', async () => {
  const reservation = await room.reserve('h00003');
  const payment = await room.registered(reservation);
  await move('h00003', 'main');
  await room.typeCard(payment);
  await room.until(reservation, 'paid');
  await room.publishAgain();
  await room.quiet();
  await move('h00003', 'b');
  await room.reservations.cancel(reservation.reservationId, staff);
  await room.until(reservation, 'refunded');
  expect(await room.orders.charges(payment.paymentOrderId)).toBe(1);
  await room.prove();
});

test('the proof finds a difference on the other server', async () => {
  const reservation = await room.reserve('h00002');
  await room.typeCard(await room.registered(reservation));
  await room.until(reservation, 'paid');
  await room.prove();
  const prove = () => room.deps.sql.transaction((tx) => proveBookings(tx, [second.sql]));
  await second.sql.query('UPDATE reservation SET paid_minor = paid_minor + 1 WHERE reservation_id = $1', [
    reservation.reservationId,
  ]);
  expect((await prove()).unproven.map((row) => row.reservation_id)).toEqual([reservation.reservationId]);
  await second.sql.query('UPDATE reservation SET paid_minor = paid_minor - 1 WHERE reservation_id = $1', [
    reservation.reservationId,
  ]);
  await eventually(async () => expect((await prove()).unproven).toEqual([]));
});
