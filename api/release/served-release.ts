import type { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import type { Geocoder } from '../ports/geocoder.js';
import type { GraphTiles } from '../ports/graph-tiles.js';
import type { NodeIds } from '../ports/node-ids.js';
import type { Planner } from '../ports/planner.js';
import type { RoadLines } from '../ports/road-lines.js';
import type { Roads } from '../ports/roads.js';
import type { RoutingQuestions } from '../ports/routing-questions.js';
import type { TraceMatcher } from '../ports/trace-matcher.js';
import type { CurrentTraffic } from '../ports/traffic-view.js';
import type { TileCache } from '../road-tiles/tile-cache.js';

export interface ModeVersion {
  readonly mode: TravelMode;
  /** 0: empty roads. */
  readonly version: number;
}

/** The data of one release of the map: edges, places and tiles that belong together. */
export interface ServedRelease {
  /** Of the object store; absent where the release was made in memory. */
  readonly releaseId?: string;
  readonly roads: Roads;
  readonly planner: Planner;
  /** Answers about several places; every release has it or none, and then no services of OSRM are offered. */
  readonly routing?: RoutingQuestions;
  /** Tiles of the routing graph; every release has them or none, and then the service is not offered. */
  readonly graphTiles?: GraphTiles;
  /** Matches recorded traces; every release has it or none, and then the operation is not offered. */
  readonly traces?: TraceMatcher;
  /** Describes edges for other maps; every release has it or none, and then no feeds are offered. */
  readonly lines?: RoadLines;
  /** Absent where an older program built the tiles: ids are known at crossings only. */
  readonly nodeIds?: NodeIds;
  /** Absent where no index was built. */
  readonly geocoder?: Geocoder;
  readonly traffic: () => CurrentTraffic;
  /** Versions of the metrics that routes of each mode would use now. */
  readonly metricVersions?: () => readonly ModeVersion[];
  /** Tiles of the roads only, cut on demand. */
  readonly roadTiles: TileCache;
  /** The prepared map; absent if none was built. */
  readonly map?: MapTiles;
}

/**
 * The current release. A synchronous answer reads `current` once; others go through `use`, which keeps their
 * release open until they end. So no answer mixes two releases.
 *
 * ```ts
 * const plan = await releases.use(({ planner }) => planner.plan(request));
 * ```
 */
export interface Releases {
  readonly current: ServedRelease;
  use<Answer>(work: (release: ServedRelease) => Promise<Answer>): Promise<Answer>;
}
