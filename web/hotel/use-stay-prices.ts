import { useEffect, useState } from 'preact/hooks';
import type { StayPriceView } from '#schemas/http/hotel-stay-prices.js';
import { ask } from '../http/ask.js';
import type { RequestedStay } from './requested-stay.js';

/** By the id of the hotel; null where the price could not be loaded. */
export type StayPrices = ReadonlyMap<string, StayPriceView | null>;

const none: StayPrices = new Map();

/**
 * What the stay costs in each hotel, as the answers arrive; those for another stay are never shown. A null
 * stay has no prices.
 */
export function useStayPrices(hotelIds: readonly string[], stay: RequestedStay | null): StayPrices {
  const key = JSON.stringify([hotelIds, stay]);
  const [known, setKnown] = useState({ key, prices: none });
  useEffect(() => {
    if (stay === null) return;
    const leaving = new AbortController();
    const query = new URLSearchParams({
      ...{ startDate: stay.startDate, endDate: stay.endDate },
      ...{ roomCount: String(stay.roomCount), guests: String(stay.guests) },
    });
    const take = (id: string, price: StayPriceView | null) =>
      setKnown((before) => ({
        key,
        prices: new Map(before.key === key ? before.prices : none).set(id, price),
      }));
    for (const id of hotelIds) {
      const path = `/v1/hotels/${encodeURIComponent(id)}/stay-price?${query}`;
      ask<StayPriceView>(path, { signal: leaving.signal }).then(
        (price) => take(id, price),
        () => leaving.signal.aborted || take(id, null),
      );
    }
    return () => leaving.abort();
  }, [key]);
  return known.key === key ? known.prices : none;
}
