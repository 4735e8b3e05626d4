import type { ObjectStore } from '#platform/object-store/object-store.js';
import { RoadNetwork } from '#routing-engine/network/road-network.js';
import { currentRelease } from './release/release.js';
import { reserveArrays } from './tiles/cell-columns.js';
import { CellFiller } from './tiles/fill-cell.js';
import { tilesOfKind } from './tiles/tile-kinds.js';
import { corrupt, fetchTiles, readFrame, readManifest, TilesetNotFound } from './tiles/tile-source.js';

export { CorruptTileset, TilesetNotFound } from './tiles/tile-source.js';

/** The given id, or that of the current release. Throws `TilesetNotFound` when there is none. */
export async function wantedTilesetId(objects: ObjectStore, tilesetId?: string): Promise<string> {
  const id = tilesetId ?? (await currentRelease(objects))?.tilesetId;
  if (id === undefined)
    throw new TilesetNotFound('there is no tileset yet; build one from an OpenStreetMap extract');
  return id;
}

/** Loads a complete tileset; without an id the current one. Throws `TilesetNotFound` or `CorruptTileset`. */
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
