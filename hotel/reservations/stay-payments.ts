import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { StayPayment } from './reservation.js';
import type { CapturedPayment } from './reservations.js';

/** Newest first: the order in which refunds take from them. */
export async function readStayPayments(
  sql: SqlSession,
  reservationId: string,
): Promise<readonly StayPayment[]> {
  const { rows } = await sql.query(
    'SELECT * FROM stay_payment WHERE reservation_id = $1 ORDER BY payment_no DESC',
    [reservationId],
  );
  return rows.map(paymentOf);
}

/** A payment beside the first, which `confirm-batch.ts` inserts with the confirmation. */
export async function addStayPayment(
  tx: SqlSession,
  { reservationId, paymentId, supplementId, amountMinor }: CapturedPayment,
): Promise<void> {
  await tx.query(
    'INSERT INTO stay_payment (reservation_id, payment_id, supplement_id, captured_minor) VALUES ($1, $2, $3, $4)',
    [reservationId, paymentId, supplementId ?? null, amountMinor],
  );
}

/** Sets the amounts of a reservation to the sums over its payments. */
export const sumsOfPayments = `(paid_minor, refunded_minor, disputed_minor, refundable_minor, money_version) =
  (SELECT sum(captured_minor), sum(refunded_minor), sum(disputed_minor),
     sum(coalesce(refundable_minor, captured_minor)), sum(money_version)
   FROM stay_payment p WHERE p.reservation_id = reservation.reservation_id)`;

/** What is left of the payments of a reservation. A bank may take back what was refunded before. */
export const leftOf = (money: {
  readonly paidMinor: bigint;
  readonly refundedMinor: bigint;
  readonly disputedMinor: bigint;
}): bigint => money.paidMinor - money.refundedMinor - money.disputedMinor;

const paymentOf = (row: SqlRow): StayPayment => ({
  paymentId: row['payment_id'] as string,
  supplementId: row['supplement_id'] as string | null,
  capturedMinor: row['captured_minor'] as bigint,
  refundedMinor: row['refunded_minor'] as bigint,
  disputedMinor: row['disputed_minor'] as bigint,
  refundableMinor: (row['refundable_minor'] ?? row['captured_minor']) as bigint,
  moneyVersion: Number(row['money_version']),
});
