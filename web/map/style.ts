import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { baseLayers, baseSource, nameLayers, roadSourceOf, type TileJson } from './base-map.js';
import { overlayLayers, overlaySources } from './overlay-layers.js';
import type { Palette } from './palette.js';
import type { RoadSource } from './road-layers.js';

export function layers(palette: Palette, from: RoadSource): LayerSpecification[] {
  return [...baseLayers(palette, from), ...overlayLayers(palette), ...nameLayers(palette, from)];
}

export function mapStyle(palette: Palette, tileJson: TileJson, origin: string): StyleSpecification {
  const empty = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } } as const;
  return {
    version: 8,
    sources: {
      base: baseSource(tileJson, origin),
      ...Object.fromEntries(overlaySources.map((name) => [name, empty])),
    },
    layers: layers(palette, roadSourceOf(tileJson)),
  };
}
