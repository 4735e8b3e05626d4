import { createRequire } from 'node:module';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { drivingSideOf } from './graph/driving-side.js';
import { buildRoadGraph, cellNodesMax } from './graph/road-graph.js';
import { collectExtract, type OsmExtract } from './osm/osm-extract.js';
import { InvalidMapSource } from './osm/osm-sink.js';
import { type MapSource, readMapSource } from './osm/read-map-source.js';
import { cutTiles } from './tiles/cut-tiles.js';
import { currentKey, encodeManifest, manifestKey } from './tiles/manifest.js';

export type { MapSource };

export type BuildPhase = 'read' | 'graph' | 'partition' | 'tiles' | 'publish';

export interface BuildOptions {
  /** `total` may be an estimate until `done` reaches it. */
  readonly onProgress?: (phase: BuildPhase, done: number, total: number) => void;
  /** Nodes of a cell at most, by level; for tests of small maps. */
  readonly cellNodesMax?: readonly number[];
  /** What belongs to the tileset and must be in the store before it becomes the current one. */
  readonly beforeCurrent?: (tilesetId: string) => Promise<void>;
  /** Which side vehicles keep to. Default: the way they go round the roundabouts of the extract. */
  readonly drivingSide?: 'right' | 'left';
}

export interface BuiltTileset {
  readonly tilesetId: string;
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly cellCount: number;
  readonly bytes: number;
}

/** The default map: real Gothenburg, © OpenStreetMap contributors, ODbL. */
export function defaultMapSource(): Extract<MapSource, { readonly kind: 'osm-geojson' }> {
  const file = createRequire(import.meta.url).resolve('geojson-path-finder/test/large-network.json');
  return { kind: 'osm-geojson', file };
}

/** Tiles that are on their way to the store at the same time. */
const PUTS_AT_ONCE = 8;

/**
 * Reads the extract, writes the tiles under `tilesets/<id>/` and at the very end the pointer `tilesets/current`;
 * whoever crashes before leaves the old tileset current. The id is made from the content: same input, same id, same bytes.
 * Throws `InvalidMapSource` (message with the byte position) when the extract is not whole, and `InvalidTile` when a tile
 * would be larger than a reader takes; nothing is written then.
 */
export async function buildTileset(
  source: MapSource,
  objects: ObjectStore,
  options: BuildOptions = {},
): Promise<BuiltTileset> {
  const progress = options.onProgress ?? (() => {});
  const extract = await readSource(source, progress);
  progress('graph', 0, 1);
  const graph = buildRoadGraph(extract, options.cellNodesMax ?? cellNodesMax, (done, total) =>
    progress('partition', done, total),
  );
  progress('graph', 1, 1);
  if (graph.nodes.length === 0)
    throw new InvalidMapSource('the extract has no road that any mode may use; take one with highways in it');
  const { manifest, files } = cutTiles(graph, options.drivingSide ?? drivingSideOf(extract), (done, total) =>
    progress('tiles', done, total),
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
  await options.beforeCurrent?.(id);
  await objects.put(currentKey, new TextEncoder().encode(id));
  progress('publish', files.length + 1, files.length + 1);
  return {
    tilesetId: id,
    nodeCount: graph.nodes.length,
    edgeCount: graph.head.length,
    cellCount: manifest.counts.nodes.length,
    bytes: files.reduce((sum, [, bytes]) => sum + bytes.length, description.length),
  };
}

async function readSource(
  source: MapSource,
  progress: NonNullable<BuildOptions['onProgress']>,
): Promise<OsmExtract> {
  const { sink, extract } = collectExtract();
  await readMapSource(source, sink, (done, total) => progress('read', done, total));
  return extract();
}
