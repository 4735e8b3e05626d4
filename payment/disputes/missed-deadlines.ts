import type { ExecutorDeps } from '../executor/executor-deps.js';
import { changeOrder } from '../orders/change-order.js';
import { readOrder } from '../orders/order.js';
import { disputeLimits } from './limits.js';

type Deps = Pick<ExecutorDeps, 'sql' | 'nowMs' | 'logger'>;

/**
 * Announces each open dispute whose deadline passed before the provider had an answer, once. Resolves with
 * whether there are more.
 */
export async function noteMissedDeadlines({ sql, nowMs, logger }: Deps): Promise<boolean> {
  const { rows } = await sql.query<{ readonly dispute_id: string; readonly payment_order_id: string }>(
    `SELECT d.dispute_id, d.payment_order_id FROM payment_disputes d
     WHERE d.dispute_status = 'OPENED' AND d.missed_at IS NULL
       AND coalesce(d.evidence_due_at, 'infinity'::timestamptz) <= $1
       AND NOT EXISTS (SELECT FROM dispute_answer a WHERE a.dispute_id = d.dispute_id AND a.state = 'sent')
     ORDER BY coalesce(d.evidence_due_at, 'infinity'::timestamptz), d.dispute_id LIMIT $2`,
    [new Date(nowMs()), disputeLimits.missedAtOnceMax],
  );
  for (const { dispute_id: disputeId, payment_order_id: paymentOrderId } of rows) {
    const isNew = await sql.transaction(async (tx) => {
      const order = (await readOrder(tx, paymentOrderId, 'for update'))!;
      const now = new Date(nowMs());
      const { rows: missed } = await tx.query<{ readonly amount_minor: bigint }>(
        `UPDATE payment_disputes SET missed_at = $2
         WHERE dispute_id = $1 AND dispute_status = 'OPENED' AND missed_at IS NULL AND evidence_due_at <= $2
         RETURNING amount_minor`,
        [disputeId, now],
      );
      if (missed[0] === undefined) return false;
      const event = {
        kind: 'disputeDeadlineMissed',
        amountMinor: missed[0].amount_minor,
        subjectId: disputeId,
      } as const;
      const context = { nowMs: now.getTime(), source: 'disputes' };
      await changeOrder(tx, order, { set: {}, cause: 'deadline_missed', event }, context);
      return true;
    });
    if (isNew) logger.warn('the deadline of a dispute passed without an answer', { disputeId });
  }
  return rows.length >= disputeLimits.missedAtOnceMax;
}
