import { randomUUID } from 'node:crypto';
import type { SqlSession } from '#platform/sql/sql.js';

/** Nobody can guess it: the nonces at the provider begin with it. */
export const newPageId = (): string => `page_${randomUUID()}`;

/** Stores a page that is wanted; the background job registers it at a provider. */
export async function storePage(
  tx: SqlSession,
  { id, checkoutId, number }: { readonly id: string; readonly checkoutId: string; readonly number: number },
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO payment_card_page (page_id, checkout_id, number, next_attempt_at, created_at)
     VALUES ($1, $2, $3, $4, $4)`,
    [id, checkoutId, number, now],
  );
}

/** One of the orders that the page with this token takes a card for. */
export async function orderIdOfPage(session: SqlSession, token: string): Promise<string | undefined> {
  const { rows } = await session.query<{ readonly id: string }>(
    `SELECT o.payment_order_id AS id FROM payment_card_page p JOIN payment_orders o USING (page_id)
     WHERE p.token = $1 ORDER BY o.position LIMIT 1`,
    [token],
  );
  return rows[0]?.id;
}

/**
 * Something may have happened to the page: it is worked on soon. Only a hint, so anybody may give it.
 * `name` is its nonce, or one of its orders. Resolves with whether it has not ended.
 */
export async function lookAtPage(session: SqlSession, name: string, now: Date): Promise<boolean> {
  const { rowCount } = await session.query(
    `UPDATE payment_card_page SET next_attempt_at = least(next_attempt_at, $2) WHERE state <> 'ended'
       AND (nonce = $1 OR page_id = (SELECT page_id FROM payment_orders WHERE payment_order_id = $1))`,
    [name, now],
  );
  return rowCount > 0;
}
