import type { LayerSpecification, VectorSourceSpecification } from 'maplibre-gl';
import { areaStyles, areas } from '#schemas/map-style.js';
import { detailLayers } from './detail-layers.js';
import { mapFonts } from './fonts.js';
import type { Palette } from './palette.js';
import { type RoadSource, roadLayers, roadNameLayers } from './road-layers.js';
import { throughRoadTiles } from './road-tiles.js';

/** The part of TileJSON 3.0 that the map needs. */
export interface TileJson {
  readonly tiles: readonly string[];
  readonly minzoom?: number;
  readonly maxzoom?: number;
  readonly vector_layers?: readonly { readonly id: string }[];
}

/** Whether the tiles are a prepared map with land, water and houses, or only roads. */
export const roadSourceOf = ({ vector_layers: layers }: TileJson): RoadSource =>
  layers?.some(({ id }) => id === 'streets') === true ? 'streets' : 'roads';

/** The same path on the origin of the page: behind a proxy, the server's own address may differ. */
export const baseSource = (tileJson: TileJson, origin: string): VectorSourceSpecification => ({
  type: 'vector',
  tiles: tileJson.tiles.map((address) => throughRoadTiles(origin + address.replace(/^https?:\/\/[^/]+/, ''))),
  minzoom: tileJson.minzoom ?? 0,
  maxzoom: tileJson.maxzoom ?? 14,
});

const kinds = (...names: readonly string[]): ['in', ['get', 'kind'], ['literal', string[]]] => [
  'in',
  ['get', 'kind'],
  ['literal', [...names]],
];

/** From the ground up to the roads. */
export function baseLayers(palette: Palette, from: RoadSource): LayerSpecification[] {
  const ground: LayerSpecification = {
    id: 'ground',
    type: 'background',
    paint: { 'background-color': palette.ground },
  };
  if (from === 'roads') return [ground, ...roadLayers(palette, from)];
  const fill = (layer: string, color: string, id = layer): LayerSpecification & { type: 'fill' } => ({
    id,
    type: 'fill',
    source: 'base',
    'source-layer': layer,
    paint: { 'fill-color': color },
  });
  const line = (
    id: string,
    layer: string,
    color: string,
    width: number,
  ): LayerSpecification & { type: 'line' } => ({
    id,
    type: 'line',
    source: 'base',
    'source-layer': layer,
    paint: { 'line-color': color, 'line-width': width },
  });
  return [
    ground,
    ...areas.map((area) => ({
      ...fill(areaStyles[area].layer, palette[area], `area-${area}`),
      filter: kinds(...areaStyles[area].kinds),
    })),
    fill('ocean', palette.water),
    fill('water_polygons', palette.water),
    line('water_lines', 'water_lines', palette.water, 1.5),
    { ...fill('buildings', palette.building), minzoom: 13 },
    { ...line('rails', 'streets', palette.rail, 1), filter: ['has', 'rail'] },
    { ...line('ferries', 'ferries', palette.ferry, 1), minzoom: 9 },
    { ...line('borders', 'boundaries', palette.border, 1), filter: ['<=', ['get', 'admin_level'], 4] },
    ...roadLayers(palette, from),
  ];
}

/** Names, over everything that lies on the roads. They are drawn with the fonts of this device. */
export function nameLayers(palette: Palette, from: RoadSource): LayerSpecification[] {
  if (from === 'roads') return roadNameLayers(palette, from);
  const places: LayerSpecification = {
    id: 'places',
    type: 'symbol',
    source: 'base',
    'source-layer': 'place_labels',
    layout: {
      'text-field': ['get', 'name'],
      'text-font': mapFonts,
      'text-size': ['match', ['get', 'kind'], ['capital', 'city'], 15, ['town', 'country'], 13, 11],
      'text-padding': 8,
    },
    paint: { 'text-color': palette.label, 'text-halo-color': palette.halo, 'text-halo-width': 1.6 },
  };
  return [...detailLayers(palette), ...roadNameLayers(palette, from), places];
}
