import { type Outcome, ok } from '#platform/stream/outcome.js';
import {
  type ReservationChanged,
  reservationChangeKind,
  reservationStatusNumber,
} from '#schemas/messages.js';
import type { BookingDeps } from './booking-deps.js';
import { noteUnusableCard, unwantedPayments } from './booking-payments.js';
import { forEachConcurrently } from './for-each-concurrently.js';
import { noteMoney } from './note-money.js';
import { type Payable, payableOf } from './payable.js';
import { batchPayments, type PaymentBatchers } from './payment-batchers.js';
import { refundStay } from './refund-stay.js';

/**
 * What changes of reservations require from payment: a payment order for each price or supplement that waits
 * to be paid, none for a cancelled one, a refund for the amount due. Events contain the complete reservation,
 * so of several about one only the last counts.
 */
export async function followReservations(
  deps: BookingDeps,
  events: readonly ReservationChanged[],
  booked = batchPayments(deps.sql),
): Promise<readonly Outcome[]> {
  const last = new Map(events.map((event) => [event.reservationId, event]));
  const nowMs = deps.nowMs();
  const payables = [...last.values()].flatMap((event) => payableOf(event, nowMs) ?? []);
  await askForPayment(
    deps,
    booked,
    payables.filter(({ amountMinor }) => amountMinor > 0),
  );
  for (const payable of payables) if (payable.amountMinor === 0) await confirmForNothing(deps, payable);
  for (const event of last.values()) {
    await withdrawUnwanted(deps, event);
    await noteWhenCancelled(deps, event);
  }
  const outcomes: Outcome[] = [];
  for (const event of events) outcomes.push(await giveBackWhatIsDue(deps, event));
  return outcomes;
}

async function askForPayment(
  deps: BookingDeps,
  booked: PaymentBatchers,
  payables: readonly Payable[],
): Promise<void> {
  const named = await Promise.all(payables.map((payable) => booked.name(payable)));
  await forEachConcurrently(
    named.filter((payment) => payment !== undefined),
    async (payment) => {
      if ((await deps.payments.ask(payment)) === 'no such card') {
        await noteUnusableCard(deps.sql, payment.paymentOrderId);
        await deps.payments.ask({ ...payment, savedCardId: undefined });
      }
      await booked.markAsked(payment.paymentOrderId);
    },
  );
}

async function confirmForNothing(deps: BookingDeps, { reservationId, currency }: Payable): Promise<void> {
  await deps.reservations.confirmPayment({
    reservationId,
    paymentId: `free:${reservationId}`,
    amountMinor: 0n,
    currency,
  });
}

/**
 * While a reservation or its supplement waits, only payments for an older price, or another supplement, are
 * withdrawn. An expired hold has ended its payment.
 */
async function withdrawUnwanted(deps: BookingDeps, event: ReservationChanged): Promise<void> {
  const { pending_payment, cancelled, rejected } = reservationStatusNumber;
  const { status, kind, reservationId, supplementId, supplementMinor } = event;
  const waits = status === pending_payment;
  // Most paid reservations never had a supplement: nothing is read for them.
  if (!waits && status !== cancelled && status !== rejected && supplementId === '') return;
  if (waits && kind === reservationChangeKind.created) return;
  const wanted = waits ? { supplementId: '' } : supplementMinor > 0 ? { supplementId } : undefined;
  for (const id of await unwantedPayments(deps.sql, reservationId, wanted)) await deps.payments.withdraw(id);
}

/**
 * Others may have refunded all of it before: then nothing is due, and the reservation is refunded already.
 */
async function noteWhenCancelled(deps: BookingDeps, event: ReservationChanged): Promise<void> {
  const { status, reservationId, paymentId: first } = event;
  if (status !== reservationStatusNumber.cancelled || first === '') return;
  for (const { paymentId: paymentOrderId } of await deps.reservations.paymentsOf(reservationId))
    await noteMoney(deps, { reservationId, paymentOrderId });
}

async function giveBackWhatIsDue(deps: BookingDeps, event: ReservationChanged): Promise<Outcome> {
  const { refundDueMinor, paymentId: paymentOrderId, reservationId, currency } = event;
  if (refundDueMinor === 0 || paymentOrderId === '') return ok;
  return refundStay(deps, { reservationId, dueMinor: BigInt(refundDueMinor), currency });
}
