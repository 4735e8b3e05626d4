import type { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import type { Geocoder } from '../ports/geocoder.js';
import type { PlanThrough } from '../ports/plan-through.js';
import type { Planner } from '../ports/planner.js';
import type { Roads } from '../ports/roads.js';
import type { TraceMatcher } from '../ports/trace-matcher.js';
import type { CurrentTraffic } from '../ports/traffic-view.js';
import type { TileCache } from '../road-tiles/tile-cache.js';

/**
 * Everything that answers rest on, of one release of the map: edges, places and tiles that belong together.
 */
export interface ServedRelease {
  readonly roads: Roads;
  readonly planner: Planner;
  /** Ways through several places; every release has it or none, and then the operation is not offered. */
  readonly planThrough?: PlanThrough;
  /** Matches recorded traces; every release has it or none, and then the operation is not offered. */
  readonly traces?: TraceMatcher;
  /** Absent where no index was built. */
  readonly geocoder?: Geocoder;
  readonly traffic: () => CurrentTraffic;
  /** Tiles of the roads alone, cut when they are requested. */
  readonly roadTiles: TileCache;
  /** The prepared map; absent where none was drawn. */
  readonly map?: MapTiles;
}

/**
 * What serves now. An answer that waits for nothing takes `current` once; one that waits goes through `use`,
 * which keeps what it began with open until it ended. Either way no answer is made of two releases.
 *
 * ```ts
 * const plan = await releases.use(({ planner }) => planner.plan(request));
 * ```
 */
export interface Releases {
  readonly current: ServedRelease;
  use<Answer>(work: (release: ServedRelease) => Promise<Answer>): Promise<Answer>;
}
