import type { SqlSession } from '#platform/sql/sql.js';
import { lockReservation } from './locked-reservation.js';
import type { Reservation, ReservationStatus } from './reservation.js';
import { reservationOf } from './reservation-row.js';
import type { ChangeOutcome, PaymentMoney } from './reservations.js';

/** See `Reservations.noteMoney`. */
export async function noteMoney(tx: SqlSession, now: Date, money: PaymentMoney): Promise<ChangeOutcome> {
  const found = await lockReservation(tx, money.reservationId, { staff: true });
  if (found === undefined) return { kind: 'unknown' };
  if (found.paymentId !== money.paymentId || money.version <= found.moneyVersion)
    return { kind: 'unchanged', reservation: found };
  const { rows } = await tx.query(
    `UPDATE reservation SET status = $2, refunded_minor = $3, disputed_minor = $4, refundable_minor = $5,
       money_version = $6, updated_at = $7 WHERE reservation_id = $1 RETURNING *`,
    [
      found.reservationId,
      statusWith(found, money),
      money.refundedMinor,
      money.disputedMinor,
      money.refundableMinor,
      money.version,
      now,
    ],
  );
  return { kind: 'changed', reservation: reservationOf(rows[0]!) };
}

/** The status before the stay. The status of guests who have checked in stays, and staff see the amounts. */
function statusWith(found: Reservation, { refundedMinor, disputedMinor }: PaymentMoney): ReservationStatus {
  const { status, paidMinor, priceMinor } = found;
  const isGone = priceMinor > 0n && refundedMinor + disputedMinor >= paidMinor;
  if (status === 'paid' && isGone) return 'payment_returned';
  return status === 'payment_returned' && !isGone ? 'paid' : status;
}
