import { randomUUID } from 'node:crypto';
import { request } from 'node:https';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { Reservation } from '#hotel/reservations/reservation.js';
import { addDays } from '#hotel/reservations/stay-days.js';
import { Stays } from '#hotel/reservations/stays.js';
import type { SimulatedDispute } from '#payment-simulator/record.js';
import type { BookingPayment } from '#processors/booking/booking-payments.js';
import { refundStay } from '#processors/booking/refund-stay.js';
import type { Finding } from '#schemas/http/finance.js';
import { eventually } from '../eventually.js';
import { apiKey } from '../payment/orders-fixture.js';
import { arrival, BookingRoom } from './booking-fixture.js';

const staff = { staff: true } as const;
const euros = (minor: bigint): string => (Number(minor) / 100).toFixed(2);
/** A day of the hotels, which are in Malta. */
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Malta' }).format(new Date());

let room: BookingRoom;
let stays: Stays;
beforeAll(async () => {
  room = await BookingRoom.open({ hotels: 16 });
  stays = new Stays({ sql: room.deps.sql, hearMoney: (id) => room.reservations.hearMoney(id) });
});
afterAll(() => room?.close());

let hotel = 0;
async function paid(given: { readonly startDate?: string; readonly endDate?: string } = {}) {
  hotel += 1;
  const made = await room.reserve(`h${String(hotel).padStart(5, '0')}`, given);
  const payment = await room.registered(made);
  await room.typeCard(payment);
  return { reservation: await room.until(made, 'paid'), payment };
}

const now = async ({ reservationId }: Reservation) => (await room.reservations.get(reservationId, staff))!;

const until = (reservation: Reservation, wanted: Partial<Reservation>) =>
  eventually(async () => {
    const found = await now(reservation);
    expect(found).toMatchObject(wanted);
    return found;
  });

const cancel = async ({ reservationId }: Reservation) => {
  const outcome = await room.reservations.cancel(reservationId, staff);
  if (outcome.kind !== 'changed') throw new Error(outcome.kind);
  return outcome.reservation;
};

/** A manual refund over the payments API. */
const askRefund = (payment: BookingPayment, amountMinor?: bigint) =>
  room.orders.refund(payment.paymentOrderId, {
    refund_id: randomUUID(),
    ...(amountMinor === undefined ? {} : { amount: euros(amountMinor) }),
  });

/** Sam requested it, so Eve decides. */
async function review(payment: BookingPayment, refundId: string, decision: 'approve' | 'deny') {
  const path = `/v1/payments/${payment.paymentOrderId}/refunds/${refundId}/review`;
  const response = await fetch(room.orders.internalUrl + path, {
    method: 'POST',
    headers: { authorization: 'Bearer finance.eve', 'content-type': 'application/json' },
    body: JSON.stringify({ decision, reason: 'seen the mail' }),
  });
  expect(response.status).toBe(200);
}

/** A second person immediately approves what one person may not refund. */
async function refund(payment: BookingPayment, amountMinor?: bigint) {
  const asked = await askRefund(payment, amountMinor);
  if (asked.body.pending === 'review') await review(payment, asked.body.refund_id, 'approve');
  return asked;
}

const dispute = (payment: BookingPayment, amountMinor?: bigint) =>
  room.orders.control<SimulatedDispute>('POST', '/disputes', {
    nonce: payment.paymentOrderId,
    ...(amountMinor === undefined ? {} : { amount_minor: String(amountMinor) }),
  });

const closeDispute = ({ id }: SimulatedDispute, status: 'won' | 'lost') =>
  room.orders.control('POST', '/disputes/close', { id, status });

/** From the provider's own record. */
async function sentBack({ paymentOrderId }: BookingPayment): Promise<bigint> {
  const lines = await room.orders.record();
  return lines
    .filter((line) => line.kind === 'refund' && line.refund.paymentNonce === paymentOrderId)
    .reduce((sum, line) => sum + BigInt(line.kind === 'refund' ? line.refund.amountMinor : 0), 0n);
}

/** Every published event arrives once more, late; the reservation does not change. */
async function staysSo(reservation: Reservation, payment: BookingPayment): Promise<void> {
  const seen = async () => {
    const { moneyVersion, updatedAt, ...rest } = await now(reservation);
    return { ...rest, sentBack: await sentBack(payment) };
  };
  await room.quiet();
  const before = await seen();
  await room.publishAgain();
  await room.quiet();
  expect(await seen()).toEqual(before);
}

