import type { Sql } from '#platform/sql/sql.js';
import { followerOf, readOrder } from './order.js';

export type CancelOutcome =
  /** `repeated`: requested before, or the order has failed and nothing follows it. */
  | { readonly kind: 'accepted' | 'repeated' }
  | { readonly kind: 'refused'; readonly because: 'paid' | 'authorized' | 'processing' }
  /** The order failed, and this one is in its place. */
  | { readonly kind: 'followed'; readonly by: string };

/**
 * The payment is no longer wanted, as in `withdrawOrder`, and fails with `voided`. What the provider may
 * have taken already is not undone: a call whose outcome is unknown is closed at the provider first, and if
 * it was faster, the order succeeds.
 */
export async function cancelOrder(sql: Sql, orderId: string, nowMs: number): Promise<CancelOutcome> {
  return sql.transaction(async (tx) => {
    const order = (await readOrder(tx, orderId, 'for update'))!;
    if (order.status === 'FAILED' && order.isFinal) {
      const by = await followerOf(tx, orderId);
      return by === undefined ? { kind: 'repeated' } : { kind: 'followed', by };
    }
    if (order.status === 'SUCCESS' || order.captureMinor > 0n) return { kind: 'refused', because: 'paid' };
    if (order.cancelRequested) return { kind: 'repeated' };
    if (order.pending === 'capture' || order.voidRequested) return { kind: 'refused', because: 'authorized' };
    const isAtBank = order.pending === 'processing' || order.pending === 'review';
    if (order.status === 'EXECUTING' && isAtBank) return { kind: 'refused', because: 'processing' };
    await tx.query(
      `UPDATE payment_orders SET cancel_requested = true, expires_at = least(expires_at, $2),
         next_attempt_at = $2, version = version + 1, changed_at = $2
       WHERE payment_order_id = $1`,
      [orderId, new Date(nowMs)],
    );
    return { kind: 'accepted' };
  });
}
