import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reservation } from '#hotel/reservations/reservation.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { type Answer, callOf, serveStaff } from './attacked-desk.js';
import { BookingRoom } from './booking-fixture.js';

/** A day of the hotels, which are in Malta. */
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Malta' }).format(new Date());

let room: BookingRoom;
let hotel: Awaited<ReturnType<typeof serveStaff>>;
beforeAll(async () => {
  room = await BookingRoom.open({ hotels: 2 });
  hotel = await serveStaff(room);
});
afterAll(async () => {
  hotel?.close();
  await room?.close();
});

const act = ({ reservationId }: Reservation, what: string, body: object): Promise<Answer> =>
  callOf(hotel.url)('desk.siv', 'POST', `/v1/staff/reservations/${reservationId}/${what}`, body);

/** Newest first. */
async function audited({ reservationId }: Reservation) {
  const { body } = await callOf(hotel.url)('desk.siv', 'GET', `/v1/staff/actions?subject=${reservationId}`);
  return body.actions.map((one: Record<string, unknown>) => [
    one['action'],
    one['staffID'],
    one['reason'],
    one['outcome'],
  ]);
}

/** The last state in the provider's own record. */
async function atProvider(nonce: string) {
  const lines = await room.orders.record();
  const line = lines.findLast((one) => one.kind === 'payment' && one.payment.nonce === nonce);
  if (line?.kind !== 'payment') throw new Error(`The provider does not know ${nonce}.`);
  return line.payment;
}
const refundsAtProvider = async (nonce: string) =>
  (await room.orders.record()).flatMap((line) =>
    line.kind === 'refund' && line.refund.paymentNonce === nonce
      ? [[line.refund.status, line.refund.amountMinor]]
      : [],
  );

proves('H-018', {
  asked: 'staff can cancel a payment; the action is in the audit list',
  shown: 'over HTTP: the provider voids the registered payment, and a card typed later is not charged',
  control: {
    in: 'processors/booking/follow-reservations.ts',
    change: 'status !== cancelled && status !== rejected && supplementId',
    to: 'status !== cancelled && status !== -rejected && supplementId',
  },
});
test('H-018: staff cancel a payment: the provider voids it, and no card can pay it any more', async () => {
  const made = await room.reserve('h00001');
  const { paymentOrderId } = await room.registered(made);
  const page = await room.orders.get(paymentOrderId);
  expect(await atProvider(paymentOrderId)).toMatchObject({ status: 'registered' });
  const stopped = await act(made, 'payment-cancellation', { reason: 'Asked by phone' });
  expect([stopped.status, stopped.body.status]).toEqual([200, 'rejected']);
  await eventually(async () =>
    expect(await atProvider(paymentOrderId)).toMatchObject({ status: 'voided', capturedMinor: '0' }),
  );
  await room.orders.typeCard(page);
  await room.quiet();
  expect(await room.orders.charges(paymentOrderId)).toBe(0);
  expect(await room.reservations.get(made.reservationId, { staff: true })).toMatchObject({
    status: 'rejected',
  });
  expect(await audited(made)).toEqual([['cancel-payment', 'siv', 'Asked by phone', 'changed']]);
  await room.prove();
});

proves('H-018', {
  asked: 'staff can trigger a refund; the action is in the audit list',
  shown: 'over HTTP: nothing is due of a late cancellation; staff grant half: the provider refunds it, once',
  control: {
    in: 'processors/booking/follow-reservations.ts',
    change: 'dueMinor: BigInt(refundDueMinor), currency',
    to: 'dueMinor: BigInt(refundDueMinor) - 1n, currency',
  },
});
test('H-018: staff refund a late cancellation: the provider refunds exactly this amount, once', async () => {
  const made = await room.reserve('h00002', { startDate: today, endDate: today });
  const payment = await room.registered(made);
  const { paymentOrderId } = payment;
  await room.typeCard(payment);
  await room.until(made, 'paid');
  const cancelled = await act(made, 'cancellation', { reason: 'Ill' });
  expect([cancelled.status, cancelled.body.refundDue]).toEqual([200, '0.00']);
  await room.quiet();
  expect(await refundsAtProvider(paymentOrderId)).toEqual([]);
  const half = made.priceMinor / 2n;
  const refund = { reason: 'Goodwill', refundDue: (Number(half) / 100).toFixed(2) };
  const granted = await act(made, 'refund', refund);
  expect([granted.status, granted.body.refundDue]).toEqual([200, refund.refundDue]);
  const sent = async () => [
    (await atProvider(paymentOrderId)).refundedMinor,
    await refundsAtProvider(paymentOrderId),
  ];
  const once = [String(half), [['refunded', String(half)]]];
  await eventually(async () => expect(await sent()).toEqual(once));
  // The same refund asked again, and each event once more, send nothing.
  await act(made, 'refund', refund);
  await room.publishAgain();
  await room.quiet();
  expect(await sent()).toEqual(once);
  expect((await audited(made)).slice(-2)).toEqual([
    ['refund', 'siv', 'Goodwill', 'changed'],
    ['cancel', 'siv', 'Ill', 'changed'],
  ]);
  await room.prove();
});
