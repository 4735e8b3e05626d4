import { noticeKind } from '#schemas/messages.js';
import { paymentNotice } from '#schemas/topics.js';
import type { OrderStatus } from '../orders/order.js';
import { addToOutbox } from '../outbox/outbox.js';
import { orderLimits } from '../settings/order-limits.js';
import { executeRefund } from './execute-refund.js';
import type { ExecutorDeps } from './executor-deps.js';
import { workOn } from './resolve-order.js';

/**
 * One round of the background job: every order and refund that is due. Any number of processes may run it;
 * the first to take an order moves its time ahead. Resolves with whether there is more.
 */
export async function workOnDue(deps: ExecutorDeps): Promise<boolean> {
  const now = new Date(deps.nowMs());
  const { rows } = await deps.sql.query<{ readonly id: string; readonly status: OrderStatus | null }>(
    `(SELECT payment_order_id AS id, payment_order_status AS status FROM payment_orders
      WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT ${orderLimits.dueBatchMax})
     UNION ALL
     (SELECT refund_id, NULL FROM payment_refunds
      WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT ${orderLimits.dueBatchMax})`,
    [now],
  );
  const work = rows.map(
    ({ id, status }) =>
      () =>
        status === null ? executeRefund(deps, id) : workOn(deps, { id, status }),
  );
  await inParallel(deps.settings.callsAtOnce, work, (error) =>
    deps.logger.warn('processing a due payment failed, will retry', { cause: error.message }),
  );
  return rows.length >= orderLimits.dueBatchMax;
}

/**
 * Raises one alert for each order that is open for too long; reviews by people take as long as they take.
 * Resolves with how many are open.
 */
export async function alertOverdue(deps: ExecutorDeps): Promise<number> {
  const now = new Date(deps.nowMs());
  const before = new Date(now.getTime() - deps.settings.overdueMs);
  await deps.sql.transaction(async (tx) => {
    const { rows } = await tx.query<{ readonly payment_order_id: string; readonly caller: string }>(
      `UPDATE payment_orders o SET alerted_at = $1 FROM payment_events e
       WHERE e.checkout_id = o.checkout_id AND NOT o.is_final AND o.alerted_at IS NULL AND o.created_at < $2
         AND coalesce(o.pending, '') NOT IN ('review', 'challenge', 'capture')
       RETURNING o.payment_order_id, e.caller`,
      [now, before],
    );
    for (const { payment_order_id: id, caller } of rows) {
      deps.logger.error('a payment is overdue', { paymentOrderId: id });
      await addToOutbox(tx, paymentNotice.name, id, {
        eventId: `${id}:overdue`,
        kind: noticeKind.overdueRaised,
        paymentOrderId: id,
        caller,
        detail: 'the payment is overdue',
        occurredMs: now.getTime(),
      });
    }
  });
  const { rows } = await deps.sql.query<{ readonly open: bigint }>(
    'SELECT count(*) AS open FROM payment_orders WHERE NOT is_final AND alerted_at IS NOT NULL',
  );
  const open = Number(rows[0]!.open);
  deps.metrics.gauge('payments_overdue', 'Overdue payments.').set(open);
  return open;
}

async function inParallel(
  atOnce: number,
  work: readonly (() => Promise<void>)[],
  onError: (error: Error) => void,
): Promise<void> {
  const left = [...work];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      await next().catch((error: Error) => onError(error));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, work.length) }, worker));
}
