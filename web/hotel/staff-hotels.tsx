import type { Static } from 'typebox';
import type { searchHotels } from '#schemas/http/hotel-staff.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { messages } from './staff-messages.js';
import { useLoaded } from './use-loaded.js';

type FoundHotels = Static<(typeof searchHotels)['responses'][200]['schema']>;

const path: (typeof searchHotels)['path'] = '/v1/staff/hotels';

/** Kept from page to page: whoever works for one hotel selects it once. */
let lastChosen = '';

/** Selects one of the first hundred hotels, as many as a list can show. */
export function HotelChoice({
  hotelId,
  any,
  onHotel,
}: {
  readonly hotelId: string;
  /** Text of the empty choice, if it exists. */
  readonly any?: string;
  readonly onHotel: (hotelId: string) => void;
}) {
  // Also one that the address names.
  if (hotelId !== '') lastChosen = hotelId;
  const [found] = useLoaded('hotels', async () => {
    const { hotels } = await askAs<FoundHotels>('desk', `${path}?limit=100`);
    const usual = hotels.find(({ hotelID }) => hotelID === lastChosen) ?? hotels[0];
    if (any === undefined && hotelId === '' && usual !== undefined) onHotel(usual.hotelID);
    return hotels;
  });
  return (
    <Shown state={found}>
      {(hotels) =>
        hotels.length === 0 ? (
          <p class="muted">{messages.noHotelsYet}</p>
        ) : (
          <label class="field">
            <span>{messages.hotel}</span>
            <select value={hotelId} onChange={({ currentTarget: { value } }) => onHotel(value)}>
              {any !== undefined && <option value="">{any}</option>}
              {hotels.map(({ hotelID, name, rooms }) => (
                <option key={hotelID} value={hotelID}>
                  {messages.hotelChoice(name, rooms)}
                </option>
              ))}
            </select>
          </label>
        )
      }
    </Shown>
  );
}
