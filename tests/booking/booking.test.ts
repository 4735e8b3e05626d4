import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import { addDays } from '#hotel/reservations/stay-days.js';
import type { BookingPayment } from '#processors/booking/booking-payments.js';
import { followPayments } from '#processors/booking/follow-payments.js';
import { type PaymentOrderChanged, paymentChange } from '#schemas/messages.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { arrival, BookingRoom } from './booking-fixture.js';
import { serveGuest } from './served-guest.js';

const declined = '4000000000000002';
const staff = { staff: true } as const;

describe('booking with a hold of a quarter of an hour', () => {
  let room: BookingRoom;
  beforeAll(async () => {
    room = await BookingRoom.open({ hotels: 13 });
  });
  afterAll(() => room?.close());

  proves('H-017', {
    asked: '"payment succeeded" once: the reservation is paid; published again: nothing changes',
    shown: 'paid on the hosted page: GET says paid; all events again: GET is equal, the card charged once',
  });
  proves('H-068', {
    asked: 'the amount charged is the price quoted at creation even if the rate changes a second later',
    shown: 'all rates are doubled before the payment is registered: the provider captures the price quoted',
    control: {
      in: 'processors/booking/booking-payments.ts',
      change: '       e.amount, e.currency, e.expires',
      to: '       (SELECT sum(r.price_minor)::bigint * v.room_count FROM reservation v JOIN room_type_rate r\n         ON (r.hotel_id, r.room_type_id) = (v.hotel_id, v.room_type_id) AND r.date BETWEEN v.start_date AND v.end_date\n         WHERE v.reservation_id = e.reservation GROUP BY v.room_count), e.currency, e.expires',
    },
  });
  test('H-004, H-017, H-068: booked, paid on the hosted page, confirmed; payment ends the hold', async () => {
    const guest = await serveGuest(room);
    onTestFinished(() => guest.close());
    // Nothing is registered at the provider before the rates have changed.
    await room.stopBooking();
    const reservation = await room.reserve('h00001');
    const doubled = await room.deps.sql.query(
      `UPDATE room_type_rate SET price_minor = 2 * price_minor WHERE hotel_id = 'h00001'`,
    );
    expect(doubled.rowCount).toBeGreaterThan(0);
    await room.startBooking();
    const payment = await room.registered(reservation);
    expect((await guest.read(reservation)).status).toBe('pending_payment');
    const order = await room.orders.get(payment.paymentOrderId);
    expect(order.amount.replace('.', '')).toBe(String(reservation.priceMinor));
    expect(Date.parse(order.expires_at)).toBe(reservation.holdExpiresAt.getTime());
    expect((await atProvider(room, payment.paymentOrderId)).expiresMs).toBe(
      reservation.holdExpiresAt.getTime(),
    );
    await room.typeCard(payment);
    const paid = await room.until(reservation, 'paid');
    expect(paid).toMatchObject({ paymentId: payment.paymentOrderId, paidMinor: reservation.priceMinor });
    const seen = await guest.read(reservation);
    expect(seen.status).toBe('paid');
    await room.publishAgain();
    await room.quiet();
    expect(await room.reservations.get(reservation.reservationId, staff)).toEqual(paid);
    expect((await guest.read(reservation)).text).toBe(seen.text);
    expect(await room.orders.charges(payment.paymentOrderId)).toBe(1);
    expect(await atProvider(room, payment.paymentOrderId)).toMatchObject({
      capturedMinor: String(reservation.priceMinor),
    });
    await room.prove();
  });

  proves('H-102', {
    asked: 'a payment that fails',
    shown: 'a declined card keeps the hold, another card pays, charged once',
  });
  test('H-102: a declined card keeps the hold, the guest sees why, and another card pays', async () => {
    const reservation = await room.reserve('h00002', { roomCount: 2 });
    const first = await room.registered(reservation);
    await room.typeCard(first, '4000000000009995');
    const second = await room.registered(reservation, first);
    expect(second).toMatchObject({ checkoutId: first.checkoutId, retryOf: first.paymentOrderId });
    expect(await room.reservations.get(reservation.reservationId, staff)).toMatchObject({
      status: 'pending_payment',
    });
    expect(await room.told(reservation)).toMatchObject({ status: 'open', failureCode: 'insufficient_funds' });
    // Both end with the hold.
    const order = await room.orders.get(second.paymentOrderId);
    expect(Date.parse(order.expires_at)).toBe(reservation.holdExpiresAt.getTime());
    expect(await isDone(room, first.checkoutId)).toBe(false);
    await room.publishAgain();
    await room.quiet();
    await room.typeCard(second);
    expect(await room.until(reservation, 'paid')).toMatchObject({ paymentId: second.paymentOrderId });
    await room.publishAgain();
    await room.quiet();
    expect(await room.orders.charges(first.paymentOrderId)).toBe(0);
    expect(await room.orders.charges(second.paymentOrderId)).toBe(1);
    await eventually(async () => expect(await isDone(room, first.checkoutId)).toBe(true));
    await room.prove();
  });

  test('H-102: the first decline that comes again while a third card is prepared ends nothing', async () => {
    const reservation = await room.reserve('h00011');
    const first = await room.registered(reservation);
    await room.typeCard(first, declined);
    const second = await room.registered(reservation, first);
    const { payments } = room.deps;
    const { ask } = payments;
    const { paymentOrderId, checkoutId } = first;
    const again = { kind: paymentChange.failed, paymentOrderId, checkoutId, reason: 'card_declined' };
    const asking = vi.spyOn(payments, 'ask').mockImplementationOnce(async (third) => {
      await followPayments(room.deps, [again as PaymentOrderChanged]);
      return ask(third);
    });
    try {
      await room.typeCard(second, declined);
      const third = await room.registered(reservation, second);
      expect(asking).toHaveBeenCalled();
      await room.typeCard(third);
      expect(await room.until(reservation, 'paid')).toMatchObject({ paymentId: third.paymentOrderId });
    } finally {
      asking.mockRestore();
    }
    await room.prove();
  });

  proves('H-102', {
    asked: 'the end of the payment releases once',
    shown: 'five declined cards: rejected, rooms sold to another, nothing released twice',
  });
  test('H-102: five declined cards end the checkout and release the rooms once', async () => {
    const reservation = await room.reserve('h00007', { roomCount: 2 });
    let payment = await room.registered(reservation);
    for (let cards = 1; cards < 5; cards += 1) {
      await room.typeCard(payment, declined);
      payment = await room.registered(reservation, payment);
    }
    await room.typeCard(payment, declined);
    await room.until(reservation, 'rejected');
    expect(await room.told(reservation)).toEqual({ status: 'failed', failureCode: 'card_declined' });
    await eventually(async () => expect(await isDone(room, payment.checkoutId)).toBe(true));
    const other = await room.reserve('h00007', { roomCount: 2 });
    await room.publishAgain();
    await room.quiet();
    expect(await room.reservations.get(other.reservationId, staff)).toMatchObject({
      status: 'pending_payment',
    });
    await room.prove();
  });

  test('I4: if a declined card is charged late while the second card pays, one of them pays', async () => {
    const reservation = await room.reserve('h00008');
    const first = await room.registered(reservation);
    await room.typeCard(first, declined);
    const second = await room.registered(reservation, first);
    const late = () =>
      room.orders.control('POST', '/payments', { nonce: first.paymentOrderId, status: 'captured' });
    await Promise.all([late(), room.typeCard(second), late()]);
    expect(await room.until(reservation, 'paid')).toMatchObject({ paymentId: second.paymentOrderId });
    await eventually(async () =>
      expect(await atProvider(room, first.paymentOrderId)).toMatchObject({
        status: 'captured',
        refundedMinor: String(reservation.priceMinor),
      }),
    );
    await room.publishAgain();
    await room.quiet();
    expect(await atProvider(room, second.paymentOrderId)).toMatchObject({ refundedMinor: '0' });
    expect(await succeeded(room, first.checkoutId)).toEqual([second.paymentOrderId]);
    await room.prove();
  });

  test('does not charge the old price of a reservation that was cancelled or moved meanwhile', async () => {
    const [cancelled, moved] = await Promise.all([room.reserve('h00009'), room.reserve('h00010')]);
    const dates = { startDate: arrival, endDate: addDays(arrival, 4) };
    const [first, other] = await Promise.all([room.registered(cancelled), room.registered(moved)]);
    await Promise.all([
      room.typeCard(first, declined),
      room.reservations.cancel(cancelled.reservationId, staff),
      room.typeCard(other, declined),
      room.reservations.changeStay(moved.reservationId, staff, dates),
    ]);
    await room.quiet();
    await eventually(async () => {
      const { rows } = await room.deps.sql.query(
        `SELECT payment_order_id FROM payment_orders o JOIN booking_payment b USING (payment_order_id)
         WHERE NOT o.is_final AND b.reservation_id IN ($1, $2)`,
        [cancelled.reservationId, moved.reservationId],
      );
      expect(rows).toHaveLength(1);
    });
    const { priceMinor } = (await room.reservations.get(moved.reservationId, staff))!;
    const newest = await room.registered(moved, other);
    expect(newest.amountMinor).toBe(priceMinor);
    await room.typeCard(newest);
    await room.until(moved, 'paid');
    await room.prove();
  });

  test('H-005, H-018: after a cancellation the amount due is refunded, part by part and once', async () => {
    const reservation = await room.reserve('h00003', { roomCount: 2 });
    const payment = await room.registered(reservation);
    await room.typeCard(payment);
    await room.until(reservation, 'paid');
    await room.reservations.cancel(reservation.reservationId, staff, { rooms: 1 });
    await room.reservations.cancel(reservation.reservationId, staff);
    await room.until(reservation, 'refunded');
    await room.publishAgain();
    await room.quiet();
    const half = reservation.priceMinor / 2n;
    const refund = (due: bigint) => `refund:due-${due}:${payment.paymentOrderId}`;
    expect(new Set(await room.ledgerOf(payment))).toEqual(
      new Set(['capture', refund(half), refund(half * 2n)]),
    );
    expect(await atProvider(room, payment.paymentOrderId)).toMatchObject({
      refundedMinor: String(reservation.priceMinor),
    });
    await room.prove();
  });

  test('a reservation that is cancelled before payment: its page accepts no money any more', async () => {
    const reservation = await room.reserve('h00004');
    const payment = await room.registered(reservation);
    const page = await room.orders.get(payment.paymentOrderId);
    await room.reservations.cancel(reservation.reservationId, staff);
    await eventually(async () =>
      expect(await atProvider(room, payment.paymentOrderId)).toMatchObject({ status: 'voided' }),
    );
    await room.orders.typeCard(page);
    expect(await room.orders.charges(payment.paymentOrderId)).toBe(0);
    expect(await room.reservations.get(reservation.reservationId, staff)).toMatchObject({
      status: 'cancelled',
    });
    await room.prove();
  });

  test('new dates at another price before payment: the old payment is closed, the new one pays', async () => {
    const reservation = await room.reserve('h00005');
    const first = await room.registered(reservation);
    const dates = { startDate: arrival, endDate: addDays(arrival, 4) };
    const changed = await room.reservations.changeStay(reservation.reservationId, staff, dates);
    expect(changed.kind).toBe('changed');
    const second = await room.registered(reservation, first);
    await eventually(async () =>
      expect(await atProvider(room, first.paymentOrderId)).toMatchObject({ status: 'voided' }),
    );
    expect(await room.reservations.get(reservation.reservationId, staff)).toMatchObject({
      status: 'pending_payment',
    });
    await room.typeCard(second);
    expect(await room.until(reservation, 'paid')).toMatchObject({ paymentId: second.paymentOrderId });
    await room.prove();
  });

  test('of a dearer stay the difference is charged, and refunds take the newest payment first', async () => {
    const made = await room.reserve('h00012');
    const first = await room.registered(made);
    await room.typeCard(first);
    const paid = await room.until(made, 'paid');
    const change = { endDate: addDays(arrival, 3) };
    const quote = await room.reservations.quoteChange(made.reservationId, staff, change);
    if (quote.kind !== 'quoted') throw new Error(quote.kind);
    const { differenceMinor } = quote;
    const asked = await room.reservations.changeStay(made.reservationId, staff, {
      ...change,
      differenceMinor,
    });
    if (asked.kind !== 'to-pay') throw new Error(asked.kind);
    const second = await room.registered(asked.reservation);
    expect(second.amountMinor).toBe(quote.priceMinor - paid.priceMinor);
    // A declined card keeps the change, and another one pays it.
    await room.typeCard(second, '4000000000000002');
    const third = await room.registered(asked.reservation, second);
    expect(await room.reservations.get(made.reservationId, staff)).toMatchObject({ endDate: made.endDate });
    await room.typeCard(third);
    await eventually(async () =>
      expect(await room.reservations.get(made.reservationId, staff)).toMatchObject({
        ...{ status: 'paid', endDate: change.endDate, paidMinor: quote.priceMinor, supplement: null },
      }),
    );
    const shorter = { startDate: arrival, endDate: addDays(arrival, 1) };
    const back = await room.reservations.changeStay(made.reservationId, staff, shorter);
    expect(back).toMatchObject({ kind: 'changed', reservation: { refundDueMinor: differenceMinor } });
    const refunded = ({ paymentOrderId }: BookingPayment, minor: bigint) =>
      eventually(async () =>
        expect(await atProvider(room, paymentOrderId)).toMatchObject({ refundedMinor: String(minor) }),
      );
    await refunded(third, differenceMinor);
    expect(await atProvider(room, first.paymentOrderId)).toMatchObject({ refundedMinor: '0' });
    await room.reservations.cancel(made.reservationId, staff);
    await room.until(made, 'refunded');
    await room.publishAgain();
    await room.quiet();
    await refunded(first, made.priceMinor);
    await refunded(third, differenceMinor);
    await room.prove();
  });

  test('P-070: an unpaid change expires at the provider too, and its late money goes back', async () => {
    const made = await room.reserve('h00013');
    await room.typeCard(await room.registered(made));
    await room.until(made, 'paid');
    const short = new PostgresReservations({ sql: room.deps.sql, holdSeconds: 2 });
    const change = { endDate: addDays(arrival, 2) };
    const quote = await short.quoteChange(made.reservationId, staff, change);
    if (quote.kind !== 'quoted') throw new Error(quote.kind);
    const { differenceMinor } = quote;
    const asked = await short.changeStay(made.reservationId, staff, { ...change, differenceMinor });
    await short.close();
    if (asked.kind !== 'to-pay') throw new Error(asked.kind);
    const payment = await room.registered(asked.reservation);
    await eventually(async () => {
      expect((await room.reservations.get(made.reservationId, staff))!.supplement).toBeNull();
      expect(await room.orders.get(payment.paymentOrderId, 'customer.ada')).toMatchObject({
        payment_order_status: 'FAILED',
      });
    });
    const late = { ...payment, supplementId: payment.supplementId, paymentId: payment.paymentOrderId };
    expect(await room.reservations.confirmPayment(late)).toMatchObject({
      kind: 'refund',
      reason: 'not-payable',
    });
    expect(await room.reservations.get(made.reservationId, staff)).toMatchObject({
      ...{ status: 'paid', endDate: made.endDate, paidMinor: made.priceMinor },
    });
    await room.prove();
  });

  test('the provider is unavailable for a while: the payment is registered afterwards', async () => {
    await room.orders.faults({ calls: { 'error-before': 1 } });
    const reservation = await room.reserve('h00006');
    await room.quiet();
    expect(await room.reservations.get(reservation.reservationId, staff)).toMatchObject({
      status: 'pending_payment',
    });
    await room.orders.faults({});
    const payment = await room.registered(reservation);
    await room.typeCard(payment);
    await room.until(reservation, 'paid');
    await room.prove();
  });
});

