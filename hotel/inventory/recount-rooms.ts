import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

export interface ChangedRooms {
  readonly hotelId: string;
  readonly roomTypeId: string;
  /** The affected days, both inclusive. Without an end: all filled days. */
  readonly startDate: string;
  readonly endDate?: string;
}

/**
 * Recomputes `total_inventory` from the rooms, in the transaction that added, moved or retired some, or set
 * them out of order. Reservations stay: a type that exceeds its cap afterwards takes no new ones. Call it
 * once with all room types of a change, so that two changes do not deadlock. Returns the rows that changed.
 */
export async function recountRooms(tx: SqlSession, changes: readonly ChangedRooms[]): Promise<number> {
  let rows = 0;
  const key = (change: ChangedRooms) => `${change.hotelId}\0${change.roomTypeId}`;
  for (const change of changes.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))) {
    const { hotelId, roomTypeId, startDate, endDate } = change;
    // The lock comes first, in a separate statement: it waits for a job that fills days, and later statements
    // see its days.
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
