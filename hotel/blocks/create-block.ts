import type { SqlSession } from '#platform/sql/sql.js';
import { changeRoomCounts, type FailedDays } from '../inventory/change-counts.js';
import type { GroupBlock } from './group-block.js';
import { blockLimits } from './limits.js';

export type CreateBlockOutcome =
  /** `unchanged`: the same block was created before. */
  | { readonly kind: 'created' | 'unchanged' }
  /** The id has another block, or the code belongs to another block of the hotel. */
  | { readonly kind: 'differs' | 'code-used' }
  | BlockRefusal;

export type BlockRefusal =
  | { readonly kind: 'too-many-blocks' }
  /** On these dates, not enough rooms are left, or they are not on sale. */
  | { readonly kind: 'insufficient' | 'not-bookable'; readonly dates: readonly string[] };

/** Rolls the transaction back. */
export class BlockRefused extends Error {
  readonly outcome: BlockRefusal;

  constructor(outcome: BlockRefusal) {
    super(outcome.kind);
    this.outcome = outcome;
  }

  static onDays({ gaps, full }: FailedDays): BlockRefused {
    return new BlockRefused(
      gaps.length > 0 ? { kind: 'not-bookable', dates: gaps } : { kind: 'insufficient', dates: full },
    );
  }
}

/**
 * Holds the rooms on all nights or on none. Restrictions do not concern what the hotel itself holds. The
 * caller has checked the form of the block.
 */
export async function createBlock(
  tx: SqlSession,
  now: Date,
  hotelId: string,
  block: GroupBlock,
): Promise<CreateBlockOutcome> {
  const { blockId, name, code, startDate, endDate, releaseAt, rooms } = block;
  const request = JSON.stringify([name, code, startDate, endDate, releaseAt, rooms]);
  const { rowCount } = await tx.query(
    `INSERT INTO group_block (hotel_id, block_id, name, code, start_date, end_date, release_at, request, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
    [hotelId, blockId, name, code, startDate, endDate, releaseAt, request, now],
  );
  if (rowCount === 0) return known(tx, hotelId, blockId, request);
  const { rows: open } = await tx.query<{ readonly n: bigint }>(
    'SELECT count(*) AS n FROM group_block WHERE hotel_id = $1 AND released_at IS NULL',
    [hotelId],
  );
  if (open[0]!.n > BigInt(blockLimits.openMax)) throw new BlockRefused({ kind: 'too-many-blocks' });
  const failed = await changeRoomCounts(
    tx,
    rooms.map((of) => ({ hotelId, roomTypeId: of.roomTypeId, startDate, endDate, rooms: of.rooms })),
  );
  if (failed !== undefined) throw BlockRefused.onDays(failed);
  await tx.query(
    `INSERT INTO group_block_night (hotel_id, block_id, room_type_id, date, held)
     SELECT $1, $2, t.type, $5::date + d, t.rooms
     FROM unnest($3::text[], $4::integer[]) t (type, rooms), generate_series(0, $6::date - $5::date) d`,
    [hotelId, blockId, rooms.map((of) => of.roomTypeId), rooms.map((of) => of.rooms), startDate, endDate],
  );
  return { kind: 'created' };
}

async function known(
  tx: SqlSession,
  hotelId: string,
  blockId: string,
  request: string,
): Promise<CreateBlockOutcome> {
  const { rows } = await tx.query('SELECT request FROM group_block WHERE hotel_id = $1 AND block_id = $2', [
    hotelId,
    blockId,
  ]);
  if (rows.length === 0) return { kind: 'code-used' };
  return { kind: rows[0]!['request'] === request ? 'unchanged' : 'differs' };
}
