import type { ObjectStore } from '#platform/object-store/object-store.js';

/** Where the roads come from. */
export type MapSource =
  /** An OpenStreetMap extract on disk, `.osm.pbf`. */
  | { readonly kind: 'osm-pbf'; readonly file: string }
  /** The GeoJSON of Gothenburg that the package `geojson-path-finder` carries. */
  | { readonly kind: 'osm-geojson'; readonly file: string };

export type BuildPhase = 'read' | 'graph' | 'partition' | 'tiles' | 'publish';

export interface BuildOptions {
  /** `total` may be an estimate until `done` reaches it. */
  readonly onProgress?: (phase: BuildPhase, done: number, total: number) => void;
}

export interface BuiltTileset {
  readonly tilesetId: string;
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly cellCount: number;
  readonly bytes: number;
}

/** The default map: real Gothenburg, © OpenStreetMap contributors, ODbL. */
export function defaultMapSource(): MapSource {
  throw new Error('in the making');
}

/**
 * Reads the extract, writes the tiles under `tilesets/<id>/` and at the very end the pointer `tilesets/current`;
 * whoever crashes before leaves the old tileset current. The id is made from the content: same input, same id, same bytes.
 * Throws `InvalidMapSource` (message with the byte position) and writes nothing when the extract is not whole.
 */
export async function buildTileset(
  source: MapSource,
  objects: ObjectStore,
  options: BuildOptions = {},
): Promise<BuiltTileset> {
  throw new Error('in the making');
}
