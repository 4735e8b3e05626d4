import type { SqlSession } from '#platform/sql/sql.js';
import { findingClasses } from './finding.js';
import type { SettledFile } from './settlement-line.js';

/** SQL: whether the provider says which operations its payouts contain. */
export const namesParts = (provider: string): string => `EXISTS (
  SELECT FROM settlement_payout p JOIN settlement_file f USING (file_no)
  WHERE f.provider = ${provider} AND p.names_parts)`;

/** SQL: what an operation adds to a payout. */
export const netMinor = `CASE WHEN kind IN ('charge', 'dispute_won', 'payout_returned') THEN amount_minor
  ELSE -amount_minor END - fee_minor`;

/** SQL: lines of the provider in files of these days; each file is read by its range of pages. */
const linesOf = (where: string, files: string, provider = '$2'): string => `
  SELECT l.* FROM settlement_file f CROSS JOIN LATERAL (
    SELECT * FROM settlement_line l WHERE l.file_no = f.file_no AND l.kind <> 'payout' AND l.succeeded AND ${where}
    OFFSET 0) l
  WHERE f.provider = ${provider} AND ${files}`;

/** What a payout contains was settled before, exactly so, and was not paid before. */
const findWrongParts = `
INSERT INTO reconciliation_finding (file_no, line_no, kind, class, payment_order_id, operation, currency, psp_minor,
  our_minor, found_at, changed_at)
WITH part AS MATERIALIZED (
  -- Before our first file, we do not know what was settled.
  SELECT * FROM settlement_line WHERE file_no = $1 AND payout_id IS NOT NULL
    AND occurred_at >= (SELECT min(period_from) FROM settlement_file WHERE provider = $2)
), since AS (SELECT min(occurred_at) AS at FROM part),
settled AS MATERIALIZED (
  ${linesOf('l.payout_id IS NULL', 'f.period_to > (SELECT at FROM since)')}
), paid AS MATERIALIZED (
  ${linesOf('l.payout_id IS NOT NULL', 'f.file_no <> $1 AND f.period_to > (SELECT at FROM since)')}
), judged AS (
  SELECT p.*, coalesce(s.is_settled, false) AS is_settled, coalesce(o.is_paid, false)
    OR row_number() OVER (PARTITION BY payment_order_id, operation, psp_reference ORDER BY p.line_no) > 1 AS is_paid
  FROM part p
  LEFT JOIN (SELECT DISTINCT payment_order_id, operation, psp_reference, amount_minor, fee_minor, currency,
    true AS is_settled FROM settled) s
    USING (payment_order_id, operation, psp_reference, amount_minor, fee_minor, currency)
  LEFT JOIN (SELECT DISTINCT payment_order_id, operation, psp_reference, true AS is_paid FROM paid) o
    USING (payment_order_id, operation, psp_reference)
)
SELECT $1, line_no, 'payout_part_differs', $3, payment_order_id, operation, currency, amount_minor,
  CASE WHEN is_settled THEN 0 END, $4, $4
FROM judged WHERE is_paid OR NOT is_settled
ON CONFLICT DO NOTHING`;

/** By currency, what was settled between $3 and $4 and is in no payout since. */
const unpaid = `
WITH settled AS MATERIALIZED (
  ${linesOf('l.payout_id IS NULL AND l.occurred_at >= $3 AND l.occurred_at < $4', 'f.period_to > $3 AND f.period_from < $4')}
), paid AS MATERIALIZED (
  ${linesOf('l.payout_id IS NOT NULL', 'f.period_to > $3 AND EXISTS (SELECT FROM settled)')}
)
SELECT currency, sum(${netMinor})::bigint AS net FROM settled s
WHERE $1::integer IS NOT NULL AND NOT EXISTS (SELECT FROM paid p WHERE p.payment_order_id = s.payment_order_id
  AND p.operation = s.operation AND p.psp_reference = s.psp_reference)
GROUP BY currency HAVING sum(${netMinor}) > 0`;

/** Of the files of the provider that have no sums yet: parts are named from the second day on at best. */
const sumDays = `
INSERT INTO settled_day (file_no, currency, day, settled_minor, paid_minor)
SELECT l.file_no, l.currency, (l.occurred_at AT TIME ZONE 'UTC')::date,
  coalesce(sum(${netMinor}) FILTER (WHERE l.payout_id IS NULL), 0),
  coalesce(sum(${netMinor}) FILTER (WHERE l.payout_id IS NOT NULL), 0)
FROM (${linesOf('true', 'NOT EXISTS (SELECT FROM settled_day d WHERE d.file_no = f.file_no)', '$1')}) l
GROUP BY 1, 2, 3`;

/**
 * The currencies in which the provider owes us something of before $2: of all that it settled, and not only
 * of late, because a debt of months ago is deducted from the payouts of today. Parts of before our first file
 * were not settled there.
 */
const owedBefore = `
SELECT d.currency FROM settled_day d JOIN settlement_file f USING (file_no)
WHERE f.provider = $1 AND d.day < ($2::timestamptz AT TIME ZONE 'UTC')::date
  AND d.day >= (SELECT min(period_from AT TIME ZONE 'UTC')::date FROM settlement_file WHERE provider = $1)
GROUP BY d.currency HAVING sum(d.settled_minor) > sum(d.paid_minor)`;

const dayMs = 86_400_000;

/**
 * For a provider that says which operations its payouts contain: those of this file, and what was settled on
 * the days before that are due by now. While the provider is owed more than it owes, nothing is due.
 */
export async function matchPayoutParts(
  tx: SqlSession,
  file: SettledFile,
  now: Date,
  payoutDueDays: number,
): Promise<void> {
  const { fileNo, provider, periodFrom, periodTo } = file;
  const { rows } = await tx.query<{ names: boolean }>(`SELECT ${namesParts('$1')} AS names`, [provider]);
  if (!rows[0]!.names) return;
  await tx.query(findWrongParts, [fileNo, provider, findingClasses.payout_part_differs, now]);
  await tx.query(sumDays, [provider]);
  const before = (at: Date, days: number) => new Date(at.getTime() - days * dayMs);
  const { rows: due } = await tx.query<{ currency: string; net: bigint }>(unpaid, [
    fileNo,
    provider,
    before(periodFrom, payoutDueDays),
    before(periodTo, payoutDueDays),
  ]);
  if (due.length === 0) return;
  const { rows: owed } = await tx.query<{ currency: string }>(owedBefore, [
    provider,
    before(periodTo, payoutDueDays / 2),
  ]);
  for (const { currency, net } of due)
    if (owed.some((one) => one.currency === currency))
      await tx.query(
        `INSERT INTO reconciliation_finding (file_no, kind, class, currency, our_minor, found_at, changed_at)
         VALUES ($1, 'payout_missing', $2, $3, $4, $5, $5) ON CONFLICT DO NOTHING`,
        [fileNo, findingClasses.payout_missing, currency, net, now],
      );
}
