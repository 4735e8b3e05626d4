import type { ProblemKind } from '#platform/http/problem.js';

export const paymentProblems = {
  keyMissing: {
    code: 'idempotency-key-missing',
    status: 400,
    title: 'An idempotency key is required',
    advice:
      'Send the header `idempotency-key` with a new UUID, and the same one when you retry the ' +
      'request. Printable ASCII, at most 255 characters.',
  },
  stillRunning: {
    code: 'request-still-running',
    status: 409,
    title: 'A request with this key is still in progress',
    advice: 'Retry the same request after `Retry-After` seconds to get its result.',
  },
  idTaken: {
    code: 'payment-id-taken',
    status: 409,
    title: 'The id is already in use',
    advice:
      'The detail names the id. To retry a request whose answer was lost, use its idempotency key. ' +
      'Otherwise, use new ids.',
  },
  savedCardUnusable: {
    code: 'saved-card-unusable',
    status: 422,
    title: 'The saved card cannot pay this',
    advice:
      'Nothing was stored. The card does not exist, was deleted, or was saved by another buyer or with ' +
      'another seller. List the cards of the buyer, or let the buyer enter a card.',
  },
  tooManyCards: {
    code: 'too-many-saved-cards',
    status: 422,
    title: 'No more cards can be saved',
    advice: 'Nothing was stored. The detail says how many are possible. Delete one, or pay without saving.',
  },
  keyReused: {
    code: 'idempotency-key-reused',
    status: 422,
    title: 'The key was used with a different body',
    advice: 'Nothing was done. Use a new key for a new request.',
  },
  notReviewed: {
    code: 'payment-not-in-review',
    status: 409,
    title: 'The payment order is not under review',
    advice: 'Read the payment order again: someone else may have decided.',
  },
  notCancellable: {
    code: 'payment-not-cancellable',
    status: 409,
    title: 'The payment cannot be cancelled',
    advice: 'The detail says why, and what to do instead. Nothing was changed.',
  },
  notAuthorized: {
    code: 'payment-not-authorized',
    status: 409,
    title: 'The payment does not wait for a capture',
    advice: 'Read the payment order: it can be captured or voided once, while `pending` is `capture`.',
  },
  aboveAuthorized: {
    code: 'capture-above-authorized',
    status: 422,
    title: 'The capture exceeds the authorized amount',
    advice: 'The detail says how much is authorized.',
  },
  notRefundable: {
    code: 'payment-not-refundable',
    status: 409,
    title: 'The payment has no captured amount',
    advice: 'Only a payment order in the state SUCCESS can be refunded.',
  },
  aboveCaptured: {
    code: 'refund-above-captured',
    status: 422,
    title: 'The refund exceeds the rest of the payment',
    advice: 'The detail says how much can still be refunded.',
  },
  aboveBalance: {
    code: 'payout-above-balance',
    status: 422,
    title: 'The balance of the seller is too low',
    advice: 'Nothing was reserved. Pending payouts reduce the balance. Request less, or wait for captures.',
  },
  scheduleWaiting: {
    code: 'payout-schedule-waiting',
    status: 409,
    title: 'Another schedule of the seller waits for a second person',
    advice: 'Nothing was stored. Let a second person decide on the other one, or stop it, first.',
  },
  scheduleEnded: {
    code: 'payout-schedule-ended',
    status: 409,
    title: 'The payout schedule has ended',
    advice: 'Only a schedule that is active or awaits a second person can be stopped.',
  },
  feeWaiting: {
    code: 'seller-fee-waiting',
    status: 409,
    title: 'Another fee of the seller waits for a second person',
    advice: 'Nothing was stored. Let a second person decide on the other one first.',
  },
  decided: {
    code: 'finance-already-decided',
    status: 409,
    title: 'The finding is not open',
    advice: 'Read the finding again: someone else decided it, or the mismatch is resolved.',
  },
  samePerson: {
    code: 'finance-second-person',
    status: 403,
    title: 'A second person must approve',
    advice: 'You cannot approve your own decision or request. Ask a colleague.',
  },
  notAwaitingSecond: {
    code: 'not-awaiting-second-person',
    status: 409,
    title: 'It is not awaiting a second person',
    advice: 'Read it again: someone else may have decided.',
  },
  settlementRefused: {
    code: 'settlement-file-refused',
    status: 422,
    title: 'The settlement file is damaged or not for us',
    advice:
      'Nothing of it was stored. The detail says where it is wrong; the format is in ' +
      '`docs/formats/settlement-file.md`. Ask the provider for a new file.',
  },
  settlementLate: {
    code: 'settlement-file-late',
    status: 409,
    title: 'The settlement file came after its deadline',
    advice:
      'Nothing of it was stored. If it should count, send it again with `accept_late_because` and the ' +
      'reason, which is kept in the audit log.',
  },
  noSettlementImport: {
    code: 'settlement-not-importable',
    status: 409,
    title: 'The settlement of this day cannot be imported',
    advice: 'The detail says why. Nothing was stored.',
  },
  settlementsBusy: {
    code: 'settlement-uploads-busy',
    status: 429,
    title: 'Other settlement files are being uploaded',
    advice: 'Nothing was stored. Send the file again after `Retry-After` seconds.',
  },
  notRedriven: {
    code: 'dead-letter-closed',
    status: 409,
    title: 'The dead letter cannot be retried',
    advice:
      'It was already retried, its refund is final, its caller cancelled the order, or the service of the ' +
      'order retries by itself. Create a new order or refund.',
  },
  accountAssigned: {
    code: 'seller-account-assigned',
    status: 409,
    title: 'The seller account cannot be assigned',
    advice: 'The detail says why. Nothing was changed.',
  },
  disputeNotOpen: {
    code: 'dispute-not-open',
    status: 409,
    title: 'The dispute cannot be answered any more',
    advice: 'Read the dispute: it is won or lost, or its deadline has passed. Nothing was stored.',
  },
  disputeAnswered: {
    code: 'dispute-already-answered',
    status: 409,
    title: 'The dispute was already answered',
    advice: 'Banks take one answer. Another one is possible only if the provider refuses the first.',
  },
  evidenceEmpty: {
    code: 'dispute-evidence-empty',
    status: 422,
    title: 'The evidence is empty',
    advice: 'Give at least one text, or store a document first.',
  },
  statementTooLong: {
    code: 'statement-too-long',
    status: 422,
    title: 'The statement has too many entries',
    advice: 'Request a shorter time, or read the entries page by page.',
  },
  endpointRefused: {
    code: 'webhook-endpoint-refused',
    status: 409,
    title: 'The endpoint cannot be saved',
    advice: 'The detail says why. Change or delete another endpoint first.',
  },
  forgedWebhook: {
    code: 'webhook-not-verified',
    status: 401,
    title: 'The webhook signature is invalid',
    advice:
      'Nothing was changed. Sign as the provider documents it; the timestamp can ' +
      'be at most five minutes old.',
  },
  otherProvider: {
    code: 'webhook-of-another-provider',
    status: 409,
    title: 'The payment order belongs to another provider',
    advice: 'The webhook was recorded and changed nothing. Staff check it for a second charge.',
  },
} as const satisfies Record<string, ProblemKind>;
