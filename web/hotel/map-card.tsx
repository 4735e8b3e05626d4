import { useEffect, useRef, useState } from 'preact/hooks';
import type { HotelPlaces } from '#schemas/http/hotel-places.js';
import type { HotelMap } from './hotel-map.js';
import { messages } from './messages.js';
import type { RequestedStay } from './requested-stay.js';
import { withStay } from './stay-address.js';
import { moneyText } from './texts.js';
import { addressOf } from './use-address.js';
import type { StayPrices } from './use-stay-prices.js';

/** The map is large and optional: lists and forms work without it. */
const loading = import('./hotel-map.js');
loading.catch(() => {});

interface MapCardProps {
  readonly places: HotelPlaces['hotels'];
  readonly prices: StayPrices;
  /** Null while the dates are invalid. */
  readonly stay: RequestedStay | null;
}

export function MapCard({ places, prices, stay }: MapCardProps) {
  const place = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<HotelMap | null>(null);
  const [trouble, setTrouble] = useState('');
  useEffect(() => {
    const container = place.current as HTMLDivElement;
    const opening = loading.then(({ openHotelMap }) => openHotelMap(container));
    opening.then(setMap, (cause: unknown) => setTrouble(messages.mapFailed((cause as Error).message)));
    return () =>
      void opening.then(
        (opened) => opened.close(),
        () => {},
      );
  }, []);
  useEffect(() => map?.show(places), [map, places]);
  useEffect(() => {
    for (const { hotelID } of places) {
      const price = prices.get(hotelID);
      const total = price?.cheapest?.stay.total;
      const link = addressOf('hotels', hotelID);
      map?.label(hotelID, {
        text: total === undefined ? '' : moneyText(total, price!.currency),
        link: stay === null ? link : withStay(link, stay),
      });
    }
  }, [map, places, prices, stay]);
  return (
    <section class="hotel-map" aria-label={messages.map}>
      <div ref={place} class="hotel-map-canvas" />
      {trouble !== '' && <p class="muted">{trouble}</p>}
      <a
        class="hotel-map-source"
        href="https://www.openstreetmap.org/copyright"
        target="_blank"
        rel="noopener noreferrer"
      >
        {messages.mapSource}
      </a>
    </section>
  );
}
