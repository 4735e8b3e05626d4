import type { SqlSession } from '#platform/sql/sql.js';
import { releaseRooms } from '../inventory/change-counts.js';
import { penaltyOf } from './cancel-reservation.js';
import { lockReservation } from './locked-reservation.js';
import { reservationOf } from './reservation-row.js';
import type { ReserveOutcome, ReserveRequest } from './reservations.js';

/** How long a link without a reservation counts: its request may still be on its way. */
const requestMs = 60_000;

/**
 * Notes that the request will replace a paid reservation of the same user and hotel; undefined when it may go
 * on. A reservation has one open replacement at a time.
 */
export async function noteExchange(
  tx: SqlSession,
  now: Date,
  request: ReserveRequest & { readonly replaces: string },
): Promise<
  Extract<ReserveOutcome, { kind: 'differs' | 'not-exchangeable' | 'exchange-pending' }> | undefined
> {
  const { reservationId, replaces, userId, hotelId } = request;
  const old = await lockReservation(tx, replaces, { userId });
  const { rows: known } = await tx.query(
    `SELECT e.replaces, r.reservation_id FROM (SELECT $1::text AS id) q
     LEFT JOIN stay_exchange e ON e.reservation_id = q.id LEFT JOIN reservation r ON r.reservation_id = q.id`,
    [reservationId],
  );
  const { replaces: noted, reservation_id: made } = known[0]!;
  if (noted !== null) return noted === replaces ? undefined : { kind: 'differs' };
  if (made !== null) return { kind: 'differs' };
  if (old === undefined || old.status !== 'paid' || old.hotelId !== hotelId)
    return { kind: 'not-exchangeable' };
  const { rows: others } = await tx.query(
    `SELECT FROM stay_exchange e LEFT JOIN reservation r USING (reservation_id) WHERE e.replaces = $1
       AND (r.status NOT IN ('rejected', 'expired', 'cancelled', 'refunded') OR r.status IS NULL AND e.at > $2) LIMIT 1`,
    [replaces, new Date(now.getTime() - requestMs)],
  );
  if (others.length > 0) return { kind: 'exchange-pending' };
  await tx.query('INSERT INTO stay_exchange (reservation_id, replaces, at) VALUES ($1, $2, $3)', [
    reservationId,
    replaces,
    now,
  ]);
  return undefined;
}

/** The request made no reservation, so another one may replace the old one. */
export async function forgetExchange(sql: SqlSession, reservationId: string): Promise<void> {
  await sql.query(
    `DELETE FROM stay_exchange e WHERE reservation_id = $1
       AND NOT EXISTS (SELECT FROM reservation r WHERE r.reservation_id = e.reservation_id)`,
    [reservationId],
  );
}

/** Locks a reservation and the one that it replaces in the order of their ids; the id of the latter. */
export async function lockExchange(tx: SqlSession, reservationId: string): Promise<string | undefined> {
  const { rows } = await tx.query('SELECT replaces FROM stay_exchange WHERE reservation_id = $1', [
    reservationId,
  ]);
  const replaces = rows[0]?.['replaces'] as string | undefined;
  if (replaces === undefined) return undefined;
  await tx.query(
    'SELECT FROM reservation WHERE reservation_id = ANY ($1) ORDER BY reservation_id FOR NO KEY UPDATE',
    [[reservationId, replaces]],
  );
  return replaces;
}

/**
 * The replacement `reservationId` is paid: the old reservation is cancelled and its payment goes back. What
 * the new one costs less is given up by the terms of the old one, and those terms stay when they had become
 * firm: an exchange is no way around them. An old reservation that is no longer `paid` stays as it is.
 */
export async function completeExchange(
  tx: SqlSession,
  now: Date,
  reservationId: string,
  replaces: string,
): Promise<void> {
  const old = await lockReservation(tx, replaces, { staff: true });
  const made = await lockReservation(tx, reservationId, { staff: true });
  if (old?.status !== 'paid' || made === undefined) return;
  const lessMinor = old.priceMinor > made.priceMinor ? old.priceMinor - made.priceMinor : 0n;
  await releaseRooms(tx, [{ ...old, rooms: old.roomCount }]);
  await tx.query('DELETE FROM room_night WHERE reservation_id = $1', [replaces]);
  const { rows } = await tx.query(
    `UPDATE reservation SET status = 'cancelled', refund_granted_minor = refund_granted_minor + $2, updated_at = $3
     WHERE reservation_id = $1 RETURNING *`,
    [replaces, old.priceMinor - penaltyOf(old, lessMinor, now), now],
  );
  const { freeCancelUntil, lateCancelPercent, refundable } = reservationOf(rows[0]!);
  if (now <= freeCancelUntil) return;
  await tx.query(
    `UPDATE reservation SET free_cancel_until = least(free_cancel_until, $2),
       late_cancel_percent = greatest(late_cancel_percent, $3), refundable = refundable AND $4
     WHERE reservation_id = $1`,
    [reservationId, freeCancelUntil, lateCancelPercent, refundable],
  );
}
