import type { SqlSession } from '#platform/sql/sql.js';

/**
 * Sets `is_payment_done` when every order of the event has come to its end and ledger and wallet have the successful ones. The event's row
 * is locked first: of two orders that finish at the same moment the second sees the first.
 */
export async function finishEvent(tx: SqlSession, checkoutId: string): Promise<void> {
  await tx.query('SELECT 1 FROM payment_events WHERE checkout_id = $1 FOR UPDATE', [checkoutId]);
  await tx.query(
    `UPDATE payment_events SET is_payment_done = true
     WHERE checkout_id = $1 AND NOT is_payment_done AND NOT EXISTS (
       SELECT 1 FROM payment_orders WHERE checkout_id = $1
         AND NOT (is_final AND (payment_order_status = 'FAILED' OR (ledger_updated AND wallet_updated))))`,
    [checkoutId],
  );
}
