import { GeocodingSession } from '#geocoding/index-builder/geocoding-session.js';
import { releaseBefore } from '#map-data/release/release.js';
import { MapSession } from '#map-tiles/build/squares/map-session.js';
import type { OsmChange } from '#osm/change/osm-change.js';
import { OsmMap } from '#osm/change/osm-map.js';
import type { MapSource } from '#osm/read/read-map-source.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import {
  type BuiltRelease,
  buildReleaseOf,
  type ReleaseOptions,
  type StageSessions,
} from '../build-release.js';
import { RoadsSession } from '../roads-session.js';

/**
 * A long-running builder: it keeps the map in memory, applies changes, and rebuilds only the affected parts
 * of the previous release. Each release equals, byte for byte, that of `buildRelease` from the changed
 * extract with the same cells.
 *
 * ```ts
 * const builder = await ReleaseBuilder.read(source, objects, { map: { zoomMax: 14 } });
 * await builder.build();       // as a command would build it
 * await builder.build(change); // as fast as the change is small
 * ```
 */
export class ReleaseBuilder {
  readonly #map: OsmMap;
  readonly #objects: ObjectStore;
  readonly #options: ReleaseOptions;
  readonly #sessions: StageSessions = {
    roads: new RoadsSession(),
    map: new MapSession(),
    geocoding: new GeocodingSession(),
  };
  /** The release that the sessions have cached. */
  #built: string | undefined;

  private constructor(map: OsmMap, objects: ObjectStore, options: ReleaseOptions) {
    this.#map = map;
    this.#objects = objects;
    this.#options = options;
  }

  /** Reads the extract; nothing is built yet. Throws `InvalidMapSource`. */
  static async read(
    source: MapSource,
    objects: ObjectStore,
    options: ReleaseOptions = {},
  ): Promise<ReleaseBuilder> {
    const map = await OsmMap.read(source, (done, total) => options.onProgress?.('read', done, total));
    return new ReleaseBuilder(map, objects, options);
  }

  /** Changes the map; nothing is built. */
  apply(change: OsmChange): void {
    this.#map.apply(change);
  }

  /**
   * Builds the current map, after applying a change if one is given, and publishes it. Throws what the stages
   * throw: then the previous release continues to serve, the change stays in memory, and the next build runs
   * all stages again. One build at a time.
   */
  async build(change?: OsmChange): Promise<BuiltRelease> {
    if (change !== undefined) this.apply(change);
    const { reuse = true } = this.#options;
    const isFirst = this.#built === undefined;
    // If another process has published, its release is valid: the state in memory belongs to a different
    // release.
    if (!isFirst && (await releaseBefore(this.#objects))?.releaseId !== this.#built) this.#forget();
    try {
      const options = { ...this.#options, reuse: reuse || !isFirst };
      const built = await buildReleaseOf(this.#map, this.#objects, options, this.#sessions);
      this.#built = built.releaseId;
      return built;
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  #forget(): void {
    for (const session of Object.values(this.#sessions) as { forget(): void }[]) session.forget();
    this.#built = undefined;
  }
}
