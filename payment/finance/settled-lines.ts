import type { SqlSession } from '#platform/sql/sql.js';
import { type Currency, parseCurrency } from '../money/currency.js';
import type { SettlementSettings } from '../settings/settlement-settings.js';
import { traceLimits } from './limits.js';

/** What a settlement file says of a payment. Amounts in minor units. */
export interface SettledLine {
  readonly fileNo: number;
  readonly fileId: string;
  readonly lineNo: number;
  readonly kind: string;
  /** As the ledger calls it: `capture`, `refund:<id>`. */
  readonly operation: string;
  readonly pspReference: string;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly currency: Currency;
  readonly succeeded: boolean;
  readonly occurredAt: Date;
  /** Payouts of the provider to our bank that contained it: several if the file does not say which one. */
  readonly payoutIds: readonly string[];
}

/**
 * Lines are found by their file only, so these are the files that can have them: those whose period begins
 * within `$3` days after a posting that the provider settles and does not end a day before it, which may be
 * late, and those in which a mismatch of the payment was found.
 */
const files = `
SELECT f.* FROM settlement_file f WHERE f.file_no IN (
  SELECT f.file_no FROM (
    SELECT DISTINCT posted_at FROM ledger_transfer WHERE subject = $1 AND leg = 0 AND phase = 'posted'
      AND kind IN ('capture', 'refund', 'dispute_opened', 'dispute_won')) t
  JOIN settlement_file f ON (f.provider = $2 OR $2::text IS NULL)
    AND f.period_to > t.posted_at - interval '1 day'
    AND f.period_from <= t.posted_at + make_interval(days => $3::integer)
  UNION ALL
  SELECT file_no FROM reconciliation_finding WHERE payment_order_id = $1 AND file_no IS NOT NULL)
ORDER BY f.period_from, f.file_no LIMIT ${traceLimits.filesMax + 1}`;

interface Row extends Readonly<Record<string, unknown>> {
  readonly file_no: number;
  readonly file_id: string;
  readonly line_no: number | null;
  readonly kind: string;
  readonly operation: string;
  readonly psp_reference: string;
  readonly amount_minor: bigint;
  readonly fee_minor: bigint;
  readonly currency: string;
  readonly succeeded: boolean;
  readonly occurred_at: Date;
  readonly payout_ids: readonly string[];
  readonly place: bigint;
}

/** The lines about a payment order, by the periods of their files; `hasMore`: not all files or lines. */
export async function settledLines(
  session: SqlSession,
  { orderId, provider }: { readonly orderId: string; readonly provider: string | undefined },
  settings: SettlementSettings,
): Promise<{ readonly lines: readonly SettledLine[]; readonly hasMore: boolean }> {
  const { rows } = await session.query<Row>(
    `WITH file AS MATERIALIZED (SELECT *, row_number() OVER (ORDER BY period_from, file_no) AS place FROM (${files}) f)
     SELECT f.file_no, f.file_id, f.place, l.*, CASE
         WHEN l.payout_id IS NOT NULL THEN ARRAY[l.payout_id]
         WHEN NOT l.succeeded THEN '{}'
         ELSE ARRAY(SELECT p.payout_id::text FROM settlement_payout p WHERE p.file_no = f.file_no
           AND p.currency = l.currency AND NOT p.is_repeated AND NOT p.names_parts ORDER BY p.line_no) END AS payout_ids
     FROM file f LEFT JOIN LATERAL (
       SELECT line_no, kind, operation, psp_reference, amount_minor, fee_minor, l.currency, succeeded, occurred_at, payout_id
       FROM settlement_line l WHERE l.file_no = f.file_no AND l.payment_order_id = $1
         AND l.kind NOT IN ('payout', 'payout_returned') OFFSET 0) l ON true
     ORDER BY f.place, l.line_no`,
    [orderId, provider ?? null, Math.max(settings.lookbackDays, settings.payoutDueDays)],
  );
  const read = rows.filter(({ place }) => place <= BigInt(traceLimits.filesMax));
  const lines = read.flatMap((row) => (row.line_no === null ? [] : [lineOf(row, row.line_no)]));
  return {
    lines: lines.slice(0, traceLimits.linesMax),
    hasMore: read.length < rows.length || lines.length > traceLimits.linesMax,
  };
}

const lineOf = (row: Row, lineNo: number): SettledLine => ({
  fileNo: row.file_no,
  fileId: row.file_id,
  lineNo,
  kind: row.kind,
  operation: row.operation,
  pspReference: row.psp_reference,
  amountMinor: row.amount_minor,
  feeMinor: row.fee_minor,
  currency: parseCurrency(row.currency)!,
  succeeded: row.succeeded,
  occurredAt: row.occurred_at,
  payoutIds: row.payout_ids,
});
