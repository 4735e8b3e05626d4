import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { type CardsSeen, findCard, type SavedCard } from './saved-card.js';

export interface Deletion {
  readonly who: string;
  readonly now: Date;
}

/**
 * From now on nobody can pay with the card. Its deletion at the provider follows. A repeated request has no
 * further effect. Undefined for a card that the caller does not see.
 */
export async function deleteCard(
  sql: Sql,
  seen: CardsSeen,
  id: string,
  deletion: Deletion,
): Promise<SavedCard | undefined> {
  return sql.transaction(async (tx) => {
    const card = await findCard(tx, seen, id);
    if (card?.state !== 'kept') return card;
    await takeAway(tx, [id], deletion);
    return findCard(tx, seen, id);
  });
}

/**
 * Payments with these cards that are not at the provider yet are withdrawn: their version changes, so an
 * executor that has read them does not send them. Of those that wait for the buyer's bank, the provider is
 * asked to close the challenge. Orders in the place of declined ones have other cards. The tokens leave the
 * payment events.
 */
export async function takeAway(
  tx: SqlSession,
  ids: readonly string[],
  { who, now }: Deletion,
): Promise<void> {
  await tx.query(
    `UPDATE saved_card SET state = CASE state WHEN 'kept' THEN 'deleting' ELSE state END, attempts = 0,
       next_attempt_at = $2, deletion_requested_at = $2, deletion_requested_by = $3
     WHERE card_id = ANY ($1::text[]) AND state IN ('wanted', 'kept') AND deletion_requested_at IS NULL`,
    [ids, now, who],
  );
  await tx.query(
    `UPDATE payment_orders o SET expires_at = $2, next_attempt_at = $2, version = version + 1, changed_at = $2
     FROM saved_card_payment p WHERE p.card_id = ANY ($1::text[]) AND o.checkout_id = p.checkout_id
       AND o.retry_of IS NULL AND NOT o.is_final AND (o.pending IS NULL OR o.pending IN ('review', 'challenge', 'unknown'))`,
    [ids, now],
  );
  await tx.query(
    `UPDATE payment_events e SET credit_card_info = (credit_card_info::jsonb - 'reference')::text
     FROM saved_card_payment p WHERE p.card_id = ANY ($1::text[]) AND e.checkout_id = p.checkout_id
       AND e.credit_card_info IS NOT NULL`,
    [ids],
  );
}
