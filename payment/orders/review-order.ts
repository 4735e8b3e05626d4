import type { Sql, SqlSession } from '#platform/sql/sql.js';
import type { PaymentSettings } from '../settings/settings.js';
import { changeOrder } from './change-order.js';
import { readOrder } from './order.js';
import { endWithoutProvider } from './submit-payment.js';

export interface Review {
  readonly paymentOrderId: string;
  readonly decision: 'approve' | 'deny';
  readonly reason: string;
  readonly staffId: string;
}

export interface WaitingReview {
  readonly paymentOrderId: string;
  readonly buyerAccount: string;
  readonly sellerAccount: string;
  readonly amount: string;
  readonly currency: string;
  readonly caller: string;
  readonly reason: string;
  readonly createdAt: Date;
  /** Who approved it first; another person must agree. */
  readonly proposedBy: string | undefined;
}

export type Reviewed =
  /** `awaiting_second`: nothing is charged before another person approves it, too. */
  'decided' | 'awaiting_second' | 'same_person' | 'not in review' | 'unknown order';

/** Orders that the risk check held back and that wait for a decision, the oldest first. */
export async function listReviews(session: SqlSession, limit: number): Promise<readonly WaitingReview[]> {
  const { rows } = await session.query(
    `SELECT o.payment_order_id, o.buyer_account, o.seller_account, o.amount, o.currency, o.created_at,
       e.caller, (SELECT r.reason FROM payment_risk_checks r
         WHERE r.payment_order_id = o.payment_order_id ORDER BY r.id LIMIT 1) AS reason,
       (SELECT substr(r.source, length('staff ') + 1) FROM payment_risk_checks r
         WHERE r.payment_order_id = o.payment_order_id AND r.decision = 'proposed') AS proposed_by
     FROM payment_orders o JOIN payment_events e USING (checkout_id)
     WHERE NOT o.is_final AND o.payment_order_status = 'NOT_STARTED' AND o.pending = 'review'
     ORDER BY o.created_at, o.payment_order_id LIMIT $1`,
    [limit],
  );
  return rows.map((row) => ({
    paymentOrderId: row['payment_order_id'] as string,
    buyerAccount: row['buyer_account'] as string,
    sellerAccount: row['seller_account'] as string,
    amount: row['amount'] as string,
    currency: row['currency'] as string,
    caller: row['caller'] as string,
    reason: (row['reason'] as string | null) ?? '',
    createdAt: row['created_at'] as Date,
    proposedBy: (row['proposed_by'] as string | null) ?? undefined,
  }));
}

/**
 * A person decides on an order that the risk check held back, or that takes the place of a refused one. From
 * then on, the buyer has the full time to pay. Above `reviewSecondPersonAboveMinor` two people must approve
 * it; of one in the place of a refused one, whoever put it there is the first. Each alone can deny it.
 */
export async function reviewOrder(
  sql: Sql,
  review: Review,
  nowMs: number,
  { registrationMs, redrivenMs, reviewSecondPersonAboveMinor }: ReviewSettings,
): Promise<Reviewed> {
  const source = `staff ${review.staffId}`;
  return sql.transaction(async (tx) => {
    // Whoever decides at the same time waits here and then sees this decision.
    const order = await readOrder(tx, review.paymentOrderId, 'for update');
    if (order === undefined) return 'unknown order';
    if (order.status !== 'NOT_STARTED' || order.pending !== 'review') return 'not in review';
    const record = (decision: 'proposed' | 'approved' | 'denied') =>
      tx.query(
        'INSERT INTO payment_risk_checks (payment_order_id, decision, reason, source, at) ' +
          'VALUES ($1, $2, $3, $4, $5)',
        [order.id, decision, review.reason, source, new Date(nowMs)],
      );
    if (review.decision === 'deny') {
      await record('denied');
      await endWithoutProvider(tx, order.id, 'review_denied', { nowMs, source });
      return 'decided';
    }
    const { rows } = await tx.query<{ source: string }>(
      `SELECT source FROM payment_risk_checks WHERE payment_order_id = $1 AND decision = 'proposed'`,
      [order.id],
    );
    if (rows[0]?.source === source) return 'same_person';
    if (rows[0] === undefined && order.amountMinor > reviewSecondPersonAboveMinor) {
      await record('proposed');
      return 'awaiting_second';
    }
    await record('approved');
    await tx.query('UPDATE payment_orders SET expires_at = $2 WHERE payment_order_id = $1', [
      order.id,
      // The buyer of an order that took another one's place is not there.
      new Date(nowMs + (order.retryOf === undefined ? registrationMs : redrivenMs)),
    ]);
    // With a page, the time begins when it is open: people may have to decide on more of its orders.
    const set =
      order.pageId === undefined
        ? ({ pending: undefined, nextAttemptMs: nowMs } as const)
        : ({ pending: 'buyer', nextAttemptMs: undefined } as const);
    await changeOrder(
      tx,
      order,
      { set, cause: 'review_approved', event: { kind: 'pending' } },
      { nowMs, source },
    );
    return 'decided';
  });
}

type ReviewSettings = Pick<PaymentSettings, 'registrationMs' | 'redrivenMs' | 'reviewSecondPersonAboveMinor'>;
