import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { Hotel, HotelFacts, OutOfOrder, Room, RoomStatus, RoomType } from './hotel.js';

const hotelColumns = `h.*, coalesce((SELECT jsonb_agg(jsonb_build_object(
    'roomTypeId', t.room_type_id, 'name', t.name, 'capacity', t.capacity, 'beds', t.beds,
    'freeCancelHours', t.free_cancel_hours, 'lateCancelPercent', t.late_cancel_percent) ORDER BY t.room_type_id)
  FROM room_type t WHERE t.hotel_id = h.hotel_id), '[]') AS room_types`;

const roomColumns = `r.*, coalesce((SELECT jsonb_agg(jsonb_build_object('from', o.from_date, 'to', o.to_date, 'reason', o.reason)
    ORDER BY o.from_date, o.to_date)
  FROM room_out_of_order o WHERE o.hotel_id = r.hotel_id AND o.room_id = r.room_id), '[]') AS out_of_order`;

/** With its room types; nothing if it was deleted. `lock` locks it until the transaction ends. */
export async function findHotel(
  sql: SqlSession,
  hotelId: string,
  lock: '' | 'FOR SHARE OF h' | 'FOR NO KEY UPDATE OF h' = '',
): Promise<Hotel | undefined> {
  const { rows } = await sql.query(
    `SELECT ${hotelColumns} FROM hotel h WHERE h.hotel_id = $1 AND h.deleted_at IS NULL ${lock}`,
    [hotelId],
  );
  return rows[0] === undefined ? undefined : hotelOf(rows[0]);
}

/** Nothing when the room is retired, or its hotel deleted. */
export async function findRoom(
  sql: SqlSession,
  hotelId: string,
  roomId: string,
  lock: '' | 'FOR NO KEY UPDATE OF r' = '',
): Promise<Room | undefined> {
  const { rows } = await sql.query(
    `SELECT ${roomColumns} FROM room r JOIN hotel h USING (hotel_id)
     WHERE r.hotel_id = $1 AND r.room_id = $2 AND r.retired_from IS NULL AND h.deleted_at IS NULL ${lock}`,
    [hotelId, roomId],
  );
  return rows[0] === undefined ? undefined : roomOf(rows[0]);
}

/** Inserts or changes; never deletes. */
export async function writeRoomTypes(
  tx: SqlSession,
  hotelId: string,
  { roomTypes }: Pick<HotelFacts, 'roomTypes'>,
): Promise<void> {
  await tx.query(
    `INSERT INTO room_type (hotel_id, room_type_id, name, capacity, beds, free_cancel_hours, late_cancel_percent)
     SELECT $1, t.* FROM unnest($2::text[], $3::text[], $4::smallint[], $5::smallint[], $6::integer[], $7::smallint[]) t
     ON CONFLICT (hotel_id, room_type_id) DO UPDATE SET name = EXCLUDED.name, capacity = EXCLUDED.capacity, beds = EXCLUDED.beds,
       free_cancel_hours = EXCLUDED.free_cancel_hours, late_cancel_percent = EXCLUDED.late_cancel_percent`,
    [
      hotelId,
      roomTypes.map((type) => type.roomTypeId),
      roomTypes.map((type) => type.name),
      roomTypes.map((type) => type.capacity),
      roomTypes.map((type) => type.beds),
      roomTypes.map((type) => type.freeCancelHours),
      roomTypes.map((type) => type.lateCancelPercent),
    ],
  );
}

export async function writeOutOfOrder(
  tx: SqlSession,
  { hotelId, roomId }: Pick<Room, 'hotelId' | 'roomId'>,
  intervals: readonly OutOfOrder[],
): Promise<void> {
  await tx.query('DELETE FROM room_out_of_order WHERE hotel_id = $1 AND room_id = $2', [hotelId, roomId]);
  if (intervals.length === 0) return;
  await tx.query(
    `INSERT INTO room_out_of_order (hotel_id, room_id, from_date, to_date, reason)
     SELECT $1, $2, o.* FROM unnest($3::date[], $4::date[], $5::text[]) o`,
    [
      hotelId,
      roomId,
      intervals.map(({ from }) => from),
      intervals.map(({ to }) => to),
      intervals.map(({ reason }) => reason),
    ],
  );
}

function hotelOf(row: SqlRow): Hotel {
  return {
    hotelId: row['hotel_id'] as string,
    name: row['name'] as string,
    address: row['address'] as string,
    lat: row['lat'] as number,
    lng: row['lng'] as number,
    timeZone: row['time_zone'] as string,
    currency: row['currency'] as string,
    ...(row['country'] === null ? {} : { country: row['country'] as string }),
    checkInTime: (row['check_in_time'] as string).slice(0, 5),
    checkOutTime: (row['check_out_time'] as string).slice(0, 5),
    amenities: row['amenities'] as readonly string[],
    roomTypes: row['room_types'] as readonly RoomType[],
    version: row['version'] as bigint,
  };
}

function roomOf(row: SqlRow): Room {
  return {
    hotelId: row['hotel_id'] as string,
    roomId: row['room_id'] as string,
    roomTypeId: row['room_type_id'] as string,
    number: row['number'] as string,
    floor: row['floor'] as number,
    status: row['status'] as RoomStatus,
    outOfOrder: row['out_of_order'] as readonly OutOfOrder[],
    version: row['version'] as bigint,
  };
}
