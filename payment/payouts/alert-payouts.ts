import type { Sql } from '#platform/sql/sql.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { noticeKind } from '#schemas/messages.js';
import { paymentNotice } from '#schemas/topics.js';
import { addToOutbox } from '../outbox/outbox.js';

/**
 * Raises one alert for each pay-out that is open for too long; the gauge falls when they end. Resolves with
 * how many are open.
 */
export async function alertOverduePayouts(
  { sql, logger, metrics }: { readonly sql: Sql; readonly logger: Logger; readonly metrics: Metrics },
  nowMs: number,
  overdueMs: number,
): Promise<number> {
  await sql.transaction(async (tx) => {
    const { rows } = await tx.query<{ readonly payout_id: string }>(
      `UPDATE payout SET alerted_at = $1
       WHERE state NOT IN ('paid', 'failed', 'returned') AND alerted_at IS NULL AND created_at < $2 RETURNING payout_id`,
      [new Date(nowMs), new Date(nowMs - overdueMs)],
    );
    for (const { payout_id: payoutId } of rows) {
      logger.error('a payout is overdue', { payoutId });
      await addToOutbox(tx, paymentNotice.name, payoutId, {
        eventId: `${payoutId}:overdue`,
        kind: noticeKind.payoutOverdue,
        paymentOrderId: '',
        caller: '',
        detail: payoutId,
        occurredMs: nowMs,
      });
    }
  });
  const { rows } = await sql.query<{ readonly open: bigint }>(
    'SELECT count(*) AS open FROM payout ' +
      `WHERE alerted_at IS NOT NULL AND state NOT IN ('paid', 'failed', 'returned')`,
  );
  const open = Number(rows[0]!.open);
  metrics.gauge('payouts_overdue', 'Overdue payouts.').set(open);
  return open;
}
