import type { Map as MapLibre } from 'maplibre-gl';
import { fitView } from '../map/fit-view.js';
import { lineFeature, show } from '../map/overlay.js';
import { app } from '../state/state.js';

/** Closed roads hatched in dark red, and the road selected for a closure. */
export function drawIncidents(map: MapLibre): void {
  const drawList = () =>
    show(
      map,
      'incidents',
      app.get().incidents.map((incident) => ({
        type: 'Feature',
        geometry: incident.geometry as { type: 'MultiLineString'; coordinates: number[][][] },
        properties: { kind: incident.kind },
      })),
    );
  const drawPicked = () => {
    const { picked } = app.get();
    show(map, 'picked', picked === null ? [] : [lineFeature(picked.line)]);
  };
  app.watch((state) => state.incidents, drawList);
  app.watch((state) => state.picked, drawPicked);
  app.watch(
    (state) => state.lookAt,
    (points) => fitView(map, points),
  );
  drawList();
  drawPicked();
}
