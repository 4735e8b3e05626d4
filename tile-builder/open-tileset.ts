import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { RoadNetwork } from '#routing-engine/road-network.js';
import { assembleNetwork } from './tiles/assemble-network.js';
import {
  currentKey,
  labelKey,
  type ManifestTile,
  manifestKey,
  roadKey,
  type TilesetManifest,
} from './tiles/manifest.js';
import { InvalidTile, openTile, tileKind } from './tiles/tile-envelope.js';

/** There is no such tileset: build one first. */
export class TilesetNotFound extends Error {
  override readonly name = 'TilesetNotFound';
}

/** A tile or manifest is missing, truncated or changed. The message names the object. */
export class CorruptTileset extends Error {
  override readonly name = 'CorruptTileset';
}

/** Tiles that are fetched at the same time. */
const GETS_AT_ONCE = 16;

/** Id of the tileset that `tilesets/current` points to; undefined before the first build. */
export async function currentTilesetId(objects: ObjectStore): Promise<string | undefined> {
  const bytes = await objects.get(currentKey);
  if (bytes === undefined) return undefined;
  const id = new TextDecoder().decode(bytes).trim();
  if (!/^[0-9a-f]{16}$/.test(id)) throw corrupt(currentKey, 'it does not hold the id of a tileset');
  return id;
}

/** Loads a whole tileset; without an id the current one. Throws `TilesetNotFound` or `CorruptTileset`. */
export async function openTileset(objects: ObjectStore, tilesetId?: string): Promise<RoadNetwork> {
  const id = tilesetId ?? (await currentTilesetId(objects));
  if (id === undefined)
    throw new TilesetNotFound('there is no tileset yet; build one from an OpenStreetMap extract');
  const manifest = await readManifest(objects, id);
  const roads: Uint8Array[] = [];
  const labels: Uint8Array[] = [];
  let next = 0;
  const load = async (): Promise<void> => {
    for (let cell = next++; cell < manifest.cells.length; cell = next++) {
      const { road, label } = manifest.cells[cell];
      roads[cell] = await fetchTile(objects, roadKey(id, cell), road, (bytes) =>
        openTile(tileKind.road, 0, cell, bytes),
      );
      labels[cell] = await fetchTile(objects, labelKey(id, cell), label, (bytes) =>
        openTile(tileKind.label, 0, cell, bytes),
      );
    }
  };
  await Promise.all(Array.from({ length: GETS_AT_ONCE }, load));
  try {
    const { meta, arrays } = assembleNetwork(manifest, roads, labels);
    return new RoadNetwork(meta, arrays);
  } catch (cause) {
    if (cause instanceof RangeError) throw corrupt(manifestKey(id), cause.message, cause);
    throw cause;
  }
}

export async function readManifest(objects: ObjectStore, id: string): Promise<TilesetManifest> {
  const key = manifestKey(id);
  const bytes = await objects.get(key);
  if (bytes === undefined)
    throw new TilesetNotFound(`there is no tileset ${id}; build it, or point tilesets/current to another`);
  let manifest: TilesetManifest;
  try {
    manifest = JSON.parse(new TextDecoder().decode(bytes)) as TilesetManifest;
  } catch (cause) {
    throw corrupt(key, 'it is not JSON', cause);
  }
  if (manifest.format !== 'meridian-tileset' || manifest.version !== 1 || manifest.tilesetId !== id)
    throw corrupt(key, 'it is not the manifest of this tileset in a version that this program reads');
  return manifest;
}

async function fetchTile(
  objects: ObjectStore,
  key: string,
  expected: ManifestTile,
  open: (bytes: Uint8Array) => Uint8Array,
): Promise<Uint8Array> {
  const bytes = await objects.get(key);
  if (bytes === undefined) throw corrupt(key, 'it is missing');
  try {
    const payload = open(bytes);
    if (createHash('sha256').update(bytes).digest('hex') !== expected.sha256)
      throw new InvalidTile('it is not the tile that the manifest names');
    return payload;
  } catch (cause) {
    throw corrupt(key, (cause as Error).message, cause);
  }
}

const corrupt = (key: string, reason: string, cause?: unknown): CorruptTileset =>
  new CorruptTileset(`${key}: ${reason}; build the tileset again or restore the object`, { cause });
