import { createRequire } from 'node:module';

/** The default map: real Gothenburg, © OpenStreetMap contributors, ODbL. */
export function defaultMapSource(): { readonly kind: 'osm-geojson'; readonly file: string } {
  const file = createRequire(import.meta.url).resolve('geojson-path-finder/test/large-network.json');
  return { kind: 'osm-geojson', file };
}
