import { useState } from 'preact/hooks';
import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import type { AskedStay } from './asked-stay.js';
import { Shown } from './frame.js';
import { RoomTypeCard } from './room-type-card.js';
import { addDays, count, nightsOf, today } from './texts.js';
import { useLoaded } from './use-loaded.js';

const roomCountMax = 10;
const nightsMax = 31;

/** A hotel with its room types, and what they cost on the nights that the guest has in mind. */
export function HotelPage({ hotelId }: { readonly hotelId: string }) {
  const [hotel] = useLoaded(
    hotelId,
    async () => (await ask<HotelView>(`/v1/hotels/${encodeURIComponent(hotelId)}`))!,
  );
  const [stay, setStay] = useState<AskedStay>({
    startDate: addDays(today(), 7),
    endDate: addDays(today(), 8),
    roomCount: 1,
  });
  const nights = nightsOf(stay.startDate, stay.endDate);
  const wrong =
    nights < 1
      ? 'The last night is before the first.'
      : nights > nightsMax
        ? `A stay has at most ${nightsMax} nights.`
        : '';
  return (
    <Shown state={hotel}>
      {(found) => (
        <>
          <section class="stay-title">
            <div>
              <h2>{found.name}</h2>
              <p class="muted">{found.address}</p>
              <p class="muted">
                Check-in from {found.checkInTime}, check-out until {found.checkOutTime}
                {found.amenities.length > 0 && ` · ${found.amenities.join(', ')}`}
              </p>
            </div>
            <a class="main-button quiet" href={`/?to=${found.lat},${found.lng}`}>
              Route to the hotel
            </a>
          </section>
          <StayForm stay={stay} onStay={setStay} />
          <p class={wrong === '' ? 'muted' : 'bad'} role="status">
            {wrong === '' ? `${count(nights, 'night')}, ${count(stay.roomCount, 'room')}` : wrong}
          </p>
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
        </>
      )}
    </Shown>
  );
}

function StayForm({
  stay,
  onStay,
}: {
  readonly stay: AskedStay;
  readonly onStay: (stay: AskedStay) => void;
}) {
  const { startDate, endDate, roomCount } = stay;
  return (
    <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>First night</span>
        <input
          type="date"
          value={startDate}
          min={today()}
          required
          onInput={({ currentTarget: { value } }) =>
            value !== '' && onStay({ ...stay, startDate: value, endDate: value > endDate ? value : endDate })
          }
        />
      </label>
      <label class="field">
        <span>Last night</span>
        <input
          type="date"
          value={endDate}
          min={startDate}
          required
          onInput={({ currentTarget: { value } }) => value !== '' && onStay({ ...stay, endDate: value })}
        />
      </label>
      <label class="field">
        <span>Rooms</span>
        <select
          value={roomCount}
          onChange={({ currentTarget: { value } }) => onStay({ ...stay, roomCount: Number(value) })}
        >
          {Array.from({ length: roomCountMax }, (_, n) => (
            <option key={n} value={n + 1}>
              {n + 1}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
}
