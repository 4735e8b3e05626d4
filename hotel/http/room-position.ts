import type { RoomPosition } from '../housekeeping/rooms-of-hotel.js';
import { isStorable } from '../reservations/request-problem.js';

/** The cursor of lists of rooms. */
export const positionText = ({ floor, number, roomId }: RoomPosition): string =>
  Buffer.from(JSON.stringify([floor, number, roomId])).toString('base64url');

/** Undefined: not a cursor of ours. */
export function readPosition(cursor: string): RoomPosition | undefined {
  try {
    const [floor, number, roomId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof floor !== 'number' || !Number.isInteger(floor) || Math.abs(floor) > 1_000) return undefined;
    return isText(number) && isText(roomId) ? { floor, number, roomId } : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && isStorable(value);
