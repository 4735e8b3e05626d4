import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { decodeManifest, manifestKey, type TilesetManifest } from './manifest.js';
import { frameOf, type NetworkFrame } from './network-frame.js';
import { InvalidTile, openTile } from './tile-envelope.js';
import { type TileName, tilesOfKind } from './tile-kinds.js';

/** There is no such tileset: build one first. */
export class TilesetNotFound extends Error {
  override readonly name = 'TilesetNotFound';
}

/** A tile or manifest is missing, truncated or changed. The message names the object. */
export class CorruptTileset extends Error {
  override readonly name = 'CorruptTileset';
}

export const corrupt = (key: string, reason: string, cause?: unknown): CorruptTileset =>
  new CorruptTileset(`${key}: ${reason}; build the tileset again or restore the object`, { cause });

/** Tiles that are fetched at the same time. */
const GETS_AT_ONCE = 16;

/** Throws `TilesetNotFound` or `CorruptTileset`. */
export async function readManifest(objects: ObjectStore, id: string): Promise<TilesetManifest> {
  const key = manifestKey(id);
  const bytes = await objects.get(key);
  if (bytes === undefined) throw new TilesetNotFound(`there is no tileset ${id}; build the tiles again`);
  try {
    return decodeManifest(bytes, id);
  } catch (cause) {
    throw corrupt(key, (cause as Error).message, cause);
  }
}

const superKinds = ['borders', 'weights', 'ways', 'numbers'] as const;

/** All super tiles of a tileset. Throws `CorruptTileset`. */
export async function readFrame(objects: ObjectStore, manifest: TilesetManifest): Promise<NetworkFrame> {
  try {
    const [borders, weights, ways, numbers] = await Promise.all(
      superKinds.map((kind) => fetchTiles(objects, tilesOfKind(manifest, kind))),
    );
    return frameOf(manifest, { borders: borders!, weights: weights!, ways: ways!, numbers: numbers! });
  } catch (cause) {
    // A TypeError means that the manifest lacks a list.
    if (cause instanceof RangeError || cause instanceof TypeError)
      throw corrupt(manifestKey(manifest.tilesetId), cause.message, cause);
    throw cause;
  }
}

/**
 * Fetches and checks tiles, a few at a time, and returns their payloads in order. `onTile` is called with
 * each when it arrives.
 */
export async function fetchTiles(
  objects: ObjectStore,
  tiles: readonly TileName[],
  onTile?: (tile: TileName, payload: Uint8Array) => void,
): Promise<Uint8Array[]> {
  const payloads: Uint8Array[] = [];
  let next = 0;
  const load = async (): Promise<void> => {
    for (let i = next++; i < tiles.length; i = next++) {
      const payload = await fetchTile(objects, tiles[i]);
      if (onTile === undefined) payloads[i] = payload;
      else onTile(tiles[i], payload);
    }
  };
  await Promise.all(Array.from({ length: GETS_AT_ONCE }, load));
  return payloads;
}

/** A tile that differs from the manifest is fetched again: the copy may be bad, not the object. */
async function fetchTile(objects: ObjectStore, tile: TileName): Promise<Uint8Array> {
  try {
    return checked(tile, await objects.get(tile.key));
  } catch (error) {
    if (!(error instanceof InvalidTile)) throw error;
  }
  try {
    return checked(tile, await objects.get(tile.key));
  } catch (cause) {
    if (cause instanceof InvalidTile) throw corrupt(tile.key, cause.message, cause);
    throw cause;
  }
}

function checked({ kind, sha256 }: TileName, bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new InvalidTile('it is missing');
  const payload = openTile(kind, bytes);
  if (createHash('sha256').update(payload).digest('hex') !== sha256)
    throw new InvalidTile('it is not the tile that the manifest names');
  return payload;
}
