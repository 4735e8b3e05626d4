import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import { HotelLink } from './hotel-link.js';
import { messages } from './messages.js';
import { nightsOf } from './texts.js';

/** How long, how many and where: `2 nights, 1 room, 2 guests at Meridian Triq Santa Rita`. */
export function StayLine({ reservation }: { readonly reservation: ReservationView }) {
  const { startDate, endDate, roomCount, guests, hotelID, roomNumbers } = reservation;
  return (
    <p class="muted">
      {messages.stayLength(nightsOf(startDate, endDate), Number(roomCount), guests)}{' '}
      <HotelLink hotelId={hotelID} />
      {roomNumbers !== undefined && ` · ${messages.roomNumbers(roomNumbers.join(', '))}`}
    </p>
  );
}
