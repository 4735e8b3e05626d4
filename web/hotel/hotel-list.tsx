import { useState } from 'preact/hooks';
import type { HotelPlaces } from '#schemas/http/hotel-places.js';
import { ask } from '../http/ask.js';
import { placesPath } from './calls.js';
import { Shown } from './frame.js';
import { HotelTile } from './hotel-tile.js';
import { MapCard } from './map-card.js';
import { messages } from './messages.js';
import { type HotelSort, sortHotels } from './sort-hotels.js';
import { StayForm, stayFault } from './stay-form.js';
import { useLoaded } from './use-loaded.js';
import { useRequestedStay } from './use-requested-stay.js';
import { useStayPrices } from './use-stay-prices.js';

const noPlaces: HotelPlaces['hotels'] = [];

/** Dates and guests first, then the hotels with their prices, in a list and on a map. */
export function HotelList() {
  const [stay, setStay] = useRequestedStay();
  const [name, setName] = useState('');
  const [sort, setSort] = useState<HotelSort>('price');
  const [freeOnly, setFreeOnly] = useState(false);
  const query = new URLSearchParams({ limit: '50', ...(name.trim() === '' ? {} : { name: name.trim() }) });
  const [found] = useLoaded(`${query}`, async () => (await ask<HotelPlaces>(`${placesPath}?${query}`))!);
  const wrong = stayFault(stay);
  const wanted = wrong === '' ? stay : null;
  const places = found.kind === 'there' ? found.value.hotels : noPlaces;
  const prices = useStayPrices(
    places.map(({ hotelID }) => hotelID),
    wanted,
  );
  const shown = sortHotels(
    places.filter(({ hotelID }) => {
      const price = prices.get(hotelID);
      return !freeOnly || price === undefined || price?.cheapest?.refundable === true;
    }),
    prices,
    sort,
  );
  return (
    <>
      <section class="stay-search" aria-label={messages.searchStay}>
        <StayForm stay={stay} onStay={setStay} />
        {wrong !== '' && (
          <p class="bad" role="status">
            {wrong}
          </p>
        )}
      </section>
      <div class="stay-columns">
        <section>
          <h2>{messages.hotels}</h2>
          <div class="hotel-filters">
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
            <label class="field">
              <span>{messages.sortBy}</span>
              <select
                value={sort}
                onChange={({ currentTarget: { value } }) => setSort(value === 'name' ? 'name' : 'price')}
              >
                <option value="price">{messages.sorts.price}</option>
                <option value="name">{messages.sorts.name}</option>
              </select>
            </label>
            <label class="agree">
              <input
                type="checkbox"
                checked={freeOnly}
                onChange={(event) => setFreeOnly(event.currentTarget.checked)}
              />
              <span>{messages.freeCancellationOnly}</span>
            </label>
          </div>
          <Shown state={found}>
            {({ hotels, more }) => (
              <>
                <ul class="hotel-list">
                  {shown.map((hotel) => (
                    <li key={hotel.hotelID}>
                      <HotelTile hotel={hotel} stay={wanted} price={prices.get(hotel.hotelID)} />
                    </li>
                  ))}
                </ul>
                <p class="muted" role="status">
                  {hotels.length === 0 && messages.noHotels}
                  {hotels.length > 0 && shown.length === 0 && messages.noneMatch}
                  {more && messages.moreHotels}
                </p>
              </>
            )}
          </Shown>
        </section>
        {found.kind === 'there' && <MapCard places={places} prices={prices} stay={wanted} />}
      </div>
    </>
  );
}
