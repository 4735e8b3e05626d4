import type { BookingPaymentView } from '#schemas/http/bookings.js';
import { count } from './texts.js';

/** What the guest can put right; of all other reasons a bank tells nobody. */
const declines: Readonly<Record<string, string>> = {
  insufficient_funds: 'There is not enough money on your card.',
  expired_card: 'Your card has expired.',
  incorrect_number: 'The card number is not valid.',
  incorrect_cvc: 'The security code of your card is wrong.',
  address_mismatch: 'Your address is not the one that your bank knows.',
};

/** Reasons that are no card's fault. */
const ends: Readonly<Record<string, string>> = {
  no_rooms_left: 'Your money came when the rooms were gone. All of it goes back to you.',
  amount_differs:
    'The payment provider took a wrong amount. All of it goes back to you. The rooms were released.',
  expired: 'The time to pay is over, and the rooms were released.',
  voided: 'The payment was cancelled, and the rooms were released.',
  retries_exhausted:
    'The payment provider does not answer, and the rooms were released. Please try again later.',
  risk_blocked: 'The payment was refused, and the rooms were released.',
  review_denied: 'The payment was refused, and the rooms were released.',
};

const texts = {
  preparing: 'The payment is being prepared.',
  open: 'The rooms are yours as soon as they are paid.',
  processing: 'The payment is being worked on. This page tells when it is done.',
  paid: 'Paid. The rooms are reserved for you.',
  failed: 'The payment failed, and the rooms were released.',
} as const;

const declineText = (code: string): string => declines[code] ?? 'Your card was declined.';

/**
 * How far the payment is, in plain words; after a declined card why, and how long another one may be tried.
 */
export function paymentText({ status, failureCode, expiresAt }: BookingPaymentView, nowMs: number): string {
  if (failureCode === undefined) return texts[status];
  const minutes = Math.ceil((Date.parse(expiresAt) - nowMs) / 60_000);
  switch (status) {
    case 'open':
      return `${declineText(failureCode)} Try another card within ${count(Math.max(1, minutes), 'minute')}.`;
    case 'preparing':
      return failureCode in ends ? texts.preparing : `${declineText(failureCode)} ${texts.preparing}`;
    case 'failed':
      return ends[failureCode] ?? `${declineText(failureCode)} The rooms were released.`;
    case 'processing':
    case 'paid':
      return texts[status];
  }
}
