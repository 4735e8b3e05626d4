import { type Outcome, ok } from '#platform/stream/outcome.js';
import {
  type ReservationChanged,
  reservationChangeKind,
  reservationStatusNumber,
} from '#schemas/messages.js';
import type { BookingDeps } from './booking-deps.js';
import { unwantedPayments } from './booking-payments.js';
import { forEachConcurrently } from './for-each-concurrently.js';
import { noteMoney } from './note-money.js';
import { batchPayments, type PaymentBatchers } from './payment-batchers.js';
import { refundBooking } from './refund-booking.js';

/**
 * What changes of reservations require from payment: a payment order for each reservation that waits to be
 * paid, none for a cancelled one, a refund for the amount due. Events contain the complete reservation, so of
 * several about one only the last counts.
 */
export async function followReservations(
  deps: BookingDeps,
  events: readonly ReservationChanged[],
  booked = batchPayments(deps.sql),
): Promise<readonly Outcome[]> {
  const last = new Map(events.map((event) => [event.reservationId, event]));
  const waiting = [...last.values()].filter((event) => isPayable(event, deps.nowMs()));
  await askForPayment(
    deps,
    booked,
    waiting.filter((event) => event.priceMinor > 0),
  );
  for (const event of waiting) if (event.priceMinor === 0) await confirmForNothing(deps, event);
  for (const event of last.values()) {
    await withdrawUnwanted(deps, event);
    await noteWhenCancelled(deps, event);
  }
  const outcomes: Outcome[] = [];
  for (const event of events) outcomes.push(await giveBackWhatIsDue(deps, event));
  return outcomes;
}

/** When the hold is over there is nothing to pay for; another event reports its end. */
const isPayable = ({ status, holdExpiresMs }: ReservationChanged, nowMs: number): boolean =>
  status === reservationStatusNumber.pending_payment && holdExpiresMs > nowMs;

async function askForPayment(
  deps: BookingDeps,
  booked: PaymentBatchers,
  events: readonly ReservationChanged[],
): Promise<void> {
  const named = await Promise.all(events.map((event) => booked.name(event)));
  await forEachConcurrently(
    named.filter((payment) => payment !== undefined),
    async (payment) => {
      await deps.payments.ask(payment);
      await booked.markAsked(payment.paymentOrderId);
    },
  );
}

async function confirmForNothing(deps: BookingDeps, event: ReservationChanged): Promise<void> {
  const { reservationId, currency } = event;
  await deps.reservations.confirmPayment({
    reservationId,
    paymentId: `free:${reservationId}`,
    amountMinor: 0n,
    currency,
  });
}

/**
 * While a reservation still waits, only a payment for an older price is withdrawn. An expired hold has ended
 * its payment.
 */
async function withdrawUnwanted(deps: BookingDeps, event: ReservationChanged): Promise<void> {
  const { pending_payment, cancelled, rejected } = reservationStatusNumber;
  const { status, kind, reservationId } = event;
  if (status !== pending_payment && status !== cancelled && status !== rejected) return;
  const waits = status === pending_payment;
  if (waits && kind === reservationChangeKind.created) return;
  for (const id of await unwantedPayments(deps.sql, reservationId, { newest: waits ? 'wanted' : 'unwanted' }))
    await deps.payments.withdraw(id);
}

/**
 * Others may have refunded all of it before: then nothing is due, and the reservation is refunded already.
 */
async function noteWhenCancelled(deps: BookingDeps, event: ReservationChanged): Promise<void> {
  const { status, reservationId, paymentId: paymentOrderId } = event;
  if (status === reservationStatusNumber.cancelled && paymentOrderId !== '')
    await noteMoney(deps, { reservationId, paymentOrderId });
}

async function giveBackWhatIsDue(deps: BookingDeps, event: ReservationChanged): Promise<Outcome> {
  const { refundDueMinor, paymentId: paymentOrderId, reservationId, currency } = event;
  if (refundDueMinor === 0 || paymentOrderId === '') return ok;
  return refundBooking(deps, {
    refundId: `due-${refundDueMinor}:${paymentOrderId}`,
    paymentOrderId,
    reservationId,
    dueMinor: BigInt(refundDueMinor),
    currency,
    reason: 'due by the reservation',
  });
}
