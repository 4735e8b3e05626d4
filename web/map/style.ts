import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { driverLayers, overlayLayers, overlaySources } from './overlay-layers.js';
import type { Palette } from './palette.js';
import { roadLayers, roadNameLayers } from './road-layers.js';
import { throughRoadTiles } from './road-tiles.js';

/** The part of TileJSON 3.0 that the map needs. */
export interface TileJson {
  readonly tiles: readonly string[];
  readonly minzoom?: number;
  readonly maxzoom?: number;
}

/** The same path on the origin of the page: behind a proxy the server may know itself by another name. */
function onOrigin(address: string, origin: string): string {
  return throughRoadTiles(origin + address.replace(/^https?:\/\/[^/]+/, ''));
}

export function layers(palette: Palette): LayerSpecification[] {
  return [
    { id: 'ground', type: 'background', paint: { 'background-color': palette.ground } },
    ...roadLayers(palette),
    ...overlayLayers(palette),
    ...roadNameLayers(palette),
    ...driverLayers(),
  ];
}

export function mapStyle(palette: Palette, tileJson: TileJson, origin: string): StyleSpecification {
  const empty = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } } as const;
  return {
    version: 8,
    sources: {
      roads: {
        type: 'vector',
        tiles: tileJson.tiles.map((address) => onOrigin(address, origin)),
        minzoom: tileJson.minzoom ?? 0,
        maxzoom: tileJson.maxzoom ?? 14,
      },
      ...Object.fromEntries(overlaySources.map((name) => [name, empty])),
    },
    layers: layers(palette),
  };
}
