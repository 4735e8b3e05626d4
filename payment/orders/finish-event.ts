import type { SqlSession } from '#platform/sql/sql.js';

/**
 * Sets `is_payment_done` when every order of an event has ended and ledger and wallet have the successful
 * ones. While a declined order may be followed by another, the event needs a success, or, with several
 * orders on one page, its end. The events' rows are
 * locked first, in one order: of two orders that finish at the same moment the second sees the first.
 */
export async function finishEvents(tx: SqlSession, checkoutIds: readonly string[]): Promise<void> {
  if (checkoutIds.length === 0) return;
  const ids = [...new Set(checkoutIds)];
  await tx.query(
    'SELECT 1 FROM payment_events WHERE checkout_id = ANY ($1::text[]) ORDER BY checkout_id FOR UPDATE',
    [ids],
  );
  await tx.query(
    `UPDATE payment_events e SET is_payment_done = true
     WHERE checkout_id = ANY ($1::text[]) AND NOT is_payment_done
       AND (NOT takes_retries OR NOT one_page AND EXISTS (
         SELECT FROM payment_orders s
         WHERE s.checkout_id = e.checkout_id AND s.payment_order_status = 'SUCCESS'))
       AND NOT EXISTS (
       SELECT 1 FROM payment_orders o WHERE o.checkout_id = e.checkout_id
         AND NOT (is_final AND (payment_order_status = 'FAILED' OR (ledger_updated AND wallet_updated))))`,
    [ids],
  );
}
