import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { drivingSideOf } from './graph/driving-side.js';
import { buildRoadGraph, cellNodesMax, type RoadGraph } from './graph/road-graph.js';
import { collectExtract, type OsmExtract } from './osm/osm-extract.js';
import type { OsmSink } from './osm/osm-sink.js';
import { InvalidMapSource } from './osm/osm-sink.js';
import { readOsmGeoJson } from './osm/read-osm-geojson.js';
import { readOsmPbf } from './osm/read-osm-pbf.js';
import { profiles } from './profiles/profiles.js';
import { encodeLabelTile } from './tiles/encode-label-tile.js';
import { encodeRoadTile, frameCells } from './tiles/encode-road-tile.js';
import {
  currentKey,
  labelKey,
  type ManifestCell,
  manifestKey,
  roadKey,
  type TilesetManifest,
} from './tiles/manifest.js';
import { sealTile, tileKind } from './tiles/tile-envelope.js';

/** Where the roads come from. */
export type MapSource =
  /** An OpenStreetMap extract on disk, `.osm.pbf`. */
  | { readonly kind: 'osm-pbf'; readonly file: string }
  /** The GeoJSON of Gothenburg that the package `geojson-path-finder` carries. */
  | { readonly kind: 'osm-geojson'; readonly file: string }
  /** Elements made by a program. */
  | { readonly kind: 'elements'; readonly read: (sink: OsmSink) => void };

export type BuildPhase = 'read' | 'graph' | 'partition' | 'tiles' | 'publish';

export interface BuildOptions {
  /** `total` may be an estimate until `done` reaches it. */
  readonly onProgress?: (phase: BuildPhase, done: number, total: number) => void;
  /** Nodes of a cell at most, by level; for tests of small maps. */
  readonly cellNodesMax?: readonly number[];
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
 * Throws `InvalidMapSource` (message with the byte position) and writes nothing when the extract is not whole.
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
  await objects.put(manifestKey(id), new TextEncoder().encode(`${JSON.stringify(manifest)}\n`));
  await objects.put(currentKey, new TextEncoder().encode(id));
  progress('publish', files.length + 1, files.length + 1);
  return {
    tilesetId: id,
    nodeCount: manifest.nodeCount,
    edgeCount: manifest.edgeCount,
    cellCount: manifest.cells.length,
    bytes: files.reduce((sum, [, bytes]) => sum + bytes.length, 0),
  };
}

async function readSource(
  source: MapSource,
  progress: NonNullable<BuildOptions['onProgress']>,
): Promise<OsmExtract> {
  const { sink, extract } = collectExtract();
  switch (source.kind) {
    case 'osm-pbf':
      await readOsmPbf(source.file, sink, (done, total) => progress('read', done, total));
      break;
    case 'osm-geojson':
      progress('read', 0, 1);
      await readOsmGeoJson(source.file, sink);
      progress('read', 1, 1);
      break;
    case 'elements':
      source.read(sink);
      break;
  }
  return extract();
}

/** All files of the tileset but the manifest. The id is a hash over what the tiles hold, before they are packed. */
function cutTiles(
  graph: RoadGraph,
  drivingSide: 'right' | 'left',
  onProgress: (done: number, total: number) => void,
): { manifest: TilesetManifest; files: (readonly [key: string, bytes: Uint8Array])[] } {
  const frame = frameCells(graph);
  const { levels } = graph.partition;
  const cellCount = levels[0].length - 1;
  const content = createHash('sha256');
  const tiles: { road: Uint8Array; label: Uint8Array }[] = [];
  const cells: ManifestCell[] = [];
  for (let cell = 0; cell < cellCount; cell++) {
    const first = frame.firstNode[cell];
    const end = frame.firstNode[cell + 1];
    const roadPayload = encodeRoadTile(graph, frame, cell);
    const labelPayload = encodeLabelTile(graph, first, end);
    content.update(roadPayload).update(labelPayload);
    const road = sealTile(tileKind.road, 0, cell, roadPayload);
    const label = sealTile(tileKind.label, 0, cell, labelPayload);
    tiles.push({ road, label });
    cells.push({
      nodes: end - first,
      edges: graph.firstOut[end] - graph.firstOut[first],
      adjacent: frame.adjacent[cell],
      road: { bytes: road.length, sha256: sha256(road) },
      label: { bytes: label.length, sha256: sha256(label) },
    });
    onProgress(cell + 1, cellCount);
  }
  const ancestors = levels.slice(1).map((starts) => {
    let ancestor = 0;
    return Array.from({ length: cellCount }, (_, cell) => {
      while (starts[ancestor + 1] <= frame.firstNode[cell]) ancestor++;
      return ancestor;
    });
  });
  const description = {
    attribution: '© OpenStreetMap contributors, ODbL 1.0',
    drivingSide,
    bounds: boundsOf(graph),
    nodeCount: graph.nodes.length,
    edgeCount: graph.head.length,
    pieceCount: graph.pieces.from.length,
    shapePointCount: graph.pieces.shapeLngE7.length,
    turns: profiles.map(({ turns }) => turns),
    ancestors,
  };
  content.update(JSON.stringify(description));
  const tilesetId = content.digest('hex').slice(0, 16);
  return {
    manifest: { format: 'meridian-tileset', version: 1, tilesetId, ...description, cells },
    files: tiles.flatMap(({ road, label }, cell) => [
      [roadKey(tilesetId, cell), road] as const,
      [labelKey(tilesetId, cell), label] as const,
    ]),
  };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function boundsOf({ pieces }: RoadGraph): [number, number, number, number] {
  let west = Number.POSITIVE_INFINITY;
  let south = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (const lng of [pieces.nodeLngE7, pieces.shapeLngE7])
    for (const value of lng) {
      west = Math.min(west, value);
      east = Math.max(east, value);
    }
  for (const lat of [pieces.nodeLatE7, pieces.shapeLatE7])
    for (const value of lat) {
      south = Math.min(south, value);
      north = Math.max(north, value);
    }
  return [west / 1e7, south / 1e7, east / 1e7, north / 1e7];
}
