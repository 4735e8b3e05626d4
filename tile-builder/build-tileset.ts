import { readAcceptedRoads } from '#map-data/accepted-roads/accepted-roads.js';
import { type BuildMemory, memoryOfOneBuild } from '#map-data/arrays/build-memory.js';
import { freeUnused } from '#map-data/arrays/free-unused.js';
import { releaseBefore } from '#map-data/release/release.js';
import { encodeManifest, manifestKey, type TilesetManifest } from '#map-data/tiles/manifest.js';
import { builder } from '#map-data/tiles/present-builder.js';
import { tileKinds, tilesOfKind } from '#map-data/tiles/tile-kinds.js';
import type { OsmExtract } from '#osm/elements/osm-extract.js';
import { RoadColumns } from '#osm/elements/road-columns.js';
import { type MapSource, readMapSource } from '#osm/read/read-map-source.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { InvalidMapSource } from '#schemas/osm-sink.js';
import { crossAreas } from './areas/cross-areas.js';
import {
  type BuiltGraph,
  builtGraph,
  cellNodesMax,
  type JoinedPieces,
  joinPieces,
  numberRoads,
} from './graph/build-road-graph.js';
import { drivingSideOf } from './graph/driving-side.js';
import { joinAcceptedRoads } from './graph/join-accepted-roads.js';
import { isSameExtract, type MatchedExtract, matchExtract, placeExtract } from './graph/match-roads.js';
import type { RoadGraph } from './graph/road-graph.js';
import type { CarriedPieces } from './graph/road-pieces.js';
import type { KeptPartition } from './partition/carry-partition.js';
import { whileNobodyPrunes } from './prune/builds-and-prunes.js';
import { publishRelease } from './publish-release.js';
import type { KnownRoads, RoadsSession } from './roads-session.js';
import type { BuiltTileset } from './tiles/built-tileset.js';
import { type CutTileset, cutTiles, type KnownTileset } from './tiles/cut-tiles.js';
import { type PreviousTileset, readPreviousTileset } from './tiles/previous-tileset.js';
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
  /** Threads that cut the roads into cells; the result is the same with any number. Default: 1. */
  readonly workers?: number;
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
  const roads = new RoadColumns();
  await readMapSource(source, roads.sink, (done, total) => options.onProgress?.('read', done, total));
  return whileNobodyPrunes(objects, async () => {
    const built = await stageTileset((memory) => roads.extract(memory), objects, options);
    freeUnused(built.edgeCount);
    await publishRelease(objects, { tilesetId: built.tilesetId, mapId: null, geocodeId: null });
    return built;
  });
}

/**
 * Gives the roads to build; asked once. A build holds them only until their graph is made, so what gives them
 * should not hold them either.
 */
export type RoadsSource = (memory: BuildMemory) => OsmExtract;

/**
 * Writes the tiles that the store's release lacks, then the manifest; nothing refers to them until a release
 * does. The id follows from the content: same input and partition, same id, same bytes. Throws
 * `InvalidMapSource` for an extract without roads, and `InvalidTile` when a tile would be larger than a
 * reader takes; nothing is written then.
 */
export async function stageTileset(
  source: RoadsSource,
  objects: ObjectStore,
  options: BuildOptions = {},
): Promise<BuiltTileset> {
  const staged = await cutRoads(source, objects, options);
  if ('same' in staged) return staged.same;
  const { cut, nodeCount, edgeCount, roads } = staged;
  if (options.session === undefined) freeUnused(edgeCount);
  const { manifest, files } = cut;
  const writtenTiles = files.length;
  const description = await writeTiles(manifest, files, objects, options.onProgress ?? (() => {}));
  const built: BuiltTileset = {
    tilesetId: manifest.tilesetId,
    nodeCount,
    edgeCount,
    cellCount: manifest.counts.nodes.length,
    bytes: tileKinds
      .flatMap((kind) => tilesOfKind(manifest, kind))
      .reduce((sum, { bytes }) => sum + bytes, description.length),
    writtenTiles,
  };
  if (roads !== undefined) await rememberTileset(objects, roads, built);
  staged.remember?.(built);
  return built;
}

interface CutRoads {
  readonly cut: Pick<CutTileset, 'manifest' | 'files'>;
  readonly nodeCount: number;
  readonly edgeCount: number;
  /** `hashOfRoads`; only a long-running builder has none. */
  readonly roads: string | undefined;
  /** Of a long-running builder, when the tiles are written. */
  readonly remember?: (built: BuiltTileset) => void;
}

/** The tiles, or the tileset of the same roads. The roads of a single build are free when this is done. */
async function cutRoads(
  source: RoadsSource,
  objects: ObjectStore,
  options: BuildOptions,
): Promise<CutRoads | { readonly same: BuiltTileset }> {
  const { cellNodesMax: cells = cellNodesMax, session, onProgress: progress = () => {} } = options;
  const memory = session?.memory ?? memoryOfOneBuild();
  const drawn = await graphOf(source, objects, options, memory);
  if ('same' in drawn) return drawn;
  const { graph, drivingSide, settings, earlier, known, roads, made } = drawn;
  if (session === undefined) freeUnused(graph.head.length);
  const { known: tileset, ...cut } = cutTiles(
    graph,
    { drivingSide, cellNodesMax: cells, earlier, known, memory },
    (done, total) => progress('tiles', done, total),
  );
  const counts = { nodeCount: graph.nodes.length, edgeCount: graph.head.length };
  if (session === undefined || made === undefined) return { cut, ...counts, roads };
  const remember = (built: BuiltTileset): void =>
    session.remember({ objects, settings, graph: made, tileset, built, kept: memory.kept });
  return { cut, ...counts, roads, remember };
}

