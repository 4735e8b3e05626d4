import type { PspCardReference } from '../psp/psp-card.js';
import type { CardPage } from './card-page.js';
import type { ExecutorDeps } from './executor-deps.js';

/**
 * The buyer has typed a card: every order that still waits for it may begin. From here on each
 * is an order like those with a saved card. Repeated, or for an order that was withdrawn, nothing happens.
 */
export async function takeCard(
  { sql, nowMs, reach }: ExecutorDeps,
  page: CardPage,
  { token, customer }: PspCardReference,
): Promise<void> {
  const now = new Date(nowMs());
  await sql.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `UPDATE payment_card_page SET state = 'charging', card_token = $2, customer = $3, taken_at = $4,
         next_attempt_at = $4, attempts = 0, failure = NULL
       WHERE page_id = $1 AND state = 'open'`,
      [page.id, token, customer, now],
    );
    if (rowCount === 0) return;
    await tx.query(
      `UPDATE payment_orders o SET page_card = $2, provider = $3, pending = NULL, next_attempt_at = $4,
         psp_page_url = NULL, version = version + 1, changed_at = $4
       FROM (SELECT payment_order_id FROM payment_orders WHERE page_id = $1 AND pending = 'buyer'
         AND payment_order_status = 'NOT_STARTED' ORDER BY payment_order_id FOR UPDATE) w
       WHERE o.payment_order_id = w.payment_order_id`,
      [page.id, JSON.stringify({ token, customer }), page.provider ?? null, now],
    );
    await reach('card-before-commit');
  });
  await reach('card-after-commit');
}
