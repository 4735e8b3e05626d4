import type { SqlSession } from '#platform/sql/sql.js';

/**
 * The payment is no longer wanted: the order's time is over now. The background job closes the nonce at the
 * provider before the order ends; a faster payment makes it a success, which the caller must handle. An order
 * that has ended stays as it is.
 */
export async function withdrawOrder(session: SqlSession, orderId: string, nowMs: number): Promise<void> {
  await session.query(
    `UPDATE payment_orders SET expires_at = $2, next_attempt_at = $2, version = version + 1, changed_at = $2
     WHERE payment_order_id = $1 AND NOT is_final AND expires_at > $2`,
    [orderId, new Date(nowMs)],
  );
}
