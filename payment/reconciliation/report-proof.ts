import type { Sql } from '#platform/sql/sql.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { type Deadline, reportSettlements } from './overdue-settlements.js';
import { proveMoney } from './prove-money.js';

/** The continuous proof as metrics. If it cannot be computed now, the last figures stay. */
export async function reportProof(
  sql: Sql,
  metrics: Pick<Metrics, 'gauge'>,
  deadline: Deadline,
): Promise<void> {
  await reportSettlements(sql, metrics, deadline);
  const proof = await proveMoney(sql);
  metrics
    .gauge('money_proven_share', 'Share of all money on which orders, ledger, wallets and settlement agree.')
    .set(proof.share);
  metrics.gauge('ledger_imbalance', 'Sum of all postings; always 0.').set(Number(proof.ledgerSum));
  metrics.gauge('reconciliation_findings_open', 'Open mismatches.').set(Number(proof.findingsOpen));
}
