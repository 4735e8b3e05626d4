import { randomUUID } from 'node:crypto';
import { type Sql, type SqlTransaction, sqlState } from '#platform/sql/sql.js';
import { canRedrive, type DeadLetter } from './dead-letters.js';
import { storeRetry } from './retry-order.js';

export interface RedriveTimes {
  readonly nowMs: number;
  /** How long the buyer may pay the order in the place of one that failed. */
  readonly redrivenMs: number;
}

export type Redriven =
  | 'redriven'
  | 'unknown'
  | 'redriven before'
  /** The provider decided on the refund, or nobody wants the order any more. */
  | 'final';

/**
 * Puts a letter back to work, once. A refund is requested again with the same nonce, so that one that did
 * arrive is not made twice. A payment order is final: another order in its place asks the buyer to pay on a
 * page of the provider, after a review if the first was refused. Letter, payment event and order change in
 * one transaction.
 */
export async function redriveDeadLetter(
  sql: Pick<Sql, 'transaction'>,
  id: number,
  by: string,
  times: RedriveTimes,
): Promise<Redriven> {
  try {
    return await sql.transaction((tx) => redrive(tx, id, by, times));
  } catch (error) {
    // By the trigger or by the unique index: another letter about the order was re-driven meanwhile.
    if (sqlState(error) === '23514' || sqlState(error) === '23505') return 'final';
    throw error;
  }
}

async function redrive(
  tx: SqlTransaction,
  id: number,
  by: string,
  { nowMs, redrivenMs }: RedriveTimes,
): Promise<Redriven> {
  const { rows } = await tx.query<{
    readonly kind: DeadLetter['kind'];
    readonly subject_id: string;
    readonly redriven_at: Date | null;
    readonly can_redrive: boolean;
  }>(
    `SELECT l.kind, l.subject_id, l.redriven_at, ${canRedrive} AS can_redrive FROM payment_dead_letters l
     WHERE l.id = $1 FOR UPDATE`,
    [id],
  );
  const [letter] = rows;
  if (letter === undefined) return 'unknown';
  if (letter.redriven_at !== null) return 'redriven before';
  if (!letter.can_redrive) return 'final';
  const now = new Date(nowMs);
  if (letter.kind === 'payment') await replaceOrder(tx, letter.subject_id, by, now, nowMs + redrivenMs);
  else if (!(await repeatRefund(tx, letter.subject_id, now))) return 'final';
  await tx.query('UPDATE payment_dead_letters SET redriven_at = $2, redriven_by = $3 WHERE id = $1', [
    id,
    now,
    by,
  ]);
  return 'redriven';
}

async function repeatRefund(tx: SqlTransaction, refundId: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE payment_refunds SET attempts = 0, next_attempt_at = $2, changed_at = $2
     WHERE refund_id = $1 AND refund_status IN ('NOT_STARTED', 'EXECUTING')`,
    [refundId, now],
  );
  return rowCount > 0;
}

/** A payment event that is done stays done, so the order in the place of the failed one has its own. */
async function replaceOrder(
  tx: SqlTransaction,
  retryOf: string,
  by: string,
  now: Date,
  expiresMs: number,
): Promise<void> {
  const checkoutId = randomUUID();
  await tx.query(
    `INSERT INTO payment_events (checkout_id, caller, buyer_info, credit_card_info, finance_retries, created_at)
     SELECT $1, e.caller, e.buyer_info, '{}', true, $3
     FROM payment_orders o JOIN payment_events e USING (checkout_id) WHERE o.payment_order_id = $2`,
    [checkoutId, retryOf, now],
  );
  await storeRetry(tx, { id: randomUUID(), retryOf, expiresMs, redriven: { checkoutId, by } }, now.getTime());
}
