import { createRequire } from 'node:module';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { BuiltTileset } from './built-tileset.js';
import { readAcceptedRoads } from './graph/accepted-roads.js';
import { drivingSideOf } from './graph/driving-side.js';
import { joinAcceptedRoads } from './graph/join-accepted-roads.js';
import { buildRoadGraph, cellNodesMax } from './graph/road-graph.js';
import { collectExtract, type OsmExtract } from './osm/osm-extract.js';
import { InvalidMapSource } from './osm/osm-sink.js';
import { type MapSource, readMapSource } from './osm/read-map-source.js';
import { publishRelease } from './release.js';
import { cutTiles } from './tiles/cut-tiles.js';
import { encodeManifest, manifestKey } from './tiles/manifest.js';
import { hashOfRoads, rememberedTileset, rememberTileset } from './tileset-memo.js';

export type { BuiltTileset, MapSource };

export type BuildPhase = 'read' | 'graph' | 'partition' | 'tiles' | 'publish';

export interface BuildOptions {
  /** `total` may be an estimate until `done` reaches it. */
  readonly onProgress?: (phase: BuildPhase, done: number, total: number) => void;
  /** Nodes of a cell at most, by level; for tests of small maps. */
  readonly cellNodesMax?: readonly number[];
  /** Tiles of the same roads that are in the store already are taken as they are. Default: true. */
  readonly reuse?: boolean;
  /** Which side vehicles keep to. Default: the way they go round the roundabouts of the extract. */
  readonly drivingSide?: 'right' | 'left';
}

/** The default map: real Gothenburg, © OpenStreetMap contributors, ODbL. */
export function defaultMapSource(): Extract<MapSource, { readonly kind: 'osm-geojson' }> {
  const file = createRequire(import.meta.url).resolve('geojson-path-finder/test/large-network.json');
  return { kind: 'osm-geojson', file };
}

/** Tiles that are on their way to the store at the same time. */
const PUTS_AT_ONCE = 8;

/**
 * Routing tiles of an extract as a release of their own, without map and places. Throws `InvalidMapSource` (message with the
 * byte position) when the extract is not whole, and what `stageTileset` throws; nothing is written then.
 */
export async function buildTileset(
  source: MapSource,
  objects: ObjectStore,
  options: BuildOptions = {},
): Promise<BuiltTileset> {
  const { sink, extract } = collectExtract();
  await readMapSource(source, sink, (done, total) => options.onProgress?.('read', done, total));
  const built = await stageTileset(extract(), objects, options);
  await publishRelease(objects, { tilesetId: built.tilesetId, mapId: null, geocodeId: null });
  return built;
}

/**
 * Writes the tiles under `tilesets/<id>/`, the manifest last; nothing points to them until a release does. The id is made from
 * the content: same input, same id, same bytes. Throws `InvalidMapSource` for an extract without roads, and `InvalidTile` when
 * a tile would be larger than a reader takes; nothing is written then.
 */
export async function stageTileset(
  source: OsmExtract,
  objects: ObjectStore,
  options: BuildOptions = {},
): Promise<BuiltTileset> {
  const progress = options.onProgress ?? (() => {});
  progress('graph', 0, 1);
  // What operators accepted is part of every map of this store.
  const { extract } = joinAcceptedRoads(source, await readAcceptedRoads(objects));
  const { cellNodesMax: cells = cellNodesMax, drivingSide = drivingSideOf(extract), reuse = true } = options;
  const roads = hashOfRoads(extract, { cells, drivingSide });
  const known = reuse ? await rememberedTileset(objects, roads) : undefined;
  if (known !== undefined) return known;
  const graph = buildRoadGraph(extract, cells, (done, total) => progress('partition', done, total));
  progress('graph', 1, 1);
  if (graph.nodes.length === 0)
    throw new InvalidMapSource('the extract has no road that any mode may use; take one with highways in it');
  const { manifest, files } = cutTiles(graph, drivingSide, (done, total) => progress('tiles', done, total));

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
    bytes: files.reduce((sum, [, bytes]) => sum + bytes.length, description.length),
  };
  await rememberTileset(objects, roads, built);
  return built;
}
