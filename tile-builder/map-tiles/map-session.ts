import { LRUCache } from 'lru-cache';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { TaggedWay } from '../osm/map-elements.js';
import type { CollectedRows } from './collect-rows.js';
import { mapTileLimits } from './limits.js';
import type { MapManifest } from './map-manifest.js';
import type { MapMemory, MapSettings } from './map-memory.js';
import type { TileBlock } from './tile-block.js';
import type { TilePieces } from './tile-pieces.js';

/** What is known of the map that was built last. */
export interface KeptMap {
  readonly objects: ObjectStore;
  readonly mapId: string;
  readonly memory: MapMemory & { readonly drawn: CollectedRows };
  readonly coasts: readonly TaggedWay[];
  readonly blocks: Pick<MapManifest, 'vector' | 'png'>;
  /** Undefined where tiles are not told by their features. */
  readonly pieces: TilePieces | undefined;
  /** The squares in which anything is drawn. */
  readonly squares: readonly number[];
}

/** By SHA-256; what was used longest ago gives way. */
export type OpenBlocks = Pick<LRUCache<string, TileBlock>, 'get' | 'set'>;

/**
 * What a builder that stays keeps of the map that it built last: by identity of elements the next build knows what did not change, and of
 * which features each tile is made. A build takes it out and puts its own map in when it is through, so one that throws leaves nothing.
 */
export class MapSession {
  readonly blocks: OpenBlocks = openBlocks();
  #kept: KeptMap | undefined;

  /** Undefined when it is not this map of this store that was built last, or when it was drawn otherwise. */
  take(objects: ObjectStore, mapId: string | undefined, settings: MapSettings): KeptMap | undefined {
    const kept = this.#kept;
    this.#kept = undefined;
    const isWanted =
      kept?.mapId === mapId &&
      kept?.objects === objects &&
      JSON.stringify(kept.memory.settings) === JSON.stringify(settings);
    return isWanted ? kept : undefined;
  }

  keep(map: KeptMap): void {
    this.#kept = map;
  }

  /** The next build takes nothing from here. */
  forget(): void {
    this.#kept = undefined;
  }
}

const openBlocks = () =>
  new LRUCache<string, TileBlock>({
    maxSize: mapTileLimits.openBlockBytesMax,
    sizeCalculation: (block) => block.byteLength,
  });
