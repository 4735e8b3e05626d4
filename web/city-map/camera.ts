import type { Map as MapLibre } from 'maplibre-gl';
import { liveTrip } from '../state/navigation-state.js';
import { app } from '../state/state.js';

/** Tells the page where the map rests, and brings the map to where an address says. */
export function keepCamera(map: MapLibre): void {
  map.on('moveend', () => {
    // A followed drive moves all the time; its address is the one before it.
    if (liveTrip(app.get().navigation) !== null) return;
    const { lat, lng } = map.getCenter();
    app.set({ camera: { lat, lng, zoom: map.getZoom() } });
  });
  app.watch(
    (state) => state.goTo,
    (camera) => camera !== null && map.jumpTo({ center: [camera.lng, camera.lat], zoom: camera.zoom }),
  );
}
