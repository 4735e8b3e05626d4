import { createHash } from 'node:crypto';
import { snapRowCount } from '#routing-engine/snap-index.js';
import { travelModes } from '#routing-engine/travel-mode.js';
import { pick } from '../graph/pick.js';
import type { RoadGraph } from '../graph/road-graph.js';
import { childrenOf } from '../partition/cells.js';
import { profiles } from '../profiles/profiles.js';
import { encodeBorders } from './border-tiles.js';
import { type CellTurns, tabulateCells } from './cell-turns.js';
import type { EarlierTileset } from './earlier-tileset.js';
import { type CellLabels, CellNames, encodeLabels } from './encode-labels.js';
import { encodeRoads } from './encode-roads.js';
import { zonesAcrossCells } from './ends-only-zones.js';
import { type CellCount, cellCounts, type TileList, type TilesetManifest } from './manifest.js';
import { encodeNumbers, type NumbersOfCell } from './number-tiles.js';
import { freeFlowWeights } from './overlay-weights.js';
import { encodePartition } from './partition-tiles.js';
import { ownsPiece } from './piece-owner.js';
import { sealTile } from './tile-envelope.js';
import { type TileKind, tileKinds, tileNamed } from './tile-kinds.js';
import { VarintWriter } from './varints.js';
import { encodeWays } from './way-tiles.js';
import { encodeWeights } from './weight-tiles.js';
import { type WholeRoads, wholeRoads } from './whole-roads.js';

/** Raised whenever the same roads make other numbers: then nothing but cells and packed tiles is taken over. */
export const builder = 1;

export interface CutTileset {
  readonly manifest: TilesetManifest;
  /** All but the manifest, and what the earlier tileset has. */
  readonly files: readonly (readonly [key: string, bytes: Uint8Array])[];
}

interface CutOptions {
  readonly drivingSide: 'right' | 'left';
  /** Nodes of a cell at most, by level. */
  readonly cellNodesMax: readonly number[];
  /** Whose tiles are taken as they are where they would hold the same. */
  readonly earlier: EarlierTileset | undefined;
}

/**
 * The id of the tileset is a hash over what the tiles hold before they are packed. Throws `InvalidTile` for a tile that is too large.
 *
 * Every cell is encoded, which is cheap; a cell whose bytes are those of an earlier tileset is known by their hash, and what follows from
 * them (turn tables, weights, the packed tile) is not made again. So the result is that of a build from scratch.
 */
