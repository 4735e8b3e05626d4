import type { SqlSession } from '#platform/sql/sql.js';
import { assignedRooms } from './assigned-rooms.js';
import type { Reservation } from './reservation.js';

/** A stay as somebody saw it who now wants to change it. */
export interface ExpectedStay {
  readonly roomTypeId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly roomCount: number;
  /** In any order; absent: whichever. */
  readonly roomIds?: readonly string[] | undefined;
}

/**
 * Whether the locked reservation still is so. Of two people who change what both saw, the second one is
 * refused instead of undoing what the first one did.
 */
export async function isExpected(
  tx: SqlSession,
  found: Reservation,
  expected: ExpectedStay | undefined,
): Promise<boolean> {
  if (expected === undefined) return true;
  const { roomIds, ...stay } = expected;
  const isSameStay =
    stay.roomTypeId === found.roomTypeId &&
    stay.startDate === found.startDate &&
    stay.endDate === found.endDate &&
    stay.roomCount === found.roomCount;
  if (!isSameStay || roomIds === undefined) return isSameStay;
  return hasRooms(await assignedRooms(tx, found.reservationId), roomIds);
}

/** Whether they are these rooms and no others. */
export const hasRooms = (
  rooms: readonly { readonly roomId: string }[],
  roomIds: readonly string[],
): boolean => {
  const wanted = new Set(roomIds);
  return rooms.length === wanted.size && rooms.every(({ roomId }) => wanted.has(roomId));
};
