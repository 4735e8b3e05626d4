import { Map as MapLibre, Marker, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import type { HotelPlaces } from '#schemas/http/hotel-places.js';
import { ask } from '../http/ask.js';
import { tileJsonPath } from '../http/paths.js';
import { baseLayers, baseSource, nameLayers, roadSourceOf, type TileJson } from '../map/base-map.js';
import type { Palette } from '../map/palette.js';
import { serveRoadTiles } from '../map/road-tiles.js';
import { currentPalette, followTheme } from '../map/theme.js';
import { trustWorker } from '../map/worker-policy.js';
import { messages } from './messages.js';
import { thinOutPins } from './thin-out-pins.js';
import { addressOf } from './use-address.js';

type Place = HotelPlaces['hotels'][number];

export interface HotelMap {
  /** Shows exactly these hotels, and moves to them. */
  show(places: readonly Place[]): void;
  /** What a hotel's pin says, and where it leads; without a text it is a plain pin. */
  label(hotelId: string, pin: { readonly text: string; readonly link: string }): void;
  /** Frees its resources of the graphics card. */
  close(): void;
}

/** A static map of streets and hotels: each hotel is a link that is reachable by keyboard. */
export async function openHotelMap(container: HTMLElement): Promise<HotelMap> {
  trustWorker(workerUrl);
  setWorkerUrl(workerUrl);
  serveRoadTiles();
  const tileJson = (await ask<TileJson>(tileJsonPath))!;
  const from = roadSourceOf(tileJson);
  const layersIn = (palette: Palette) => [
    ...baseLayers(palette, from),
    ...nameLayers(palette, from).filter(({ id }) => id !== 'shields'),
  ];
  const map = new MapLibre({
    container,
    style: {
      version: 8,
      sources: {
        base: baseSource(tileJson, location.origin),
      },
      layers: layersIn(currentPalette()),
    },
    maxZoom: 18,
    maxPitch: 0,
    dragRotate: false,
    touchPitch: false,
    attributionControl: false,
  });
  map.getCanvas().setAttribute('aria-label', messages.mapLabel);
  const unfollow = followTheme(map, layersIn);
  // For the browser console, and for the browser tests, which query the map for what it has drawn.
  Object.assign(globalThis, { meridian: { map } });
  let markers: Marker[] = [];
  const pins = new Map<string, { readonly element: HTMLAnchorElement; readonly name: string }>();
  const thinOut = () => thinOutPins([...pins.values()].map(({ element }) => element));
  let shown: readonly Place[] = [];
  let isMoved = false;
  const showAll = () => {
    const lngs = shown.map(({ lng }) => lng);
    const lats = shown.map(({ lat }) => lat);
    if (shown.length === 0) return;
    map.fitBounds([Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)], {
      padding: 48,
      maxZoom: 15,
      animate: false,
    });
    thinOut();
  };
  map.on('moveend', thinOut);
  map.on('movestart', ({ originalEvent }) => {
    isMoved ||= originalEvent !== undefined;
  });
  // A turned phone shows every hotel again, unless the guest has chosen a part of the map.
  map.on('resize', () => {
    if (!isMoved) showAll();
  });
  return {
    show(places) {
      for (const marker of markers) marker.remove();
      pins.clear();
      markers = places.map(({ hotelID, name, lat, lng }) => {
        const element = document.createElement('a');
        element.className = 'hotel-pin';
        element.href = addressOf('hotels', hotelID);
        element.setAttribute('aria-label', name);
        element.title = name;
        pins.set(hotelID, { element, name });
        return new Marker({ element, anchor: 'bottom' }).setLngLat([lng, lat]).addTo(map);
      });
      shown = places;
      showAll();
    },
    label(hotelId, { text, link }) {
      const pin = pins.get(hotelId);
      if (pin === undefined) return;
      pin.element.href = link;
      pin.element.textContent = text;
      pin.element.classList.toggle('priced', text !== '');
      pin.element.setAttribute('aria-label', text === '' ? pin.name : `${pin.name}, ${text}`);
      thinOut();
    },
    close() {
      unfollow();
      map.remove();
    },
  };
}
