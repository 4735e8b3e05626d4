import type { SqlSession } from '#platform/sql/sql.js';
import { releaseRooms } from '../inventory/change-counts.js';
import { stayPrice } from '../taxes/tax-lines.js';
import { penaltyOf, withRooms } from './given-up-rooms.js';
import { lockReservation } from './locked-reservation.js';
import type { Reservation, ReservationStatus } from './reservation.js';
import { reservationOf } from './reservation-row.js';
import type { Actor, CancelOptions, ChangeOutcome } from './reservations.js';
import { endOpenChange } from './supplements.js';

const cancellable: ReadonlySet<ReservationStatus> = new Set(['pending_payment', 'paid', 'payment_returned']);

/** See `Reservations.cancel`. */
export async function cancelReservation(
  tx: SqlSession,
  now: Date,
  reservationId: string,
  actor: Actor,
  { rooms, of }: CancelOptions,
): Promise<ChangeOutcome> {
  const found = await lockReservation(tx, reservationId, actor);
  if (found === undefined) return { kind: 'unknown' };
  if (found.status === 'cancelled' || found.status === 'refunded') {
    return rooms === undefined
      ? { kind: 'unchanged', reservation: found }
      : { kind: 'refused', reservation: found };
  }
  if (!cancellable.has(found.status)) return { kind: 'refused', reservation: found };
  if (of !== undefined && of !== found.roomCount) return { kind: 'refused', reservation: found };
  if (rooms !== undefined && !(Number.isInteger(rooms) && rooms >= 1 && rooms < found.roomCount)) {
    return { kind: 'refused', reservation: found };
  }
  const given = rooms ?? found.roomCount;
  const kept = rooms === undefined ? found : withRooms(found, found.roomCount - rooms);
  const share = rooms === undefined ? found.priceMinor : found.priceMinor - stayPrice(kept);
  const granted = found.status === 'pending_payment' ? 0n : share - penaltyOf(found, share, now);
  const waiting = await endOpenChange(tx, now, found);
  await releaseRooms(tx, [{ ...found, rooms: given }, ...waiting]);
  await takeRoomNumbers(tx, found, rooms === undefined ? 0 : found.roomCount - rooms);
  const { rows } = await tx.query(
    `UPDATE reservation SET status = $2, room_count = $3, guests = $4, price_minor = $5,
       refund_granted_minor = refund_granted_minor + $6, updated_at = $7
     WHERE reservation_id = $1 RETURNING *`,
    rooms === undefined
      ? [reservationId, 'cancelled', found.roomCount, found.guests, found.priceMinor, granted, now]
      : [reservationId, found.status, kept.roomCount, kept.guests, found.priceMinor - share, granted, now],
  );
  return { kind: 'changed', reservation: reservationOf(rows[0]!) };
}

/** Assigned rooms beyond those still needed. */
async function takeRoomNumbers(tx: SqlSession, reservation: Reservation, keep: number): Promise<void> {
  await tx.query(
    `DELETE FROM room_night WHERE reservation_id = $1 AND room_id IN (
       SELECT DISTINCT room_id FROM room_night WHERE reservation_id = $1 ORDER BY room_id OFFSET $2)`,
    [reservation.reservationId, keep],
  );
}
