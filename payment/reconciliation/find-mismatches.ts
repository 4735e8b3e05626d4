import type { SqlSession } from '#platform/sql/sql.js';
import type { SettlementSettings } from '../settings/settlement-settings.js';
import { decisionStands } from './decision-stands.js';
import { findingClasses } from './finding.js';
import { reconciliationLimits } from './limits.js';
import { matchPayouts } from './match-payouts.js';
import type { SettledFile } from './settlement-line.js';

/**
 * Our own records, one row for each operation with the PSP; `succeeded` is NULL while it runs. An order that
 * expired and was charged late is FAILED and captured: its money moved, and the captured amount counts, not
 * the requested one. `reference` is the PSP's name of the operation if it is known. `whose` selects the
 * orders, or the start time.
 */
const ownOperations = (whose: (at: string, order: string) => string): string => `
  SELECT payment_order_id, 'capture' AS operation, 'charge' AS kind, seller_account,
    CASE WHEN captured_minor > 0 THEN captured_minor ELSE amount_minor END AS amount_minor, currency,
      changed_at, psp_reference AS reference, provider,
    CASE WHEN captured_minor > 0 THEN true WHEN payment_order_status = 'FAILED' THEN false END AS succeeded
  FROM payment_orders o WHERE ${whose('changed_at', 'o.payment_order_id')}
  UNION ALL
  SELECT r.payment_order_id, 'refund:' || r.refund_id, 'refund', o.seller_account, r.amount_minor,
    r.currency, r.changed_at, r.psp_reference, o.provider,
    CASE r.refund_status WHEN 'SUCCESS' THEN true WHEN 'FAILED' THEN false END
  FROM payment_refunds r JOIN payment_orders o USING (payment_order_id) WHERE ${whose('r.changed_at', 'r.payment_order_id')}
  UNION ALL
  SELECT d.payment_order_id, 'dispute:' || d.dispute_id || ':opened', 'dispute', o.seller_account, d.amount_minor, d.currency,
    d.opened_at, NULL, o.provider, true
  FROM payment_disputes d JOIN payment_orders o USING (payment_order_id) WHERE ${whose('d.opened_at', 'd.payment_order_id')}
  UNION ALL
  SELECT d.payment_order_id, 'dispute:' || d.dispute_id || ':won', 'dispute_won', o.seller_account, d.amount_minor, d.currency,
    d.closed_at, NULL, o.provider, true
  FROM payment_disputes d JOIN payment_orders o USING (payment_order_id)
  WHERE d.dispute_status = 'WON' AND ${whose('d.closed_at', 'd.payment_order_id')}`;

const bookedKinds = `('capture', 'refund', 'dispute_opened', 'dispute_won')`;
const feeAccounts = `(SELECT account_no FROM ledger_account WHERE id LIKE 'psp-fees:%')`;

/** A finding with an amount that an approved decision has booked away. */
const isWrittenOff = `EXISTS (
    SELECT FROM finance_decision d WHERE d.finding_no = f.finding_no AND d.action = 'adjust'
      AND ${decisionStands('d')})`;

/** For a line in `seen`: the fee that the PSP may withhold. */
const feeMinorMax = `(psp_minor * $10::integer / 100 + CASE line_kind WHEN 'dispute'
  THEN $11::bigint ELSE $12::bigint END)`;

/**
 * One join of the file's lines, our operations and the ledger, each operation once on every side. A line may
 * differ in several ways. A difference that makes the others meaningless comes first: if the currency
 * differs, the amount is not compared. All sides are read from some days before the period on. The few
 * operations that then lack another side are looked up by their names: an order changes long after its
 * charge, when it is refunded, and a provider may settle late, or again. A second line for an operation is
 * harmless only when it repeats the first in everything: under another reference money moved twice, and under
 * the same one the provider contradicts itself.
 */
