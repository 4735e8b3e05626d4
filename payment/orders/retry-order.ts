import { type Sql, type SqlSession, sqlState } from '#platform/sql/sql.js';
import type { PaymentOrderChanged } from '#schemas/messages.js';
import { paymentOrderLifecycle } from '#schemas/topics.js';
import { addToOutbox } from '../outbox/outbox.js';
import { messagesOf } from './change-order.js';
import { finishEvents } from './finish-event.js';
import { type Order, readOrder } from './order.js';

/**
 * Replaces a declined order by another one under the same checkout, with the same amount and seller. Each
 * order has one follower at most, and only once it is final, so at most one of them succeeds; late money for
 * an earlier one is refunded automatically. `refused`: the earlier order has not failed permanently, has a
 * follower already, or its checkout is closed. A repeated call has no further effect.
 */
export async function retryOrder(
  sql: Sql,
  { id, retryOf, expiresMs }: Pick<Retry, 'id' | 'retryOf' | 'expiresMs'>,
  nowMs: number,
): Promise<'stored' | 'repeated' | 'refused'> {
  try {
    return await sql.transaction(async (tx) => {
      if (await storeRetry(tx, { id, retryOf, expiresMs }, nowMs)) return 'stored';
      return (await readOrder(tx, id)) === undefined ? 'refused' : 'repeated';
    });
  } catch (error) {
    // Raised by the trigger, or by the unique index on the followed order.
    if (sqlState(error) === '23514' || sqlState(error) === '23505') return 'refused';
    throw error;
  }
}

export interface Retry {
  readonly id: string;
  readonly retryOf: string;
  readonly expiresMs: number;
  /** The order waits for the card of this page. */
  readonly pageId?: string;
  /** A person puts it in the place of an order whose payment event is over. */
  readonly redriven?: {
    /** The new payment event. */
    readonly checkoutId: string;
    readonly by: string;
  };
}

/** False if the id is in use. Rejects if the database refuses that the order is followed. */
export async function storeRetry(
  tx: SqlSession,
  { id, retryOf, expiresMs, pageId, redriven }: Retry,
  nowMs: number,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account,
       amount, amount_minor, currency, country, next_attempt_at, expires_at, created_at, changed_at, version,
       retry_of, manual_capture, fee_basis_points, fee_fixed_minor, page_id, pending, notify_buyer)
     SELECT $1, e.checkout_id,
       (SELECT coalesce(max(position) + 1, 0) FROM payment_orders WHERE checkout_id = e.checkout_id), o.buyer_account,
       o.seller_account, o.amount, o.amount_minor, o.currency, o.country,
       CASE WHEN f.waits THEN NULL WHEN $5::text IS NULL THEN $3::timestamptz ELSE $4 END,
       $4::timestamptz, $3, $3, 1, o.payment_order_id, o.manual_capture, o.fee_basis_points, o.fee_fixed_minor, $5,
       CASE WHEN f.waits THEN 'review' WHEN $5::text IS NOT NULL THEN 'buyer' END, $6::text IS NOT NULL
     FROM payment_orders o JOIN payment_events e ON e.checkout_id = coalesce($6, o.checkout_id)
       CROSS JOIN LATERAL (SELECT $6 IS NOT NULL AND payment_needs_review_first(o.failure_code) AS waits) f
     WHERE o.payment_order_id = $2 ON CONFLICT (payment_order_id) DO NOTHING`,
    [id, retryOf, new Date(nowMs), new Date(expiresMs), pageId ?? null, redriven?.checkoutId ?? null],
  );
  if (rowCount === 0) return false;
  const order = (await readOrder(tx, id))!;
  const cause = await judge(tx, order, redriven?.by, nowMs);
  const [created] = messagesOf(order, { cause, event: { kind: 'created' } }, nowMs);
  await addToOutbox(tx, paymentOrderLifecycle.name, id, created!.message as PaymentOrderChanged);
  return true;
}

/**
 * Records why the order may be paid, or waits for people. Whoever puts it in the place of a refused one
 * proposes it by that, so another person must approve it. Returns the cause of its creation.
 */
async function judge(
  tx: SqlSession,
  { id, retryOf, pending }: Order,
  by: string | undefined,
  nowMs: number,
): Promise<string> {
  const record = (decision: 'allow' | 'review' | 'proposed', reason: string, source: string) =>
    tx.query(
      `INSERT INTO payment_risk_checks (payment_order_id, decision, reason, source, at)
       VALUES ($1, $2, $3, $4, $5)`,
      [id, decision, reason, source, new Date(nowMs)],
    );
  if (pending !== 'review') {
    await record('allow', 'retry', 'judged with the checkout');
    return 'created';
  }
  const { failureCode } = (await readOrder(tx, retryOf!))!;
  await record('review', failureCode!, 'judged with the checkout');
  await record('proposed', 'retry', `staff ${by}`);
  return failureCode!;
}

/** No further order follows: the payment event is done when all its orders are. */
export async function closeCheckout(tx: SqlSession, checkoutId: string): Promise<void> {
  await tx.query('UPDATE payment_events SET takes_retries = false WHERE checkout_id = $1 AND takes_retries', [
    checkoutId,
  ]);
  await finishEvents(tx, [checkoutId]);
}
