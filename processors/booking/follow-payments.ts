import type { ConfirmOutcome } from '#hotel/reservations/reservations.js';
import { anotherCardMayDo } from '#payment/orders/code-actions.js';
import { drop, type Outcome, ok } from '#platform/stream/outcome.js';
import { type PaymentOrderChanged, paymentChange } from '#schemas/messages.js';
import type { BookingDeps } from './booking-deps.js';
import { type BookingPayment, newestPayment } from './booking-payments.js';
import { failRefund } from './booking-refunds.js';
import { forEachConcurrently } from './for-each-concurrently.js';
import { noteMoney, readMoney, refundableOf } from './note-money.js';
import { batchPayments } from './payment-batchers.js';
import { refundBooking } from './refund-booking.js';
import { tryAnotherCard } from './try-another-card.js';

/**
 * What changes of payments require from hotels: a successful payment pays its reservation or a supplement of
 * it, or is refunded when it was late and the rooms are gone; a failed one releases the rooms. Changes of one
 * order keep their order, different orders run in parallel.
 */
export async function followPayments(
  deps: BookingDeps,
  events: readonly PaymentOrderChanged[],
  booked = batchPayments(deps.sql),
): Promise<readonly Outcome[]> {
  const decisiveEvents = events.filter(({ kind }) => decisive.has(kind));
  if (decisiveEvents.length === 0) return events.map(() => drop('nothing to do'));
  const outcomes = new Map<PaymentOrderChanged, Outcome>();
  await forEachConcurrently([...byOrder(decisiveEvents)], async ([id, changes]) => {
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
  paymentChange.refundRequested,
  paymentChange.refunded,
  paymentChange.refundFailed,
  paymentChange.disputeOpened,
  paymentChange.disputeWon,
  paymentChange.disputeLost,
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

/** With the outcome of the payment, once it is known. */
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
    case paymentChange.failed:
      return release(deps, payment, event);
    case paymentChange.refundFailed:
      await failRefund(deps.sql, event.subjectId);
      await noteMoney(deps, payment);
      return [ok];
    default:
      await noteMoney(deps, payment);
      return [ok];
  }
}

async function confirm(deps: BookingDeps, payment: BookingPayment): Promise<Followed> {
  const { reservationId, paymentOrderId: paymentId, amountMinor, currency } = payment;
  const outcome = await deps.reservations.confirmPayment({
    reservationId,
    paymentId,
    supplementId: supplementOf(payment),
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

const supplementOf = ({ supplementId }: BookingPayment) => (supplementId === '' ? undefined : supplementId);

/** All of it; the ledger names the refund by its reason. */
async function sendBack(
  deps: BookingDeps,
  { paymentOrderId, reservationId, amountMinor, currency }: BookingPayment,
  outcome: Extract<ConfirmOutcome, { readonly kind: 'refund' | 'unknown' }>,
): Promise<Followed> {
  const reason = outcome.kind === 'refund' ? outcome.reason : 'unknown-reservation';
  const about = { paymentOrderId, reservationId, currency, reason };
  const refundId = `${reason}:${paymentOrderId}`;
  const answer = await refundBooking(deps, { ...about, refundId, dueMinor: amountMinor });
  const money = await readMoney(deps, paymentOrderId);
  const dueMinor = money === undefined ? amountMinor : refundableOf(money);
  // Others refunded a part of it; refund the rest.
  if (dueMinor < amountMinor)
    await refundBooking(deps, { ...about, refundId: `rest-${dueMinor}:${paymentOrderId}`, dueMinor });
  return [answer, reason];
}

/**
 * A declined card keeps the hold: another card may be tried. The rooms are released when the checkout ends:
 * the failure is not the card's fault, or the limit of cards is reached. A payment of an outdated price may
 * fail without effect. When the checkout of a supplement ends, the paid stay stays as it is.
 */
async function release(
  deps: BookingDeps,
  payment: BookingPayment,
  { reason }: PaymentOrderChanged,
): Promise<Followed> {
  const { reservationId, paymentOrderId, checkoutId } = payment;
  const failed = [ok, `failed: ${reason}`] as const;
  if (anotherCardMayDo(reason) && (await tryAnotherCard(deps, payment, reason))) return failed;
  const newest = await newestPayment(deps.sql, payment);
  const isWanted = newest?.checkoutId === checkoutId;
  // An old event: another card is being tried since, or is about to be after a later one.
  const isOld = newest?.paymentOrderId !== paymentOrderId;
  if (isWanted && isOld && (newest.asked || newest.retryOf !== paymentOrderId)) return failed;
  if (isWanted) await deps.reservations.rejectPayment(reservationId, supplementOf(payment));
  await deps.payments.close(checkoutId);
  return failed;
}
