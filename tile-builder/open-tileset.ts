import type { ObjectStore } from '#platform/object-store/object-store.js';
import { RoadNetwork } from '#routing-engine/road-network.js';
import { reserveArrays } from './tiles/cell-columns.js';
import { CellFiller } from './tiles/fill-cell.js';
import { currentKey } from './tiles/manifest.js';
import { tilesOfKind } from './tiles/tile-kinds.js';
import { corrupt, fetchTiles, readFrame, readManifest, TilesetNotFound } from './tiles/tile-source.js';

export { CorruptTileset, TilesetNotFound } from './tiles/tile-source.js';

/** Id of the tileset that `tilesets/current` points to; undefined before the first build. */
export async function currentTilesetId(objects: ObjectStore): Promise<string | undefined> {
  const bytes = await objects.get(currentKey);
  if (bytes === undefined) return undefined;
  const id = new TextDecoder().decode(bytes).trim();
  if (!/^[0-9a-f]{16}$/.test(id)) throw corrupt(currentKey, 'it does not hold the id of a tileset');
  return id;
}

/** The given id, or the current one. Throws `TilesetNotFound` when there is none. */
export async function wantedTilesetId(objects: ObjectStore, tilesetId?: string): Promise<string> {
  const id = tilesetId ?? (await currentTilesetId(objects));
  if (id === undefined)
    throw new TilesetNotFound('there is no tileset yet; build one from an OpenStreetMap extract');
  return id;
}

/** Loads a whole tileset; without an id the current one. Throws `TilesetNotFound` or `CorruptTileset`. */
export async function openTileset(objects: ObjectStore, tilesetId?: string): Promise<RoadNetwork> {
  const manifest = await readManifest(objects, await wantedTilesetId(objects, tilesetId));
  const frame = await readFrame(objects, manifest);
  const arrays = reserveArrays(frame);
  const filler = new CellFiller(frame);
  await fetchTiles(objects, tilesOfKind(manifest, 'roads'), ({ key, index }, payload) => {
    try {
      filler.fill(arrays, index, payload);
    } catch (cause) {
      if (cause instanceof RangeError) throw corrupt(key, cause.message, cause);
      throw cause;
    }
  });
  return new RoadNetwork(frame.meta, arrays);
}
