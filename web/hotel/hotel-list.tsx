import { useState } from 'preact/hooks';
import type { HotelPlaces } from '#schemas/http/hotel-places.js';
import { ask } from '../http/ask.js';
import { placesPath } from './calls.js';
import { Shown } from './frame.js';
import { MapCard } from './map-card.js';
import * as messages from './messages.js';
import { addressOf } from './use-address.js';
import { useLoaded } from './use-loaded.js';

export function HotelList() {
  const [name, setName] = useState('');
  const query = new URLSearchParams({ limit: '50', ...(name.trim() === '' ? {} : { name: name.trim() }) });
  const [found] = useLoaded(`${query}`, async () => (await ask<HotelPlaces>(`${placesPath}?${query}`))!);
  return (
    <div class="stay-columns">
      <section>
        <h2>{messages.hotels}</h2>
        <label class="field">
          <span>{messages.hotelName}</span>
          <input
            type="search"
            value={name}
            placeholder={messages.anyHotel}
            maxLength={100}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <Shown state={found}>
          {({ hotels, more }) => (
            <>
              <ul class="hotel-list">
                {hotels.map(({ hotelID, name: title, address }) => (
                  <li key={hotelID}>
                    <a class="tile" href={addressOf('hotels', hotelID)}>
                      <strong>{title}</strong>
                      <span class="muted">{address}</span>
                    </a>
                  </li>
                ))}
              </ul>
              <p class="muted" role="status">
                {hotels.length === 0 && messages.noHotels}
                {more && messages.moreHotels}
              </p>
            </>
          )}
        </Shown>
      </section>
      {found.kind === 'there' && <MapCard places={found.value.hotels} />}
    </div>
  );
}