export function cutTiles(
  graph: RoadGraph,
  { drivingSide, cellNodesMax, earlier }: CutOptions,
  onProgress: (done: number, total: number) => void,
): CutTileset {
  const turns = profiles.map((profile) => profile.turns);
  const roads = wholeRoads(graph, turns);
  const cells = roads.levelCells[0];
  const children = childrenOf(graph.partition);
  const rules = { builder, drivingSide, turns };
  const sameRules =
    earlier !== undefined && JSON.stringify(rules) === JSON.stringify(rulesOf(earlier.manifest))
      ? earlier
      : undefined;
  const cellNames = new CellNames(graph.pieces.names);
  const out = new VarintWriter();
  const cellPayloads: Payload[] = [];
  const numbers: NumbersOfCell[] = [];
  const labels: CellLabels[] = [];
  const newCells: number[] = [];
  for (let cell = 0; cell < cells; cell++) {
    out.clear();
    const { zones, parts } = encodeRoads(roads, cell, out);
    labels[cell] = encodeLabels(graph, roads, cellNames, cell, out);
    numbers.push([labels[cell].names, zones, ...parts]);
    const payload = payloadOf(out.bytes());
    cellPayloads.push(payload);
    if (sameRules?.manifest.roads.sha256[cell] !== payload.sha256) newCells.push(cell);
    onProgress(cell + 1, 2 * cells);
  }
  const alike =
    sameRules !== undefined && JSON.stringify(sameRules.manifest.children) === JSON.stringify(children)
      ? sameRules
      : undefined;
  const changed = alike === undefined ? Array.from({ length: cells }, (_, cell) => cell) : newCells;
  const turnTables = tabulateCells(roads, rules, changed);
  const weights = freeFlowWeights(roads, turnTables, changed, alike?.overlay);
  const payloads: Readonly<Record<TileKind, readonly Payload[]>> = {
    roads: cellPayloads,
    borders: encodeBorders(roads.arrays, roads.ends).map(payloadOf),
    weights: encodeWeights(roads.arrays, weights, travelModes.length).map(payloadOf),
    ways: encodeWays(waysByCell(graph, roads)).map(payloadOf),
    numbers: encodeNumbers(numbers).map(payloadOf),
    partition: encodePartition(keptPartition(graph, cellNodesMax, children)).map(payloadOf),
  };
  const counts = emptyCounts();
  for (let cell = 0; cell < cells; cell++)
    countCell(counts, graph, roads, turnTables, cell, labels[cell], alike?.manifest);
  const cellBounds = boundsOfCells(graph, roads);
  const description = {
    attribution: '© OpenStreetMap contributors, ODbL 1.0',
    ...rules,
    bounds: boundsOf(cellBounds),
    nameCount: graph.pieces.names.length,
    counts,
    cellBounds,
    cellFlags: [...roads.arrays.cellFlags],
    zoneCells: zonesAcrossCells(
      roads.arrays.zone,
      roads.arrays.cellFirstEdge,
      graph.nodes.length,
      travelModes.length,
    ),
    children,
  };
  const hashes = tileKinds.map((kind) => payloads[kind].map(({ sha256 }) => sha256));
  const tilesetId = createHash('sha256')
    .update(JSON.stringify([description, hashes]))
    .digest('hex')
    .slice(0, 16);

  const files: (readonly [string, Uint8Array])[] = [];
  let sealed = 0;
  const seal = (kind: TileKind): TileList => {
    const known = earlier?.tileBytes;
    const list: { bytes: number[]; sha256: string[] } = { bytes: [], sha256: [] };
    for (const { bytes, sha256 } of payloads[kind]) {
      const packed = known?.get(sha256) === undefined ? sealTile(kind, bytes) : undefined;
      list.bytes.push(packed?.length ?? known!.get(sha256)!);
      list.sha256.push(sha256);
      if (packed !== undefined) added.set(sha256, packed);
      if (kind === 'roads') onProgress(cells + ++sealed, 2 * cells);
    }
    return list;
  };
  const added = new Map<string, Uint8Array>();
  const manifest: TilesetManifest = {
    format: 'meridian-tileset',
    version: 4,
    tilesetId,
    ...description,
    roads: seal('roads'),
    borders: seal('borders'),
    weights: seal('weights'),
    ways: seal('ways'),
    numbers: seal('numbers'),
    partition: seal('partition'),
  };
  for (const kind of tileKinds)
    for (const [index, sha256] of manifest[kind].sha256.entries()) {
      const bytes = added.get(sha256);
      if (bytes !== undefined) files.push([tileNamed(manifest, kind, index).key, bytes]);
      added.delete(sha256);
    }
  return { manifest, files };
}

