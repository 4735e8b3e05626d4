import { layers } from '#map-tiles/format/layers.js';
import type { MapManifest } from '#map-tiles/format/map-manifest.js';
import type { LatLng } from '#schemas/units.js';
import { tileZoomMax } from '../http/limits.js';
import { roadsLayer } from './road-tiles.js';

export interface MapArea {
  readonly name: string;
  /** Degrees: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number];
  /** Where a map opens. */
  readonly middle: LatLng;
}

/** Attribution of the map data, which its licence requires wherever the map or a route is shown. */
export const attribution = '© OpenStreetMap contributors';
export const attributionHtml =
  '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>';

const zoomOfFirstView = 12;

const roadLayers = [
  {
    id: roadsLayer,
    description: 'Roads and paths; class is the value of the highway tag, or ferry.',
    fields: { class: 'String', name: 'String', ref: 'String', oneway: 'Boolean' },
  },
];
const mapLayers = Object.entries(layers).map(([id, { description, fields }]) => ({
  id,
  description,
  fields,
}));

/** TileJSON 3.0 of the prepared map, whose tiles never change, or of the roads alone. */
export const tileJson = ({ name, bounds, middle }: MapArea, baseUrl: string, map?: MapManifest): object => ({
  tilejson: '3.0.0',
  name,
  ...(map === undefined ? {} : { version: `1.0.0+${map.mapId}` }),
  attribution: attributionHtml,
  scheme: 'xyz',
  tiles: [`${baseUrl}/v1/tiles/${map === undefined ? '' : `${map.mapId}/`}{z}/{x}/{y}.mvt`],
  minzoom: 0,
  maxzoom: Math.min(tileZoomMax, map?.vector.zoomMax ?? tileZoomMax),
  bounds: map?.world === true ? [-180, -85.0511, 180, 85.0511] : bounds,
  center: [middle.lng, middle.lat, zoomOfFirstView],
  vector_layers: map === undefined ? roadLayers : mapLayers,
});
