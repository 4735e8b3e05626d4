import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { blockName, numberInBlock } from './block-grid.js';
import { mapTileLimits } from './limits.js';
import {
  type BlockEntry,
  blockKey,
  type MapManifest,
  mapManifestKey,
  readMapManifest,
} from './map-manifest.js';
import { type StoredTile, TileBlock, type TileKind } from './tile-block.js';
import type { TileId } from './web-mercator.js';

/** A manifest or block is missing, truncated or changed. The message names the object. */
export class CorruptMapTiles extends Error {
  override readonly name = 'CorruptMapTiles';
}

const corrupt = (key: string, reason: string, cause?: unknown): CorruptMapTiles =>
  new CorruptMapTiles(`${key}: ${reason}; build the map tiles again or restore the object`, { cause });

/**
 * The prepared tiles of one map. Blocks are fetched when a tile is first requested, and cached within a
 * limit.
 */
export class MapTiles {
  readonly manifest: MapManifest;
  readonly #objects: ObjectStore;
  readonly #entries: Readonly<Record<TileKind, ReadonlyMap<string, BlockEntry>>>;
  readonly #blocks = new LRUCache<string, TileBlock>({
    maxSize: mapTileLimits.openBlockBytesMax,
    sizeCalculation: (block) => block.bytes.length,
  });
  readonly #underway = new Map<string, Promise<TileBlock>>();

  private constructor(objects: ObjectStore, manifest: MapManifest) {
    this.#objects = objects;
    this.manifest = manifest;
    const byName = (blocks: readonly BlockEntry[]): ReadonlyMap<string, BlockEntry> =>
      new Map(blocks.map((block) => [block.name, block]));
    this.#entries = { vector: byName(manifest.vector.blocks), png: byName(manifest.png.blocks) };
  }

  /** Undefined when there is no such map. Throws `CorruptMapTiles`. */
  static async open(objects: ObjectStore, mapId: string): Promise<MapTiles | undefined> {
    const key = mapManifestKey(mapId);
    const bytes = await objects.get(key);
    if (bytes === undefined) return undefined;
    if (bytes.length > mapTileLimits.manifestBytesMax) throw corrupt(key, `it has ${bytes.length} bytes`);
    try {
      return new MapTiles(objects, readMapManifest(bytes, mapId));
    } catch (cause) {
      throw corrupt(key, (cause as Error).message, cause);
    }
  }

  /** Undefined if the tile is empty, or the zoom was not prepared. Synchronous if its block is cached. */
  get(kind: TileKind, tile: TileId): StoredTile | undefined | Promise<StoredTile | undefined> {
    if (tile.z > this.manifest[kind].zoomMax) return undefined;
    const entry = this.#entries[kind].get(blockName(tile));
    if (entry === undefined) return undefined;
    const block = this.#blocks.get(entry.sha256);
    const number = numberInBlock(tile);
    if (block !== undefined) return block.tile(number);
    return this.#fetch(kind, entry).then((fetched) => fetched.tile(number));
  }

  /** The vector tile as the format has it, uncompressed. */
  async vectorTile(tile: TileId): Promise<Uint8Array | undefined> {
    const stored = await this.get('vector', tile);
    return stored === undefined ? undefined : gunzipSync(stored.bytes);
  }

  #fetch(kind: TileKind, entry: BlockEntry): Promise<TileBlock> {
    const { sha256 } = entry;
    const underway = this.#underway.get(sha256);
    if (underway !== undefined) return underway;
    const fetched = this.#read(kind, entry)
      .then((block) => {
        this.#blocks.set(sha256, block);
        return block;
      })
      .finally(() => this.#underway.delete(sha256));
    this.#underway.set(sha256, fetched);
    return fetched;
  }

  async #read(kind: TileKind, { sha256 }: BlockEntry): Promise<TileBlock> {
    const key = blockKey(sha256);
    const bytes = await this.#objects.get(key);
    if (bytes === undefined) throw corrupt(key, 'it is missing');
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw corrupt(key, 'it is not the block that the manifest names');
    try {
      return TileBlock.from(kind, bytes);
    } catch (cause) {
      throw corrupt(key, (cause as Error).message, cause);
    }
  }
}
