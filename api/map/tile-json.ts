import { tileZoomMax } from '../limits.js';
import { roadsLayer } from './road-tiles.js';

export interface MapArea {
  readonly name: string;
  /** Degrees: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number];
}

/** Of the map data, owed under its licence wherever the map or a route is shown. */
export const attribution = '© OpenStreetMap contributors';
export const attributionHtml =
  '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>';

const zoomOfFirstView = 12;

/** TileJSON 3.0. */
export const tileJson = ({ name, bounds }: MapArea, baseUrl: string): object => ({
  tilejson: '3.0.0',
  name,
  attribution: attributionHtml,
  scheme: 'xyz',
  tiles: [`${baseUrl}/v1/tiles/{z}/{x}/{y}.mvt`],
  minzoom: 0,
  maxzoom: tileZoomMax,
  bounds,
  center: [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2, zoomOfFirstView],
  vector_layers: [
    {
      id: roadsLayer,
      description: 'Roads and ways; class is the value of highway, or ferry.',
      fields: { class: 'String', name: 'String', ref: 'String', oneway: 'Boolean' },
    },
  ],
});
