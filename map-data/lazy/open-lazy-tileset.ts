import type { ObjectStore } from '#platform/object-store/object-store.js';
import { wantedTilesetId } from '../open-tileset.js';
import { readFrame, readManifest } from '../tiles/tile-source.js';
import { LazyTileset } from './lazy-tileset.js';

export interface LazyOptions {
  /**
   * Memory that the roads of loaded cells may take. Borders, overlay and the other super tiles are not
   * counted.
   */
  readonly bytesMax: number;
  /** Default: the current one. */
  readonly tilesetId?: string;
}

/** Opens a tileset without its roads. Throws `TilesetNotFound` or `CorruptTileset`. */
export async function openLazyTileset(objects: ObjectStore, options: LazyOptions): Promise<LazyTileset> {
  if (!(options.bytesMax > 0)) throw new RangeError(`${options.bytesMax} bytes are no bound`);
  const manifest = await readManifest(objects, await wantedTilesetId(objects, options.tilesetId));
  return new LazyTileset(objects, await readFrame(objects, manifest), options.bytesMax);
}
