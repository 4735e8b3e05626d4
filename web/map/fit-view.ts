import type { Map as MapLibre } from 'maplibre-gl';
import type { LngLat } from '../geometry/line.js';
import { layoutPadding } from './layout-padding.js';

/** Moves the map so that all points are in the area not covered by panels. */
export function fitView(map: MapLibre, points: readonly LngLat[]): void {
  if (points.length === 0) return;
  const lngs = points.map((point) => point[0]);
  const lats = points.map((point) => point[1]);
  const { clientWidth, clientHeight } = map.getContainer();
  map.fitBounds(
    [
      [Math.min(...lngs), Math.min(...lats)],
      [Math.max(...lngs), Math.max(...lats)],
    ],
    { padding: layoutPadding(clientWidth, clientHeight), maxZoom: 15.5, duration: 700 },
  );
}
