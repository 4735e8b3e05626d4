import type { SqlSession } from '#platform/sql/sql.js';
import { lockReservation } from './locked-reservation.js';
import type { Reservation, ReservationStatus } from './reservation.js';
import { reservationOf } from './reservation-row.js';
import type { ChangeOutcome, PaymentMoney } from './reservations.js';
import { leftOf, sumsOfPayments } from './stay-payments.js';

/** See `Reservations.noteMoney`. */
export async function noteMoney(tx: SqlSession, now: Date, money: PaymentMoney): Promise<ChangeOutcome> {
  const found = await lockReservation(tx, money.reservationId, { staff: true });
  if (found === undefined) return { kind: 'unknown' };
  const { reservationId, paymentId, version, refundedMinor, disputedMinor, refundableMinor } = money;
  const { rowCount } = await tx.query(
    `UPDATE stay_payment SET refunded_minor = $3, disputed_minor = $4, refundable_minor = $5, money_version = $6
     WHERE reservation_id = $1 AND payment_id = $2 AND money_version < $6`,
    [reservationId, paymentId, refundedMinor, disputedMinor, refundableMinor, version],
  );
  if (rowCount === 0) return { kind: 'unchanged', reservation: found };
  const { rows } = await tx.query(
    `UPDATE reservation SET ${sumsOfPayments}, updated_at = $2 WHERE reservation_id = $1 RETURNING *`,
    [reservationId, now],
  );
  const summed = reservationOf(rows[0]!);
  const status = statusWith(summed);
  if (status === summed.status) return { kind: 'changed', reservation: summed };
  const moved = await tx.query('UPDATE reservation SET status = $2 WHERE reservation_id = $1 RETURNING *', [
    reservationId,
    status,
  ]);
  return { kind: 'changed', reservation: reservationOf(moved.rows[0]!) };
}

/** The status before the stay. The status of guests who have checked in stays, and staff see the amounts. */
function statusWith(found: Reservation): ReservationStatus {
  const { status, priceMinor } = found;
  const isGone = priceMinor > 0n && leftOf(found) <= 0n;
  if (status === 'paid' && isGone) return 'payment_returned';
  return status === 'payment_returned' && !isGone ? 'paid' : status;
}
