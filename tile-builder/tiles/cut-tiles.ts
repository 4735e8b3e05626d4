import { createHash } from 'node:crypto';
import { freeFlowMs } from '#routing-engine/metric.js';
import { customizeAll } from '#routing-engine/overlay/customize.js';
import { RoadNetwork } from '#routing-engine/road-network.js';
import { snapRowCount } from '#routing-engine/snap-index.js';
import { travelModes } from '#routing-engine/travel-mode.js';
import type { RoadGraph } from '../graph/road-graph.js';
import { profiles } from '../profiles/profiles.js';
import { encodeBorders } from './border-tiles.js';
import { encodeLabels, NameNumbers } from './encode-labels.js';
import { encodeRoads } from './encode-roads.js';
import { zonesAcrossCells } from './ends-only-zones.js';
import type { CellCount, TileList, TilesetManifest } from './manifest.js';
import { ownsPiece } from './piece-owner.js';
import { sealTile } from './tile-envelope.js';
import { type TileKind, tileKey } from './tile-kinds.js';
import { VarintWriter } from './varints.js';
import { encodeWays } from './way-tiles.js';
import { encodeWeights } from './weight-tiles.js';
import { type WholeRoads, wholeRoads } from './whole-roads.js';

export interface CutTileset {
  readonly manifest: TilesetManifest;
  /** All but the manifest. */
  readonly files: readonly (readonly [key: string, bytes: Uint8Array])[];
}

/** The id of the tileset is a hash over what the tiles hold before they are packed. Throws `InvalidTile` for a tile that is too large. */
export function cutTiles(
  graph: RoadGraph,
  drivingSide: 'right' | 'left',
  onProgress: (done: number, total: number) => void,
): CutTileset {
  const turns = profiles.map((profile) => profile.turns);
  const roads = wholeRoads(graph, { turns, drivingSide });
  const cells = roads.levelCells[0];
  const counts = emptyCounts();
  const names = new NameNumbers();
  const cellPayloads: Uint8Array[] = [];
  const total = 2 * cells;
  for (let cell = 0; cell < cells; cell++) {
    const out = new VarintWriter();
    encodeRoads(roads, cell, out);
    const labels = encodeLabels(graph, roads, names, cell, out);
    countCell(counts, graph, roads, cell, labels);
    cellPayloads.push(out.bytes());
    onProgress(cell + 1, total);
  }
  const payloads: Readonly<Record<TileKind, readonly Uint8Array[]>> = {
    roads: cellPayloads,
    borders: encodeBorders(roads.arrays),
    weights: encodeWeights(roads.arrays, freeFlowWeights(roads), travelModes.length),
    ways: encodeWays(waysByCell(graph, roads)),
  };
  const description = {
    attribution: '© OpenStreetMap contributors, ODbL 1.0',
    drivingSide,
    bounds: boundsOf(graph),
    turns,
    nameCount: names.count,
    counts,
    cellBounds: boundsOfCells(graph, roads),
    cellFlags: [...roads.arrays.cellFlags],
    zoneCells: zonesAcrossCells(roads.arrays.zone, roads.arrays.cellFirstEdge, travelModes.length).flat(),
    children: childrenOf(roads),
  };
  const content = createHash('sha256');
  for (const tiles of Object.values(payloads)) for (const payload of tiles) content.update(payload);
  content.update(JSON.stringify(description));
  const tilesetId = content.digest('hex').slice(0, 16);

  const files: (readonly [string, Uint8Array])[] = [];
  let sealed = 0;
  const seal = (kind: TileKind): TileList => {
    const list = { bytes: [] as number[], sha256: [] as string[] };
    for (const [index, payload] of payloads[kind].entries()) {
      const bytes = sealTile(kind, index, payload);
      files.push([tileKey(tilesetId, kind, index), bytes]);
      list.bytes.push(bytes.length);
      list.sha256.push(createHash('sha256').update(bytes).digest('hex'));
      if (kind === 'roads') onProgress(cells + ++sealed, total);
    }
    return list;
  };
  const tiles = {
    roads: seal('roads'),
    borders: seal('borders'),
    weights: seal('weights'),
    ways: seal('ways'),
  };
  return {
    manifest: { format: 'meridian-tileset', version: 3, tilesetId, ...description, ...tiles },
    files,
  };
}

