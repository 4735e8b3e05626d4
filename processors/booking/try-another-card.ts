import type { BookingDeps } from './booking-deps.js';
import {
  type BookingPayment,
  markAsked,
  nameRetry,
  newestPayment,
  type PaidFor,
} from './booking-payments.js';

/**
 * While the reservation or its supplement waits to be paid, another payment order replaces one with a
 * declined card. False when there is none: the hold is over, the reservation changed, or the limit of cards
 * is reached.
 */
export async function tryAnotherCard(
  deps: BookingDeps,
  declined: BookingPayment,
  code: string,
): Promise<boolean> {
  if (!(await isWanted(deps, declined))) return false;
  const retry = await nameRetry(deps.sql, declined, code, new Date(deps.nowMs()));
  if (retry === undefined) return false;
  if (retry.asked) return true;
  if ((await deps.payments.ask(retry)) === 'over') return false;
  await markAsked(deps.sql, [retry.paymentOrderId]);
  // Cancelled, or of another price, since it was read: the process that changed it did not know this order
  // yet.
  const newest = await newestPayment(deps.sql, retry);
  const isNewest = newest?.paymentOrderId === retry.paymentOrderId;
  if (!isNewest || !(await isWanted(deps, retry))) await deps.payments.withdraw(retry.paymentOrderId);
  return true;
}

async function isWanted(
  { reservations }: BookingDeps,
  { reservationId, supplementId }: PaidFor,
): Promise<boolean> {
  const found = await reservations.get(reservationId, { staff: true });
  return supplementId === '' ? found?.status === 'pending_payment' : found?.supplement?.id === supplementId;
}
