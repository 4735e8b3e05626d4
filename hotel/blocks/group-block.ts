import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

/** Rooms held for a group; the same number of a type on each night. */
export interface GroupBlock {
  readonly blockId: string;
  readonly name: string;
  readonly code: string;
  readonly startDate: string;
  /** Last night, inclusive. */
  readonly endDate: string;
  /** What is not picked up by then returns to sale. */
  readonly releaseAt: Date;
  readonly rooms: readonly { readonly roomTypeId: string; readonly rooms: number }[];
}

export interface BlockNight {
  readonly roomTypeId: string;
  readonly date: string;
  readonly held: number;
  readonly pickedUp: number;
}

export interface BlockState extends Omit<GroupBlock, 'rooms'> {
  readonly releasedAt: Date | null;
  readonly nights: readonly BlockNight[];
  /** The newest ones. */
  readonly reservationIds: readonly string[];
}

const reservationsShown = 500;

/** The newest blocks of a hotel, or one of them. */
export async function readBlocks(
  sql: SqlSession,
  hotelId: string,
  { blockId, limit }: { readonly blockId?: string; readonly limit: number },
): Promise<readonly BlockState[]> {
  const { rows } = await sql.query<BlockRow>(
    `SELECT b.*, (SELECT array_agg(n.room_type_id || chr(9) || n.date || chr(9) || n.held || chr(9) || n.picked_up
         ORDER BY n.room_type_id, n.date) FROM group_block_night n
         WHERE n.hotel_id = b.hotel_id AND n.block_id = b.block_id) AS nights,
       ARRAY(SELECT g.reservation_id FROM group_block_reservation g JOIN reservation r USING (reservation_id)
         WHERE g.hotel_id = b.hotel_id AND g.block_id = b.block_id ORDER BY r.sequence DESC LIMIT $4) AS reservations
     FROM group_block b WHERE b.hotel_id = $1 AND ($2::text IS NULL OR b.block_id = $2)
     ORDER BY b.created_at DESC, b.block_id LIMIT $3`,
    [hotelId, blockId ?? null, limit, reservationsShown],
  );
  return rows.map((row) => ({
    blockId: row.block_id,
    name: row.name,
    code: row.code,
    startDate: row.start_date,
    endDate: row.end_date,
    releaseAt: row.release_at,
    releasedAt: row.released_at,
    nights: row.nights.map(nightOf),
    reservationIds: row.reservations,
  }));
}

interface BlockRow extends SqlRow {
  readonly block_id: string;
  readonly name: string;
  readonly code: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly release_at: Date;
  readonly released_at: Date | null;
  readonly nights: readonly string[];
  readonly reservations: readonly string[];
}

/** Ids have no control characters. */
function nightOf(text: string): BlockNight {
  const [roomTypeId, date, held, pickedUp] = text.split('\t') as [string, string, string, string];
  return { roomTypeId, date, held: Number(held), pickedUp: Number(pickedUp) };
}
