import type { MapGeoJSONFeature, Map as MapLibre, PointLike } from 'maplibre-gl';
import { type LngLat, measure, metresBetween, nearestAlong, placeAlong } from '../geometry/line.js';
import { roadLayerIds } from '../map/road-layers.js';
import type { PickedRoad } from '../state/state.js';

const reachPx = 9;

function linesOf(geometry: MapGeoJSONFeature['geometry']): LngLat[][] {
  if (geometry.type === 'LineString') return [geometry.coordinates as unknown as LngLat[]];
  if (geometry.type === 'MultiLineString') return geometry.coordinates as unknown as LngLat[][];
  return [];
}

/** The drawn road nearest to a pixel, and its nearest point; null if none is in reach. */
export function pickRoad(map: MapLibre, pixel: { x: number; y: number }): PickedRoad | null {
  const box: [PointLike, PointLike] = [
    [pixel.x - reachPx, pixel.y - reachPx],
    [pixel.x + reachPx, pixel.y + reachPx],
  ];
  const { lng, lat } = map.unproject([pixel.x, pixel.y]);
  let best: PickedRoad | null = null;
  let bestM = Number.POSITIVE_INFINITY;
  for (const feature of map.queryRenderedFeatures(box, { layers: roadLayerIds })) {
    for (const points of linesOf(feature.geometry)) {
      const line = measure(points);
      const { at } = placeAlong(line, nearestAlong(line, [lng, lat]));
      const distance = metresBetween(at, [lng, lat]);
      if (distance >= bestM) continue;
      bestM = distance;
      const name: unknown = feature.properties['name'];
      best = {
        name: typeof name === 'string' ? name : '',
        at: { lat: at[1], lng: at[0] },
        line: points,
      };
    }
  }
  return best;
}
