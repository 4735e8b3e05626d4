import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { messages } from './messages.js';
import { addressOf } from './use-address.js';
import { useLoaded } from './use-loaded.js';

/** The name of a hotel, once it is loaded, as a link to its page. */
export function HotelLink({ hotelId }: { readonly hotelId: string }) {
  const [hotel] = useLoaded(
    hotelId,
    async () => (await ask<HotelView>(`/v1/hotels/${encodeURIComponent(hotelId)}`))!,
  );
  return (
    <a href={addressOf('hotels', hotelId)}>{hotel.kind === 'there' ? hotel.value.name : messages.theHotel}</a>
  );
}
