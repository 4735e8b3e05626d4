import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';

/** There is no such tileset: build one first. */
export class TilesetNotFound extends Error {
  override readonly name = 'TilesetNotFound';
}

/** A tile or manifest is missing, truncated or changed. The message names the object. */
export class CorruptTileset extends Error {
  override readonly name = 'CorruptTileset';
}

/** Id of the tileset that `tilesets/current` points to; undefined before the first build. */
export async function currentTilesetId(objects: ObjectStore): Promise<string | undefined> {
  throw new Error('in the making');
}

/** Loads a whole tileset; without an id the current one. Throws `TilesetNotFound` or `CorruptTileset`. */
export async function openTileset(objects: ObjectStore, tilesetId?: string): Promise<RoadNetwork> {
  throw new Error('in the making');
}
