import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { readHouseRules } from './house-rules.js';

export interface RoomToClean {
  readonly roomId: string;
  readonly roomTypeId: string;
  readonly number: string;
  readonly floor: number;
  readonly status: string;
  readonly kind: 'departure' | 'stay-over' | 'inspection';
  /** A guest arrives in it on this day. */
  readonly arrival: boolean;
}

/** A hotel has fewer rooms; the list is never longer. */
const roomsMax = 5_000;

/**
 * Every room of the hotel $1 with its work on the day $2, null if it has none; $3: rooms are inspected. Rooms
 * out of order have no work.
 */
export const roomWork = `
  SELECT r.room_id, r.room_type_id, r.number, r.floor, r.status::text,
    tonight.reservation_id IS NOT NULL AND tonight.reservation_id IS DISTINCT FROM before.reservation_id AS arrival,
    CASE WHEN EXISTS (SELECT FROM room_out_of_order o WHERE o.hotel_id = r.hotel_id AND o.room_id = r.room_id
        AND $2::date BETWEEN o.from_date AND o.to_date) THEN NULL
      WHEN r.status = 'dirty' THEN 'departure'
      WHEN r.status = 'occupied' AND tonight.reservation_id = before.reservation_id THEN 'stay-over'
      WHEN r.status = 'occupied' AND before.reservation_id IS NOT NULL THEN 'departure'
      WHEN r.status = 'available' AND $3::boolean THEN 'inspection' END AS kind
  FROM room r
    LEFT JOIN room_night before ON (before.hotel_id, before.room_id, before.date) = (r.hotel_id, r.room_id, $2::date - 1)
    LEFT JOIN room_night tonight ON (tonight.hotel_id, tonight.room_id, tonight.date) = (r.hotel_id, r.room_id, $2::date)
  WHERE r.hotel_id = $1`;

/**
 * The work of a day, in order: rooms whose guests leave or have left, those first in which others arrive;
 * rooms whose guests stay; and rooms to be inspected, if check-in needs it. Within each by floor and number.
 */
export async function roomsToClean(
  sql: SqlSession,
  hotelId: string,
  day: string,
): Promise<readonly RoomToClean[]> {
  const { checkInNeeds } = await readHouseRules(sql, hotelId);
  const { rows } = await sql.query<ToCleanRow>(
    `SELECT * FROM (${roomWork}) w
     WHERE kind IS NOT NULL
     ORDER BY array_position(ARRAY['departure', 'stay-over', 'inspection'], kind), NOT arrival, floor,
       length(number), number, room_id LIMIT ${roomsMax}`,
    [hotelId, day, checkInNeeds === 'inspected'],
  );
  return rows.map(({ room_id: roomId, room_type_id: roomTypeId, number, floor, status, kind, arrival }) => ({
    ...{ roomId, roomTypeId, number, floor, status, kind, arrival },
  }));
}

interface ToCleanRow extends SqlRow {
  readonly room_id: string;
  readonly room_type_id: string;
  readonly number: string;
  readonly floor: number;
  readonly status: string;
  readonly kind: RoomToClean['kind'];
  readonly arrival: boolean;
}
