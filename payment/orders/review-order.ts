import type { Sql } from '#platform/sql/sql.js';
import { changeOrder } from './change-order.js';
import { readOrder } from './order.js';
import { endWithoutProvider } from './submit-payment.js';

export interface Review {
  readonly paymentOrderId: string;
  readonly decision: 'approve' | 'deny';
  readonly reason: string;
  readonly staffId: string;
}

/** A person decides on an order that the risk check held back. The buyer gets his full time from then on. */
export async function reviewOrder(
  sql: Sql,
  review: Review,
  nowMs: number,
  registrationMs: number,
): Promise<'decided' | 'not in review' | 'unknown order'> {
  const source = `staff ${review.staffId}`;
  return sql.transaction(async (tx) => {
    const order = await readOrder(tx, review.paymentOrderId, 'for update');
    if (order === undefined) return 'unknown order';
    if (order.status !== 'NOT_STARTED' || order.pending !== 'review') return 'not in review';
    await tx.query(
      'INSERT INTO payment_risk_checks (payment_order_id, decision, reason, source, at) VALUES ($1, $2, $3, $4, $5)',
      [
        order.id,
        review.decision === 'approve' ? 'approved' : 'denied',
        review.reason,
        source,
        new Date(nowMs),
      ],
    );
    if (review.decision === 'deny') {
      await endWithoutProvider(tx, order.id, 'review_denied', { nowMs, source });
      return 'decided';
    }
    await tx.query('UPDATE payment_orders SET expires_at = $2 WHERE payment_order_id = $1', [
      order.id,
      new Date(nowMs + registrationMs),
    ]);
    const set = { pending: undefined, nextAttemptMs: nowMs };
    await changeOrder(
      tx,
      order,
      { set, cause: 'review_approved', tell: { kind: 'pending' } },
      { nowMs, source },
    );
    return 'decided';
  });
}
