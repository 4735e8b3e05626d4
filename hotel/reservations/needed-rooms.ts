import type { CountChange } from '../inventory/change-counts.js';
import { daysOf, type WantedStay } from './wanted-stay.js';

type Rooms = Pick<WantedStay, 'hotelId' | 'roomTypeId' | 'startDate' | 'endDate' | 'roomCount'>;

/** The rooms that `wanted` needs and `held` does not have, night by night. */
export const neededRooms = (wanted: Rooms, held: Rooms): readonly CountChange[] =>
  daysOf(wanted)
    .map((day) => {
      const has = held.roomTypeId === wanted.roomTypeId && held.startDate <= day && day <= held.endDate;
      return {
        ...placeOf(wanted),
        startDate: day,
        endDate: day,
        rooms: wanted.roomCount - (has ? held.roomCount : 0),
      };
    })
    .filter(({ rooms }) => rooms > 0);

/** All rooms of a stay. */
export const roomsOf = (stay: Rooms): CountChange => ({
  ...placeOf(stay),
  startDate: stay.startDate,
  endDate: stay.endDate,
  rooms: stay.roomCount,
});

/** To count down what was counted up. */
export const released = (rooms: readonly CountChange[]): readonly CountChange[] =>
  rooms.map((change) => ({ ...change, rooms: -change.rooms }));

const placeOf = ({ hotelId, roomTypeId }: Rooms) => ({ hotelId, roomTypeId });
