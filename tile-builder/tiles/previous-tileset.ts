import type { TilesetManifest } from '#map-data/tiles/manifest.js';
import { overlayOf } from '#map-data/tiles/network-frame.js';
import { tileKinds, tilesOfKind } from '#map-data/tiles/tile-kinds.js';
import { CorruptTileset, fetchTiles, readManifest, TilesetNotFound } from '#map-data/tiles/tile-source.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { KeptPartition } from '../partition/carry-partition.js';
import { nestingOf, type WeighedOverlay } from './overlay-weights.js';
import { decodePartition } from './partition-tiles.js';

/** What a build reuses from an earlier tileset. */
export interface PreviousTileset {
  readonly manifest: TilesetManifest;
  readonly overlay: WeighedOverlay;
  readonly partition: KeptPartition;
  /** Packed bytes of each tile, by the hash of its content. */
  readonly tileBytes: ReadonlyMap<string, number>;
}

/** The cells that a tileset was cut into. Throws `TilesetNotFound` or `CorruptTileset`. */
export async function readPartition(objects: ObjectStore, tilesetId: string): Promise<KeptPartition> {
  return partitionOf(objects, await readManifest(objects, tilesetId));
}

async function partitionOf(objects: ObjectStore, manifest: TilesetManifest): Promise<KeptPartition> {
  return decodePartition(await fetchTiles(objects, tilesOfKind(manifest, 'partition')));
}

/** Undefined if it is missing, damaged or of another format: then everything is built. */
export async function readPreviousTileset(
  objects: ObjectStore,
  tilesetId: string,
): Promise<PreviousTileset | undefined> {
  try {
    const manifest = await readManifest(objects, tilesetId);
    const [borders, weights] = await Promise.all(
      (['borders', 'weights'] as const).map((kind) => fetchTiles(objects, tilesOfKind(manifest, kind))),
    );
    const partition = await partitionOf(objects, manifest);
    const { border, links, cellAncestor, levelCells, weightsMs } = overlayOf(manifest, {
      borders: borders!,
      weights: weights!,
    });
    const overlay = { nesting: nestingOf({ ...border, ...links, cellAncestor }, levelCells), weightsMs };
    const tileBytes = new Map<string, number>();
    for (const kind of tileKinds)
      for (const { sha256, bytes } of tilesOfKind(manifest, kind)) tileBytes.set(sha256, bytes);
    return { manifest, overlay, partition, tileBytes };
  } catch (error) {
    const isUnusable =
      error instanceof TilesetNotFound ||
      error instanceof CorruptTileset ||
      error instanceof RangeError ||
      error instanceof TypeError;
    if (isUnusable) return undefined;
    throw error;
  }
}
