import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

export interface AssignedRoom {
  readonly roomId: string;
  readonly number: string;
}

/** By number. */
export async function assignedRooms(
  sql: SqlSession,
  reservationId: string,
): Promise<readonly AssignedRoom[]> {
  const { rows } = await sql.query<SqlRow & { room_id: string; number: string }>(
    `SELECT DISTINCT r.room_id, r.number FROM room_night n JOIN room r USING (hotel_id, room_id)
     WHERE n.reservation_id = $1 ORDER BY r.number, r.room_id`,
    [reservationId],
  );
  return rows.map((row) => ({ roomId: row.room_id, number: row.number }));
}
