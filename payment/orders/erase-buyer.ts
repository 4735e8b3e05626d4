import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { type Deletion, takeAway } from '../cards/delete-card.js';

/** A service names accounts in its own way, so an account is a buyer within its service. */
export interface ErasedBuyer {
  readonly caller: string;
  readonly buyerAccount: string;
}

/**
 * Erases the shop's information about a buyer in every payment event, and deletes the saved cards. Orders
 * that wait for a card on a page end, so that the page is closed and its card deleted. Amounts, accounts
 * and states stay: the books must be kept. Answers with the numbers of changed events and cards.
 */
export async function eraseBuyer(
  sql: Sql,
  { caller, buyerAccount }: ErasedBuyer,
  deletion: Deletion,
): Promise<{ readonly events: number; readonly cards: number }> {
  return sql.transaction(async (tx) => {
    const { rows } = await tx.query<{ readonly card_id: string }>(
      `SELECT card_id FROM saved_card WHERE caller = $1 AND buyer_account = $2
         AND state IN ('wanted', 'kept') AND deletion_requested_at IS NULL ORDER BY card_no FOR UPDATE`,
      [caller, buyerAccount],
    );
    if (rows.length > 0)
      await takeAway(
        tx,
        rows.map(({ card_id }) => card_id),
        deletion,
      );
    await withdrawCarts(tx, { caller, buyerAccount }, deletion.now);
    const { rowCount } = await tx.query(
      `UPDATE payment_events e SET buyer_info = NULL WHERE caller = $1 AND buyer_info IS NOT NULL
         AND EXISTS (SELECT FROM payment_orders o
           WHERE o.checkout_id = e.checkout_id AND o.buyer_account = $2)`,
      [caller, buyerAccount],
    );
    return { events: rowCount, cards: rows.length };
  });
}

/** Orders before their events, as everywhere. */
async function withdrawCarts(
  tx: SqlSession,
  { caller, buyerAccount }: ErasedBuyer,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE payment_orders o SET expires_at = $3, next_attempt_at = $3, version = version + 1, changed_at = $3
     FROM (SELECT payment_order_id FROM payment_orders JOIN payment_events e USING (checkout_id)
       WHERE e.caller = $1 AND buyer_account = $2 AND page_id IS NOT NULL AND payment_order_status = 'NOT_STARTED'
       ORDER BY payment_order_id FOR UPDATE OF payment_orders) w
     WHERE o.payment_order_id = w.payment_order_id`,
    [caller, buyerAccount, now],
  );
  await tx.query(
    `UPDATE payment_events e SET takes_retries = false WHERE caller = $1 AND one_page AND takes_retries
       AND EXISTS (SELECT FROM payment_orders o WHERE o.checkout_id = e.checkout_id AND o.buyer_account = $2)`,
    [caller, buyerAccount],
  );
}
