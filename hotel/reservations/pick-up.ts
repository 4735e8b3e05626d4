import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { releaseRooms } from '../inventory/change-counts.js';
import type { ReserveOutcome, ReserveRequest } from './reservations.js';
import { daysOf } from './wanted-stay.js';

/** Rolls the transaction back. */
export class PickUpRefused extends Error {
  readonly outcome: ReserveOutcome;

  constructor(outcome: ReserveOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/**
 * Reserves rooms that are held for a group: they leave the block and are counted for the reservation in one
 * transaction, in which nobody else can take them because their nights stay locked. `reserve` decides as it
 * does for everybody, so restrictions and prices are the same. Locks lie in the order users, blocks, counts.
 */
export async function pickUp(
  tx: SqlSession,
  now: Date,
  request: ReserveRequest & { readonly blockCode: string },
  reserve: (tx: SqlSession) => Promise<ReserveOutcome>,
): Promise<ReserveOutcome> {
  const { reservationId, userId, hotelId, roomTypeId, startDate, endDate, roomCount, blockCode } = request;
  await tx.query('SELECT lock_users(ARRAY[$1::text])', [userId]);
  const { rows: known } = await tx.query('SELECT FROM reservation WHERE reservation_id = $1', [
    reservationId,
  ]);
  // Repeated, of another request, or of somebody else: nothing is counted.
  if (known.length > 0) return reserve(tx);
  const { rows: blocks } = await tx.query<SqlRow & { block_id: string; is_open: boolean }>(
    `SELECT block_id, released_at IS NULL AND release_at > $3 AS is_open FROM group_block
     WHERE hotel_id = $1 AND code = $2 FOR UPDATE`,
    [hotelId, blockCode, now],
  );
  const [block] = blocks;
  if (block === undefined) return { kind: 'unknown-block' };
  if (!block.is_open) return { kind: 'block-released' };
  const night = [hotelId, block.block_id, roomTypeId, startDate, endDate, roomCount];
  const { rows } = await tx.query<SqlRow & { date: string }>(
    `SELECT date FROM group_block_night WHERE hotel_id = $1 AND block_id = $2 AND room_type_id = $3
       AND date BETWEEN $4 AND $5 AND held >= $6`,
    night,
  );
  const enough = new Set(rows.map(({ date }) => date));
  const short = daysOf(request).filter((day) => !enough.has(day));
  if (short.length > 0) return { kind: 'block-full', dates: short };
  await releaseRooms(tx, [{ hotelId, roomTypeId, startDate, endDate, rooms: roomCount }]);
  await tx.query(
    `UPDATE group_block_night SET held = held - $6, picked_up = picked_up + $6
     WHERE hotel_id = $1 AND block_id = $2 AND room_type_id = $3 AND date BETWEEN $4 AND $5`,
    night,
  );
  const outcome = await reserve(tx);
  if (outcome.kind !== 'reserved') throw new PickUpRefused(outcome);
  await tx.query(
    'INSERT INTO group_block_reservation (reservation_id, hotel_id, block_id) VALUES ($1, $2, $3)',
    [reservationId, hotelId, block.block_id],
  );
  return outcome;
}