const openFindings = async (payment: BookingPayment): Promise<readonly Finding[]> => {
  const response = await fetch(`${room.orders.internalUrl}/v1/finance/findings?limit=200`, {
    headers: { authorization: 'Bearer finance.sam' },
  });
  const { findings } = (await response.json()) as { readonly findings: readonly Finding[] };
  return findings.filter((finding) => finding.payment_order_id === payment.paymentOrderId);
};

test('H-005, H-018: an amount that staff refund by the payments API is not promised again', async () => {
  const { reservation, payment } = await paid();
  const { priceMinor } = reservation;
  // No event reports it: the promised amount is read at that moment.
  await room.quiet();
  room.news.held = true;
  expect((await refund(payment, 100n)).status).toBe(202);
  expect(await cancel(reservation)).toMatchObject({ refundDueMinor: priceMinor - 100n });
  room.news.held = false;
  await until(reservation, { status: 'refunded', refundedMinor: priceMinor });
  expect(await sentBack(payment)).toBe(priceMinor);
  expect(await openFindings(payment)).toEqual([]);
  await staysSo(reservation, payment);
  await room.prove();
});

test('H-005: staff refund while the guest cancels: no amount is promised that is not sent', async () => {
  // Another process, which learns of the money only from events.
  const other = new PostgresReservations({ sql: room.deps.sql });
  const cases = await Promise.all([paid(), paid(), paid()]);
  const asked = await Promise.all(
    cases.map(async ({ reservation, payment }) => {
      const [{ status }] = await Promise.all([
        refund(payment, 100n),
        other.cancel(reservation.reservationId, staff),
      ]);
      return status;
    }),
  );
  await other.close();
  for (const [index, { reservation, payment }] of cases.entries()) {
    // Either the amount due was sent first, or the refund by staff.
    const byStaff = asked[index] === 202 ? 100n : 0n;
    const refundDueMinor = reservation.priceMinor - byStaff;
    await until(reservation, { status: 'refunded', refundDueMinor, refundedMinor: reservation.priceMinor });
    expect(await sentBack(payment)).toBe(reservation.priceMinor);
    await staysSo(reservation, payment);
  }
  await room.prove();
});

test('a refund in progress when the guest cancels counts as refunded', async () => {
  const { reservation, payment } = await paid();
  await room.orders.faults({ next: [{ operation: 'refunds', fault: 'error-after' }] });
  expect((await refund(payment, 100n)).status).toBe(202);
  const other = new PostgresReservations({ sql: room.deps.sql });
  await other.cancel(reservation.reservationId, staff);
  await other.close();
  await until(reservation, { status: 'refunded', refundDueMinor: reservation.priceMinor - 100n });
  expect(await sentBack(payment)).toBe(reservation.priceMinor);
  await staysSo(reservation, payment);
  await room.prove();
});

test('H-018: after a full refund it is payment_returned, without room number or check-in', async () => {
  const [gone, partly] = await Promise.all([
    paid({ startDate: today, endDate: today }),
    paid({ startDate: today, endDate: today }),
  ]);
  for (const { reservation } of [gone, partly])
    expect((await stays.assignRooms(reservation.reservationId)).kind).toBe('assigned');
  const { priceMinor } = gone.reservation;
  // Before any event reports it.
  await room.quiet();
  room.news.held = true;
  await refund(gone.payment);
  await refund(partly.payment, 100n);
  expect((await stays.checkIn(gone.reservation.reservationId)).kind).toBe('refused');
  expect((await stays.assignRooms(gone.reservation.reservationId)).kind).toBe('refused');
  room.news.held = false;
  await until(gone.reservation, {
    status: 'payment_returned',
    refundedMinor: priceMinor,
    refundableMinor: 0n,
  });
  // A partial refund by staff does not prevent check-in.
  expect((await stays.checkIn(partly.reservation.reservationId)).kind).toBe('changed');
  await until(partly.reservation, { status: 'checked_in', refundedMinor: 100n });
  // The rooms are still held until a person decides; nothing more is refunded then.
  await room.prove();
  await room.orders.until(gone.payment.paymentOrderId, (order) => Number(order.refunded_amount) > 0);
  expect(await cancel(gone.reservation)).toMatchObject({ refundDueMinor: 0n });
  await staysSo(gone.reservation, gone.payment);
  expect(await now(gone.reservation)).toMatchObject({ status: 'cancelled', refundedMinor: priceMinor });
  expect(await sentBack(gone.payment)).toBe(priceMinor);
  await room.prove();
});

