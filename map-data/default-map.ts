import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Real Malta, © OpenStreetMap contributors, ODbL 1.0; `map-data/malta/README.md`. */
export const defaultMapName = 'Malta';

export interface DefaultMapSource {
  readonly kind: 'osm-pbf';
  readonly file: string;
}

/**
 * Gothenburg, roads alone, of an npm package: the default map until November 2026. Data folders still name it
 * as the source of their map, but no program reads it any more.
 */
export const earlierDefaultMapName = 'Gothenburg';
export const isEarlierDefaultMap = (file: string): boolean =>
  /[/\\]geojson-path-finder[/\\]test[/\\]large-network\.json$/.test(file);

let source: DefaultMapSource | undefined;

/** The compiled tree has no copy of the extract: that of the sources is used, above it. */
export function defaultMapSource(): DefaultMapSource {
  source ??= { kind: 'osm-pbf', file: fileAbove(join('map-data', 'malta', 'malta.osm.pbf')) };
  return source;
}

function fileAbove(path: string): string {
  for (let above = dirname(fileURLToPath(import.meta.url)); ; above = dirname(above)) {
    const found = join(above, path);
    if (existsSync(found)) return found;
    if (dirname(above) === above) throw new Error(`The file ${path} was not found above this file.`);
  }
}