const compare = `
INSERT INTO reconciliation_finding (file_no, line_no, kind, class, payment_order_id, operation, seller_account, currency, psp_minor, our_minor,
  our_currency, found_at, changed_at)
WITH line AS NOT MATERIALIZED (SELECT * FROM settlement_line WHERE file_no = $1
  AND kind NOT IN ('payout', 'payout_returned') AND payout_id IS NULL),
since AS (SELECT coalesce(min(batch_no), 0) AS first FROM ledger_batch WHERE sealed_at >= $2),
-- What failed has settled nothing, so a success beside it is no copy of it.
twice AS MATERIALIZED (
  SELECT payment_order_id, operation, succeeded FROM line GROUP BY payment_order_id, operation, succeeded
  HAVING count(*) > 1
-- The line under the reference that we know is the first one, wherever it is.
), repeated AS MATERIALIZED (
  SELECT l.line_no, row_number() OVER content > 1 AS is_copy, row_number() OVER operation > 1 AS is_further,
    row_number() OVER reference > 1 AS has_reference,
    first_value(l.amount_minor) OVER reference AS amount_minor,
    first_value(l.fee_minor) OVER reference AS fee_minor, first_value(l.currency) OVER reference AS currency
  FROM line l JOIN twice USING (payment_order_id, operation, succeeded)
  LEFT JOIN payment_orders o ON o.payment_order_id = l.payment_order_id AND l.operation = 'capture'
  LEFT JOIN payment_refunds r ON r.refund_id = substr(l.operation, 8) AND l.operation LIKE 'refund:%'
  WINDOW operation AS (PARTITION BY l.payment_order_id, l.operation, l.succeeded
      ORDER BY (l.psp_reference = coalesce(o.psp_reference, r.psp_reference)) IS TRUE DESC, l.line_no),
    reference AS (PARTITION BY l.payment_order_id, l.operation, l.succeeded, l.psp_reference
      ORDER BY l.line_no),
    content AS (PARTITION BY l.payment_order_id, l.operation, l.succeeded, l.psp_reference, l.amount_minor,
      l.fee_minor, l.currency, l.occurred_at ORDER BY l.line_no)
), earlier AS MATERIALIZED (
  SELECT l.payment_order_id, l.operation, l.succeeded FROM settlement_line l JOIN settlement_file f USING (file_no)
  WHERE f.file_no <> $1 AND f.provider = $7 AND f.matched_at IS NOT NULL AND f.period_to > $2 AND f.period_from < $4
    AND l.payout_id IS NULL
), written_off AS MATERIALIZED (
  SELECT f.payment_order_id, f.operation FROM reconciliation_finding f WHERE f.kind = 'missing_at_psp' AND ${isWrittenOff}
), own AS (${ownOperations((at) => `${at} >= $2`)}),
booked AS (
  SELECT subject AS payment_order_id, operation, amount AS amount_minor, currency, posted_at FROM ledger_transfer
  WHERE batch_no >= (SELECT first FROM since) AND leg = 0 AND phase = 'posted' AND posted_at >= $2 AND kind IN ${bookedKinds}
), fee AS (
  SELECT subject AS payment_order_id, operation, amount AS fee_minor FROM ledger_transfer
  WHERE batch_no >= (SELECT first FROM since) AND leg > 0 AND kind = 'fee' AND posted_at >= $2 AND debit_account IN ${feeAccounts}
), side AS (
  SELECT payment_order_id, operation, l.line_no, l.kind AS line_kind, l.amount_minor AS psp_minor, coalesce(l.fee_minor, 0) AS psp_fee,
    l.currency AS psp_currency, l.succeeded AS psp_succeeded, l.occurred_at, l.psp_reference,
    o.kind AS own_kind, o.seller_account, o.amount_minor AS own_minor, o.currency AS own_currency,
    o.succeeded AS own_succeeded, o.reference AS own_reference, o.provider AS own_provider, b.amount_minor AS booked_minor,
    b.currency AS booked_currency, coalesce(b.posted_at, o.changed_at) AS own_at
  FROM line l FULL JOIN own o USING (payment_order_id, operation) FULL JOIN booked b USING (payment_order_id, operation)
), differing AS MATERIALIZED (
  SELECT s.*, coalesce(f.fee_minor, 0) AS own_fee, e.payment_order_id IS NOT NULL AS is_earlier,
    w.payment_order_id IS NOT NULL AS is_written_off
  FROM side s
  LEFT JOIN fee f ON f.payment_order_id = s.payment_order_id AND f.operation = s.operation
  LEFT JOIN twice t ON t.payment_order_id = s.payment_order_id AND t.operation = s.operation AND t.succeeded = s.psp_succeeded
  LEFT JOIN earlier e ON e.payment_order_id = s.payment_order_id AND e.operation = s.operation
    AND (s.line_no IS NULL OR e.succeeded = s.psp_succeeded)
  LEFT JOIN written_off w ON w.payment_order_id = s.payment_order_id AND w.operation = s.operation
  -- Nearly all agree in everything, and are let go before anybody asks what is wrong with them; so are those of an earlier file.
  WHERE CASE WHEN s.line_no IS NULL THEN e.payment_order_id IS NULL AND coalesce(own_provider, $7) = $7 AND (own_succeeded OR booked_minor IS NOT NULL)
    ELSE NOT coalesce(psp_minor = own_minor AND psp_minor = booked_minor AND psp_currency = own_currency AND psp_currency = booked_currency
      AND psp_succeeded AND own_succeeded AND psp_reference = coalesce(own_reference, psp_reference)
      AND coalesce(own_provider, $7) = $7 AND psp_fee = coalesce(f.fee_minor, 0) AND occurred_at >= $6 AND occurred_at < $4
      AND t.payment_order_id IS NULL AND e.payment_order_id IS NULL AND w.payment_order_id IS NULL, false) END
), old AS MATERIALIZED (
  SELECT s.payment_order_id, s.operation, t.amount AS amount_minor, t.currency, t.posted_at, s.has_line
  FROM (SELECT payment_order_id, operation, bool_or(line_no IS NOT NULL) AS has_line FROM differing WHERE booked_minor IS NULL
    GROUP BY payment_order_id, operation) s
  CROSS JOIN LATERAL (SELECT * FROM ledger_transfer t WHERE t.subject = s.payment_order_id AND t.operation = s.operation AND t.leg = 0
    AND t.phase = 'posted' AND t.kind IN ${bookedKinds} OFFSET 0) t
), old_own AS MATERIALIZED (${ownOperations((_, order) => `${order} IN (SELECT payment_order_id FROM old)`)}
), old_fee AS MATERIALIZED (
  SELECT o.payment_order_id, o.operation, t.amount AS fee_minor FROM old o CROSS JOIN LATERAL (
    SELECT * FROM ledger_transfer t WHERE t.subject = o.payment_order_id AND t.operation = o.operation AND t.leg > 0 AND t.kind = 'fee'
      AND t.debit_account IN ${feeAccounts} OFFSET 0) t
-- What files before say of the same operations: those of the days of this one, and those of the days on
-- which old ones were booked. Neither is read again when there are none.
), known AS MATERIALIZED (
  SELECT l.* FROM settlement_file f CROSS JOIN LATERAL (
    SELECT * FROM settlement_line l WHERE l.file_no = f.file_no AND l.payout_id IS NULL AND (l.payment_order_id, l.operation) IN
      (SELECT payment_order_id, operation FROM differing WHERE is_earlier) OFFSET 0) l
  WHERE f.file_no <> $1 AND f.provider = $7 AND f.matched_at IS NOT NULL
    AND f.period_to > $2 AND f.period_from < $4 AND EXISTS (SELECT FROM differing WHERE is_earlier)
  UNION ALL
  SELECT l.* FROM settlement_file f CROSS JOIN LATERAL (SELECT * FROM settlement_line l WHERE l.file_no =
    f.file_no AND l.payout_id IS NULL
    AND (l.payment_order_id, l.operation) IN (SELECT payment_order_id, operation FROM old WHERE has_line) OFFSET 0) l
  WHERE f.file_no <> $1 AND f.provider = $7 AND f.matched_at IS NOT NULL AND f.period_to <= $2
    AND f.period_to > (SELECT min(posted_at) FROM old WHERE has_line) - make_interval(days => $13::integer)
), known_content AS MATERIALIZED (
  SELECT DISTINCT payment_order_id, operation, succeeded, psp_reference, amount_minor, fee_minor, currency,
    occurred_at FROM known
), known_reference AS MATERIALIZED (
  SELECT DISTINCT ON (payment_order_id, operation, succeeded, psp_reference) * FROM known
  ORDER BY payment_order_id, operation, succeeded, psp_reference, file_no DESC, line_no
), known_operation AS MATERIALIZED (
  SELECT DISTINCT payment_order_id, operation, succeeded FROM known
), seen AS (
  SELECT s.line_no, s.payment_order_id, s.operation, s.line_kind, s.psp_minor, s.psp_fee, s.psp_currency, s.psp_succeeded, s.occurred_at,
    s.psp_reference, coalesce(s.own_reference, m.reference) AS own_reference,
    coalesce(s.own_provider, m.provider, $7) <> $7 AS is_of_another,
    coalesce(s.seller_account, m.seller_account) AS seller_account, coalesce(s.own_minor, m.amount_minor) AS own_minor,
    coalesce(s.own_currency, m.currency) AS own_currency, CASE WHEN s.own_minor IS NULL THEN m.succeeded ELSE s.own_succeeded END AS own_succeeded,
    coalesce(s.booked_minor, o.amount_minor) AS booked_minor, coalesce(s.booked_currency, o.currency) AS booked_currency,
    coalesce(o.posted_at, s.own_at) AS own_at, coalesce(f.fee_minor, s.own_fee) AS own_fee,
    s.is_earlier, s.is_written_off,
    coalesce(t.is_copy, false) OR c.payment_order_id IS NOT NULL AS is_copy,
    coalesce(t.is_further, false) OR p.payment_order_id IS NOT NULL AS is_further,
    -- What was said before of the same movement; of another one nothing is known.
    CASE WHEN k.line_no IS NOT NULL THEN k.amount_minor WHEN t.has_reference THEN t.amount_minor END
      AS said_minor,
    CASE WHEN k.line_no IS NOT NULL THEN k.fee_minor WHEN t.has_reference THEN t.fee_minor END AS said_fee,
    CASE WHEN k.line_no IS NOT NULL THEN k.currency WHEN t.has_reference THEN t.currency END AS said_currency
  FROM differing s LEFT JOIN old o USING (payment_order_id, operation) LEFT JOIN old_own m USING (payment_order_id, operation)
  LEFT JOIN old_fee f USING (payment_order_id, operation)
  LEFT JOIN repeated t ON t.line_no = s.line_no
  LEFT JOIN known_content c ON c.payment_order_id = s.payment_order_id AND c.operation = s.operation
    AND c.succeeded = s.psp_succeeded AND c.psp_reference = s.psp_reference AND c.amount_minor = s.psp_minor
    AND c.fee_minor = s.psp_fee AND c.currency = s.psp_currency AND c.occurred_at = s.occurred_at
  LEFT JOIN known_reference k ON k.payment_order_id = s.payment_order_id AND k.operation = s.operation
    AND k.succeeded = s.psp_succeeded AND k.psp_reference = s.psp_reference
  LEFT JOIN known_operation p ON p.payment_order_id = s.payment_order_id AND p.operation = s.operation
    AND p.succeeded = s.psp_succeeded
), judged AS (
  SELECT s.*, CASE
      WHEN line_no IS NULL THEN CASE WHEN NOT is_earlier AND own_at >= $3 AND own_at < $5 THEN '{missing_at_psp}'::text[] END
      WHEN is_copy OR is_further AND NOT psp_succeeded THEN '{duplicate_line}'
      WHEN is_further THEN CASE
        WHEN said_minor IS NULL THEN '{settled_twice}'::text[]
        WHEN said_currency <> psp_currency THEN '{currency_differs}'
        WHEN said_minor = psp_minor AND said_fee <> psp_fee THEN '{fee_unusual}'
        ELSE '{line_corrected}' END
      -- Another provider has the order, so this one moved money that nobody asked for.
      WHEN is_of_another THEN '{missing_internally}'
      WHEN own_minor IS NULL AND booked_minor IS NULL THEN CASE
        WHEN line_kind = 'refund' AND NOT EXISTS (
          SELECT FROM payment_orders o WHERE o.payment_order_id = s.payment_order_id AND o.captured_minor > 0)
        THEN '{refund_without_charge}'::text[] ELSE '{missing_internally}' END
      ELSE array_remove(ARRAY[
        CASE
          WHEN psp_currency <> coalesce(own_currency, booked_currency) THEN 'currency_differs'
          WHEN psp_succeeded IS DISTINCT FROM coalesce(own_succeeded, booked_minor IS NOT NULL AND own_minor IS NULL) THEN 'status_differs'
          WHEN psp_succeeded AND (is_written_off OR psp_minor <> coalesce(own_minor, booked_minor)) THEN 'amount_differs'
          WHEN psp_succeeded AND psp_fee <> own_fee AND psp_fee > ${feeMinorMax} THEN 'fee_unusual'
          WHEN psp_succeeded AND psp_fee <> own_fee THEN 'fee_differs' END,
        CASE WHEN psp_succeeded AND psp_reference <> own_reference THEN 'reference_differs' END,
        CASE WHEN occurred_at < $6 OR occurred_at >= $4 THEN 'wrong_day' END,
        CASE
          WHEN own_succeeded AND booked_minor IS NULL THEN 'ledger_missing'
          WHEN own_minor IS NULL THEN 'order_missing'
          WHEN booked_minor <> own_minor OR booked_currency <> own_currency THEN 'ledger_differs' END], NULL) END AS kinds
  FROM seen s
)
SELECT $1, line_no, k.kind, (($8::jsonb) ->> k.kind)::smallint, payment_order_id, operation, seller_account,
  coalesce(psp_currency, own_currency, booked_currency),
  CASE WHEN k.kind IN ('fee_differs', 'fee_unusual') THEN psp_fee
    -- A line that failed moved nothing, so nothing is adjusted.
    WHEN k.kind IN ('duplicate_line', 'wrong_day', 'status_differs', 'missing_internally',
      'refund_without_charge', 'currency_differs') AND NOT psp_succeeded THEN 0 ELSE psp_minor END,
  CASE WHEN k.kind = 'fee_unusual' AND is_further THEN said_fee
    WHEN k.kind IN ('fee_differs', 'fee_unusual') THEN own_fee
    WHEN k.kind IN ('ledger_missing', 'ledger_differs') THEN booked_minor
    -- The line before may be a finding of its own, whose entry books what that line says.
    WHEN k.kind = 'line_corrected' OR k.kind = 'currency_differs' AND is_further THEN said_minor
    WHEN k.kind = 'currency_differs' AND own_succeeded IS FALSE THEN 0
    WHEN k.kind = 'status_differs' AND NOT coalesce(own_succeeded, own_minor IS NULL) THEN 0
    WHEN k.kind = 'amount_differs' AND is_written_off THEN 0 ELSE coalesce(own_minor, booked_minor) END,
  CASE WHEN k.kind <> 'currency_differs' THEN NULL WHEN is_further THEN said_currency
    ELSE coalesce(own_currency, booked_currency) END, $9, $9
FROM judged CROSS JOIN LATERAL unnest(kinds) k(kind)
ON CONFLICT DO NOTHING`;

