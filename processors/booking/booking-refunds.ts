import type { SqlSession } from '#platform/sql/sql.js';

export interface NamedRefund {
  readonly refundId: string;
  readonly paymentOrderId: string;
  /** Of the payment in all. */
  readonly dueMinor: bigint;
}

/**
 * Creates the refund that raises the refunds of a payment to `dueMinor`, and returns its amount; undefined
 * when that much, or more, was requested before. Events of one reservation come in order, so a replay creates
 * the same refund with the same amount.
 */
export async function nameRefund(
  sql: SqlSession,
  { refundId, paymentOrderId, dueMinor }: NamedRefund,
): Promise<bigint | undefined> {
  await sql.query(
    `INSERT INTO booking_refund (refund_id, payment_order_id, reservation_id, due_minor, amount_minor)
     SELECT $1, p.payment_order_id, p.reservation_id, $3, $3 - before.named FROM booking_payment p,
       (SELECT coalesce(sum(amount_minor), 0)::bigint AS named FROM booking_refund
        WHERE payment_order_id = $2 AND NOT failed) before
     WHERE p.payment_order_id = $2 AND before.named < $3 ON CONFLICT (refund_id) DO NOTHING`,
    [refundId, paymentOrderId, dueMinor],
  );
  const { rows } = await sql.query('SELECT amount_minor FROM booking_refund WHERE refund_id = $1', [
    refundId,
  ]);
  return rows[0]?.['amount_minor'] as bigint | undefined;
}

/** Payment refused it, so its id is free again. */
export async function forgetRefund(sql: SqlSession, refundId: string): Promise<void> {
  await sql.query('DELETE FROM booking_refund WHERE refund_id = $1', [refundId]);
}

/**
 * The provider refused it permanently; its amount no longer counts as refunded. Refunds that are not ours are
 * not recorded.
 */
export async function failRefund(sql: SqlSession, refundId: string): Promise<void> {
  await sql.query('UPDATE booking_refund SET failed = true WHERE refund_id = $1', [refundId]);
}

export async function refundIdsOf(sql: SqlSession, paymentOrderId: string): Promise<readonly string[]> {
  const { rows } = await sql.query('SELECT refund_id FROM booking_refund WHERE payment_order_id = $1', [
    paymentOrderId,
  ]);
  return rows.map((row) => row['refund_id'] as string);
}
