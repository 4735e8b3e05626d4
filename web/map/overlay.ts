import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl';
import type { LngLat } from '../geometry/line.js';
import type { OverlaySource } from './overlay-layers.js';

type Line = readonly (readonly number[])[];

export interface OverlayFeature {
  readonly type: 'Feature';
  readonly geometry:
    | { readonly type: 'Point'; readonly coordinates: LngLat }
    | { readonly type: 'LineString'; readonly coordinates: Line }
    | { readonly type: 'MultiLineString'; readonly coordinates: readonly Line[] }
    | { readonly type: 'Polygon'; readonly coordinates: readonly Line[] };
  readonly properties: Readonly<Record<string, unknown>>;
}

export function lineFeature(coordinates: Line, properties: Record<string, unknown> = {}): OverlayFeature {
  return { type: 'Feature', geometry: { type: 'LineString', coordinates }, properties };
}

const filled = new WeakMap<MapLibre, Set<OverlaySource>>();

/** Replaces what an overlay shows. Emptying one that is empty would draw the whole map again for nothing. */
export function show(map: MapLibre, name: OverlaySource, features: readonly OverlayFeature[]): void {
  const ofMap = filled.get(map) ?? new Set();
  filled.set(map, ofMap);
  const wasFilled = ofMap.delete(name);
  if (features.length > 0) ofMap.add(name);
  else if (!wasFilled) return;
  const data = { type: 'FeatureCollection', features } as unknown as Parameters<GeoJSONSource['setData']>[0];
  // The map tells of a failure by its `error` event.
  void map.getSource<GeoJSONSource>(name)?.setData(data);
}