interface Payload {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

const payloadOf = (bytes: Uint8Array): Payload => ({
  bytes,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

const rulesOf = ({ builder: number, drivingSide, turns }: TilesetManifest) => ({
  builder: number,
  drivingSide,
  turns,
});

function keptPartition(
  { pieces, nodes, partition }: RoadGraph,
  cellNodesMax: readonly number[],
  children: readonly (readonly number[])[],
) {
  const nodeIds = pick(new Float64Array(nodes.length), pieces.nodeOsmId, nodes);
  return { cellNodesMax, nodeIds, cellFirstNode: partition.levels[0], children };
}

const emptyCounts = (): Record<CellCount, number[]> =>
  Object.fromEntries(cellCounts.map((count) => [count, []])) as unknown as Record<CellCount, number[]>;

function countCell(
  counts: Record<CellCount, number[]>,
  { pieces, piece }: RoadGraph,
  { arrays }: WholeRoads,
  turns: CellTurns,
  cell: number,
  labels: CellLabels,
  alike: TilesetManifest | undefined,
): void {
  const turnBytes = turns.bytes.get(cell);
  if (turnBytes === undefined) {
    for (const count of cellCounts) counts[count].push(alike!.counts[count][cell]);
    return;
  }
  const { cellFirstNode, cellFirstEdge, firstIn, flags, reverse } = arrays;
  const first = cellFirstNode[cell];
  const end = cellFirstNode[cell + 1];
  const inner: number[] = [];
  for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++)
    if (ownsPiece(flags[edge], reverse[edge]))
      inner.push(pieces.firstShape[piece[edge] + 1] - pieces.firstShape[piece[edge]]);
  counts.nodes.push(end - first);
  counts.edges.push(cellFirstEdge[cell + 1] - cellFirstEdge[cell]);
  counts.inEdges.push(firstIn[end] - firstIn[first]);
  counts.pieces.push(labels.pieces);
  counts.shapePoints.push(labels.shapePoints);
  counts.nameBytes.push(labels.nameBytes);
  counts.turnBytes.push(turnBytes);
  counts.snapRows.push(snapRowCount(inner));
}

/** Pairs of way and cell, ascending. */
function waysByCell({ pieces, piece }: RoadGraph, { arrays: { cellFirstEdge } }: WholeRoads) {
  const cells = cellFirstEdge.length - 1;
  const ids = pieces.wayId
    .slice()
    .sort()
    .filter((id, i, sorted) => i === 0 || id !== sorted[i - 1]);
  const rank = ranksOf(pieces.wayId, ids);
  /** By way: the cell that it was met in last, plus one. */
  const metIn = new Uint32Array(ids.length);
  /** Both in one number, so that numbers are sorted and not pairs. */
  const pairs: number[] = [];
  for (let cell = 0; cell < cells; cell++)
    for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++) {
      const way = rank[piece[edge]];
      if (metIn[way] === cell + 1) continue;
      metIn[way] = cell + 1;
      pairs.push(way * cells + cell);
    }
  const sorted = Float64Array.from(pairs).sort();
  const wayIds = new Float64Array(sorted.length);
  const wayCells = new Uint32Array(sorted.length);
  for (let i = 0; i < sorted.length; i++) {
    const way = Math.floor(sorted[i] / cells);
    wayIds[i] = ids[way];
    wayCells[i] = sorted[i] - way * cells;
  }
  return { wayIds, wayCells };
}

/** Place of each number in `ids`, which ascend. Pieces of a way follow one another, and ways mostly ascend. */
function ranksOf(numbers: Float64Array, ids: Float64Array): Uint32Array {
  const ranks = new Uint32Array(numbers.length);
  let rank = 0;
  for (let i = 0; i < numbers.length; i++) {
    if (ids[rank + 1] === numbers[i]) rank++;
    else if (ids[rank] !== numbers[i]) rank = firstAtLeast(ids, numbers[i]);
    ranks[i] = rank;
  }
  return ranks;
}

function firstAtLeast(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle] < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** West, south, east, north of each cell: its nodes, and the road pieces that it stores from end to end. */
function boundsOfCells({ pieces, piece }: RoadGraph, { arrays }: WholeRoads): number[] {
  const { cellFirstNode, cellFirstEdge, nodeLngE7, nodeLatE7, head, flags, reverse } = arrays;
  const bounds: number[] = [];
  for (let cell = 0; cell + 1 < cellFirstNode.length; cell++) {
    const box = [0x7fffffff, 0x7fffffff, -0x80000000, -0x80000000];
    const add = (lng: number, lat: number): void => {
      if (lng < box[0]) box[0] = lng;
      if (lat < box[1]) box[1] = lat;
      if (lng > box[2]) box[2] = lng;
      if (lat > box[3]) box[3] = lat;
    };
    for (let node = cellFirstNode[cell]; node < cellFirstNode[cell + 1]; node++)
      add(nodeLngE7[node], nodeLatE7[node]);
    for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++) {
      if (!ownsPiece(flags[edge], reverse[edge])) continue;
      add(nodeLngE7[head[edge]], nodeLatE7[head[edge]]);
      for (let i = pieces.firstShape[piece[edge]]; i < pieces.firstShape[piece[edge] + 1]; i++)
        add(pieces.shapeLngE7[i], pieces.shapeLatE7[i]);
    }
    bounds.push(...box);
  }
  return bounds;
}

/** In degrees; every node and every shape lies in a cell. */
function boundsOf(cellBounds: readonly number[]): [number, number, number, number] {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < cellBounds.length; i += 4) {
    bounds[0] = Math.min(bounds[0], cellBounds[i]);
    bounds[1] = Math.min(bounds[1], cellBounds[i + 1]);
    bounds[2] = Math.max(bounds[2], cellBounds[i + 2]);
    bounds[3] = Math.max(bounds[3], cellBounds[i + 3]);
  }
  return [bounds[0] / 1e7, bounds[1] / 1e7, bounds[2] / 1e7, bounds[3] / 1e7];
}
