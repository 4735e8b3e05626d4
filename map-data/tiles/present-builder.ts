import type { ObjectStore } from '#platform/object-store/object-store.js';
import { readManifest } from './tile-source.js';

/**
 * Version of the rules that builds follow. Raised whenever the same roads give other numbers or other bytes
 * of a tile: then only the cells are reused.
 */
export const builder = 10;

/**
 * Whether this program would build the tileset by the same rules. Throws `TilesetNotFound` or
 * `CorruptTileset`.
 */
export const isOfPresentBuilder = async (objects: ObjectStore, tilesetId: string): Promise<boolean> =>
  (await readManifest(objects, tilesetId)).builder === builder;
