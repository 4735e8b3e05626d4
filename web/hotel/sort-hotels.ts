import type { HotelPlaces } from '#schemas/http/hotel-places.js';
import type { StayPrices } from './use-stay-prices.js';

export type HotelSort = 'price' | 'name';

type Place = HotelPlaces['hotels'][number];

/**
 * In the chosen order. Those without a price come last; as long as some prices are missing, the order of the
 * server stays, so that nothing jumps under the pointer.
 */
export function sortHotels(hotels: readonly Place[], prices: StayPrices, by: HotelSort): readonly Place[] {
  if (by === 'name') return hotels.toSorted((a, b) => a.name.localeCompare(b.name));
  if (hotels.some(({ hotelID }) => !prices.has(hotelID))) return hotels;
  const totalOf = ({ hotelID }: Place): number =>
    Number(prices.get(hotelID)?.cheapest?.stay.total ?? Number.POSITIVE_INFINITY);
  return hotels.toSorted((a, b) => {
    const [left, right] = [totalOf(a), totalOf(b)];
    return left === right ? 0 : left - right;
  });
}
