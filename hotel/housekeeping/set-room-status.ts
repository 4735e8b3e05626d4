import type { SqlSession } from '#platform/sql/sql.js';

export type HousekeepingStatus = 'dirty' | 'available' | 'inspected';

export type SetRoomStatusOutcome =
  | { readonly kind: 'changed' | 'unchanged' | 'unknown' }
  /** A guest is in it, it is out of order, or it was not cleaned before it was inspected. */
  | { readonly kind: 'refused'; readonly status: string }
  /** It no longer has the status that the caller saw. */
  | { readonly kind: 'changed-before'; readonly status: string };

/** Housekeeping: a room is dirty, clean (`available`) or inspected. `from`: only if it has this status. */
export async function setRoomStatus(
  tx: SqlSession,
  { hotelId, roomId }: { readonly hotelId: string; readonly roomId: string },
  status: HousekeepingStatus,
  from?: string,
): Promise<SetRoomStatusOutcome> {
  const { rows } = await tx.query(
    'SELECT status::text FROM room WHERE hotel_id = $1 AND room_id = $2 FOR NO KEY UPDATE',
    [hotelId, roomId],
  );
  const before = rows[0]?.['status'] as string | undefined;
  if (before === undefined) return { kind: 'unknown' };
  if (before === status) return { kind: 'unchanged' };
  if (from !== undefined && from !== before) return { kind: 'changed-before', status: before };
  const { rowCount } = await tx.query(
    `UPDATE room SET status = $3::room_status, version = version + 1 WHERE hotel_id = $1 AND room_id = $2
       AND status IN ('dirty', 'available', 'inspected')
       AND EXISTS (SELECT FROM room_status_move WHERE from_status = room.status AND to_status = $3::room_status)`,
    [hotelId, roomId, status],
  );
  return rowCount === 1 ? { kind: 'changed' } : { kind: 'refused', status: before };
}
