import { useState } from 'preact/hooks';
import { HotelChoice } from './staff-hotels.js';
import { messages } from './staff-messages.js';
import { FoundReservations } from './staff-search.js';

/** Reservations with a refund: `cancelled` while it is in progress, `refunded` when it is complete. */
export function StaffRefunds() {
  const [hotelId, setHotelId] = useState('');
  const query = `${new URLSearchParams({ hotelID: hotelId, refundDue: 'true' })}`;
  return (
    <section>
      <h2>{messages.refunds}</h2>
      <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
        <HotelChoice hotelId={hotelId} onHotel={setHotelId} />
      </form>
      {hotelId !== '' && <FoundReservations key={query} query={query} />}
    </section>
  );
}
