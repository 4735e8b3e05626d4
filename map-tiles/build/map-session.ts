import { LRUCache } from 'lru-cache';
import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import { Scratch } from '#map-data/arrays/scratch.js';
import type { TaggedWay } from '#osm/elements/map-elements.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { BlockBuffers } from '../format/block-buffers.js';
import { mapTileLimits } from '../format/limits.js';
import type { MapManifest } from '../format/map-manifest.js';
import type { TileBlock } from '../format/tile-block.js';
import { KeptGrounds } from '../png/kept-grounds.js';
import type { CollectedRows } from './collect-rows.js';
import type { MapMemory, MapSettings } from './map-memory.js';
import type { TilePieces } from './tile-pieces.js';

/** What is known of the map that was built last. */
export interface KeptMap {
  readonly objects: ObjectStore;
  readonly mapId: string;
  readonly memory: MapMemory & { readonly drawn: CollectedRows };
  readonly coasts: readonly TaggedWay[];
  readonly blocks: Pick<MapManifest, 'vector' | 'png'>;
  /** Undefined where tiles are not compared by their features. */
  readonly pieces: TilePieces | undefined;
  /** The squares in which anything is drawn. */
  readonly squares: readonly number[];
  /** Where the columns of `memory` lie. */
  readonly columns: Scratch;
}

/** By SHA-256; what was used longest ago gives way. */
export type OpenBlocks = Pick<LRUCache<string, TileBlock>, 'get' | 'set'>;

/**
 * What a builder that stays keeps of the map that it built last: by identity of elements the next build knows
 * what did not change, and of which features each tile is made. A build takes it out and puts its own map in
 * when it is through, so one that throws leaves nothing.
 */
export class MapSession {
  readonly blocks = openBlocks();
  readonly buffers = new BlockBuffers();
  readonly grounds = new KeptGrounds();
  readonly #scratch = new Scratch();
  readonly #sets = [new Scratch(), new Scratch()] as const;
  #kept: KeptMap | undefined;
  /** What the build at hand took. */
  #taken: KeptMap | undefined;

  /** For the next build: of the two sets of columns the one that `kept` does not lie in. */
  memoryBeside(kept: KeptMap | undefined): BuildMemory {
    const [one, other] = this.#sets;
    return { scratch: this.#scratch, kept: kept?.columns === one ? other : one };
  }

  /** Undefined when it is not this map of this store that was built last, or when it was drawn otherwise. */
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

  /** The map that was reused is not read any more. */
  keep(map: KeptMap): void {
    const shown = hashesOf(map);
    const gone =
      this.#taken === undefined ? [] : [...hashesOf(this.#taken)].filter((each) => !shown.has(each));
    this.buffers.giveBack(gone.flatMap((sha256) => this.blocks.get(sha256)?.bytes ?? []));
    for (const sha256 of gone) this.blocks.delete(sha256);
    this.#taken = undefined;
    this.#kept = map;
  }

  /** The next build takes nothing from here. */
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
