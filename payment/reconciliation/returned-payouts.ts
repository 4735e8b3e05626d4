import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { findingClasses } from './finding.js';
import type { SettledFile } from './settlement-line.js';

export interface ReturnedPayout {
  readonly payoutId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
}

/**
 * SQL: payouts of file $1 that our bank sent back, and whether that is the whole of one that we booked, for
 * the first time. Anything else is money that nobody can explain.
 */
const returned = `
WITH file AS (SELECT * FROM settlement_file WHERE file_no = $1), line AS (
  SELECT l.* FROM settlement_line l WHERE l.file_no = $1 AND l.kind = 'payout_returned' AND l.succeeded
    AND l.payout_id IS NULL
)
SELECT l.line_no, l.payment_order_id, l.operation, l.currency, l.amount_minor,
  l.fee_minor = 0
  AND EXISTS (
    SELECT FROM settlement_payout p JOIN settlement_file f USING (file_no)
      JOIN settlement_balance b USING (file_no, currency)
    WHERE f.provider = (SELECT provider FROM file) AND p.payout_id = l.payment_order_id AND NOT p.is_repeated
      AND p.currency = l.currency AND p.amount_minor = l.amount_minor AND b.paid_minor = b.owed_minor)
  AND NOT EXISTS (SELECT FROM line e WHERE e.payment_order_id = l.payment_order_id AND e.line_no < l.line_no)
  AND NOT EXISTS (
    SELECT FROM settlement_file f CROSS JOIN LATERAL (
      SELECT FROM settlement_line e WHERE e.file_no = f.file_no AND e.kind = 'payout_returned' AND e.succeeded
        AND e.payout_id IS NULL AND e.payment_order_id = l.payment_order_id LIMIT 1) e
    WHERE f.provider = (SELECT provider FROM file) AND f.file_no <> $1
      AND f.period_to <= (SELECT period_from FROM file)) AS is_known
FROM line l`;

/** A person is asked about money that came back for no payout of ours, for another amount, or again. */
export async function findReturned(tx: SqlSession, { fileNo }: SettledFile, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO reconciliation_finding (file_no, line_no, kind, class, payment_order_id, operation, currency,
       psp_minor, found_at, changed_at)
     SELECT $1, line_no, 'missing_internally', $2, payment_order_id, operation, currency, amount_minor, $3, $3
     FROM (${returned}) r WHERE NOT is_known
     ON CONFLICT DO NOTHING`,
    [fileNo, findingClasses.missing_internally, now],
  );
}

/** Those that need no person. */
export async function returnedPayouts(tx: SqlSession, fileNo: number): Promise<readonly ReturnedPayout[]> {
  const { rows } = await tx.query<
    SqlRow & { payment_order_id: string; currency: string; amount_minor: bigint }
  >(`SELECT payment_order_id, currency, amount_minor FROM (${returned}) r WHERE is_known ORDER BY line_no`, [
    fileNo,
  ]);
  return rows.map((row) => ({
    payoutId: row.payment_order_id,
    currency: row.currency,
    amountMinor: row.amount_minor,
  }));
}