const emptyCounts = (): Record<CellCount, number[]> => ({
  nodes: [],
  edges: [],
  inEdges: [],
  pieces: [],
  shapePoints: [],
  nameBytes: [],
  turnBytes: [],
  snapRows: [],
});

function countCell(
  counts: Record<CellCount, number[]>,
  { pieces, piece }: RoadGraph,
  { arrays, turnBytes }: WholeRoads,
  cell: number,
  labels: { readonly pieces: number; readonly shapePoints: number; readonly nameBytes: number },
): void {
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
  counts.turnBytes.push(turnBytes[cell]);
  counts.snapRows.push(snapRowCount(inner));
}

function freeFlowWeights({ arrays, levelCells }: WholeRoads): Int32Array {
  const whole = { ...arrays, ...noLabels };
  const network = new RoadNetwork(
    { tilesetId: '', bounds: [0, 0, 0, 0], cellCounts: levelCells, drivingSide: 'right' },
    whole,
  );
  const each = travelModes.map((mode) => {
    const costMs = new Int32Array(network.edgeCount);
    for (let edge = 0; edge < costMs.length; edge++) costMs[edge] = freeFlowMs(network, edge, mode);
    return customizeAll(network, mode, { costMs, covered: arrays.loaded });
  });
  const weights = new Int32Array(each.length * each[0].length);
  for (const [mode, ofMode] of each.entries()) weights.set(ofMode, mode * ofMode.length);
  return weights;
}

const none = new Uint32Array(0);
/** Customization asks for no name and no shape. */
const noLabels = {
  nodeOsmId: new Float64Array(0),
  wayId: new Float64Array(0),
  ordinal: new Uint8Array(0),
  name: none,
  ref: none,
  piece: none,
  firstShape: none,
  shapeLngE7: new Int32Array(0),
  shapeLatE7: new Int32Array(0),
  pieceEdge: none,
  pieceSign: none,
  nameAt: none,
  nameBytes: new Uint8Array(0),
  snapBoxes: new Int32Array(0),
  snapPiece: none,
  cellFirstSnap: none,
  cellBounds: new Int32Array(0),
  wayIds: new Float64Array(0),
  wayCells: none,
  zoneCells: none,
  freeFlowWeightsMs: new Int32Array(0),
};

function waysByCell({ pieces, piece }: RoadGraph, { arrays: { cellFirstEdge } }: WholeRoads) {
  const cells = cellFirstEdge.length - 1;
  const ids = Float64Array.from(new Set(pieces.wayId)).sort();
  const rank = new Map<number, number>();
  for (const [i, id] of ids.entries()) rank.set(id, i);
  /** Both in one number, so that numbers are sorted and not pairs. */
  const pairs: number[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const ways = new Set<number>();
    for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++)
      ways.add(pieces.wayId[piece[edge]]);
    for (const way of ways) pairs.push(rank.get(way)! * cells + cell);
  }
  const sorted = Float64Array.from(pairs).sort();
  return {
    wayIds: sorted.map((pair) => ids[Math.floor(pair / cells)]),
    wayCells: Uint32Array.from(sorted, (pair) => pair % cells),
  };
}

function childrenOf({ arrays: { cellAncestor }, levelCells }: WholeRoads): number[][] {
  const cells = levelCells[0];
  return levelCells.slice(1).map((count, i) => {
    const children = Array.from({ length: count }, () => 0);
    let last = -1;
    for (let cell = 0; cell < cells; cell++) {
      const below = i === 0 ? cell : cellAncestor[(i - 1) * cells + cell];
      if (below === last) continue;
      last = below;
      children[cellAncestor[i * cells + cell]]++;
    }
    return children;
  });
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
