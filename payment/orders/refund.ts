import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { OrderStatus } from './order.js';

/** Money on its way back to the buyer; the same four states as an order. */
export interface Refund {
  readonly id: string;
  readonly paymentOrderId: string;
  readonly amount: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: OrderStatus;
  readonly reason: string;
  readonly requestedBy: string;
  /** It waits for the decision of a second person. */
  readonly awaitsSecond: boolean;
  readonly attempts: number;
  readonly failureCode: string | undefined;
  readonly ledgerUpdated: boolean;
  readonly createdMs: number;
  readonly changedMs: number;
}

export async function readRefund(session: SqlSession, id: string): Promise<Refund | undefined> {
  const { rows } = await session.query('SELECT * FROM payment_refunds WHERE refund_id = $1', [id]);
  return rows[0] === undefined ? undefined : refundOf(rows[0]);
}

export async function readRefunds(session: SqlSession, paymentOrderId: string): Promise<readonly Refund[]> {
  const { rows } = await session.query(
    'SELECT * FROM payment_refunds WHERE payment_order_id = $1 ORDER BY created_at, refund_id',
    [paymentOrderId],
  );
  return rows.map(refundOf);
}

/** Those that wait for a second person, the oldest ones first. */
export async function listRefundReviews(session: SqlSession, limit: number): Promise<readonly Refund[]> {
  const { rows } = await session.query(
    `SELECT * FROM payment_refunds WHERE needs_second AND reviewed_by IS NULL ORDER BY created_at, refund_id
      LIMIT $1`,
    [limit],
  );
  return rows.map(refundOf);
}

function refundOf(row: SqlRow): Refund {
  return {
    id: row['refund_id'] as string,
    paymentOrderId: row['payment_order_id'] as string,
    amount: row['amount'] as string,
    amountMinor: row['amount_minor'] as bigint,
    currency: row['currency'] as string,
    status: row['refund_status'] as OrderStatus,
    reason: row['reason'] as string,
    requestedBy: row['requested_by'] as string,
    awaitsSecond: row['needs_second'] === true && row['reviewed_by'] === null,
    attempts: row['attempts'] as number,
    failureCode: (row['failure_code'] as string | null) ?? undefined,
    ledgerUpdated: row['ledger_updated'] as boolean,
    createdMs: (row['created_at'] as Date).getTime(),
    changedMs: (row['changed_at'] as Date).getTime(),
  };
}
