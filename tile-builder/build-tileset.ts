import { readAcceptedRoads } from '#map-data/accepted-roads/accepted-roads.js';
import { memoryOfOneBuild } from '#map-data/arrays/build-memory.js';
import { releaseBefore } from '#map-data/release/release.js';
import { encodeManifest, manifestKey } from '#map-data/tiles/manifest.js';
import { builder } from '#map-data/tiles/present-builder.js';
import { tileKinds, tilesOfKind } from '#map-data/tiles/tile-kinds.js';
import { OsmColumns } from '#osm/elements/osm-columns.js';
import type { OsmExtract } from '#osm/elements/osm-extract.js';
import { type MapSource, readMapSource } from '#osm/read/read-map-source.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { InvalidMapSource } from '#schemas/osm-sink.js';
import { crossAreas } from './areas/cross-areas.js';
import { buildRoadGraph, cellNodesMax } from './graph/build-road-graph.js';
import { drivingSideOf } from './graph/driving-side.js';
import { joinAcceptedRoads } from './graph/join-accepted-roads.js';
import { isSameExtract, matchExtract, placeExtract } from './graph/match-roads.js';
import type { KeptPartition } from './partition/carry-partition.js';
import { whileNobodyPrunes } from './prune/builds-and-prunes.js';
import { publishRelease } from './publish-release.js';
import type { RoadsSession } from './roads-session.js';
import type { BuiltTileset } from './tiles/built-tileset.js';
import { cutTiles } from './tiles/cut-tiles.js';
import { readPreviousTileset } from './tiles/previous-tileset.js';
import { hashOfRoads, hasManifest, rememberedTileset, rememberTileset } from './tiles/tileset-memo.js';

export type { BuiltTileset, MapSource };

export type BuildPhase = 'read' | 'graph' | 'partition' | 'tiles' | 'publish';

export interface BuildOptions {
  /** `total` may be an estimate until `done` reaches it. */
  readonly onProgress?: (phase: BuildPhase, done: number, total: number) => void;
  /** Nodes of a cell at most, by level; for tests of small maps. */
  readonly cellNodesMax?: readonly number[];
  /** Reuses unchanged parts of the current release, and its cells. Default: true. */
  readonly reuse?: boolean;
  /** The cells for the roads, if they fit; default: those of the current release. See `readPartition`. */
  readonly partition?: KeptPartition;
  /** Driving side. Default: derived from the roundabouts of the extract. */
  readonly drivingSide?: 'right' | 'left';
  /** Passed with each build of a long-running process: cached results are not computed again. */
  readonly session?: RoadsSession;
}

/** Concurrent writes of tiles to the store. */
const PUTS_AT_ONCE = 8;

/**
 * Routing tiles of an extract as a release of their own, without map and places. Throws `InvalidMapSource`
 * (message with the byte position) when the extract is incomplete, and what `stageTileset` throws; nothing is
 * written then.
 */
export async function buildTileset(
  source: MapSource,
  objects: ObjectStore,
  options: BuildOptions = {},
): Promise<BuiltTileset> {
  const roads = new OsmColumns({ elements: false });
  await readMapSource(source, roads.sink, (done, total) => options.onProgress?.('read', done, total));
  return whileNobodyPrunes(objects, async () => {
    const built = await stageTileset(roads.extract(), objects, options);
    await publishRelease(objects, { tilesetId: built.tilesetId, mapId: null, geocodeId: null });
    return built;
  });
}

/**
 * Writes the tiles that the store's release lacks, then the manifest; nothing refers to them until a release
 * does. The id follows from the content: same input and partition, same id, same bytes. Throws
 * `InvalidMapSource` for an extract without roads, and `InvalidTile` when a tile would be larger than a
 * reader takes; nothing is written then.
 */
export async function stageTileset(
  source: OsmExtract,
  objects: ObjectStore,
  options: BuildOptions = {},
): Promise<BuiltTileset> {
  const progress = options.onProgress ?? (() => {});
  progress('graph', 0, 1);
  // Accepted roads are part of every map of this store.
  const { extract: joined } = joinAcceptedRoads(source, await readAcceptedRoads(objects));
  const { cellNodesMax: cells = cellNodesMax, drivingSide = drivingSideOf(joined), reuse = true } = options;
  const { session, partition } = options;
  const memory = session?.memory ?? memoryOfOneBuild();
  const extract = crossAreas(joined, memory);
  const before = reuse ? (await releaseBefore(objects))?.tilesetId : undefined;
  const settings = { builder, cells, drivingSide };
  const recalled =
    partition === undefined ? session?.recall(objects, before, JSON.stringify(settings)) : undefined;
  const known = recalled && (await hasManifest(objects, recalled.built.tilesetId)) ? recalled : undefined;
  const matched = known && matchExtract(extract, known.graph.cut.placed, memory);
  if (known && matched && isSameExtract(matched)) return { ...known.built, writtenTiles: 0 };
  // A long-running builder needs no hash of the roads to recognize them: hashing all of them costs more than
  // building the changes.
  const roads = session === undefined ? hashOfRoads(extract, settings) : undefined;
  if (roads !== undefined && before !== undefined && partition === undefined) {
    const same = await rememberedTileset(objects, before, roads);
    if (same !== undefined) return same;
  }
  const earlier =
    known?.tileset ?? (before === undefined ? undefined : await readPreviousTileset(objects, before));
  const { built: made, carried } = buildRoadGraph(
    matched ?? placeExtract(extract),
    cells,
    partition ?? earlier?.partition,
    (done, total) => progress('partition', done, total),
    memory,
    known && matched && { matched, built: known.graph },
  );
  const { graph } = made;
  progress('graph', 1, 1);
  if (graph.nodes.length === 0)
    throw new InvalidMapSource('the extract has no road that any mode may use; take one with highways in it');
  const {
    manifest,
    files,
    known: tileset,
  } = cutTiles(
    graph,
    {
      drivingSide,
      cellNodesMax: cells,
      earlier,
      known: known && { tileset: known.tileset, carried },
      memory,
    },
    (done, total) => progress('tiles', done, total),
  );

  const id = manifest.tilesetId;
  let published = 0;
  const queue = [...files];
  const put = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      await objects.put(next[0], next[1]);
      progress('publish', ++published, files.length + 1);
    }
  };
  await Promise.all(Array.from({ length: PUTS_AT_ONCE }, put));
  const description = encodeManifest(manifest);
  await objects.put(manifestKey(id), description);
  progress('publish', files.length + 1, files.length + 1);
  const built: BuiltTileset = {
    tilesetId: id,
    nodeCount: graph.nodes.length,
    edgeCount: graph.head.length,
    cellCount: manifest.counts.nodes.length,
    bytes: tileKinds
      .flatMap((kind) => tilesOfKind(manifest, kind))
      .reduce((sum, { bytes }) => sum + bytes, description.length),
    writtenTiles: files.length,
  };
  if (roads !== undefined) await rememberTileset(objects, roads, built);
  session?.remember({
    objects,
    settings: JSON.stringify(settings),
    graph: made,
    tileset,
    built,
    kept: memory.kept,
  });
  return built;
}
