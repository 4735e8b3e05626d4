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

/** Replaces what an overlay shows. */
export function show(map: MapLibre, name: OverlaySource, features: readonly OverlayFeature[]): void {
  const data = { type: 'FeatureCollection', features } as unknown as Parameters<GeoJSONSource['setData']>[0];
  // The map tells of a failure by its `error` event.
  void map.getSource<GeoJSONSource>(name)?.setData(data);
}
