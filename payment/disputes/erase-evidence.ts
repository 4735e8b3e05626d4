import type { Sql } from '#platform/sql/sql.js';
import { disputeLimits } from './limits.js';

/**
 * Texts and documents may name the buyer, so they are erased some time after the end of the dispute. What was
 * answered when and by whom stays, as do sizes and hashes of the documents. Resolves with whether there is
 * more.
 */
export async function eraseOldEvidence(sql: Sql, nowMs: number, keptAfterEndMs: number): Promise<boolean> {
  const before = new Date(nowMs - keptAfterEndMs);
  const { rows } = await sql.query<{ readonly dispute_id: string }>(
    `SELECT DISTINCT d.dispute_id FROM payment_disputes d
     WHERE d.closed_at < $1 AND (
       EXISTS (SELECT FROM dispute_document c WHERE c.dispute_id = d.dispute_id AND c.bytes IS NOT NULL)
       OR EXISTS (SELECT FROM dispute_answer a WHERE a.dispute_id = d.dispute_id AND a.texts IS NOT NULL))
     LIMIT $2`,
    [before, disputeLimits.erasedAtOnce],
  );
  const ids = rows.map(({ dispute_id }) => dispute_id);
  if (ids.length > 0)
    await sql.transaction(async (tx) => {
      await tx.query('UPDATE dispute_document SET bytes = NULL WHERE dispute_id = ANY ($1::text[])', [ids]);
      await tx.query('UPDATE dispute_answer SET texts = NULL WHERE dispute_id = ANY ($1::text[])', [ids]);
    });
  return ids.length >= disputeLimits.erasedAtOnce;
}