/** A wallet differs from the ledger's balance at the posting that the wallet has reached. */
const compareWallets = `
INSERT INTO reconciliation_finding (file_no, kind, class, seller_account, currency, psp_minor, our_minor, found_at, changed_at)
SELECT $1, 'wallet_differs', $2, seller_account, currency, balance, ledger_balance, $3, $3 FROM wallet_wrong()
ON CONFLICT DO NOTHING`;

/**
 * An operation that was missing in an earlier file, or in the ledger, has arrived since and was not booked
 * away.
 */
const heal = `
UPDATE reconciliation_finding f SET state = 'healed', changed_at = $2
WHERE f.state IN ('open', 'awaiting_second') AND NOT ${isWrittenOff} AND (
  f.kind = 'missing_at_psp' AND EXISTS (
    SELECT FROM settlement_line l WHERE l.file_no = $1 AND l.payment_order_id = f.payment_order_id AND l.operation = f.operation
      AND l.payout_id IS NULL)
  OR f.kind = 'ledger_missing' AND EXISTS (
    SELECT FROM ledger_transfer t WHERE t.subject = f.payment_order_id AND t.operation = f.operation))`;

/**
 * Compares a loaded file with orders, ledger and wallets, and records what differs. To be called again with
 * the same file finds nothing new. The caller's transaction must be `repeatable read`, so that all sides are
 * of one moment.
 */
