/** Details of refused requests about payments; `payment-problems.ts` has their kinds. */

export { badFields } from '#platform/http/messages.js';
export const noOrder = 'No payment order has this id.';
export const noRefund = 'No refund has this id.';
export const noPayout = 'No payout has this id.';
export const noToken = 'No payment has this token.';
export const noProvider = 'No provider of this name is configured.';
export const noDeadLetter = 'No dead letter has this id.';
export const noFinding = 'No finding or decision has this number.';
export const idUsed = (name: string) => `The ${name} is already in use.`;
export const refundable = (amount: string) => `${amount} can still be refunded.`;
export const unavailable = 'The payment service is not available.';

// The body of a new payment.
export const duplicateOrder = 'is used twice in this request';
export const severalCurrencies = 'must be the same for all orders of an event';
export const tooManyBytes = (most: number) => `has more than ${most} bytes`;
export const accountRequired =
  'is required when a service pays for a buyer, and must contain a letter or a digit';
