import { createHash } from 'node:crypto';
import type { Box } from '#osm/polygons/ring-geometry.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { type BlockEntry, blockKey, type MapManifest, mapMemoryKey } from '../../format/map-manifest.js';
import { CorruptMapTiles, MapTiles } from '../../format/open-map-tiles.js';
import { TileBlock, type TileKind } from '../../format/tile-block.js';
import { type MapBuildCache, type MapSettings, readMapMemory } from './map-build-cache.js';
import type { KeptMap, OpenBlocks } from './map-session.js';

export interface PreviousBlock {
  readonly entries: Readonly<Partial<Record<TileKind, BlockEntry>>>;
  /** Its tiles; undefined if it has none of the kind. Throws if the object differs from the manifest. */
  open(kind: TileKind): Promise<TileBlock | undefined>;
}

/** The map that is replaced, with the tiles that a build may reuse. */
export class PreviousMap {
  readonly memory: MapBuildCache;
  readonly #objects: ObjectStore;
  readonly #entries: Readonly<Record<TileKind, ReadonlyMap<string, BlockEntry>>>;
  readonly #open: OpenBlocks | undefined;

  private constructor(
    objects: ObjectStore,
    memory: MapBuildCache,
    blocks: Pick<MapManifest, 'vector' | 'png'>,
    open: OpenBlocks | undefined,
  ) {
    this.#objects = objects;
    this.memory = memory;
    this.#open = open;
    const byName = (entries: readonly BlockEntry[]): ReadonlyMap<string, BlockEntry> =>
      new Map(entries.map((block) => [block.name, block]));
    this.#entries = { vector: byName(blocks.vector.blocks), png: byName(blocks.png.blocks) };
  }

  /** Undefined if there is none, if its settings differ, or if its build cache is missing. */
  static async open(
    objects: ObjectStore,
    mapId: string,
    settings: MapSettings,
    open?: OpenBlocks,
  ): Promise<PreviousMap | undefined> {
    const bytes = await objects.get(mapMemoryKey(mapId));
    const memory = bytes && readMapMemory(mapId, bytes);
    if (memory === undefined || JSON.stringify(memory.settings) !== JSON.stringify(settings))
      return undefined;
    const map = await MapTiles.open(objects, mapId).catch(unreadable);
    return map && new PreviousMap(objects, memory, map.manifest, open);
  }

  /** The map that this process built last. */
  static of({ objects, memory, blocks }: KeptMap, open: OpenBlocks): PreviousMap {
    return new PreviousMap(objects, memory, blocks, open);
  }

  /** Whether its tiles were cut for the same bounds. */
  covers(box: Box): boolean {
    return this.memory.box.every((value, i) => value === box[i]);
  }

  /** Without entries where it had no such block. */
  block(name: string): PreviousBlock {
    const entries = {
      ...withEntry('vector', this.#entries.vector.get(name)),
      ...withEntry('png', this.#entries.png.get(name)),
    };
    return {
      entries,
      open: async (kind) => {
        const entry = entries[kind];
        return entry && (this.#open?.get(entry.sha256) ?? (await this.#read(kind, entry)));
      },
    };
  }

  async #read(kind: TileKind, { sha256 }: BlockEntry): Promise<TileBlock> {
    const bytes = await this.#objects.get(blockKey(sha256));
    if (bytes === undefined || sha256Of(bytes) !== sha256)
      throw new CorruptMapTiles(`block ${sha256} is missing or changed`);
    const block = TileBlock.from(kind, bytes);
    this.#open?.set(sha256, block);
    return block;
  }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function unreadable(error: unknown): undefined {
  if (!(error instanceof CorruptMapTiles)) throw error;
}

const withEntry = (kind: TileKind, entry: BlockEntry | undefined) =>
  entry === undefined ? {} : { [kind]: entry };
