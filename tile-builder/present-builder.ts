import type { ObjectStore } from '#platform/object-store/object-store.js';
import { builder } from './tiles/cut-tiles.js';
import { readManifest } from './tiles/tile-source.js';

/**
 * Whether this program would build the tileset by the same rules. Throws `TilesetNotFound` or
 * `CorruptTileset`.
 */
export const isOfPresentBuilder = async (objects: ObjectStore, tilesetId: string): Promise<boolean> =>
  (await readManifest(objects, tilesetId)).builder === builder;
