import type { SqlSession } from '#platform/sql/sql.js';

export interface MoneyProof {
  /** Minor units proven ÷ all, of every currency; 1 when nothing is left to explain. */
  readonly share: number;
  readonly provenMinor: bigint;
  readonly totalMinor: bigint;
  /** Operations that order and ledger do not tell alike, or that a finding is open about. */
  readonly unproven: bigint;
  readonly walletsWrong: bigint;
  /** Sums of all postings of each currency, added up without their signs; 0, always. */
  readonly ledgerSum: bigint;
  readonly findingsOpen: bigint;
}

/**
 * One figure over three witnesses, in one snapshot: what the orders say was charged, refunded and disputed, what the ledger booked, and what
 * settlement left unexplained. A cent is proven when order and ledger agree on it, no open finding is about it, and its seller's wallet is
 * what the ledger says.
 */
export async function proveMoney(session: SqlSession): Promise<MoneyProof> {
  const { rows } = await session.query<{
    total: string;
    proven: string;
    unproven: bigint;
    wallets_wrong: bigint;
    ledger_sum: string;
    findings_open: bigint;
  }>(
    `WITH own AS (
       SELECT payment_order_id AS subject, 'capture' AS operation, captured_minor AS amount_minor, currency, seller_account
       FROM payment_orders WHERE captured_minor > 0
       UNION ALL
       SELECT r.payment_order_id, 'refund:' || r.refund_id, r.amount_minor, r.currency, o.seller_account
       FROM payment_refunds r JOIN payment_orders o USING (payment_order_id) WHERE r.refund_status = 'SUCCESS'
       UNION ALL
       SELECT d.payment_order_id, 'dispute:' || d.dispute_id || ':' || s.state, d.amount_minor, d.currency, o.seller_account
       FROM payment_disputes d JOIN payment_orders o USING (payment_order_id)
       JOIN (VALUES ('OPENED', 'opened'), ('WON', 'won'), ('LOST', 'lost')) s(status, state) ON s.status IN ('OPENED', d.dispute_status)
     ), booked AS (
       SELECT subject, operation, amount AS amount_minor, currency FROM ledger_transfer
       WHERE leg = 0 AND phase = 'posted' AND kind IN ('capture', 'refund', 'dispute_opened', 'dispute_won', 'dispute_lost')
     ), wrong_wallet AS MATERIALIZED (
       SELECT seller_account, currency FROM wallet_wrong()
     ), open_finding AS MATERIALIZED (
       SELECT DISTINCT payment_order_id, operation FROM reconciliation_finding
       WHERE state IN ('open', 'awaiting_second') AND payment_order_id IS NOT NULL
     ), operation AS (
       SELECT greatest(o.amount_minor, b.amount_minor) AS minor,
         o.amount_minor = b.amount_minor AND o.currency = b.currency
           AND (subject, operation) NOT IN (SELECT payment_order_id, operation FROM open_finding)
           AND (o.seller_account, o.currency) NOT IN (SELECT seller_account, currency FROM wrong_wallet) AS proven
       FROM own o FULL JOIN booked b USING (subject, operation)
     )
     SELECT coalesce(sum(minor), 0) AS total, coalesce(sum(minor) FILTER (WHERE proven), 0) AS proven,
       count(*) FILTER (WHERE proven IS NOT TRUE) AS unproven,
       (SELECT count(*) FROM wrong_wallet) AS wallets_wrong,
       (SELECT coalesce(sum(abs(c.sum)), 0) FROM (SELECT sum(balance) FROM ledger_head GROUP BY currency) c) AS ledger_sum,
       (SELECT count(*) FROM reconciliation_finding WHERE state IN ('open', 'awaiting_second')) AS findings_open
     FROM operation`,
  );
  const row = rows[0]!;
  const totalMinor = BigInt(row.total);
  const provenMinor = BigInt(row.proven);
  return {
    // Rounded down to a millionth, so that one cent of a billion does not read as everything.
    share: totalMinor === 0n ? 1 : Number((provenMinor * 1_000_000n) / totalMinor) / 1_000_000,
    provenMinor,
    totalMinor,
    unproven: row.unproven,
    walletsWrong: row.wallets_wrong,
    ledgerSum: BigInt(row.ledger_sum),
    findingsOpen: row.findings_open,
  };
}
