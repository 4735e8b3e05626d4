import { type Map as MapLibre, Marker } from 'maplibre-gl';
import type { Position } from '#schemas/http/shapes.js';
import { openMiddle } from '../map/layout-padding.js';
import * as messages from '../map/messages.js';
import type { Travel } from '../navigation/travel.js';
import { liveTrip } from '../state/navigation-state.js';
import { app } from '../state/state.js';

function element(kind: 'start' | 'end' | 'me', label: string): HTMLElement {
  const dot = document.createElement('div');
  dot.className = `marker marker-${kind}`;
  dot.setAttribute('aria-label', label);
  dot.setAttribute('role', 'img');
  return dot;
}

function endMarker(map: MapLibre, which: 'start' | 'end', label: string): void {
  const marker = new Marker({ element: element(which, label), draggable: true });
  marker.on('dragend', () => {
    const { lng, lat } = marker.getLngLat();
    app.set(which === 'start' ? { start: { lat, lng } } : { end: { lat, lng } });
  });
  const place = (position: Position | null) => {
    if (position === null) marker.remove();
    else marker.setLngLat(position).addTo(map);
  };
  app.watch((state) => state[which], place);
  app.watch(
    (state) => liveTrip(state.navigation) === null,
    (free) => marker.setDraggable(free),
  );
  place(app.get()[which]);
}

/** The demo user while driving: moved ten times a second; the map follows while it is set to. */
function meMarker(map: MapLibre, travel: Travel): void {
  const marker = new Marker({ element: element('me', messages.you), rotationAlignment: 'map' });
  let onMap = false;
  let followedAt = 0;
  setInterval(() => {
    const driving = liveTrip(app.get().navigation)?.route != null;
    const place = driving ? travel.advance(Date.now()) : null;
    if (place === null) {
      if (onMap) marker.remove();
      onMap = false;
      return;
    }
    marker.setLngLat([place.at[0], place.at[1]]).setRotation(place.headingDeg);
    if (!onMap) marker.addTo(map);
    onMap = true;
    if (app.get().following && Date.now() - followedAt > 1_000) {
      followedAt = Date.now();
      const zoom = Math.max(map.getZoom(), 14.5);
      map.easeTo({
        center: [place.at[0], place.at[1]],
        zoom,
        offset: openMiddle(map.getContainer().clientWidth, map.getContainer().clientHeight),
        duration: 1_000,
        easing: (share) => share,
      });
    }
  }, 100);
  map.on('dragstart', () => {
    if (app.get().following) app.set({ following: false });
  });
}

export function placeMarkers(map: MapLibre, travel: Travel): void {
  endMarker(map, 'start', messages.start);
  endMarker(map, 'end', messages.end);
  meMarker(map, travel);
}
