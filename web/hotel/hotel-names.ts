import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { messages } from './messages.js';
import { messages as staffMessages } from './staff-messages.js';
import { useLoaded } from './use-loaded.js';

/** One request for each hotel while the page is open; one that failed is sent again by the next caller. */
const requests = new Map<string, Promise<HotelView>>();

/** What changes seldom of a hotel: its names, its time zone. */
export function hotelOf(hotelId: string): Promise<HotelView> {
  let request = requests.get(hotelId);
  if (request === undefined) {
    request = ask<HotelView>(`/v1/hotels/${encodeURIComponent(hotelId)}`).then((hotel) => hotel!);
    requests.set(hotelId, request);
    request.catch(() => requests.delete(hotelId));
  }
  return request;
}

/** Names of a hotel and of its room types. Until they are loaded, and for others, a word and never an id. */
export function useHotelNames(hotelId: string): {
  readonly hotel: string;
  readonly typeOf: (roomTypeId: string) => string;
} {
  const [loaded] = useLoaded(hotelId, () => hotelOf(hotelId));
  if (loaded.kind !== 'there') return { hotel: messages.theHotel, typeOf: () => staffMessages.someRoom };
  const { name, roomTypes } = loaded.value;
  const names = new Map(roomTypes.map((type) => [type.roomTypeID, type.name]));
  return { hotel: name, typeOf: (roomTypeId) => names.get(roomTypeId) ?? staffMessages.someRoom };
}
