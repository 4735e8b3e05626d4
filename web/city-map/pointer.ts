import type { Map as MapLibre } from 'maplibre-gl';
import { roadName } from '../incidents/messages.js';
import * as messages from '../map/messages.js';
import { placePoint } from '../route/plan-route.js';
import { liveTrip } from '../state/navigation-state.js';
import { app, say } from '../state/state.js';
import { pickRoad } from './pick-road.js';

function choose(map: MapLibre, pixel: { x: number; y: number }): void {
  const { tool, navigation } = app.get();
  if (tool === 'close') {
    const picked = pickRoad(map, pixel);
    if (picked === null) say(messages.noRoadHere);
    else app.set({ picked, hover: null });
    return;
  }
  if (liveTrip(navigation) !== null) return;
  const { lng, lat } = map.unproject([pixel.x, pixel.y]);
  placePoint({ lat, lng });
}

function describe(map: MapLibre, pixel: { x: number; y: number }): void {
  const road = pickRoad(map, pixel);
  const traffic = map.queryRenderedFeatures(
    [
      [pixel.x - 5, pixel.y - 5],
      [pixel.x + 5, pixel.y + 5],
    ],
    { layers: ['traffic', 'traffic-closed'] },
  )[0]?.properties;
  if (road === null) {
    if (app.get().hover !== null) app.set({ hover: null });
    return;
  }
  let detail = '';
  if (traffic?.['closed'] === true) detail = messages.closed;
  else if (traffic !== undefined) {
    detail = messages.speed(
      Math.round(Number(traffic['speed_kph'])),
      Math.round(Number(traffic['free_flow_kph'])),
    );
  }
  app.set({ hover: { x: pixel.x, y: pixel.y, title: roadName(road.name), detail } });
}

/** Clicks, the Enter key on the focused map (at its middle), and the name of the road under a mouse. */
export function wirePointer(map: MapLibre): void {
  const canvas = map.getCanvas();
  map.on('click', (event) => {
    if (app.get().menu === null) choose(map, event.point);
    else app.set({ menu: null });
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    choose(map, { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 });
  });

  // A right click, or a long press on a phone.
  map.on('contextmenu', ({ point, lngLat: { lat, lng } }) => {
    if (liveTrip(app.get().navigation) !== null) return;
    app.set({ menu: { x: point.x, y: point.y, at: { lat, lng } }, hover: null });
  });
  const closeMenu = () => app.get().menu !== null && app.set({ menu: null });
  map.on('movestart', closeMenu);

  let asked = false;
  let latest = { x: 0, y: 0 };
  map.on('mousemove', (event) => {
    latest = event.point;
    if (asked || map.isMoving()) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      describe(map, latest);
    });
  });
  const leave = () => {
    if (app.get().hover !== null) app.set({ hover: null });
  };
  map.on('mouseout', leave);
  map.on('movestart', leave);

  app.watch(
    (state) => state.tool,
    (tool) => canvas.classList.toggle('closing', tool === 'close'),
  );
}
