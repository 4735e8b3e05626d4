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
  readonly staffId: string;
  readonly alone: RefundsAlone;
}

/** What one person may refund without another one, in minor units. */
export interface RefundsAlone {
  /** The total refund of a payment, over all requests. */
  readonly ofPaymentMinor: bigint;
  /** What the person granted in the last 24 hours in this currency, over all reservations. */
  readonly inADayMinor: bigint;
}

const dayMs = 24 * 3_600_000;

/**
 * Raises the refund due of a cancelled reservation to `refundDue` in total. The event that the change writes
 * notifies the payer; once everything is paid out, the reservation is `refunded` and this call refuses. A
 * granted refund is promised to the guest at once, so a refund that needs a second person is not granted
 * here.
 */
export async function requestRefund(
  tx: SqlSession,
  now: Date,
  { reservationId, refundDue, staffId, alone }: StaffRefund,
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
  if (allMinor > alone.ofPaymentMinor) return { kind: 'needs-second', reservation };
  const granted = { staffId, currency: reservation.currency, minor: minor - reservation.refundDueMinor };
  if ((await grantedInADay(tx, now, granted)) + granted.minor > alone.inADayMinor)
    return { kind: 'needs-second', reservation };
  await tx.query(
    `INSERT INTO staff_refund (reservation_id, staff_id, amount_minor, currency, at)
     VALUES ($1, $2, $3, $4, $5)`,
    [reservationId, staffId, granted.minor, granted.currency, now],
  );
  const changed = await tx.query(
    'UPDATE reservation SET refund_granted_minor = $2, updated_at = $3 WHERE reservation_id = $1 RETURNING *',
    [reservationId, minor, now],
  );
  return { kind: 'changed', reservation: reservationOf(changed.rows[0]!) };
}

async function grantedInADay(
  tx: SqlSession,
  now: Date,
  { staffId, currency }: { readonly staffId: string; readonly currency: string },
): Promise<bigint> {
  // Two requests of one person for two reservations would each count only what came before both.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`refunds of ${staffId}`]);
  const { rows } = await tx.query<{ readonly minor: bigint }>(
    `SELECT coalesce(sum(amount_minor), 0)::bigint AS minor FROM staff_refund
     WHERE staff_id = $1 AND at > $2 AND currency = $3`,
    [staffId, new Date(now.getTime() - dayMs), currency],
  );
  return rows[0]!.minor;
}
