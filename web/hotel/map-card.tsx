import { useEffect, useRef, useState } from 'preact/hooks';
import type { HotelPlaces } from '#schemas/http/hotel-places.js';
import type { HotelMap } from './hotel-map.js';
import * as messages from './messages.js';

/** The map is large and optional: lists and forms work without it. */
const loading = import('./hotel-map.js');
loading.catch(() => {});

export function MapCard({ places }: { readonly places: HotelPlaces['hotels'] }) {
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
