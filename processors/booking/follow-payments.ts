import type { ConfirmOutcome } from '#hotel/reservations/reservations.js';
import { deadLetter, drop, type Outcome, ok } from '#platform/stream/outcome.js';
import { type PaymentOrderChanged, paymentChange } from '#schemas/messages.js';
import type { BookingDeps } from './booking-deps.js';
import { type BookingPayment, newestPayment } from './booking-payments.js';
import { nameRefund, settleRefund } from './booking-refunds.js';
import { gatherPayments } from './gathered-payments.js';
import { someAtOnce } from './some-at-once.js';

/**
 * What changes of payments ask of hotels: a payment that succeeded pays its reservation, or goes back when it came too late and the rooms
 * are gone; one that failed releases the rooms. Changes of one order keep their order, different orders go side by side.
 */
export async function followPayments(
  deps: BookingDeps,
  events: readonly PaymentOrderChanged[],
  booked = gatherPayments(deps.sql),
): Promise<readonly Outcome[]> {
  const told = events.filter(({ kind }) => decisive.has(kind));
  if (told.length === 0) return events.map(() => drop('nothing to do'));
  const outcomes = new Map<PaymentOrderChanged, Outcome>();
  await someAtOnce([...byOrder(told)], async ([id, changes]) => {
    const payment = await booked.find(id);
    const ends: string[] = [];
    for (const event of changes) {
      const [outcome, end] =
        payment === undefined ? [drop('no booking')] : await followOne(deps, payment, event);
      outcomes.set(event, outcome);
      if (end !== undefined) ends.push(end);
    }
    if (ends[0] !== undefined) await booked.end(id, ends[0]);
  });
  return events.map((event) => outcomes.get(event) ?? drop('nothing to do'));
}

const decisive: ReadonlySet<number> = new Set([
  paymentChange.succeeded,
  paymentChange.failed,
  paymentChange.capturedLate,
  paymentChange.refunded,
]);

function byOrder(
  events: readonly PaymentOrderChanged[],
): ReadonlyMap<string, readonly PaymentOrderChanged[]> {
  const changes = new Map<string, PaymentOrderChanged[]>();
  for (const event of events) {
    const known = changes.get(event.paymentOrderId);
    if (known === undefined) changes.set(event.paymentOrderId, [event]);
    else known.push(event);
  }
  return changes;
}

/** With what became of the payment, once that is known. */
type Followed = readonly [Outcome, string?];

async function followOne(
  deps: BookingDeps,
  payment: BookingPayment,
  event: PaymentOrderChanged,
): Promise<Followed> {
  switch (event.kind) {
    case paymentChange.succeeded:
      return confirm(deps, payment);
    case paymentChange.capturedLate:
      // The order had ended, or the amount was another one: payment sends it back by itself.
      return [ok, event.reason];
    case paymentChange.refunded:
      return [await refunded(deps, event)];
    default:
      return release(deps, payment, event);
  }
}

async function confirm(deps: BookingDeps, payment: BookingPayment): Promise<Followed> {
  const { reservationId, paymentOrderId: paymentId, amountMinor, currency } = payment;
  const outcome = await deps.reservations.confirmPayment({
    reservationId,
    paymentId,
    amountMinor,
    currency,
  });
  switch (outcome.kind) {
    case 'paid':
    case 'paid-before':
      return [ok, 'paid'];
    case 'reseated':
      await deps.payments.noteReseat(payment);
      return [ok, 'reseated'];
    case 'refund':
    case 'unknown':
      return sendBack(deps, payment, outcome);
  }
}

/** All of it; the ledger names the refund by its reason. */
async function sendBack(
  deps: BookingDeps,
  { paymentOrderId, amountMinor: dueMinor, currency }: BookingPayment,
  outcome: Extract<ConfirmOutcome, { readonly kind: 'refund' | 'unknown' }>,
): Promise<Followed> {
  const reason = outcome.kind === 'refund' ? outcome.reason : 'unknown-reservation';
  const refundId = `${reason}:${paymentOrderId}`;
  const amountMinor = await nameRefund(deps.sql, { refundId, paymentOrderId, dueMinor });
  if (amountMinor === undefined) return [ok, reason];
  const answer = await deps.payments.giveBack({ refundId, paymentOrderId, amountMinor, currency, reason });
  return [answer === 'asked' ? ok : deadLetter('refund refused'), reason];
}

/** A payment of a price that is no longer asked for may fail as it likes. */
async function release(
  deps: BookingDeps,
  { reservationId, paymentOrderId }: BookingPayment,
  { reason }: PaymentOrderChanged,
): Promise<Followed> {
  const newest = await newestPayment(deps.sql, reservationId);
  if (newest?.paymentOrderId === paymentOrderId) await deps.reservations.rejectPayment(reservationId);
  return [ok, `failed: ${reason}`];
}

/** A cancelled reservation is refunded once all that was due is back. */
async function refunded(deps: BookingDeps, { subjectId }: PaymentOrderChanged): Promise<Outcome> {
  const settled = await settleRefund(deps.sql, subjectId);
  if (settled === undefined) return drop('no refund of a booking');
  const { reservationId, paymentOrderId, settledMinor } = settled;
  const reservation = await deps.reservations.get(reservationId, { staff: true });
  if (reservation?.paymentId === paymentOrderId && reservation.refundDueMinor === settledMinor)
    await deps.reservations.confirmRefund(reservationId);
  return ok;
}
