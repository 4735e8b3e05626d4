import type { SqlSession } from '#platform/sql/sql.js';
import type { Reservation } from './reservation.js';
import { reservationOf } from './reservation-row.js';

/** What the extras of a folio cost, without those that were voided. */
export async function extrasMinorOf(sql: SqlSession, reservationId: string): Promise<bigint> {
  const { rows } = await sql.query<{ readonly minor: bigint }>(
    'SELECT coalesce(sum(amount_minor), 0)::bigint AS minor FROM folio_entry WHERE reservation_id = $1',
    [reservationId],
  );
  return rows[0]!.minor;
}

/**
 * What was paid for extras beyond those that the folio of a locked reservation has becomes a refund: they
 * were voided since.
 */
export async function giveExtrasBack(tx: SqlSession, now: Date, reservationId: string): Promise<Reservation> {
  const extrasMinor = await extrasMinorOf(tx, reservationId);
  const { rows } = await tx.query(
    `UPDATE reservation SET refund_granted_minor = refund_granted_minor + greatest(0, extras_paid_minor - $2),
       extras_paid_minor = least(extras_paid_minor, $2), updated_at = $3 WHERE reservation_id = $1 RETURNING *`,
    [reservationId, extrasMinor, now],
  );
  return reservationOf(rows[0]!);
}
