import type { Map as MapLibre } from 'maplibre-gl';
import type { LngLat } from '../geometry/line.js';
import { openMiddle } from '../map/layout-padding.js';
import { liveTrip } from '../state/navigation-state.js';
import { app } from '../state/state.js';

const pitchDeg = 50;
const zoomMin = 16.2;
/** Between two moves of the camera; each lasts until the next. */
const moveEveryMs = 1_000;

const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The driver is in the lower part of the open map, so that more of the road ahead is seen than behind. */
function offset(map: MapLibre): [number, number] {
  const { clientWidth, clientHeight } = map.getContainer();
  const [x, y] = openMiddle(clientWidth, clientHeight);
  return [x, y + clientHeight * 0.16];
}

/**
 * Follows a driver: tilted, with the heading up. Without motion, where the system asks for none, the map is
 * flat and jumps. A hand on the map ends the following; the end of the drive brings north back up.
 */
export function createDrivingCamera(map: MapLibre) {
  let movedAt = 0;
  map.on('dragstart', () => {
    if (app.get().following) app.set({ following: false });
  });
  app.watch(
    (state) => state.following && liveTrip(state.navigation) !== null,
    (follows) => {
      movedAt = 0;
      if (!follows && liveTrip(app.get().navigation) === null) northUp(map);
    },
  );
  return {
    follow(at: LngLat, headingDeg: number, nowMs: number): void {
      if (!app.get().following || nowMs - movedAt < moveEveryMs) return;
      movedAt = nowMs;
      const still = isStill();
      const view = {
        center: [at[0], at[1]] as [number, number],
        zoom: Math.max(map.getZoom(), zoomMin),
        bearing: headingDeg,
        pitch: still ? 0 : pitchDeg,
        offset: offset(map),
      };
      map.easeTo({ ...view, duration: still ? 0 : moveEveryMs, easing: (share) => share });
    },
  };
}

export function northUp(map: MapLibre): void {
  map.easeTo({ bearing: 0, pitch: 0, duration: isStill() ? 0 : 500 });
}
