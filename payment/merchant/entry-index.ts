import type { Sql } from '#platform/sql/sql.js';
import { merchantLimits } from './limits.js';

/**
 * Adds the sellers' postings of further batches to the index `merchant_entry`, at most `indexBatchesMax`.
 * Batches are committed in the order of their numbers, so none is missed. One caller at a time; resolves with
 * whether there is more.
 */
export async function advanceEntryIndex(sql: Sql): Promise<boolean> {
  return sql.transaction(async (tx) => {
    const { rows } = await tx.query<{
      readonly first: bigint;
      readonly last: bigint;
      readonly more: boolean;
    }>(
      `SELECT m.batch_no AS first, least(m.batch_no + $1, h.batch_no) AS last, h.batch_no > m.batch_no + $1 AS more
       FROM merchant_entry_head m, ledger_chain_head h FOR UPDATE OF m`,
      [merchantLimits.indexBatchesMax],
    );
    const { first, last, more } = rows[0]!;
    if (last <= first) return false;
    await tx.query(
      `INSERT INTO merchant_entry (account_no, sequence, batch_no)
       SELECT p.account_no, p.sequence, t.batch_no
       FROM ledger_transfer t
       CROSS JOIN LATERAL (VALUES (t.debit_account, t.debit_sequence), (t.credit_account, t.credit_sequence))
         p(account_no, sequence)
       JOIN ledger_account a ON a.account_no = p.account_no
       WHERE t.batch_no > $1 AND t.batch_no <= $2 AND a.id LIKE 'seller:%'
       ORDER BY p.account_no, p.sequence`,
      [first, last],
    );
    await tx.query('UPDATE merchant_entry_head SET batch_no = $1', [last]);
    return more;
  });
}

/** Until the index has all that the ledger had at the call; false if that takes too many steps. */
export async function completeEntryIndex(sql: Sql): Promise<boolean> {
  for (let step = 0; step < merchantLimits.indexStepsMax; step += 1)
    if (!(await advanceEntryIndex(sql))) return true;
  return false;
}
