import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

/** Rooms more or fewer in `total_reserved`, on each day from `startDate` to `endDate`. */
export interface CountChange {
  readonly hotelId: string;
  readonly roomTypeId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly rooms: number;
}

/** Days on which an increase did not fit. Then no day of the room type was counted. */
export interface FailedDays {
  /** Without a row: not on sale. */
  readonly gaps: readonly string[];
  readonly full: readonly string[];
}

interface FailedDayRow extends SqlRow {
  readonly day: string;
  readonly gap: boolean;
}

/**
 * Increases and decreases counts in the caller's transaction; undefined if everything fitted. Decreases
 * always fit.
 */
export async function changeRoomCounts(
  tx: SqlSession,
  changes: readonly CountChange[],
): Promise<FailedDays | undefined> {
  if (changes.length === 0) return undefined;
  const { rows } = await tx.query<FailedDayRow>('SELECT * FROM change_counts($1, $2, $3, $4, $5)', [
    changes.map((change) => change.hotelId),
    changes.map((change) => change.roomTypeId),
    changes.map((change) => change.startDate),
    changes.map((change) => change.endDate),
    changes.map((change) => change.rooms),
  ]);
  if (rows.length === 0) return undefined;
  const days = (gap: boolean) => rows.filter((row) => row.gap === gap).map((row) => row.day);
  return { gaps: days(true), full: days(false) };
}

/** Releases counted rooms; a day without a row violates the invariant and fails the transaction. */
export async function releaseRooms(tx: SqlSession, changes: readonly CountChange[]): Promise<void> {
  const failed = await changeRoomCounts(
    tx,
    changes.map((change) => ({ ...change, rooms: -change.rooms })),
  );
  if (failed !== undefined) throw new Error(`Rooms were reserved on days without inventory: ${failed.gaps}`);
}
