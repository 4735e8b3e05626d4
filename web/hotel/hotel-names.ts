import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { messages } from './messages.js';
import * as staffMessages from './staff-messages.js';
import { useLoaded } from './use-loaded.js';

interface HotelNames {
  readonly hotel: string;
  readonly types: ReadonlyMap<string, string>;
}

/** One request for each hotel while the page is open; one that failed is sent again by the next row. */
const requests = new Map<string, Promise<HotelNames>>();

function load(hotelId: string): Promise<HotelNames> {
  let request = requests.get(hotelId);
  if (request === undefined) {
    request = ask<HotelView>(`/v1/hotels/${encodeURIComponent(hotelId)}`).then((hotel) => ({
      hotel: hotel!.name,
      types: new Map(hotel!.roomTypes.map(({ roomTypeID, name }) => [roomTypeID, name])),
    }));
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
  const [names] = useLoaded(hotelId, () => load(hotelId));
  if (names.kind !== 'there') return { hotel: messages.theHotel, typeOf: () => staffMessages.someRoom };
  const { hotel, types } = names.value;
  return { hotel, typeOf: (roomTypeId) => types.get(roomTypeId) ?? staffMessages.someRoom };
}
