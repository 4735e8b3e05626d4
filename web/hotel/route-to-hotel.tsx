import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { messages } from './messages.js';
import { useLoaded } from './use-loaded.js';

/** Where the stay is and when its door opens, with the way there on the live map. */
export function RouteToHotel({ hotelId }: { readonly hotelId: string }) {
  const [hotel] = useLoaded(
    hotelId,
    async () => (await ask<HotelView>(`/v1/hotels/${encodeURIComponent(hotelId)}`))!,
  );
  if (hotel.kind !== 'there') return null;
  const { address, checkInTime, checkOutTime, lat, lng } = hotel.value;
  return (
    <>
      <p class="muted">
        {address}
        <br />
        {messages.checkTimes(checkInTime, checkOutTime)}
      </p>
      <a class="main-button quiet" href={`/?to=${lat},${lng}`}>
        {messages.directions}
      </a>
    </>
  );
}
