import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { RoomStatus } from '../hotels/hotel.js';

export interface RoomOfStay {
  readonly roomId: string;
  readonly number: string;
  readonly status: RoomStatus;
}

interface RoomRow extends SqlRow {
  readonly reservation_id: string;
  readonly room_id: string;
  readonly number: string;
  readonly status: RoomStatus;
}

/** The rooms that were assigned to each of the reservations, by number; those without are left out. */
export async function assignedRooms(
  sql: SqlSession,
  reservationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RoomOfStay[]>> {
  const { rows } = await sql.query<RoomRow>(
    `SELECT DISTINCT n.reservation_id, r.room_id, length(r.number) AS digits, r.number, r.status::text
     FROM room_night n JOIN room r USING (hotel_id, room_id)
     WHERE n.reservation_id = ANY ($1) ORDER BY digits, r.number, r.room_id`,
    [reservationIds],
  );
  const byStay = new Map<string, RoomOfStay[]>();
  for (const { reservation_id: id, room_id: roomId, number, status } of rows)
    byStay.set(id, [...(byStay.get(id) ?? []), { roomId, number, status }]);
  return byStay;
}
