import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPayLink } from '#hotel/folio/pay-link.js';
import { postExtra, voidExtra } from '#hotel/folio/post-extra.js';
import { paymentsOfReservation, readFolio } from '#hotel/folio/read-folio.js';
import type { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { Reservation } from '#hotel/reservations/reservation.js';
import type { ReserveRequest, StayChange } from '#hotel/reservations/reservations.js';
import { Stays } from '#hotel/reservations/stays.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

let db: HotelDatabase;
let reservations: PostgresReservations;
beforeAll(async () => {
  db = await openHotelDatabase();
  reservations = db.reservations({ holdsPerUserMax: 1_000 });
});
afterAll(() => db?.dispose());

const staff = { staff: true } as const;
const read = async ({ reservationId }: Reservation) => (await reservations.get(reservationId, staff))!;
const pay = ({ reservationId, priceMinor, currency }: Reservation) =>
  reservations.confirmPayment({
    reservationId,
    paymentId: `p-${reservationId}`,
    amountMinor: priceMinor,
    currency,
  });
const payMore = ({ reservationId, currency, supplement }: Reservation, by = reservations) =>
  by.confirmPayment({
    ...{ reservationId, currency, supplementId: supplement!.id, amountMinor: supplement!.amountMinor },
    paymentId: `p-${supplement!.id}`,
  });
const reserved = async (hotelId: string, given: Partial<ReserveRequest> = {}): Promise<Reservation> => {
  const outcome = await reservations.reserve(requestFor(hotelId, given));
  if (outcome.kind !== 'reserved') throw new Error(outcome.kind);
  return outcome.reservation;
};
const paidStay = async (hotelId: string, given: Partial<ReserveRequest> = {}): Promise<Reservation> => {
  const made = await reserved(hotelId, given);
  await pay(made);
  return read(made);
};
const waiting = async (mine: Reservation, change: StayChange, by = reservations): Promise<Reservation> => {
  const outcome = await by.changeStay(mine.reservationId, mine, change);
  if (outcome.kind !== 'to-pay') throw new Error(outcome.kind);
  return outcome.reservation;
};
const later = (ms: number) =>
  db.reservations({ now: () => new Date(db.clock.now.getTime() + ms), holdsPerUserMax: 1_000 });
const days = async (hotelId: string) => (await db.counts(hotelId)).slice(0, 6);

const longer: StayChange = { endDate: '2027-07-05', differenceMinor: 20_000n };

test('a paid stay becomes longer when exactly the difference is captured', async () => {
  const hotelId = await db.hotel();
  const mine = await paidStay(hotelId);
  const { endDate } = longer;
  const quoted = { kind: 'quoted', priceMinor: 50_000n, differenceMinor: 20_000n, grantedMinor: 0n };
  expect(await reservations.quoteChange(mine.reservationId, mine, { endDate })).toMatchObject(quoted);
  const dearer = { kind: 'dearer', differenceMinor: 20_000n };
  expect(await reservations.changeStay(mine.reservationId, mine, { endDate })).toMatchObject(dearer);
  const other = { endDate, differenceMinor: 19_999n };
  expect(await reservations.changeStay(mine.reservationId, mine, other)).toMatchObject(dearer);
  expect(await days(hotelId)).toEqual([1, 1, 1, 0, 0, 0]);
  expect(await read(mine)).toEqual(mine);

  const open = await waiting(mine, longer);
  expect(open).toMatchObject({
    status: 'paid',
    endDate: '2027-07-03',
    priceMinor: 30_000n,
    paidMinor: 30_000n,
  });
  expect(open.supplement).toMatchObject({ amountMinor: 20_000n });
  expect(await days(hotelId)).toEqual([1, 1, 1, 1, 1, 0]);
  // A repeated request keeps the page that the guest has.
  expect(await waiting(mine, longer)).toEqual(open);
  await db.prove();
  expect((await payMore(open)).kind).toBe('paid');
  const changed = await read(mine);
  expect(changed).toMatchObject({
    ...{
      status: 'paid',
      endDate,
      priceMinor: 50_000n,
      paidMinor: 50_000n,
      supplement: null,
      refundDueMinor: 0n,
    },
    paymentId: mine.paymentId,
  });
  expect((await reservations.paymentsOf(mine.reservationId)).map((one) => one.capturedMinor)).toEqual([
    20_000n,
    30_000n,
  ]);
  expect((await payMore(open)).kind).toBe('paid-before');
  expect((await reservations.changeStay(mine.reservationId, mine, longer)).kind).toBe('unchanged');
  expect(await read(mine)).toEqual(changed);
  expect(await days(hotelId)).toEqual([1, 1, 1, 1, 1, 0]);
  await db.prove();
});

test('a change holds only what it needs beyond the paid stay, so it fits into a full hotel', async () => {
  const hotelId = await db.hotel({ total: 2 });
  const mine = await paidStay(hotelId, { roomCount: 2 });
  const change = { startDate: '2027-07-03', endDate: '2027-07-06', differenceMinor: 20_000n };
  const open = await waiting(mine, change);
  expect(await days(hotelId)).toEqual([2, 2, 2, 2, 2, 2]);
  // Somebody else cannot take what it holds, and neither what the paid stay still has.
  const others = { startDate: '2027-07-01', endDate: '2027-07-01' };
  expect(await reservations.reserve(requestFor(hotelId, others))).toMatchObject({ kind: 'insufficient' });
  await db.prove();
  expect((await payMore(open)).kind).toBe('paid');
  expect(await days(hotelId)).toEqual([0, 0, 2, 2, 2, 2]);
  await db.prove();
  expect(await reservations.changeStay(mine.reservationId, mine, { roomCount: 3 })).toMatchObject({
    kind: 'insufficient',
  });
});

test('an unpaid change ends: the paid stay was never touched, and late money goes back', async () => {
  const hotelId = await db.hotel();
  const mine = await paidStay(hotelId);
  const open = await waiting(mine, longer);
  const after = later(15 * 60_000);
  expect(await later(15 * 60_000 - 1).expireHolds()).toBe(0);
  expect(await after.expireHolds()).toBe(1);
  expect(await after.expireHolds()).toBe(0);
  const { updatedAt, ...same } = await read(mine);
  expect({ ...same, updatedAt: mine.updatedAt }).toEqual(mine);
  expect(await days(hotelId)).toEqual([1, 1, 1, 0, 0, 0]);
  const late = { kind: 'refund', reason: 'not-payable' };
  expect(await payMore(open)).toMatchObject(late);
  // The same answer forever, also while another change waits.
  await waiting(mine, longer);
  expect(await payMore(open)).toMatchObject(late);
  expect(await reservations.paymentsOf(mine.reservationId)).toHaveLength(1);
  await db.prove();
});

test('another change, a cancellation, a rejection and a check-in end a change that waits', async () => {
  const hotelId = await db.hotel();
  const refused = { kind: 'refund', reason: 'not-payable' };
  const mine = await paidStay(hotelId);
  const first = await waiting(mine, longer);
  // A refused change ends nothing.
  expect((await reservations.changeStay(mine.reservationId, mine, { endDate: '2027-07-09' })).kind).toBe(
    'dearer',
  );
  expect((await reservations.changeStay(mine.reservationId, mine, { endDate: '2028-07-09' })).kind).toBe(
    'invalid',
  );
  expect((await read(mine)).supplement).toEqual(first.supplement);
  const second = await waiting(mine, { endDate: '2027-07-04', differenceMinor: 10_000n });
  expect(await days(hotelId)).toEqual([1, 1, 1, 1, 0, 0]);
  expect(await payMore(first)).toMatchObject(refused);
  const { supplement } = second;
  expect((await reservations.rejectPayment(mine.reservationId, supplement!.id)).kind).toBe('changed');
  expect((await reservations.rejectPayment(mine.reservationId, supplement!.id)).kind).toBe('unchanged');
  expect(await read(mine)).toMatchObject({ status: 'paid', supplement: null });
  expect(await days(hotelId)).toEqual([1, 1, 1, 0, 0, 0]);

  const third = await waiting(mine, longer);
  await reservations.cancel(mine.reservationId, mine);
  expect(await read(mine)).toMatchObject({ status: 'cancelled', refundDueMinor: 30_000n, supplement: null });
  expect(await payMore(third)).toMatchObject(refused);
  expect(await days(hotelId)).toEqual([0, 0, 0, 0, 0, 0]);

  const guest = await paidStay(hotelId);
  const fourth = await waiting(guest, longer);
  const stays = new Stays({ sql: db.sql, now: () => new Date('2027-07-01T14:00:00Z') });
  await stays.assignRooms(guest.reservationId);
  expect((await stays.checkIn(guest.reservationId)).kind).toBe('changed');
  expect(await payMore(fourth)).toMatchObject(refused);

  const absent = await paidStay(hotelId);
  await waiting(absent, longer);
  const next = new Stays({ sql: db.sql, now: () => new Date('2027-07-02T14:00:00Z') });
  expect((await next.markNoShow(absent.reservationId)).kind).toBe('changed');
  expect(await days(hotelId)).toEqual([2, 1, 1, 0, 0, 0]);
  await db.prove();
});

test('another amount, another currency, a second payment, and a payment of nothing go back', async () => {
  const hotelId = await db.hotel();
  const mine = await paidStay(hotelId);
  const open = await waiting(mine, longer);
  const { reservationId, currency, supplement } = open;
  const payment = { reservationId, currency, supplementId: supplement!.id, amountMinor: 20_000n };
  const confirm = (paymentId: string, given: Partial<typeof payment>) =>
    reservations.confirmPayment({ ...payment, paymentId: `${paymentId}-${reservationId}`, ...given });
  expect(await confirm('less', { amountMinor: 19_999n })).toMatchObject({ reason: 'wrong-amount' });
  expect(await confirm('more', { amountMinor: 30_000n })).toMatchObject({ reason: 'wrong-amount' });
  expect(await confirm('euro', { currency: 'EUR' })).toMatchObject({ reason: 'wrong-amount' });
  expect(await confirm('none', { supplementId: 'none' })).toMatchObject({ reason: 'not-payable' });
  const other = await paidStay(hotelId);
  const foreign = { reservationId: other.reservationId };
  expect(await confirm('foreign', foreign)).toMatchObject({ reason: 'not-payable' });
  const both = await Promise.all([confirm('one', {}), confirm('two', {})]);
  expect(both.map((one) => ('reason' in one ? one.reason : one.kind)).toSorted()).toEqual([
    'paid',
    'paid-already',
  ]);
  expect(await read(mine)).toMatchObject({ paidMinor: 50_000n, endDate: '2027-07-05' });
});

test('while the payment is returned, a change is not made, and its rooms are released', async () => {
  const hotelId = await db.hotel();
  const mine = await paidStay(hotelId);
  const open = await waiting(mine, longer);
  const paymentId = mine.paymentId!;
  const money = { version: 2, refundedMinor: 0n, disputedMinor: 30_000n, refundableMinor: 0n };
  await reservations.noteMoney({ reservationId: mine.reservationId, paymentId, ...money });
  expect(await payMore(open)).toMatchObject({ kind: 'refund', reason: 'not-payable' });
  expect(await read(mine)).toMatchObject({
    status: 'payment_returned',
    supplement: null,
    paidMinor: 30_000n,
  });
  expect(await days(hotelId)).toEqual([1, 1, 1, 0, 0, 0]);
  await db.prove();
});

test('what is left is the sum over the payments; each has its own version', async () => {
  const hotelId = await db.hotel();
  const mine = await paidStay(hotelId);
  await payMore(await waiting(mine, longer));
  const [second, first] = await reservations.paymentsOf(mine.reservationId);
  const note = (paymentId: string, version: number, disputedMinor: bigint, refundableMinor: bigint) => {
    const money = { paymentId, version, refundedMinor: 0n, disputedMinor, refundableMinor };
    return reservations.noteMoney({ reservationId: mine.reservationId, ...money });
  };
  await note(first!.paymentId, 9, 30_000n, 0n);
  expect(await read(mine)).toMatchObject({
    status: 'paid',
    disputedMinor: 30_000n,
    refundableMinor: 20_000n,
  });
  // A lower version of another payment is new nevertheless.
  await note(second!.paymentId, 3, 20_000n, 0n);
  expect(await read(mine)).toMatchObject({ status: 'payment_returned', disputedMinor: 50_000n });
  expect((await note(first!.paymentId, 8, 0n, 30_000n)).kind).toBe('unchanged');
  await note(first!.paymentId, 10, 0n, 30_000n);
  expect(await read(mine)).toMatchObject({
    status: 'paid',
    disputedMinor: 20_000n,
    refundableMinor: 30_000n,
  });
  await reservations.cancel(mine.reservationId, mine);
  expect(await read(mine)).toMatchObject({ refundGrantedMinor: 50_000n, refundDueMinor: 30_000n });
});

test('a firm stay stays firm when it is made longer', async () => {
  const hotelId = await db.hotel();
  const mine = await paidStay(hotelId);
  const late = db.reservations({ now: () => new Date('2027-06-30T14:00:00Z') });
  const change = { startDate: '2027-07-06', endDate: '2027-07-09', differenceMinor: 10_000n };
  await payMore(await waiting(mine, change, late), late);
  expect(await read(mine)).toMatchObject({ startDate: '2027-07-06', freeCancelUntil: mine.freeCancelUntil });
  expect(await late.cancel(mine.reservationId, mine)).toMatchObject({
    reservation: { status: 'cancelled', refundDueMinor: 0n },
  });
});

test('extras are paid by a link; what is voided after that goes back', async () => {
  const hotelId = await db.hotel();
  const mine = await paidStay(hotelId);
  const { reservationId } = mine;
  const now = db.clock.now;
  const extra = (entryId: string, amountMinor: bigint) =>
    db.sql.transaction((tx) =>
      postExtra(tx, now, {
        ...{ reservationId, entryId, name: 'Breakfast', amountMinor, vatBasisPoints: 0 },
        ...{ staffId: 'siv', reason: 'x' },
      }),
    );
  const voided = (entryId: string) =>
    db.sql.transaction((tx) => voidExtra(tx, now, { reservationId, entryId, staffId: 'siv', reason: 'x' }));
  const link = () => db.sql.transaction((tx) => openPayLink(tx, now, reservationId));
  const folio = () =>
    db.sql.transaction(async (tx) => readFolio(tx, await read(mine), paymentsOfReservation));
  expect((await link()).kind).toBe('nothing-open');
  await extra('eggs', 1_500n);
  await extra('tea', 500n);
  expect(await link()).toMatchObject({
    kind: 'opened',
    reservation: { supplement: { amountMinor: 2_000n } },
  });
  expect((await link()).kind).toBe('repeated');
  const stale = await read(mine);
  await voided('tea');
  expect((await read(mine)).supplement).toBeNull();
  expect(await payMore(stale)).toMatchObject({ reason: 'not-payable' });
  await link();
  const open = await read(mine);
  await extra('beer', 700n);
  expect((await payMore(open)).kind).toBe('paid');
  expect(await read(mine)).toMatchObject({ paidMinor: 31_500n, extrasPaidMinor: 1_500n, refundDueMinor: 0n });
  expect(await folio()).toMatchObject({ chargesMinor: 32_200n, balanceMinor: 700n });
  // Some of what is paid covers the beer.
  await voided('eggs');
  expect(await read(mine)).toMatchObject({ refundDueMinor: 800n, extrasPaidMinor: 700n });
  expect((await link()).kind).toBe('nothing-open');
  // Until the 8.00 are sent, the folio owes them to the guest.
  expect(await folio()).toMatchObject({ chargesMinor: 30_700n, balanceMinor: -800n });
  await reservations.cancel(reservationId, mine);
  expect(await read(mine)).toMatchObject({ refundDueMinor: 30_800n });
  expect((await folio()).charges.map(({ kind }) => kind)).not.toContain('cancellation');
  expect(await folio()).toMatchObject({ chargesMinor: 700n });
});

test('one amount at a time: a link waits for a change, a change ends a link', async () => {
  const hotelId = await db.hotel();
  const mine = await paidStay(hotelId);
  const { reservationId } = mine;
  const now = db.clock.now;
  const details = { name: 'Tea', amountMinor: 500n, vatBasisPoints: 0, staffId: 'siv', reason: 'x' };
  await db.sql.transaction((tx) => postExtra(tx, now, { reservationId, entryId: 'tea', ...details }));
  const link = () => db.sql.transaction((tx) => openPayLink(tx, now, reservationId));
  await link();
  const linked = await read(mine);
  const open = await waiting(mine, longer);
  expect((await link()).kind).toBe('change-waits');
  expect(await payMore(linked)).toMatchObject({ reason: 'not-payable' });
  expect((await payMore(open)).kind).toBe('paid');
  expect((await link()).kind).toBe('opened');
  // A cancellation leaves the link: the tea was drunk.
  await reservations.cancel(reservationId, mine);
  expect((await payMore(await read(mine))).kind).toBe('paid');
  expect(await read(mine)).toMatchObject({ paidMinor: 50_500n, refundDueMinor: 50_000n });
});