interface DrawnRoads extends Omit<JoinedRoads, 'joined' | 'last' | 'matched' | 'cut'> {
  readonly graph: RoadGraph;
  readonly known: { readonly tileset: KnownTileset; readonly carried: CarriedPieces } | undefined;
  /** Of a long-running builder. */
  readonly made: BuiltGraph | undefined;
}

/** The graph of the roads, and what cutting it into tiles needs of the build before. */
async function graphOf(
  source: RoadsSource,
  objects: ObjectStore,
  options: BuildOptions,
  memory: BuildMemory,
): Promise<DrawnRoads | { readonly same: BuiltTileset }> {
  const progress = options.onProgress ?? (() => {});
  const read = await joinRoads(source, objects, options, memory);
  if ('same' in read) return read;
  const { joined, cut, last, matched, ...others } = read;
  if (options.session === undefined) freeUnused(joined.edges.count);
  const graph = await numberRoads(
    joined,
    options.cellNodesMax ?? cellNodesMax,
    options.partition ?? others.earlier?.partition,
    (done, total) => progress('partition', done, total),
    memory,
    last && matched && { matched, built: last.graph },
    options.workers,
  );
  progress('graph', 1, 1);
  if (graph.nodes.length === 0)
    throw new InvalidMapSource('the extract has no road that any mode may use; take one with highways in it');
  const known = last && { tileset: last.tileset, carried: joined.carried };
  return { ...others, graph, known, made: cut && builtGraph(graph, { ...joined, cut }) };
}

interface JoinedRoads {
  readonly joined: Omit<JoinedPieces, 'cut'>;
  /** Only for a long-running builder, because it holds the extract. */
  readonly cut: JoinedPieces['cut'] | undefined;
  readonly drivingSide: 'right' | 'left';
  readonly settings: string;
  /** `hashOfRoads`; only a long-running builder has none. */
  readonly roads: string | undefined;
  readonly earlier: PreviousTileset | undefined;
  readonly last: KnownRoads | undefined;
  readonly matched: MatchedExtract | undefined;
}

/** The roads of the extract, which a single build needs no more when this is done. */
async function joinRoads(
  source: RoadsSource,
  objects: ObjectStore,
  options: BuildOptions,
  memory: BuildMemory,
): Promise<JoinedRoads | { readonly same: BuiltTileset }> {
  options.onProgress?.('graph', 0, 1);
  const { cellNodesMax: cells = cellNodesMax, reuse = true, session, partition } = options;
  // Accepted roads are part of every map of this store.
  const accepted = await readAcceptedRoads(objects);
  const { extract, drivingSide } = withAllRoads(source(memory), accepted, options.drivingSide, memory);
  const before = reuse ? (await releaseBefore(objects))?.tilesetId : undefined;
  const rules = { builder, cells, drivingSide };
  const settings = JSON.stringify(rules);
  const recalled = partition === undefined ? session?.recall(objects, before, settings) : undefined;
  const last = recalled && (await hasManifest(objects, recalled.built.tilesetId)) ? recalled : undefined;
  const matched = last && matchExtract(extract, last.graph.cut.placed, memory);
  if (last && matched && isSameExtract(matched)) return { same: { ...last.built, writtenTiles: 0 } };
  // A long-running builder needs no hash of the roads to recognize them: hashing all of them costs more than
  // building the changes.
  const roads = session === undefined ? hashOfRoads(extract, rules) : undefined;
  if (roads !== undefined && before !== undefined && partition === undefined) {
    const same = await rememberedTileset(objects, before, roads);
    if (same !== undefined) return { same };
  }
  const earlier =
    last?.tileset ?? (before === undefined ? undefined : await readPreviousTileset(objects, before));
  const { cut, ...joined } = joinPieces(
    matched ?? placeExtract(extract),
    memory,
    last && matched && { matched, built: last.graph },
  );
  return { joined, cut: session && cut, drivingSide, settings, roads, earlier, last, matched };
}

/** The extract with the roads that operators accepted, and with lines across its areas. */
function withAllRoads(
  source: OsmExtract,
  accepted: Awaited<ReturnType<typeof readAcceptedRoads>>,
  given: 'right' | 'left' | undefined,
  memory: BuildMemory,
): { readonly extract: OsmExtract; readonly drivingSide: 'right' | 'left' } {
  const { extract } = joinAcceptedRoads(source, accepted);
  return { drivingSide: given ?? drivingSideOf(extract), extract: crossAreas(extract, memory) };
}

/** Returns the bytes of the manifest. */
async function writeTiles(
  manifest: TilesetManifest,
  files: CutTileset['files'],
  objects: ObjectStore,
  progress: NonNullable<BuildOptions['onProgress']>,
): Promise<Uint8Array> {
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
  await objects.put(manifestKey(manifest.tilesetId), description);
  progress('publish', files.length + 1, files.length + 1);
  return description;
}
