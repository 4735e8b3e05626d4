import type { SqlSession } from '#platform/sql/sql.js';
import { minorOf } from '../hotels/money-text.js';
import type { Reservation } from '../reservations/reservation.js';
import { reservationOf } from '../reservations/reservation-row.js';
import type { ChangeOutcome } from '../reservations/reservations.js';

export type RefundOutcome =
  | ChangeOutcome
  /** Not a decimal of the currency, less than the amount already due, or more than is left of the payment. */
  | { readonly kind: 'wrong-amount' }
  /** This amount requires the payments API, where a second person approves it. */
  | { readonly kind: 'needs-second'; readonly reservation: Reservation };

export interface StaffRefund {
  readonly reservationId: string;
  /** The total to refund, decimal. */
  readonly refundDue: string;
  /** The total refund of a payment, over all requests, that one person may decide. */
  readonly secondPersonAboveMinor: bigint;
}

/**
 * Raises the refund due of a cancelled reservation to `refundDue` in total. The event that the change writes
 * notifies the payer; once everything is paid out, the reservation is `refunded` and this call refuses. A
 * granted refund is promised to the guest at once, so a refund that needs a second person is not granted
 * here.
 */
export async function requestRefund(
  tx: SqlSession,
  now: Date,
  { reservationId, refundDue, secondPersonAboveMinor }: StaffRefund,
): Promise<RefundOutcome> {
  const { rows } = await tx.query('SELECT * FROM reservation WHERE reservation_id = $1 FOR NO KEY UPDATE', [
    reservationId,
  ]);
  if (rows[0] === undefined) return { kind: 'unknown' };
  const reservation = reservationOf(rows[0]);
  if (reservation.status !== 'cancelled') return { kind: 'refused', reservation };
  const minor = minorOf(refundDue, reservation.currency);
  if (minor === undefined || minor < reservation.refundDueMinor || minor > reservation.refundableMinor)
    return { kind: 'wrong-amount' };
  if (minor === reservation.refundDueMinor) return { kind: 'unchanged', reservation };
  // What is neither left, nor disputed, nor requested by the reservation has been refunded by others.
  const { paidMinor, disputedMinor, refundableMinor } = reservation;
  const byOthersMinor = paidMinor - disputedMinor - refundableMinor;
  const allMinor = byOthersMinor > 0n ? minor + byOthersMinor : minor;
  if (allMinor > secondPersonAboveMinor) return { kind: 'needs-second', reservation };
  const changed = await tx.query(
    'UPDATE reservation SET refund_granted_minor = $2, updated_at = $3 WHERE reservation_id = $1 RETURNING *',
    [reservationId, minor, now],
  );
  return { kind: 'changed', reservation: reservationOf(changed.rows[0]!) };
}
