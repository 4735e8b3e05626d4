import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { type CountChange, changeRoomCounts } from '../inventory/change-counts.js';
import { BlockRefused } from './create-block.js';
import type { GroupBlock } from './group-block.js';

/** What is left out stays as it is. */
export interface BlockChange {
  readonly name?: string | undefined;
  readonly releaseAt?: Date | undefined;
  /** Rooms of each type on every night from today on, those that were picked up among them. */
  readonly rooms?: GroupBlock['rooms'] | undefined;
}

export type ChangeBlockOutcome = { readonly kind: 'changed' | 'unknown' | 'released' };

interface NightRow extends SqlRow {
  readonly type: string;
  readonly date: string;
  readonly rooms: number;
  readonly held: number;
  readonly picked_up: number;
}

/**
 * Changes an open block on all nights or on none. A night on which more rooms were picked up than it now has
 * holds no further ones. Throws `BlockRefused` with the outcome if the rooms are not there.
 */
export async function changeBlock(
  tx: SqlSession,
  { hotelId, blockId, today }: { readonly hotelId: string; readonly blockId: string; readonly today: string },
  { name, releaseAt, rooms = [] }: BlockChange,
): Promise<ChangeBlockOutcome> {
  const { rows: blocks } = await tx.query(
    'SELECT released_at FROM group_block WHERE hotel_id = $1 AND block_id = $2 FOR UPDATE',
    [hotelId, blockId],
  );
  if (blocks.length === 0) return { kind: 'unknown' };
  if (blocks[0]!['released_at'] !== null) return { kind: 'released' };
  await tx.query(
    `UPDATE group_block SET name = coalesce($3, name), release_at = coalesce($4, release_at)
     WHERE hotel_id = $1 AND block_id = $2`,
    [hotelId, blockId, name ?? null, releaseAt ?? null],
  );
  const { rows: nights } = await tx.query<NightRow>(
    `SELECT t.type, d.date::date AS date, t.rooms, coalesce(n.held, 0) AS held, coalesce(n.picked_up, 0) AS picked_up
     FROM group_block b CROSS JOIN unnest($3::text[], $4::integer[]) t (type, rooms)
       CROSS JOIN generate_series(greatest(b.start_date, $5::date), b.end_date, interval '1 day') d (date)
       LEFT JOIN group_block_night n ON (n.hotel_id, n.block_id, n.room_type_id, n.date) = (b.hotel_id, b.block_id, t.type, d.date::date)
     WHERE b.hotel_id = $1 AND b.block_id = $2`,
    [hotelId, blockId, rooms.map((of) => of.roomTypeId), rooms.map((of) => of.rooms), today],
  );
  const wanted = nights.map((night) => ({ ...night, hold: Math.max(0, night.rooms - night.picked_up) }));
  const moved = wanted.filter(({ hold, held }) => hold !== held);
  const changes: CountChange[] = moved.map(({ type: roomTypeId, date, hold, held }) => ({
    ...{ hotelId, roomTypeId, startDate: date, endDate: date },
    rooms: hold - held,
  }));
  const failed = await changeRoomCounts(tx, changes);
  if (failed !== undefined) throw BlockRefused.onDays(failed);
  await tx.query(
    `INSERT INTO group_block_night (hotel_id, block_id, room_type_id, date, held)
     SELECT $1, $2, n.type, n.date, n.hold FROM unnest($3::text[], $4::date[], $5::integer[]) n (type, date, hold)
     ON CONFLICT (hotel_id, block_id, room_type_id, date) DO UPDATE SET held = EXCLUDED.held`,
    [
      hotelId,
      blockId,
      moved.map(({ type }) => type),
      moved.map(({ date }) => date),
      moved.map(({ hold }) => hold),
    ],
  );
  return { kind: 'changed' };
}
