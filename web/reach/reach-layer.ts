import type { Map as MapLibre } from 'maplibre-gl';
import { fitView } from '../map/fit-view.js';
import { type OverlayFeature, show } from '../map/overlay.js';
import { app } from '../state/state.js';

/** Draws the areas within reach; a new answer brings all of them into view. */
export function drawReach(map: MapLibre): void {
  const draw = () => {
    const features = (app.get().reach?.features ?? []) as unknown as OverlayFeature[];
    show(map, 'reach', features);
    const rings = features.flatMap(({ geometry }) =>
      geometry.type === 'Polygon' ? (geometry.coordinates[0] ?? []) : [],
    );
    fitView(
      map,
      rings.map(([lng = 0, lat = 0]) => [lng, lat]),
    );
  };
  app.watch((state) => state.reach, draw);
  draw();
}
