import type { SqlSession } from '#platform/sql/sql.js';
import { minorOf } from '../hotels/money-text.js';
import { reservationOf } from '../reservations/reservation-row.js';
import type { ChangeOutcome } from '../reservations/reservations.js';

export type RefundOutcome =
  | ChangeOutcome
  /** No decimal of the currency, less than what is due already, or more than what was paid. */
  | { readonly kind: 'wrong-amount' };

/**
 * Raises what goes back of a cancelled reservation to `refundDue` in all. Whoever pays it out hears of it by the event that the change
 * itself writes; once it is paid out the reservation is `refunded` and this refuses.
 */
export async function requestRefund(
  tx: SqlSession,
  now: Date,
  reservationId: string,
  refundDue: string,
): Promise<RefundOutcome> {
  const { rows } = await tx.query('SELECT * FROM reservation WHERE reservation_id = $1 FOR NO KEY UPDATE', [
    reservationId,
  ]);
  if (rows[0] === undefined) return { kind: 'unknown' };
  const reservation = reservationOf(rows[0]);
  if (reservation.status !== 'cancelled') return { kind: 'refused', reservation };
  const minor = minorOf(refundDue, reservation.currency);
  if (minor === undefined || minor < reservation.refundDueMinor || minor > reservation.paidMinor)
    return { kind: 'wrong-amount' };
  if (minor === reservation.refundDueMinor) return { kind: 'unchanged', reservation };
  const changed = await tx.query(
    'UPDATE reservation SET refund_due_minor = $2, updated_at = $3 WHERE reservation_id = $1 RETURNING *',
    [reservationId, minor, now],
  );
  return { kind: 'changed', reservation: reservationOf(changed.rows[0]!) };
}
