import type { getDisputes, postDisputeAcceptance, postDisputeEvidence } from '#schemas/http/disputes.js';
import type {
  getFindings,
  getMoneyProof,
  getPaymentDeadLetters,
  postApproval,
  postDecision,
  postRedrive,
  postReversal,
} from '#schemas/http/finance.js';
import type { getFinanceAudit } from '#schemas/http/finance-audit.js';
import type {
  getFinanceBalances,
  getFinancePayment,
  getFinancePayments,
} from '#schemas/http/finance-payments.js';
import type { getFinancePaymentSettlement } from '#schemas/http/finance-settlement.js';
import type { getPaymentReturn } from '#schemas/http/payment-return.js';
import type { getPayment, postPayment, postReview } from '#schemas/http/payments.js';
import type { getPayoutSchedules, postPayoutScheduleReview } from '#schemas/http/payout-schedules.js';
import type { getPayouts, postPayoutReview } from '#schemas/http/payouts.js';
import type { getPaymentReviews, getRefundReviews, postRefundReview } from '#schemas/http/reviews.js';

// Literal types of the contracts, so that every address matches its contract and the bundle contains no
// schema.
export const paymentsPath: (typeof postPayment)['path'] = '/v1/payments';
export const returnPath: (typeof getPaymentReturn)['path'] = '/v1/payment-return';
export const findingsPath: (typeof getFindings)['path'] = '/v1/finance/findings';
export const financePaymentsPath: (typeof getFinancePayments)['path'] = '/v1/finance/payments';
export const auditPath: (typeof getFinanceAudit)['path'] = '/v1/finance/audit';
export const balancesPath: (typeof getFinanceBalances)['path'] = '/v1/finance/balances';
export const proofPath: (typeof getMoneyProof)['path'] = '/v1/finance/proof';
export const deadLettersPath: (typeof getPaymentDeadLetters)['path'] = '/v1/payment-dead-letters';
export const disputesPath: (typeof getDisputes)['path'] = '/v1/disputes';
export const payoutSchedulesPath: (typeof getPayoutSchedules)['path'] = '/v1/payout-schedules';
export const payoutsPath: (typeof getPayouts)['path'] = '/v1/payouts';
export const paymentReviewsPath: (typeof getPaymentReviews)['path'] = '/v1/payment-reviews';
export const refundReviewsPath: (typeof getRefundReviews)['path'] = '/v1/refund-reviews';
const disputeEvidencePath: (typeof postDisputeEvidence)['path'] = '/v1/disputes/{dispute_id}/evidence';
const disputeAcceptancePath: (typeof postDisputeAcceptance)['path'] = '/v1/disputes/{dispute_id}/acceptance';
const payoutScheduleReviewPath: (typeof postPayoutScheduleReview)['path'] =
  '/v1/payout-schedules/{schedule_no}/review';
const payoutReviewPath: (typeof postPayoutReview)['path'] = '/v1/payouts/{payout_id}/review';
const paymentReviewPath: (typeof postReview)['path'] = '/v1/payments/{payment_order_id}/review';
const refundReviewPath: (typeof postRefundReview)['path'] =
  '/v1/payments/{payment_order_id}/refunds/{refund_id}/review';
const paymentPath: (typeof getPayment)['path'] = '/v1/payments/{payment_order_id}';
const financePaymentPath: (typeof getFinancePayment)['path'] = '/v1/finance/payments/{payment_order_id}';
const financePaymentSettlementPath: (typeof getFinancePaymentSettlement)['path'] =
  '/v1/finance/payments/{payment_order_id}/settlement';
const decisionsPath: (typeof postDecision)['path'] = '/v1/finance/findings/{finding_no}/decisions';
const approvalPath: (typeof postApproval)['path'] = '/v1/finance/decisions/{decision_no}/approval';
const reversalPath: (typeof postReversal)['path'] = '/v1/finance/decisions/{decision_no}/reversal';
const redrivePath: (typeof postRedrive)['path'] = '/v1/payment-dead-letters/{id}/redrive';

const withId = (path: string, id: string | number): string =>
  path.replace(/\{[a-z_]+\}/, encodeURIComponent(id));

export const paymentPathOf = (id: string): string => withId(paymentPath, id);
export const financePaymentPathOf = (id: string): string => withId(financePaymentPath, id);
export const financePaymentSettlementPathOf = (id: string): string =>
  withId(financePaymentSettlementPath, id);
export const disputeEvidencePathOf = (id: string): string => withId(disputeEvidencePath, id);
export const disputeAcceptancePathOf = (id: string): string => withId(disputeAcceptancePath, id);
export const payoutScheduleReviewPathOf = (scheduleNo: number): string =>
  withId(payoutScheduleReviewPath, scheduleNo);
export const payoutReviewPathOf = (id: string): string => withId(payoutReviewPath, id);
export const paymentReviewPathOf = (id: string): string => withId(paymentReviewPath, id);
export const refundReviewPathOf = (orderId: string, refundId: string): string =>
  withId(withId(refundReviewPath, orderId), refundId);
export const decisionsPathOf = (findingNo: number): string => withId(decisionsPath, findingNo);
export const approvalPathOf = (decisionNo: number): string => withId(approvalPath, decisionNo);
export const reversalPathOf = (decisionNo: number): string => withId(reversalPath, decisionNo);
export const redrivePathOf = (id: number): string => withId(redrivePath, id);
