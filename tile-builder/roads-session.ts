import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import { Scratch } from '#map-data/arrays/scratch.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { BuiltGraph } from './graph/build-road-graph.js';
import type { BuiltTileset } from './tiles/built-tileset.js';
import type { KnownTileset } from './tiles/cut-tiles.js';

/** The roads of a build, as they were made and as they were stored. */
export interface KnownRoads {
  /** Where the tiles are. */
  readonly objects: ObjectStore;
  /** What has to be the same for the next build to take anything over. */
  readonly settings: string;
  readonly graph: BuiltGraph;
  readonly tileset: KnownTileset;
  readonly built: BuiltTileset;
  /** Where the columns of all that lie. */
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

  /** For the next build: of the two sets the one that the last build does not lie in. */
  get memory(): BuildMemory {
    const [one, other] = this.#sets;
    return { scratch: this.#scratch, kept: this.#last?.kept === one ? other : one };
  }

  /** The last build, if its tileset is the one that the store's release names and it was made alike. */
  recall(objects: ObjectStore, tilesetId: string | undefined, settings: string): KnownRoads | undefined {
    const last = this.#last;
    const isOfRelease =
      last?.objects === objects && last.built.tilesetId === tilesetId && last.settings === settings;
    return isOfRelease ? last : undefined;
  }

  remember(last: KnownRoads): void {
    this.#last = last;
  }

  /** The next build is made as the first one. */
  forget(): void {
    this.#last = undefined;
  }
}
