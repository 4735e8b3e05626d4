import type { MerchantEventType } from '#schemas/http/merchant-webhooks.js';
import { type PaymentOrderChanged, paymentChange } from '#schemas/messages.js';

const types: ReadonlyMap<number, MerchantEventType> = new Map([
  [paymentChange.created, 'payment.created'],
  [paymentChange.pending, 'payment.pending'],
  [paymentChange.succeeded, 'payment.succeeded'],
  [paymentChange.failed, 'payment.failed'],
  [paymentChange.capturedLate, 'payment.captured_late'],
  [paymentChange.settled, 'payment.settled'],
  [paymentChange.refundRequested, 'refund.requested'],
  [paymentChange.refunded, 'refund.succeeded'],
  [paymentChange.refundFailed, 'refund.failed'],
  [paymentChange.disputeOpened, 'dispute.opened'],
  [paymentChange.disputeWon, 'dispute.won'],
  [paymentChange.disputeLost, 'dispute.lost'],
  [paymentChange.disputeAnswered, 'dispute.answered'],
  [paymentChange.disputeAnswerRefused, 'dispute.answer_refused'],
  [paymentChange.disputeDeadlineMissed, 'dispute.deadline_missed'],
]);

/** The event that a merchant receives for a change; undefined for steps that concern only us. */
export const eventTypeOf = ({ kind }: PaymentOrderChanged): MerchantEventType | undefined => types.get(kind);
