import type { ProblemKind } from '#platform/http/problem.js';

/** Refusals of booking, in addition to those of every operation. */
export const bookingProblems = {
  paymentExists: {
    code: 'payment-exists',
    status: 409,
    title: 'The reservation has a payment already',
    advice: 'Whether the card is kept is decided before the reservation is made. Nothing was changed.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;
