import { type BuiltGeocoding, stageGeocoding } from '#geocoding/index-builder/build-geocoding.js';
import type { GeocodingSession } from '#geocoding/index-builder/geocoding-session.js';
import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import { freeUnused } from '#map-data/arrays/free-unused.js';
import { type Release, releaseBefore } from '#map-data/release/release.js';
import { type BuiltMapTiles, buildMapTiles, type MapTilesOptions } from '#map-tiles/build/build-map-tiles.js';
import type { MapSession } from '#map-tiles/build/squares/map-session.js';
import type { MapElements } from '#osm/elements/map-elements.js';
import { OsmColumns } from '#osm/elements/osm-columns.js';
import type { OsmExtract } from '#osm/elements/osm-extract.js';
import { RoadColumns } from '#osm/elements/road-columns.js';
import { type MapSource, readMapSource, readMapSourceAgain } from '#osm/read/read-map-source.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { type BuildOptions, type BuiltTileset, stageTileset } from './build-tileset.js';
import { whileNobodyPrunes } from './prune/builds-and-prunes.js';
import { publishRelease } from './publish-release.js';
import type { RoadsSession } from './roads-session.js';

export interface ReleaseOptions
  extends Pick<BuildOptions, 'cellNodesMax' | 'drivingSide' | 'partition' | 'workers'> {
  /** False: no map is built; the existing one for the same roads stays. */
  readonly map?: Omit<MapTilesOptions, 'onProgress' | 'earlier' | 'session'> | false;
  /** False: no geocoding index is built; the existing one for the same roads stays. Default: true. */
  readonly places?: boolean;
  /** False: nothing in the store is reused, and damaged objects are repaired. Default: true. */
  readonly reuse?: boolean;
  /** `total` may be an estimate until `done` reaches it. */
  readonly onProgress?: (phase: string, done: number, total: number) => void;
}

export interface BuiltRelease extends BuiltTileset {
  readonly releaseId: string;
  readonly map: BuiltMapTiles | undefined;
  readonly geocoding: BuiltGeocoding | undefined;
}

/** What the stages cache from the previous build. */
export interface StageSessions {
  readonly roads: RoadsSession;
  readonly map: MapSession;
  readonly geocoding: GeocodingSession;
}

/** A map that was read; its contents are computed when the roads are built. */
export interface ReadMap {
  /** Its columns lie in `memory` if given, and are those of the map until other columns are written there. */
  extract(memory?: BuildMemory): OsmExtract;
  elements(onProgress: (done: number, total: number) => void): MapElements | Promise<MapElements>;
}

/**
 * Routing tiles, map tiles and geocoding index of one extract under one manifest. The extract is read twice,
 * so that the roads and the other elements are never in memory at the same time. Every part is
 * staged under a name derived from its content. The last put moves the one pointer, so a crash at any time
 * leaves the previous release active, and the same extract gives the same bytes. Throws what the stages
 * throw.
 */
export async function buildRelease(
  source: MapSource,
  objects: ObjectStore,
  options: ReleaseOptions = {},
): Promise<BuiltRelease> {
  const roads = new RoadColumns();
  const read = await readMapSource(source, roads.sink, (done, total) =>
    options.onProgress?.('read', done, total),
  );
  const elements = async (onProgress: (done: number, total: number) => void): Promise<MapElements> => {
    const columns = new OsmColumns();
    await readMapSourceAgain(source, read, columns.sink, onProgress);
    return columns.elements();
  };
  return buildReleaseOf({ extract: (memory) => roads.extract(memory), elements }, objects, options);
}

/** The same for a map in memory, with the caches of a long-running builder. */
export const buildReleaseOf = (
  read: ReadMap,
  objects: ObjectStore,
  options: ReleaseOptions,
  sessions?: StageSessions,
): Promise<BuiltRelease> =>
  whileNobodyPrunes(objects, () => stageAndPublish(read, objects, options, sessions));

async function stageAndPublish(
  read: ReadMap,
  objects: ObjectStore,
  options: ReleaseOptions,
  sessions: StageSessions | undefined,
): Promise<BuiltRelease> {
  const show = options.onProgress ?? (() => {});
  const before = options.reuse === false ? undefined : await releaseBefore(objects);
  const roads = sessions && { session: sessions.roads };
  const built = await stageTileset((memory) => read.extract(memory), objects, {
    ...options,
    ...roads,
    onProgress: show,
  });
  if (sessions === undefined) freeUnused(built.edgeCount);
  const others =
    options.map === false && options.places === false
      ? undefined
      : await stageElements(read, built.tilesetId, before, objects, options, show, sessions);
  if (sessions === undefined) freeUnused(built.edgeCount);
  const same = await ofSameRoads(objects, built.tilesetId);
  const { releaseId } = await publishRelease(objects, {
    tilesetId: built.tilesetId,
    mapId: others?.map?.mapId ?? same?.mapId ?? null,
    geocodeId: others?.geocoding?.id ?? same?.geocodeId ?? null,
  });
  return { ...built, releaseId, map: others?.map, geocoding: others?.geocoding };
}

/** What is made of all elements, which are free when this is done. */
async function stageElements(
  read: ReadMap,
  tilesetId: string,
  before: Release | undefined,
  objects: ObjectStore,
  options: Pick<ReleaseOptions, 'map' | 'places'>,
  show: NonNullable<ReleaseOptions['onProgress']>,
  sessions: StageSessions | undefined,
): Promise<Pick<BuiltRelease, 'map' | 'geocoding'>> {
  show('elements', 0, 1);
  const elements = await read.elements((done, total) => show('elements', done, total));
  show('elements', 1, 1);
  if (options.map !== false) show('map', 0, 1);
  const earlier = before?.mapId == null ? {} : { earlier: before.mapId };
  const seen = sessions && { session: sessions.map };
  const map =
    options.map === false
      ? undefined
      : await buildMapTiles(elements, objects, { ...options.map, ...earlier, ...seen, onProgress: show });
  if (options.places === false) return { map, geocoding: undefined };
  show('geocoding', 0, 1);
  const geocoding = await stageGeocoding(elements, tilesetId, objects, sessions?.geocoding);
  show('geocoding', 1, 1);
  return { map, geocoding };
}

async function ofSameRoads(objects: ObjectStore, tilesetId: string): Promise<Release | undefined> {
  const current = await releaseBefore(objects);
  return current?.tilesetId === tilesetId ? current : undefined;
}