export async function findMismatches(
  tx: SqlSession,
  file: SettledFile,
  now: Date,
  settings: SettlementSettings,
): Promise<void> {
  const { fileNo, provider, periodFrom, periodTo } = file;
  const { clockToleranceMs: tolerance, lookbackDays } = settings;
  const since = new Date(periodFrom.getTime() - lookbackDays * 86_400_000);
  const first = await tx.query<{ first: Date }>(
    'SELECT min(period_from) AS first FROM settlement_file WHERE provider = $1',
    [provider],
  );
  // Before our first file, we do not know what was settled.
  const missingSince = new Date(Math.max(since.getTime(), first.rows[0]!.first.getTime()));
  await tx.query(`SET LOCAL work_mem = '${reconciliationLimits.joinMemory}'`);
  // Without this, the planner sorts all lines on disk to join the few duplicates. In memory, a million lines
  // take a quarter less time.
  await tx.query('SET LOCAL enable_mergejoin = off');
  // A file that was just stored is not in the planner's statistics, which would then expect few lines instead
  // of a million.
  await tx.query('ANALYZE settlement_line (file_no, payment_order_id, operation)');
  await tx.query(compare, [
    fileNo,
    since,
    missingSince,
    periodTo,
    new Date(periodTo.getTime() - tolerance),
    periodFrom,
    provider,
    JSON.stringify(findingClasses),
    now,
    settings.feePercentMax,
    settings.disputeFeeMinorMax,
    settings.flatFeeMinorMax,
    lookbackDays,
  ]);
  await matchPayouts(tx, file, now, settings.payoutDueDays);
  await tx.query(compareWallets, [fileNo, findingClasses.wallet_differs, now]);
  await tx.query(heal, [fileNo, now]);
}