describe('booking with a short hold and no webhooks', () => {
  let room: BookingRoom;
  beforeAll(async () => {
    // The provider is not queried before the hold has expired, so every success arrives late.
    const settings = { askAfterMsMin: 60_000, askAfterMsMax: 60_000 };
    // Long enough to register and pay within it on a busy machine.
    room = await BookingRoom.open({ holdSeconds: 6, webhooks: false, settings });
  });
  afterAll(() => room?.close());

  /** The provider reports the money only now. */
  const news = async (paymentOrderId: string) => {
    const data = await room.orders.payment(paymentOrderId);
    expect((await room.orders.webhook('payment.captured', data)).status).toBe(204);
  };

  proves('P-070', {
    asked: 'unpaid after the expiry: FAILED, the inventory released once',
    shown:
      'the order FAILED as expired, no charge; both rooms are sold again, once, also after repeated records',
    settings: ['holds of 6 s for 15 min', 'askAfterMs 60 s for 1 s to 15 s', 'no webhooks of the provider'],
    control: {
      in: 'hotel/reservations/settle-payment.ts',
      change: 'expired.map((one) => ({ ...one, rooms: one.roomCount })),',
      to: 'expired.map((one) => ({ ...one, rooms: one.roomCount - 1 })),',
    },
  });
  test('H-102, P-070: an expired hold is released once, and its page accepts no money', async () => {
    const reservation = await room.reserve('h00001', { roomCount: 2 });
    const payment = await room.registered(reservation);
    const page = await room.orders.get(payment.paymentOrderId);
    await room.until(reservation, 'expired');
    await room.orders.typeCard(page);
    expect(await room.orders.charges(payment.paymentOrderId)).toBe(0);
    expect(await room.orders.until(payment.paymentOrderId, (order) => order.is_final)).toMatchObject({
      ...{ payment_order_status: 'FAILED', failure_code: 'expired', captured_amount: '0.00' },
    });
    await room.publishAgain();
    await room.quiet();
    await room.reserve('h00001', { roomCount: 2 });
    // The hotel has two rooms of the type: released twice, there would be more.
    await expect(room.reserve('h00001')).rejects.toThrow('instead of reserved');
    await room.prove();
  });

  proves('P-070', {
    asked: 'a late success after the expiry: re-accepted while the rooms are free; money never lost',
    shown: 'captured in time, heard after the hold: the stay is paid, one capture, one reason in the ledger',
    settings: ['holds of 6 s for 15 min', 'askAfterMs 60 s for 1 s to 15 s', 'no webhooks of the provider'],
    control: {
      in: 'hotel/reservations/settle-payment.ts',
      change: "return failed === undefined ? 'reseated' : 'no-rooms-left';",
      to: "return failed === undefined ? 'no-rooms-left' : 'no-rooms-left';",
    },
  });
  test('P-070: money that comes after the hold buys the rooms if they are free, and is booked', async () => {
    const reservation = await room.reserve('h00002');
    const payment = await room.registered(reservation);
    await room.typeCard(payment);
    await room.until(reservation, 'expired');
    await news(payment.paymentOrderId);
    await room.until(reservation, 'paid');
    expect(await room.told(reservation)).toEqual({ status: 'paid' });
    await room.publishAgain();
    await room.quiet();
    await eventually(async () =>
      expect((await room.ledgerOf(payment)).toSorted()).toEqual(['capture', 'late-success:reseated']),
    );
    expect(await room.deps.reservations.get(reservation.reservationId, staff)).toMatchObject({
      status: 'paid',
    });
    await room.prove();
  });

  proves('P-070', {
    asked: 'a late success after the expiry: refunded by itself if the rooms are sold; money never lost',
    shown: 'the whole amount goes back at the provider and in the ledger, once, with the reason',
    settings: ['holds of 6 s for 15 min', 'askAfterMs 60 s for 1 s to 15 s', 'no webhooks of the provider'],
    control: {
      in: 'processors/booking/follow-payments.ts',
      change: "    case 'refund':\n    case 'unknown':\n",
      to: "    case 'refund':\n      return [ok, outcome.reason];\n    case 'unknown':\n",
    },
  });
  test('P-070: late money is refunded with the reason if the rooms are sold meanwhile', async () => {
    const late = await room.reserve('h00003', { roomCount: 2 });
    const payment = await room.registered(late);
    await room.typeCard(payment);
    await room.until(late, 'expired');
    // Longer than the event takes, even on a slow machine.
    const quick = await room.reserve('h00003', { roomCount: 2 }, 900);
    await news(payment.paymentOrderId);
    await eventually(async () =>
      expect((await room.ledgerOf(payment)).toSorted()).toEqual([
        'capture',
        `refund:no-rooms-left:${payment.paymentOrderId}`,
      ]),
    );
    expect(await room.told(late)).toEqual({ status: 'failed', failureCode: 'no_rooms_left' });
    // The rooms are free again and the records are redelivered: the answer does not change.
    await room.reservations.cancel(quick.reservationId, staff);
    await room.publishAgain();
    await room.quiet();
    expect(await room.reservations.get(late.reservationId, staff)).toMatchObject({ status: 'expired' });
    expect(await atProvider(room, payment.paymentOrderId)).toMatchObject({
      capturedMinor: String(late.priceMinor),
      refundedMinor: String(late.priceMinor),
    });
    await room.prove();
  });
});

async function atProvider(room: BookingRoom, nonce: string) {
  const lines = await room.orders.record();
  const line = lines.findLast((one) => one.kind === 'payment' && one.payment.nonce === nonce);
  if (line?.kind !== 'payment') throw new Error(`The provider does not know ${nonce}.`);
  return line.payment;
}

async function isDone(room: BookingRoom, checkoutId: string): Promise<boolean> {
  const { rows } = await room.deps.sql.query<{ readonly done: boolean }>(
    'SELECT is_payment_done AS done FROM payment_events WHERE checkout_id = $1',
    [checkoutId],
  );
  return rows[0]!.done;
}

async function succeeded(room: BookingRoom, checkoutId: string): Promise<readonly string[]> {
  const { rows } = await room.deps.sql.query<{ readonly id: string }>(
    `SELECT payment_order_id AS id FROM payment_orders
     WHERE checkout_id = $1 AND payment_order_status = 'SUCCESS'`,
    [checkoutId],
  );
  return rows.map(({ id }) => id);
}
