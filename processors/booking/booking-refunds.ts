import type { SqlSession } from '#platform/sql/sql.js';

/**
 * Names the refund that brings what was given back of a payment up to `dueMinor`, and returns its amount; undefined when that much, or
 * more, was asked for before. Events of one reservation come in order, so a replay names the same refund with the same amount.
 */
export async function nameRefund(
  sql: SqlSession,
  refund: { readonly refundId: string; readonly paymentOrderId: string; readonly dueMinor: bigint },
): Promise<bigint | undefined> {
  const { refundId, paymentOrderId, dueMinor } = refund;
  await sql.query(
    `INSERT INTO booking_refund (refund_id, payment_order_id, reservation_id, due_minor, amount_minor)
     SELECT $1, p.payment_order_id, p.reservation_id, $3, $3 - before.due FROM booking_payment p,
       (SELECT coalesce(max(due_minor), 0) AS due FROM booking_refund WHERE payment_order_id = $2) before
     WHERE p.payment_order_id = $2 AND before.due < $3 ON CONFLICT (refund_id) DO NOTHING`,
    [refundId, paymentOrderId, dueMinor],
  );
  const { rows } = await sql.query('SELECT amount_minor FROM booking_refund WHERE refund_id = $1', [
    refundId,
  ]);
  return rows[0]?.['amount_minor'] as bigint | undefined;
}

export interface SettledRefund {
  readonly reservationId: string;
  readonly paymentOrderId: string;
  /** What of the payment went back so far. */
  readonly settledMinor: bigint;
}

/** The money is back; undefined when the refund is none of ours. */
export async function settleRefund(sql: SqlSession, refundId: string): Promise<SettledRefund | undefined> {
  const { rows } = await sql.query(
    `UPDATE booking_refund SET settled = true WHERE refund_id = $1 RETURNING reservation_id, payment_order_id`,
    [refundId],
  );
  if (rows[0] === undefined) return undefined;
  const paymentOrderId = rows[0]['payment_order_id'] as string;
  const sum = await sql.query(
    'SELECT sum(amount_minor)::bigint AS settled FROM booking_refund WHERE payment_order_id = $1 AND settled',
    [paymentOrderId],
  );
  return {
    reservationId: rows[0]['reservation_id'] as string,
    paymentOrderId,
    settledMinor: sum.rows[0]!['settled'] as bigint,
  };
}
