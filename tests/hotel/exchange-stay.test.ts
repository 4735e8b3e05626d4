import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { Reservation } from '#hotel/reservations/reservation.js';
import type { ReserveRequest } from '#hotel/reservations/reservations.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

let db: HotelDatabase;
let reservations: PostgresReservations;
beforeAll(async () => {
  db = await openHotelDatabase();
  reservations = db.reservations({ holdsPerUserMax: 1_000 });
});
afterAll(() => db?.dispose());

const pay = ({ reservationId, priceMinor, currency }: Reservation, by = reservations) =>
  by.confirmPayment({ reservationId, paymentId: `p-${reservationId}`, amountMinor: priceMinor, currency });
const reserved = async (hotelId: string, given: Partial<ReserveRequest> = {}): Promise<Reservation> => {
  const outcome = await reservations.reserve(requestFor(hotelId, given));
  if (outcome.kind !== 'reserved') throw new Error(outcome.kind);
  return outcome.reservation;
};
const paidStay = async (hotelId: string): Promise<Reservation> => {
  const made = await reserved(hotelId);
  await pay(made);
  return (await reservations.get(made.reservationId, made))!;
};
const read = ({ reservationId }: Reservation) => reservations.get(reservationId, { staff: true });
const to = (old: Reservation, given: Partial<ReserveRequest> = {}) =>
  requestFor(old.hotelId, { userId: old.userId, replaces: old.reservationId, ...given });

test('a paid stay is replaced when the dearer one is paid, and all of its payment is due back', async () => {
  const hotelId = await db.hotel();
  const old = await paidStay(hotelId);
  const longer = await reserved(hotelId, to(old, { endDate: '2027-07-05' }));
  expect(await read(old)).toEqual(old);
  expect((await pay(longer)).kind).toBe('paid');
  expect(await read(old)).toMatchObject({ status: 'cancelled', refundDueMinor: 30_000n });
  expect(await read(longer)).toMatchObject({ status: 'paid', priceMinor: 50_000n });
  expect((await db.counts(hotelId)).slice(0, 6)).toEqual([1, 1, 1, 1, 1, 0]);
  expect((await pay(longer)).kind).toBe('paid-before');
  await db.prove();
});

test('an exchange that is not paid leaves the paid stay as it is, and another one may follow', async () => {
  const hotelId = await db.hotel();
  const old = await paidStay(hotelId);
  const first = await reserved(hotelId, to(old, { endDate: '2027-07-04' }));
  expect(await reservations.reserve(to(old, { endDate: '2027-07-05' }))).toEqual({
    kind: 'exchange-pending',
  });
  await reservations.rejectPayment(first.reservationId);
  expect(await read(old)).toEqual(old);
  const refused = to(old, { roomTypeId: 'attic' });
  expect((await reservations.reserve(refused)).kind).toBe('unknown-room-type');
  const second = await reserved(hotelId, to(old, { endDate: '2027-07-05' }));
  await reservations.cancel(old.reservationId, old);
  expect((await pay(second)).kind).toBe('paid');
  expect(await read(old)).toMatchObject({ status: 'cancelled', refundDueMinor: 30_000n });
  await db.prove();
});

test('only one’s own paid stay at the same hotel is replaced, and an id keeps its meaning', async () => {
  const hotelId = await db.hotel();
  const old = await paidStay(hotelId);
  const not = { kind: 'not-exchangeable' };
  expect(await reservations.reserve(requestFor(hotelId, { replaces: old.reservationId }))).toEqual(not);
  expect(await reservations.reserve(to(old, { replaces: 'none' }))).toEqual(not);
  expect(await reservations.reserve(to(old, { hotelId: await db.hotel() }))).toEqual(not);
  const unpaid = await reserved(hotelId);
  expect(await reservations.reserve(to(unpaid))).toEqual(not);
  const own = to(old, { reservationId: old.reservationId });
  expect((await reservations.reserve(own)).kind).toBe('invalid');
  const plain = requestFor(hotelId, { userId: old.userId });
  await reserved(hotelId, plain);
  expect(await reservations.reserve({ ...plain, replaces: old.reservationId })).toEqual({ kind: 'differs' });
  const asked = to(old);
  await reserved(hotelId, asked);
  expect((await reservations.reserve(asked)).kind).toBe('repeated');
  await db.prove();
});

test('of two exchanges at once, one is made', async () => {
  const hotelId = await db.hotel();
  const old = await paidStay(hotelId);
  const outcomes = await Promise.all([reservations.reserve(to(old)), reservations.reserve(to(old))]);
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['exchange-pending', 'reserved']);
});

test('no exchange is a way around the terms', async () => {
  const hotelId = await db.hotel();
  const old = await paidStay(hotelId);
  const late = db.reservations({ now: () => new Date('2027-06-30T14:00:00Z') });
  const outcome = await late.reserve(to(old, { startDate: '2027-07-08', endDate: '2027-07-09' }));
  if (outcome.kind !== 'reserved') throw new Error(outcome.kind);
  expect(outcome.reservation.freeCancelUntil > old.freeCancelUntil).toBe(true);
  await pay(outcome.reservation, late);
  // 100.00 less, of which the terms keep all.
  expect(await read(old)).toMatchObject({ status: 'cancelled', refundDueMinor: 20_000n });
  expect(await read(outcome.reservation)).toMatchObject({ freeCancelUntil: old.freeCancelUntil });
  expect(await late.cancel(outcome.reservation.reservationId, old)).toMatchObject({
    reservation: { status: 'cancelled', refundDueMinor: 0n },
  });
});
