import type { SqlSession } from '#platform/sql/sql.js';
import { decisionStands } from './decision-stands.js';

/** In minor units of one currency. */
export interface CurrencyProof {
  readonly currency: string;
  /** Proven ÷ all; 1 when nothing is left to explain. */
  readonly share: number;
  readonly provenMinor: bigint;
  readonly totalMinor: bigint;
  /** The part of the total that people booked by hand: only they vouch for it, so it is never proven. */
  readonly byHandMinor: bigint;
}

export interface MoneyProof {
  /** The least share of all currencies: minor units of several are no sum. */
  readonly share: number;
  /** In the order of their codes. */
  readonly currencies: readonly CurrencyProof[];
  /**
   * Operations on which order and ledger disagree, operations with a finding until a person closes it, and
   * entries by hand.
   */
  readonly unproven: bigint;
  readonly walletsWrong: bigint;
  /** Sums of all postings of each currency, added up without their signs; 0, always. */
  readonly ledgerSum: bigint;
  readonly findingsOpen: bigint;
}

/**
 * Compares three independent records in one snapshot: the amounts and fees of the orders, the ledger, and the
 * findings of settlement. A cent is proven when order and ledger agree, every finding about it was resolved
 * without a person, and the seller's wallet matches the ledger. A person's decision proves nothing.
 */
export async function proveMoney(session: SqlSession): Promise<MoneyProof> {
  const { rows } = await session.query<{
    currency: string | null;
    total: string;
    proven: string;
    by_hand: string;
    unproven: bigint;
    wallets_wrong: bigint;
    ledger_sum: string;
    findings_open: bigint;
  }>(
    `WITH own AS (
       SELECT payment_order_id AS subject, v.operation, v.amount_minor, currency, seller_account
       FROM payment_orders o CROSS JOIN LATERAL (VALUES ('capture', o.captured_minor), ('capture:fee',
         application_fee(o.payment_order_status, o.captured_minor, o.fee_basis_points, o.fee_fixed_minor)))
         v(operation, amount_minor) WHERE captured_minor > 0 AND v.amount_minor > 0
       UNION ALL
       SELECT r.payment_order_id, 'refund:' || r.refund_id || v.part, v.amount_minor, r.currency, o.seller_account
       FROM payment_refunds r JOIN payment_orders o USING (payment_order_id)
       CROSS JOIN LATERAL (VALUES ('', r.amount_minor), (':fee', r.fee_minor)) v(part, amount_minor)
       WHERE r.refund_status = 'SUCCESS' AND v.amount_minor > 0
       UNION ALL
       SELECT d.payment_order_id, 'dispute:' || d.dispute_id || ':' || s.state, d.amount_minor, d.currency, o.seller_account
       FROM payment_disputes d JOIN payment_orders o USING (payment_order_id)
       JOIN (VALUES ('OPENED', 'opened'), ('WON', 'won'), ('LOST', 'lost')) s(status, state) ON s.status IN ('OPENED', d.dispute_status)
     ), commission AS MATERIALIZED (
       SELECT account_no FROM ledger_account WHERE id LIKE 'commission:%'
     ), booked AS (
       SELECT subject, CASE leg WHEN 0 THEN operation ELSE operation || ':fee' END AS operation, amount AS amount_minor,
         currency
       FROM ledger_transfer WHERE phase = 'posted' AND (leg = 0
         AND kind IN ('capture', 'refund', 'dispute_opened', 'dispute_won', 'dispute_lost')
         OR leg > 0 AND kind = 'fee' AND (debit_account IN (SELECT account_no FROM commission)
           OR credit_account IN (SELECT account_no FROM commission)))
     ), wrong_wallet AS MATERIALIZED (
       SELECT seller_account, currency FROM wallet_wrong()
     ), doubtful AS MATERIALIZED (
       SELECT DISTINCT payment_order_id, operation FROM reconciliation_finding
       WHERE state IN ('open', 'awaiting_second', 'settled') AND payment_order_id IS NOT NULL
     ), operation AS (
       SELECT greatest(o.amount_minor, b.amount_minor) AS minor, coalesce(o.currency, b.currency) AS currency,
         false AS by_hand,
         o.amount_minor = b.amount_minor AND o.currency = b.currency
           AND (subject, operation) NOT IN (SELECT payment_order_id, operation FROM doubtful)
           AND (o.seller_account, o.currency) NOT IN (SELECT seller_account, currency FROM wrong_wallet) AS proven
       FROM own o FULL JOIN booked b USING (subject, operation)
       UNION ALL
       SELECT d.amount_minor, d.currency, true, false FROM finance_decision d
       WHERE d.action = 'adjust' AND ${decisionStands('d')}
       UNION ALL
       SELECT d.converted_minor, d.converted_currency, true, false FROM finance_decision d
       WHERE d.action = 'adjust' AND d.converted_minor IS NOT NULL AND ${decisionStands('d')}
     ), summed AS (
       SELECT currency, sum(minor) AS total, coalesce(sum(minor) FILTER (WHERE proven), 0) AS proven,
         coalesce(sum(minor) FILTER (WHERE by_hand), 0) AS by_hand,
         count(*) FILTER (WHERE proven IS NOT TRUE) AS unproven
       FROM operation GROUP BY currency
     )
     SELECT s.currency, coalesce(s.total, 0) AS total, coalesce(s.proven, 0) AS proven,
       coalesce(s.by_hand, 0) AS by_hand, coalesce(s.unproven, 0) AS unproven, w.*
     FROM (SELECT (SELECT count(*) FROM wrong_wallet) AS wallets_wrong,
       (SELECT coalesce(sum(abs(c.sum)), 0) FROM (SELECT sum(balance) FROM ledger_trial_balance GROUP BY currency) c) AS ledger_sum,
       (SELECT count(*) FROM reconciliation_finding WHERE state IN ('open', 'awaiting_second'))
         AS findings_open) w
     LEFT JOIN summed s ON true ORDER BY s.currency COLLATE "C"`,
  );
  const currencies = rows.flatMap((row): readonly CurrencyProof[] => {
    if (row.currency === null) return [];
    const totalMinor = BigInt(row.total);
    const provenMinor = BigInt(row.proven);
    const share = shareOf(provenMinor, totalMinor);
    return [{ currency: row.currency, share, provenMinor, totalMinor, byHandMinor: BigInt(row.by_hand) }];
  });
  const row = rows[0]!;
  return {
    share: Math.min(1, ...currencies.map(({ share }) => share)),
    currencies,
    unproven: rows.reduce((sum, { unproven }) => sum + unproven, 0n),
    walletsWrong: row.wallets_wrong,
    ledgerSum: BigInt(row.ledger_sum),
    findingsOpen: row.findings_open,
  };
}

/** Rounded down to a millionth, so that one cent of a billion does not read as everything. */
const shareOf = (proven: bigint, total: bigint): number =>
  total === 0n ? 1 : Number((proven * 1_000_000n) / total) / 1_000_000;
