import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

export interface ChangedRooms {
  readonly hotelId: string;
  readonly roomTypeId: string;
  /** The days that the change concerns, both inclusive. Without an end: all that are filled. */
  readonly startDate: string;
  readonly endDate?: string;
}

/**
 * Brings `total_inventory` in line with the rooms, in the transaction that added, moved, retired or took out
 * of order some of them. Reservations stay: a type that is over its cap afterwards takes no new one. Call it
 * once with all room types of a change, so that two changes never wait for each other in a ring. Returns the
 * rows that changed.
 */
export async function recountRooms(tx: SqlSession, changes: readonly ChangedRooms[]): Promise<number> {
  let rows = 0;
  const key = (change: ChangedRooms) => `${change.hotelId}\0${change.roomTypeId}`;
  for (const change of changes.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))) {
    const { hotelId, roomTypeId, startDate, endDate } = change;
    // First of all the lock, in a statement of its own: a job that fills days right now is waited for and its
    // days are seen.
    await tx.query('SELECT FROM room_type WHERE hotel_id = $1 AND room_type_id = $2 FOR NO KEY UPDATE', [
      hotelId,
      roomTypeId,
    ]);
    const { rows: changed } = await tx.query<SqlRow & { n: number }>(
      `SELECT recount_rooms($1, $2, $3, coalesce($4::date,
         (SELECT max(date) FROM room_type_inventory WHERE hotel_id = $1 AND room_type_id = $2), $3)) AS n`,
      [hotelId, roomTypeId, startDate, endDate ?? null],
    );
    rows += changed[0]!.n;
  }
  return rows;
}