test('H-018: a guest who cancels in time after a refund by staff is refunded once', async () => {
  const { reservation, payment } = await paid();
  await refund(payment);
  await until(reservation, { status: 'payment_returned', refundedMinor: reservation.priceMinor });
  expect(await cancel(reservation)).toMatchObject({ refundDueMinor: 0n });
  await until(reservation, { status: 'refunded', refundDueMinor: 0n });
  expect(await sentBack(payment)).toBe(reservation.priceMinor);
  await staysSo(reservation, payment);
  await room.prove();
});

test('P-105, H-018: a refund waits for a second person; a rejection restores the paid state', async () => {
  const { reservation, payment } = await paid({ endDate: addDays(arrival, 12) });
  const { priceMinor } = reservation;
  expect(priceMinor).toBeGreaterThan(100_000n);
  const asked = await askRefund(payment);
  expect(asked.body.pending).toBe('review');
  await until(reservation, { status: 'payment_returned', refundedMinor: priceMinor });
  await review(payment, asked.body.refund_id, 'deny');
  await until(reservation, { status: 'paid', refundedMinor: 0n, refundableMinor: priceMinor });
  expect(await sentBack(payment)).toBe(0n);
  // A refund within the policy needs no second person.
  expect(await cancel(reservation)).toMatchObject({ refundDueMinor: priceMinor });
  await until(reservation, { status: 'refunded', refundedMinor: priceMinor });
  await staysSo(reservation, payment);
  await room.prove();
});

test('P-105, H-018: what a denied refund blocked is refunded as soon as it is due again', async () => {
  const { reservation, payment } = await paid({ endDate: addDays(arrival, 12) });
  const { reservationId, priceMinor, currency } = reservation;
  const asked = await askRefund(payment, priceMinor - 100n);
  expect(asked.body.pending).toBe('review');
  // A cancellation that was decided just before the refund was requested.
  await refundStay(room.deps, { reservationId, dueMinor: priceMinor, currency });
  await room.orders.until(payment.paymentOrderId, (order) => Number(order.refunded_amount) > 0);
  expect(await sentBack(payment)).toBe(100n);
  await review(payment, asked.body.refund_id, 'deny');
  await until(reservation, { status: 'paid', refundableMinor: priceMinor });
  expect(await cancel(reservation)).toMatchObject({ refundDueMinor: priceMinor });
  await until(reservation, { status: 'refunded', refundedMinor: priceMinor });
  expect(await sentBack(payment)).toBe(priceMinor);
  await staysSo(reservation, payment);
  await room.prove();
});

test('P-105, H-018: a refund that one by staff blocks for a moment is sent; nobody is asked', async () => {
  const { reservation, payment } = await paid({ endDate: addDays(arrival, 12) });
  const { priceMinor } = reservation;
  const { payments } = room.deps;
  const { refund } = payments;
  // Staff ask after the refund of the reservation was named, and are denied right after it was refused.
  const answers = vi.spyOn(payments, 'refund').mockImplementationOnce(async (one) => {
    const asked = await askRefund(payment, priceMinor - 100n);
    const answer = await refund(one);
    await review(payment, asked.body.refund_id, 'deny');
    await until(reservation, { refundableMinor: priceMinor });
    return answer;
  });
  try {
    expect(await cancel(reservation)).toMatchObject({ refundDueMinor: priceMinor });
    await until(reservation, { status: 'refunded', refundedMinor: priceMinor });
    const said = await Promise.all(answers.mock.results.map(({ value }) => value));
    expect(said.slice(0, 2)).toEqual(['refused', 'asked']);
  } finally {
    answers.mockRestore();
  }
  expect(await sentBack(payment)).toBe(priceMinor);
  const { rows } = await room.deps.sql.query(
    'SELECT FROM reconciliation_finding WHERE payment_order_id = $1',
    [payment.paymentOrderId],
  );
  expect(rows).toEqual([]);
  await room.prove();
});

test('H-018: the reservation shows a lost dispute, and promises the guest nothing more', async () => {
  const { reservation, payment } = await paid();
  const { priceMinor } = reservation;
  await closeDispute(await dispute(payment), 'lost');
  await until(reservation, { status: 'payment_returned', disputedMinor: priceMinor, refundableMinor: 0n });
  expect(await cancel(reservation)).toMatchObject({ status: 'cancelled', refundDueMinor: 0n });
  await staysSo(reservation, payment);
  expect(await now(reservation)).toMatchObject({ status: 'cancelled', refundDueMinor: 0n });
  expect(await sentBack(payment)).toBe(0n);
  expect(await openFindings(payment)).toEqual([]);
  await room.prove();
});

