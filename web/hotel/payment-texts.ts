import type { BookingPaymentView } from '#schemas/http/bookings.js';
import { messages } from './messages.js';

/** The state of the payment of a supplement; after a declined card why. */
export function supplementText({
  status,
  failureCode,
}: NonNullable<BookingPaymentView['supplement']>): string {
  const text = messages.supplementStatus[status];
  if (failureCode === undefined || status === 'processing' || status === 'confirm' || status === 'paid')
    return text;
  return `${messages.declined(failureCode)} ${text}`;
}

/** The state of the payment; after a declined card why, and how long another card can be tried. */
export function paymentText({ status, failureCode, expiresAt }: BookingPaymentView, nowMs: number): string {
  const text = messages.paymentStatus[status];
  if (failureCode === undefined) return text;
  const declined = messages.declined(failureCode);
  const minutes = Math.max(1, Math.ceil((Date.parse(expiresAt) - nowMs) / 60_000));
  const end = messages.paymentEnd[failureCode];
  switch (status) {
    case 'open':
      return `${declined} ${messages.tryAnotherCardWithin(minutes)}`;
    case 'preparing':
      return end === undefined ? `${declined} ${text}` : text;
    case 'failed':
      return end ?? `${declined} ${messages.roomsReleased}`;
    case 'confirm':
    case 'processing':
    case 'paid':
      return text;
  }
}
