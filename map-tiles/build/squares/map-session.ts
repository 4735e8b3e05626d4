import { LRUCache } from 'lru-cache';
import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import { Scratch } from '#map-data/arrays/scratch.js';
import type { TaggedWay } from '#osm/elements/map-elements.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { BlockBuffers } from '../../format/block-buffers.js';
import { mapTileLimits } from '../../format/limits.js';
import type { MapManifest } from '../../format/map-manifest.js';
import type { TileBlock } from '../../format/tile-block.js';
import { BackgroundCache } from '../../png/background-cache.js';
import type { CollectedRows } from '../rows/collect-rows.js';
import type { TilePieces } from '../tiles/tile-pieces.js';
import type { MapBuildCache, MapSettings } from './map-build-cache.js';

/** Cached data of the last map. */
export interface KeptMap {
  readonly objects: ObjectStore;
  readonly mapId: string;
  readonly memory: MapBuildCache & { readonly drawn: CollectedRows };
  readonly coasts: readonly TaggedWay[];
  readonly blocks: Pick<MapManifest, 'vector' | 'png'>;
  /** Undefined if tiles are not compared by their features. */
  readonly pieces: TilePieces | undefined;
  /** The squares in which anything is drawn. */
  readonly squares: readonly number[];
  /** The memory of the columns. */
  readonly columns: Scratch;
}

/** By SHA-256; the least recently used entry is evicted. */
export type OpenBlocks = Pick<LRUCache<string, TileBlock>, 'get' | 'set'>;

/**
 * The cache of a long-running builder for its last map. By the identity of elements, the next build knows
 * what did not change, and the features of each tile. A build takes the cache and stores its own map when it
 * ends, so a failed build leaves nothing.
 */
export class MapSession {
  readonly blocks = openBlocks();
  readonly buffers = new BlockBuffers();
  readonly grounds = new BackgroundCache();
  readonly #scratch = new Scratch();
  readonly #sets = [new Scratch(), new Scratch()] as const;
  #kept: KeptMap | undefined;
  /** The cache taken by the current build. */
  #taken: KeptMap | undefined;

  /** The set of columns that `kept` does not use, for the next build. */
  memoryBeside(kept: KeptMap | undefined): BuildMemory {
    const [one, other] = this.#sets;
    return { scratch: this.#scratch, kept: kept?.columns === one ? other : one };
  }

  /** Undefined if the last built map was another one, or its settings differ. */
  take(objects: ObjectStore, mapId: string | undefined, settings: MapSettings): KeptMap | undefined {
    const kept = this.#kept;
    this.#kept = undefined;
    const isWanted =
      kept?.mapId === mapId &&
      kept?.objects === objects &&
      JSON.stringify(kept.memory.settings) === JSON.stringify(settings);
    this.#taken = isWanted ? kept : undefined;
    return this.#taken;
  }

  /** The reused map is no longer read. */
  keep(map: KeptMap): void {
    const shown = hashesOf(map);
    const gone =
      this.#taken === undefined ? [] : [...hashesOf(this.#taken)].filter((each) => !shown.has(each));
    this.buffers.release(gone.flatMap((sha256) => this.blocks.get(sha256)?.bytes ?? []));
    for (const sha256 of gone) this.blocks.delete(sha256);
    this.#taken = undefined;
    this.#kept = map;
  }

  /** The next build starts from scratch. */
  forget(): void {
    this.#kept = undefined;
  }
}

const hashesOf = ({ blocks: { vector, png } }: KeptMap): Set<string> =>
  new Set([...vector.blocks, ...png.blocks].map(({ sha256 }) => sha256));

const openBlocks = () =>
  new LRUCache<string, TileBlock>({
    maxSize: mapTileLimits.openBlockBytesMax,
    sizeCalculation: (block) => block.bytes.length,
  });
