import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import * as messages from './messages.js';
import { nightsOf } from './texts.js';
import { addressOf } from './use-address.js';
import { useLoaded } from './use-loaded.js';

/** How long, how many and where: `2 nights, 1 room, 2 guests at Meridian Triq Santa Rita`. */
export function StayLine({ reservation }: { readonly reservation: ReservationView }) {
  const { startDate, endDate, roomCount, guests, hotelID, roomNumbers } = reservation;
  const [hotel] = useLoaded(
    hotelID,
    async () => (await ask<HotelView>(`/v1/hotels/${encodeURIComponent(hotelID)}`))!,
  );
  return (
    <p class="muted">
      {messages.stayLength(nightsOf(startDate, endDate), Number(roomCount), guests)}{' '}
      <a href={addressOf('hotels', hotelID)}>
        {hotel.kind === 'there' ? hotel.value.name : messages.theHotel}
      </a>
      {roomNumbers !== undefined && ` · ${messages.roomNumbers(roomNumbers.join(', '))}`}
    </p>
  );
}
