import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { readHouseRules } from './house-rules.js';
import { type RoomToClean, roomWork } from './rooms-to-clean.js';

export interface RoomOfHotel extends Omit<RoomToClean, 'kind'> {
  /** The work of the day; null: none. */
  readonly kind: RoomToClean['kind'] | null;
}

export interface RoomFilter {
  /** The day whose work is shown. */
  readonly day: string;
  readonly toClean: boolean;
  readonly status?: string | undefined;
  readonly roomTypeId?: string | undefined;
  readonly floor?: number | undefined;
  /** What the number begins with. */
  readonly number?: string | undefined;
}

export interface RoomPage {
  readonly rooms: readonly RoomOfHotel[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: RoomPosition;
  /** How many rooms of each status the floor, type and number have, whatever status is asked for. */
  readonly statuses: readonly { readonly status: string; readonly rooms: number }[];
  readonly toClean: number;
  /** All floors of the hotel, from below. */
  readonly floors: readonly number[];
}

/** Of the last room of a page. It does not move when the status of the room changes. */
export interface RoomPosition {
  readonly floor: number;
  readonly number: string;
  readonly roomId: string;
}

/** The order of rooms in lists, which a `RoomPosition` follows. */
export const roomOrder = 'floor, length(number), number, room_id';

/** Rooms by floor and number, without retired ones unless they are asked for. */
export async function roomsOfHotel(
  sql: SqlSession,
  hotelId: string,
  { day, toClean, status, roomTypeId, floor, number }: RoomFilter,
  { after, limit }: { readonly after?: RoomPosition | undefined; readonly limit: number },
): Promise<RoomPage> {
  const { checkInNeeds } = await readHouseRules(sql, hotelId);
  const place = [hotelId, day, checkInNeeds === 'inspected', roomTypeId ?? null, floor ?? null, number ?? ''];
  const wanted = `($4::text IS NULL OR room_type_id = $4) AND ($5::integer IS NULL OR floor = $5)
    AND starts_with(number, $6)`;
  const { rows } = await sql.query<RoomRow>(
    `SELECT * FROM (${roomWork}) w WHERE ${wanted} AND (NOT $7 OR kind IS NOT NULL)
       AND CASE WHEN $8::text IS NULL THEN status <> 'retired' ELSE status = $8 END
       AND ($9::integer IS NULL OR (${roomOrder}) > ($9, length($10), $10, $11))
     ORDER BY ${roomOrder} LIMIT $12`,
    [
      ...[...place, toClean, status ?? null],
      ...[after?.floor ?? null, after?.number ?? '', after?.roomId ?? '', limit + 1],
    ],
  );
  const { rows: counts } = await sql.query<CountRow>(
    `SELECT status, count(*)::integer AS rooms, count(kind)::integer AS to_clean FROM (${roomWork}) w
     WHERE ${wanted} GROUP BY status ORDER BY status`,
    place,
  );
  const { rows: floors } = await sql.query<{ readonly floor: number }>(
    "SELECT DISTINCT floor FROM room WHERE hotel_id = $1 AND status <> 'retired' ORDER BY floor",
    [hotelId],
  );
  const shown = rows.slice(0, limit).map(roomOf);
  const last = shown.at(-1);
  return {
    rooms: shown,
    ...(rows.length > limit && last !== undefined ? { next: last } : {}),
    statuses: counts.map(({ status: of, rooms: many }) => ({ status: of, rooms: many })),
    toClean: counts.reduce((sum, { to_clean: some }) => sum + some, 0),
    floors: floors.map((row) => row.floor),
  };
}

interface RoomRow extends SqlRow {
  readonly room_id: string;
  readonly room_type_id: string;
  readonly number: string;
  readonly floor: number;
  readonly status: string;
  readonly kind: RoomOfHotel['kind'];
  readonly arrival: boolean;
}

interface CountRow extends SqlRow {
  readonly status: string;
  readonly rooms: number;
  readonly to_clean: number;
}

const roomOf = ({ room_id: roomId, room_type_id: roomTypeId, ...row }: RoomRow): RoomOfHotel => ({
  ...{ roomId, roomTypeId },
  ...{ number: row.number, floor: row.floor, status: row.status, kind: row.kind, arrival: row.arrival },
});
