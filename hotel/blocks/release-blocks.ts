import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { releaseRooms } from '../inventory/change-counts.js';
import { blockLimits } from './limits.js';

interface HeldRow extends SqlRow {
  readonly hotel_id: string;
  readonly room_type_id: string;
  readonly date: string;
  readonly held: number;
}

/**
 * Returns what was not picked up to sale: of one block now, or of those whose time has come. Answers how many
 * blocks were released. Any number of processes may call it at once.
 */
export async function releaseBlocks(
  tx: SqlSession,
  now: Date,
  one?: { readonly hotelId: string; readonly blockId: string },
): Promise<number> {
  const { rows: blocks } = await tx.query<SqlRow & { hotel_id: string; block_id: string }>(
    one === undefined
      ? `SELECT hotel_id, block_id FROM group_block WHERE released_at IS NULL AND release_at <= $1 AND hotel_is_open(hotel_id)
         ORDER BY hotel_id, block_id LIMIT ${blockLimits.releaseBatch} FOR UPDATE SKIP LOCKED`
      : `SELECT hotel_id, block_id FROM group_block WHERE released_at IS NULL AND $1::timestamptz IS NOT NULL
         AND hotel_id = $2 AND block_id = $3 FOR UPDATE`,
    one === undefined ? [now] : [now, one.hotelId, one.blockId],
  );
  if (blocks.length === 0) return 0;
  const keys = [blocks.map((block) => block.hotel_id), blocks.map((block) => block.block_id)];
  const { rows: held } = await tx.query<HeldRow>(
    `SELECT n.hotel_id, n.room_type_id, n.date, n.held FROM group_block_night n
     JOIN unnest($1::text[], $2::text[]) b (hotel, block) ON n.hotel_id = b.hotel AND n.block_id = b.block
     WHERE n.held > 0`,
    keys,
  );
  await releaseRooms(
    tx,
    held.map(({ hotel_id: hotelId, room_type_id: roomTypeId, date, held: rooms }) => ({
      ...{ hotelId, roomTypeId, rooms },
      ...{ startDate: date, endDate: date },
    })),
  );
  await tx.query(
    `UPDATE group_block_night n SET held = 0 FROM unnest($1::text[], $2::text[]) b (hotel, block)
     WHERE n.hotel_id = b.hotel AND n.block_id = b.block AND n.held > 0`,
    keys,
  );
  await tx.query(
    `UPDATE group_block g SET released_at = $3 FROM unnest($1::text[], $2::text[]) b (hotel, block)
     WHERE g.hotel_id = b.hotel AND g.block_id = b.block`,
    [...keys, now],
  );
  return blocks.length;
}
