import type { Sql } from '#platform/sql/sql.js';
import { post } from '../ledger/ledger.js';
import { lockPayout, type Payout, payoutOf, releaseOf } from './payout.js';

export interface PayoutReview {
  readonly payoutId: string;
  readonly decision: 'approve' | 'deny';
  readonly reason: string;
  readonly staffId: string;
  readonly now: Date;
}

export type PayoutReviewed =
  | { readonly kind: 'reviewed'; readonly payout: Payout }
  | { readonly kind: 'not_found' }
  /** Decided already, or it never had to be. */
  | { readonly kind: 'not_waiting' }
  | { readonly kind: 'same_person' };

/**
 * The second person decides on a requested payout: it is sent as requested, or its money is returned to the
 * seller.
 */
export async function reviewPayout(sql: Sql, review: PayoutReview): Promise<PayoutReviewed> {
  const { payoutId, decision, reason, staffId, now } = review;
  return sql.transaction(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === undefined) return { kind: 'not_found' };
    if (payout.state !== 'awaiting_second') return { kind: 'not_waiting' };
    if (payout.requestedBy === staffId) return { kind: 'same_person' };
    if (decision === 'deny') {
      const outcome = await post(tx, [releaseOf(payout)], { at: now });
      if (outcome.kind === 'refused')
        throw new Error(`The ledger rejected the transfer: ${outcome.refusals[0]!.detail}`);
    }
    const isApproved = decision === 'approve';
    await tx.query(
      `UPDATE payout SET state = $2, next_attempt_at = $3, failure = $4, reviewed_by = $5, reviewed_at = $6,
         review_reason = $7, changed_at = $6 WHERE payout_id = $1`,
      [
        payoutId,
        isApproved ? 'created' : 'failed',
        isApproved ? now : null,
        isApproved ? null : 'denied by the second person',
        staffId,
        now,
        reason,
      ],
    );
    return { kind: 'reviewed', payout: (await payoutOf(tx, payoutId))! };
  });
}
