import type { Map as MapLibre } from 'maplibre-gl';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import * as messages from '../map/messages.js';
import type { Travel } from '../navigation/travel.js';
import { app, say } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { Icon } from '../ui/icon.js';
import { northUp } from './driving-camera.js';
import { knownTileset } from './known-tileset.js';
import { tileJsonWhenReady } from './tile-json.js';

/**
 * The map is the largest part of the page: it is loaded in parallel with the panels, which work without it.
 */
const loading = Promise.all([import('./city-map.js'), tileJsonWhenReady()]);
loading.catch(() => {});

async function open(container: HTMLElement, travel: Travel): Promise<MapLibre | null> {
  const [{ openCityMap }, tileJson] = await loading;
  return await openCityMap(container, await knownTileset(), tileJson, travel);
}

/** The map of a browser without WebGL. */
interface Picture {
  readonly shown: JSX.Element;
  readonly zoom: (by: 1 | -1) => void;
}

export function MapView({ travel }: { travel: Travel }) {
  const place = useRef<HTMLElement>(null);
  const [map, setMap] = useState<MapLibre | null>(null);
  const [picture, setPicture] = useState<Picture | null>(null);
  const [turned, setTurned] = useState(false);
  const [trouble, setTrouble] = useState('');
  const hover = usePart((state) => state.hover);

  useEffect(() => {
    open(place.current as HTMLElement, travel)
      .then(async (opened) => {
        if (opened === null) {
          const { StaticMap, zoomStaticMap } = await import('../static-map/static-map.js');
          const tileset = await knownTileset();
          setPicture({ shown: <StaticMap tileset={tileset} travel={travel} />, zoom: zoomStaticMap });
          return say(messages.noWebGl);
        }
        setMap(opened);
        opened.on('moveend', () => setTurned(opened.getBearing() !== 0 || opened.getPitch() !== 0));
        // For the browser console, and for the browser tests, which query the map for what it has drawn.
        Object.assign(globalThis, { meridian: { map: opened, app } });
      })
      .catch((cause: unknown) => setTrouble(messages.mapFailed((cause as Error).message)));
  }, [travel]);

  return (
    <>
      <section class="map" aria-label={messages.map} ref={place} data-ready={map !== null}>
        {picture?.shown}
      </section>
      {trouble !== '' && (
        <p class="map-trouble" role="alert">
          {trouble}
        </p>
      )}
      {hover !== null && (
        <div class="hover-tip" aria-hidden="true" style={{ left: `${hover.x}px`, top: `${hover.y}px` }}>
          <b>{hover.title}</b>
          {hover.detail !== '' && <span>{hover.detail}</span>}
        </div>
      )}
      <div class={picture === null ? 'zoom' : 'zoom of-picture'}>
        {turned && (
          <button
            type="button"
            class="icon-button"
            aria-label={messages.northUp}
            onClick={() => map !== null && northUp(map)}
          >
            <Icon name="compass" />
          </button>
        )}
        <button
          type="button"
          class="icon-button"
          aria-label={messages.zoomIn}
          onClick={() => (picture === null ? map?.zoomIn() : picture.zoom(1))}
        >
          <Icon name="plus" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={messages.zoomOut}
          onClick={() => (picture === null ? map?.zoomOut() : picture.zoom(-1))}
        >
          <Icon name="minus" />
        </button>
      </div>
    </>
  );
}
