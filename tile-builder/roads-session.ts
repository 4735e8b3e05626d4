import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import { Scratch } from '#map-data/arrays/scratch.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { BuiltGraph } from './graph/build-road-graph.js';
import type { BuiltTileset } from './tiles/built-tileset.js';
import type { KnownTileset } from './tiles/cut-tiles.js';

/** The roads of a build, in memory and as stored. */
export interface KnownRoads {
  /** Where the tiles are. */
  readonly objects: ObjectStore;
  /** Settings that must be equal for reuse by the next build. */
  readonly settings: string;
  readonly graph: BuiltGraph;
  readonly tileset: KnownTileset;
  readonly built: BuiltTileset;
  /** The memory of these columns. */
  readonly kept: Scratch;
}

/**
 * What a long-running builder caches of the roads of its last build, so that the next one computes only
 * changes. The tileset is the same, byte for byte, as without one. One session serves one build at a time. It
 * holds the results of one build, and as much memory again for the next one: two sets of columns alternate,
 * so that the previous ones are complete while a build compares with them, and when it fails.
 */
export class RoadsSession {
  readonly #scratch = new Scratch();
  readonly #sets = [new Scratch(), new Scratch()] as const;
  #last: KnownRoads | undefined;

  /** The set of columns that the last build does not use, for the next build. */
  get memory(): BuildMemory {
    const [one, other] = this.#sets;
    return { scratch: this.#scratch, kept: this.#last?.kept === one ? other : one };
  }

  /** The last build, if its tileset is that of the store's release and its settings are equal. */
  recall(objects: ObjectStore, tilesetId: string | undefined, settings: string): KnownRoads | undefined {
    const last = this.#last;
    const isOfRelease =
      last?.objects === objects && last.built.tilesetId === tilesetId && last.settings === settings;
    return isOfRelease ? last : undefined;
  }

  remember(last: KnownRoads): void {
    this.#last = last;
  }

  /** The next build starts from scratch. */
  forget(): void {
    this.#last = undefined;
  }
}
