import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getStayPrice, type StayPriceView } from '#schemas/http/hotel-stay-prices.js';
import { readAvailability } from '../availability-cache/availability.js';
import type { Hotel, RoomType } from '../hotels/hotel.js';
import { minorOf } from '../hotels/money-text.js';
import { offersFor } from '../selling/offers.js';
import type { HotelTaxes } from '../taxes/hotel-taxes.js';
import { readTaxes } from '../taxes/hotel-taxes.js';
import type { AvailabilityRouteDeps } from './availability-route.js';
import { catchUnavailable } from './catch-unavailable.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';
import { rangeFaults } from './parse-reservation.js';
import { stayQuote } from './stay-quote.js';

type Cheapest = NonNullable<StayPriceView['cheapest']>;

interface WantedStay {
  readonly startDate: string;
  readonly endDate: string;
  readonly roomCount: number;
  readonly guests: number;
}

/** One request for each hotel of a list, instead of two for each of its room types. */
export function stayPriceRoute(deps: AvailabilityRouteDeps): Route {
  return route(getStayPrice, ({ params: { id }, query }) => {
    const faults = rangeFaults(query.startDate, query.endDate);
    if (faults.length > 0) {
      const errors = faults.map(({ pointer, message }) => ({ pointer: `/query${pointer}`, message }));
      return problem(problems.invalid, messages.badQuery, { errors });
    }
    return catchUnavailable(async () => {
      const hotel = await deps.hotels.get(id);
      if (hotel === undefined) return noHotel();
      const { roomCount = 1, guests = roomCount } = query;
      const answer = await priceOf(deps, hotel, { ...query, roomCount, guests });
      const { hotelId: hotelID, currency } = hotel;
      return {
        status: 200,
        headers: { 'cache-control': 'public, max-age=1' },
        body: { hotelID, currency, ...answer },
      };
    });
  });
}

async function priceOf(
  deps: AvailabilityRouteDeps,
  hotel: Hotel,
  stay: WantedStay,
): Promise<Pick<StayPriceView, 'cheapest' | 'reason'>> {
  const large = hotel.roomTypes.filter(({ capacity }) => capacity * stay.roomCount >= stay.guests);
  if (large.length === 0) return { reason: 'too-small' };
  const taxes = await readTaxes(deps.sql, hotel.hotelId);
  let cheapest: { readonly totalMinor: bigint; readonly view: Cheapest } | undefined;
  let isFull = true;
  for (const type of large) {
    const rooms = await roomsLeft(deps, hotel, type, stay);
    // Undefined: some nights are not on sale yet, which is not the same as sold.
    if (rooms === undefined || rooms >= stay.roomCount) isFull = false;
    if (rooms === undefined || rooms < stay.roomCount) continue;
    for (const view of await quotesOf(deps, hotel, type, { stay, taxes, rooms })) {
      const totalMinor = minorOf(view.stay.total, hotel.currency) ?? 0n;
      if (cheapest === undefined || totalMinor < cheapest.totalMinor) cheapest = { totalMinor, view };
    }
  }
  if (cheapest !== undefined) return { cheapest: cheapest.view };
  return { reason: isFull ? 'full' : 'not-sold' };
}

/** In the night with the fewest; undefined when a night is not on sale. */
async function roomsLeft(
  deps: AvailabilityRouteDeps,
  { hotelId }: Hotel,
  { roomTypeId }: RoomType,
  stay: WantedStay,
): Promise<number | undefined> {
  const outcome = await readAvailability(deps, hotelId, roomTypeId, stay);
  return outcome.kind === 'nights' ? Math.min(...outcome.nights.map(({ rooms }) => rooms)) : undefined;
}

/** Of each plan that sells the stay now. */
async function quotesOf(
  { sql }: AvailabilityRouteDeps,
  { hotelId, currency }: Hotel,
  type: RoomType,
  { stay, taxes, rooms }: { readonly stay: WantedStay; readonly taxes: HotelTaxes; readonly rooms: number },
): Promise<Cheapest[]> {
  const offers = await offersFor(sql, hotelId, type, stay);
  return offers.flatMap(({ nights, restriction, refundable, freeCancelHours }) => {
    const nightPricesMinor = nights.flatMap(({ priceMinor }) => priceMinor ?? []);
    if (restriction !== undefined || nightPricesMinor.length < nights.length) return [];
    const quote = stayQuote(taxes, currency, { ...stay, nightPricesMinor });
    const { roomTypeId: roomTypeID, name: roomType } = type;
    return [{ roomTypeID, roomType, stay: quote, refundable, freeCancelHours, rooms }];
  });
}
