import { useState } from 'preact/hooks';
import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { Shown } from './frame.js';
import { HotelPicture } from './hotel-picture.js';
import { messages } from './messages.js';
import { RoomTypeCard } from './room-type-card.js';
import { StayForm, stayFault } from './stay-form.js';
import { nightsOf } from './texts.js';
import { goTo } from './use-address.js';
import { useLoaded } from './use-loaded.js';
import { useRequestedStay } from './use-requested-stay.js';

/** A hotel with its room types, and their prices for the requested nights. */
export function HotelPage({ hotelId }: { readonly hotelId: string }) {
  const [hotel] = useLoaded(
    hotelId,
    async () => (await ask<HotelView>(`/v1/hotels/${encodeURIComponent(hotelId)}`))!,
  );
  const [stay, setStay] = useRequestedStay();
  const nights = nightsOf(stay.startDate, stay.endDate);
  const wrong = stayFault(stay);
  return (
    <Shown state={hotel}>
      {(found) => (
        <>
          <section class="stay-title">
            <HotelPicture hotelId={found.hotelID} />
            <div class="stay-title-words">
              <h2>{found.name}</h2>
              <p class="muted">{found.address}</p>
              <p class="muted">
                {messages.checkTimes(found.checkInTime, found.checkOutTime)}
                {found.amenities.length > 0 && ` · ${found.amenities.join(', ')}`}
              </p>
            </div>
            <a class="main-button quiet" href={`/?to=${found.lat},${found.lng}`}>
              {messages.directions}
            </a>
          </section>
          <StayForm stay={stay} onStay={setStay} />
          <p class={wrong === '' ? 'muted' : 'bad'} role="status">
            {wrong === '' ? messages.wanted(nights, stay.roomCount, stay.guests) : wrong}
          </p>
          {found.roomTypes.length === 0 && <p class="muted">{messages.noRoomTypes}</p>}
          <ul class="room-types">
            {found.roomTypes.map((type) => (
              <RoomTypeCard
                key={type.roomTypeID}
                hotel={found}
                type={type}
                stay={wrong === '' ? stay : null}
              />
            ))}
          </ul>
          <RoomById hotelId={hotelId} />
        </>
      )}
    </Shown>
  );
}

/** Opens a room by its id, which is on the key card or comes from the front desk. */
function RoomById({ hotelId }: { readonly hotelId: string }) {
  const [room, setRoom] = useState('');
  return (
    <details class="room-by-id">
      <summary>{messages.roomById}</summary>
      <form
        class="stay-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (room !== '') goTo('hotels', hotelId, 'rooms', room);
        }}
      >
        <label class="field">
          <span>{messages.roomId}</span>
          <input
            type="text"
            value={room}
            placeholder={messages.roomIdExample}
            maxLength={64}
            onInput={({ currentTarget: { value } }) => setRoom(value.trim())}
          />
        </label>
        <button type="submit" class="main-button quiet" disabled={room === ''}>
          {messages.showRoom}
        </button>
      </form>
    </details>
  );
}
