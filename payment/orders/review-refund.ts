import type { Sql } from '#platform/sql/sql.js';
import { changeOrder } from './change-order.js';
import { readOrder } from './order.js';
import { type Refund, readRefund } from './refund.js';

export interface RefundReview {
  readonly paymentOrderId: string;
  readonly refundId: string;
  readonly decision: 'approve' | 'deny';
  readonly reason: string;
  readonly staffId: string;
}

export type RefundReviewed =
  | { readonly kind: 'reviewed'; readonly refund: Refund }
  | { readonly kind: 'not_found' }
  /** Decided already, or it never had to be. */
  | { readonly kind: 'not_waiting' }
  | { readonly kind: 'same_person' };

/**
 * The second person decides on a large refund: it is sent to the provider as requested, or it ends and its
 * amount is free again.
 */
export async function reviewRefund(sql: Sql, review: RefundReview, nowMs: number): Promise<RefundReviewed> {
  const { paymentOrderId, refundId, decision, reason, staffId } = review;
  const now = new Date(nowMs);
  return sql.transaction(async (tx) => {
    // Order before refund, as everywhere. The lock of the order makes the second of two reviews wait, and
    // then see what the first decided.
    const order = await readOrder(tx, paymentOrderId, 'for update');
    const refund = await readRefund(tx, refundId);
    if (order === undefined || refund?.paymentOrderId !== paymentOrderId) return { kind: 'not_found' };
    if (!refund.awaitsSecond) return { kind: 'not_waiting' };
    if (refund.requestedBy === staffId) return { kind: 'same_person' };
    await tx.query(
      `UPDATE payment_refunds SET reviewed_by = $2, reviewed_at = $3, review_reason = $4, changed_at = $3,
         next_attempt_at = $5, refund_status = $6 WHERE refund_id = $1`,
      [
        refundId,
        staffId,
        now,
        reason,
        decision === 'approve' ? now : null,
        decision === 'approve' ? 'NOT_STARTED' : 'EXECUTING',
      ],
    );
    if (decision === 'deny') {
      // Through EXECUTING, like the end of every refund.
      await tx.query(
        `UPDATE payment_refunds SET refund_status = 'FAILED', failure_code = 'review_denied'
         WHERE refund_id = $1`,
        [refundId],
      );
      const set = { refundingMinor: order.refundingMinor - refund.amountMinor };
      // The seller is notified that the amount is available again.
      const event = { kind: 'refundFailed', amountMinor: refund.amountMinor, subjectId: refundId } as const;
      const context = { nowMs, source: `staff ${staffId}` };
      await changeOrder(tx, order, { set, cause: 'review_denied', event }, context);
    }
    return { kind: 'reviewed', refund: (await readRefund(tx, refundId))! };
  });
}
