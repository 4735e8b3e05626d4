import type { ProblemKind } from '#platform/http/problem.js';

export const paymentProblems = {
  keyMissing: {
    code: 'idempotency-key-missing',
    status: 400,
    title: 'An idempotency key is needed',
    advice:
      'Send the header `idempotency-key` with a UUID of your own, the same one whenever you repeat this request. Printable ASCII, at most 255 characters.',
  },
  stillRunning: {
    code: 'request-still-running',
    status: 409,
    title: 'The first request with this key is still being worked on',
    advice: 'Send the same request again after the seconds of `Retry-After`; you will get its result.',
  },
  idTaken: {
    code: 'payment-id-taken',
    status: 409,
    title: 'The id was used by another request',
    advice:
      'The detail names which id. If you are repeating a request whose answer was lost, repeat it with its own idempotency key; else choose new ids.',
  },
  keyReused: {
    code: 'idempotency-key-reused',
    status: 422,
    title: 'The key was used for another body',
    advice: 'Nothing was done. Use a new key for a new request.',
  },
  notReviewed: {
    code: 'payment-not-in-review',
    status: 409,
    title: 'The payment order does not wait for review',
    advice: 'Read the payment order: somebody else may have decided.',
  },
  notRefundable: {
    code: 'payment-not-refundable',
    status: 409,
    title: 'The payment has taken no money',
    advice: 'Only a payment order in the state SUCCESS can be refunded.',
  },
  aboveCaptured: {
    code: 'refund-above-captured',
    status: 422,
    title: 'The refund is more than is left of the payment',
    advice: 'The detail says how much can still be given back.',
  },
  aboveBalance: {
    code: 'payout-above-balance',
    status: 422,
    title: 'The seller has less than that',
    advice: 'Nothing was reserved. Pending pay-outs count as spent; ask for less, or wait for captures.',
  },
  decided: {
    code: 'finance-already-decided',
    status: 409,
    title: 'There is nothing to decide',
    advice: 'Read the finding again: somebody else has decided it, or it has healed.',
  },
  samePerson: {
    code: 'finance-second-person',
    status: 403,
    title: 'A second person must agree',
    advice: 'Whoever made the decision, or asked for it, cannot agree to it. Ask a colleague to do so.',
  },
  notAwaitingSecond: {
    code: 'not-awaiting-second-person',
    status: 409,
    title: 'It does not wait for a second person',
    advice: 'Read it again: somebody else may have decided.',
  },
  notRedriven: {
    code: 'dead-letter-closed',
    status: 409,
    title: 'The dead letter is not tried again',
    advice: 'It was re-driven before, or what it is about has come to its end: make a new order or refund.',
  },
  forgedWebhook: {
    code: 'webhook-not-verified',
    status: 401,
    title: 'The webhook is not signed as it should be',
    advice:
      'Nothing was changed. Sign id, timestamp and body as Standard Webhooks says, at most five minutes old.',
  },
} as const satisfies Record<string, ProblemKind>;
