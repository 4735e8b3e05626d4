import { RequestFailed } from '../http/ask.js';
import { askAs } from './calls.js';
import type { RoomRow } from './rooms-page.js';

export type RoomState = 'dirty' | 'available' | 'inspected';

export interface RoomsSet {
  readonly done: number;
  /** Rooms that stay selected, each with its sentence. */
  readonly refused: readonly { readonly room: RoomRow; readonly why: string }[];
  /** Not sent after the server no longer answered. */
  readonly rest: readonly RoomRow[];
}

const atOnce = 4;
/** The server looked at the room and refused. Any other failure concerns all rooms. */
const ofRoom: ReadonlySet<number> = new Set([404, 409]);

/** Each room changes only if it still has the state that is on the screen. */
export async function setRooms(
  hotelId: string,
  rooms: readonly RoomRow[],
  status: RoomState,
  reason: string,
): Promise<RoomsSet> {
  const waiting = [...rooms];
  const refused: RoomsSet['refused'][number][] = [];
  let done = 0;
  let stopped = false;
  const work = async () => {
    for (let room = waiting.shift(); room !== undefined; room = stopped ? undefined : waiting.shift())
      try {
        const body = {
          status,
          from: room.status,
          ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
        };
        const path = `/v1/staff/hotels/${encodeURIComponent(hotelId)}/rooms/${encodeURIComponent(room.roomID)}`;
        await askAs('desk', `${path}/housekeeping`, { method: 'PUT', body });
        done += 1;
      } catch (cause) {
        refused.push({ room, why: (cause as Error).message });
        stopped ||= !(cause instanceof RequestFailed && ofRoom.has(cause.status));
      }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { done, refused, rest: waiting };
}
