import { type Map as MapLibre, Marker } from 'maplibre-gl';
import type { Position } from '#schemas/http/shapes.js';
import * as messages from '../map/messages.js';
import type { Travel } from '../navigation/travel.js';
import { liveTrip } from '../state/navigation-state.js';
import { app } from '../state/state.js';
import { createDrivingCamera } from './driving-camera.js';

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
  const marker = new Marker({
    element: element('me', messages.you),
    rotationAlignment: 'map',
    pitchAlignment: 'map',
  });
  let onMap = false;
  const camera = createDrivingCamera(map);
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
    camera.follow(place.at, place.headingDeg, Date.now());
  }, 100);
}

export function placeMarkers(map: MapLibre, travel: Travel): void {
  endMarker(map, 'start', messages.start);
  endMarker(map, 'end', messages.end);
  meMarker(map, travel);
}