test('one part refunded, the rest disputed: payment_returned; once the dispute is won: paid', async () => {
  const { reservation, payment } = await paid();
  const rest = reservation.priceMinor - 100n;
  await refund(payment, 100n);
  const opened = await dispute(payment, rest);
  await until(reservation, { status: 'payment_returned', disputedMinor: rest, refundedMinor: 100n });
  await closeDispute(opened, 'won');
  await until(reservation, { status: 'paid', disputedMinor: 0n, refundableMinor: rest });
  expect(await cancel(reservation)).toMatchObject({ refundDueMinor: rest });
  await until(reservation, { status: 'refunded', refundedMinor: reservation.priceMinor });
  expect(await sentBack(payment)).toBe(reservation.priceMinor);
  await staysSo(reservation, payment);
  await room.prove();
});

test('a cancellation during a dispute refunds nothing until the dispute is won', async () => {
  const { reservation, payment } = await paid();
  const opened = await dispute(payment);
  await until(reservation, { status: 'payment_returned' });
  expect(await cancel(reservation)).toMatchObject({ refundDueMinor: 0n });
  await room.quiet();
  expect(await sentBack(payment)).toBe(0n);
  await closeDispute(opened, 'won');
  await until(reservation, { status: 'refunded', refundDueMinor: reservation.priceMinor });
  expect(await sentBack(payment)).toBe(reservation.priceMinor);
  await staysSo(reservation, payment);
  await room.prove();
});

test('the bank takes back a refunded amount: the amount sent stays the amount promised', async () => {
  const { reservation, payment } = await paid();
  await cancel(reservation);
  await until(reservation, { status: 'refunded', refundDueMinor: reservation.priceMinor });
  await closeDispute(await dispute(payment), 'lost');
  await until(reservation, { status: 'refunded', disputedMinor: reservation.priceMinor });
  expect(await now(reservation)).toMatchObject({ refundDueMinor: reservation.priceMinor });
  expect(await sentBack(payment)).toBe(reservation.priceMinor);
  await room.prove();
});

test('P-102, P-123: a refund that the provider rejects waits in the finance queue, once', async () => {
  // One night: below the amount that needs a second person.
  const { reservation, payment } = await paid({ startDate: arrival, endDate: arrival });
  // Somebody refunded a part at the provider itself, which this platform does not know.
  await refundAtProvider(payment, 500n, reservation.currency);
  await cancel(reservation);
  const [finding] = await eventually(async () => {
    const findings = await openFindings(payment);
    expect(findings).toHaveLength(1);
    return findings;
  });
  expect(finding).toMatchObject({
    kind: 'refund_refused',
    class: 2,
    state: 'open',
    file_id: null,
    operation: `refund:due-${reservation.priceMinor}:${payment.paymentOrderId}`,
    our_amount: euros(reservation.priceMinor),
    proposal: [],
  });
  await until(reservation, { status: 'cancelled', refundedMinor: 0n });
  await staysSo(reservation, payment);
  expect(await openFindings(payment)).toHaveLength(1);
  // Staff send what can be sent. The platform still owes the rest, asks for it, and is refused again.
  const { body } = await refund(payment, reservation.priceMinor - 500n);
  await until(reservation, { refundedMinor: reservation.priceMinor - 500n, refundDueMinor: 500n });
  expect(body.refund_status).not.toBe('FAILED');
  const both = await eventually(async () => {
    const findings = await openFindings(payment);
    expect(findings.map(({ our_amount }) => our_amount).toSorted()).toEqual(
      [euros(500n), euros(reservation.priceMinor)].toSorted(),
    );
    return findings;
  });
  for (const { finding_no } of both) {
    const decided = await room.orders.post(
      { why: 'The rest was refunded at the provider.' },
      {
        token: 'finance.sam',
        base: room.orders.internalUrl,
        path: `/v1/finance/findings/${finding_no}/decisions`,
      },
    );
    expect(decided.status).toBe(200);
  }
  await staysSo(reservation, payment);
  expect(await openFindings(payment)).toEqual([]);
});

function refundAtProvider(payment: BookingPayment, amountMinor: bigint, currency: string): Promise<void> {
  const body = {
    nonce: randomUUID(),
    payment_nonce: payment.paymentOrderId,
    amount_minor: String(amountMinor),
    currency,
  };
  return new Promise((resolve, reject) => {
    const { url, certificate } = room.orders.psp.addresses;
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const outgoing = request(`${url}/v1/refunds`, { method: 'POST', ca: certificate, headers }, (answer) => {
      answer.resume();
      if (answer.statusCode === 201) answer.on('end', resolve);
      else reject(new Error(String(answer.statusCode)));
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}
