import { createHash } from 'node:crypto';
import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import type { Scratch } from '#map-data/arrays/scratch.js';
import { encodeBorders } from '#map-data/tiles/border-tiles.js';
import { entriesOf } from '#map-data/tiles/cell-border.js';
import { type CellCount, cellCounts, type TileList, type TilesetManifest } from '#map-data/tiles/manifest.js';
import { encodeShapeNodes } from '#map-data/tiles/node-tiles.js';
import { encodeNumbers } from '#map-data/tiles/number-tiles.js';
import { builder } from '#map-data/tiles/present-builder.js';
import { sealTile } from '#map-data/tiles/tile-envelope.js';
import { type TileKind, tileKinds, tileNamed } from '#map-data/tiles/tile-kinds.js';
import { VarintWriter } from '#map-data/tiles/varints.js';
import { encodeWays } from '#map-data/tiles/way-tiles.js';
import { encodeWeights } from '#map-data/tiles/weight-tiles.js';
import { profiles } from '#osm/profiles/profiles.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { pickFloat64 } from '../graph/pick.js';
import type { RoadGraph } from '../graph/road-graph.js';
import type { CarriedPieces } from '../graph/road-pieces.js';
import type { KeptPartition } from '../partition/carry-partition.js';
import { childrenOf } from '../partition/cells.js';
import { boundsOfAll, boundsOfCell } from './cell-bounds.js';
import { tabulateCells } from './cell-turns.js';
import { cellsOfOtherHours } from './cells-of-hours.js';
import { completeRoads } from './complete-roads.js';
import { countCell } from './count-cell.js';
import { type CellLabels, CellNames, encodeLabels } from './encode-labels.js';
import { encodeRoads } from './encode-roads.js';
import { zonesAcrossCells } from './ends-only-zones.js';
import { LocalNumbering, type LocalNumbers } from './local-numbers.js';
import { freeFlowWeights, nestingOf } from './overlay-weights.js';
import { encodePartition } from './partition-tiles.js';
import type { PreviousTileset } from './previous-tileset.js';
import { type RoadsOfBuild, sameness } from './same-cells.js';
import { shapeNodesOf } from './shape-nodes-of.js';
import { waysByCell } from './ways-by-cell.js';

/** What a long-running builder caches of the last tileset, in addition to the stored data. */
export interface KnownTileset extends PreviousTileset, RoadsOfBuild {
  /** By cell. */
  readonly labels: readonly CellLabels[];
  readonly encodedNumbers: readonly Uint32Array[];
  /**
   * One object of each class with long-running methods: the engine drops the compiled code of a class with
   * the last object of it, and the next build would run slowly until everything is compiled again.
   */
  readonly alive: readonly object[];
}

export interface CutTileset {
  readonly manifest: TilesetManifest;
  /** Everything except the manifest and the tiles of the previous tileset. */
  readonly files: readonly (readonly [key: string, bytes: Uint8Array])[];
  /** For the next build of the same process. */
  readonly known: KnownTileset;
}

interface CutOptions {
  readonly drivingSide: 'right' | 'left';
  /** Nodes of a cell at most, by level. */
  readonly cellNodesMax: readonly number[];
  /** An earlier tileset; its tiles are reused where they would be equal. */
  readonly earlier: PreviousTileset | undefined;
  /** The previous tileset as cut by this process, and the mapping of its pieces. */
  readonly known?: { readonly tileset: KnownTileset; readonly carried: CarriedPieces } | undefined;
  readonly memory: BuildMemory;
}

/**
 * The id of the tileset is a hash over the contents of the tiles before they are packed. Throws `InvalidTile`
 * for a tile that is too large.
 *
 * Every cell is encoded, unless its sources are known to be unchanged. A cell with the bytes of an earlier
 * tileset is recognized by their hash, and what follows from them (turn tables, weights, the packed tile) is
 * not computed again. The result equals that of a build from scratch.
 */
export function cutTiles(
  graph: RoadGraph,
  { drivingSide, cellNodesMax, earlier, known, memory }: CutOptions,
  onProgress: (done: number, total: number) => void,
): CutTileset {
  const turns = profiles.map((profile) => profile.turns);
  const roads = completeRoads(graph, turns, memory);
  const cells = roads.levelCells[0];
  const children = childrenOf(graph.partition);
  const rules = { builder, drivingSide, turns };
  const sameRules =
    earlier !== undefined && JSON.stringify(rules) === JSON.stringify(rulesOf(earlier.manifest))
      ? earlier
      : undefined;
  const alike =
    sameRules !== undefined && JSON.stringify(sameRules.manifest.children) === JSON.stringify(children)
      ? sameRules
      : undefined;
  const comparable = alike === undefined ? undefined : known;
  const cellNames = new CellNames(graph.pieces.names);
  const numbering = new LocalNumbering(roads);
  const out = new VarintWriter();
  const cellPayloads: Payload[] = [];
  const nodePayloads: Payload[] = [];
  const locals: LocalNumbers[] = [];
  const labels: CellLabels[] = [];
  /** Cells with changed rules, and those whose bytes may have changed. */
  const changed: number[] = [];
  const otherHours =
    alike === undefined
      ? new Set()
      : cellsOfOtherHours(graph.hours, roads.arrays.cellFirstEdge, alike.manifest);
  for (let cell = 0; cell < cells; cell++) {
    const local = numbering.of(cell, entriesOf(roads.arrays, cell));
    locals.push(local);
    const same =
      comparable === undefined
        ? 'nothing'
        : sameness({ graph, roads }, comparable.tileset, comparable.carried, cell);
    let isOther = otherHours.has(cell);
    if (same === 'all' && equal(local.encoded, comparable!.tileset.encodedNumbers[cell])) {
      labels.push(renamed(comparable!.tileset.labels[cell], comparable!.carried));
      cellPayloads.push({ sha256: alike!.manifest.roads.sha256[cell] });
      // A piece over the same nodes has the same ids.
      nodePayloads.push({ sha256: alike!.manifest.nodes!.sha256[cell] });
    } else {
      out.clear();
      encodeRoads(roads, local, cell, out);
      labels.push(encodeLabels(graph, roads, cellNames, cell, out));
      const payload = payloadOf(out.bytes());
      cellPayloads.push(payload);
      if (same === 'nothing' && alike?.manifest.roads.sha256[cell] !== payload.sha256) isOther = true;
      out.clear();
      encodeShapeNodes(shapeNodesOf(graph, roads, cell), out);
      nodePayloads.push(payloadOf(out.bytes()));
    }
    if (isOther) changed.push(cell);
    onProgress(cell + 1, 2 * cells);
  }
  const turnTables = tabulateCells(roads, rules, changed, memory.scratch);
  const { weightsMs, searched } = freeFlowWeights(
    roads,
    graph.hours,
    turnTables,
    changed,
    alike?.overlay,
    memory,
  );
  const partition = keptPartition(graph, cellNodesMax, children, memory.kept);
  const payloads: Readonly<Record<TileKind, readonly Payload[]>> = {
    roads: cellPayloads,
    borders: encodeBorders(roads.arrays, roads.ends).map(payloadOf),
    weights: encodeWeights(roads.arrays, weightsMs, travelModes.length).map(payloadOf),
    ways: encodeWays(waysByCell(graph, memory.scratch)).map(payloadOf),
    numbers: encodeNumbers(locals.map(({ zones, parts }, cell) => [labels[cell].names, zones, ...parts])).map(
      payloadOf,
    ),
    partition: encodePartition(partition).map(payloadOf),
    nodes: nodePayloads,
  };
  const counts = emptyCounts();
  const cellBounds: number[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const turnBytes = turnTables.bytes.get(cell);
    const ofCell =
      turnBytes === undefined ? undefined : countCell(graph, roads, turnBytes, cell, labels[cell]);
    for (const count of cellCounts)
      counts[count].push(ofCell?.[count] ?? alike!.manifest.counts[count][cell]);
    counts.nameBytes[cell] = labels[cell].nameBytes;
    const box =
      ofCell === undefined
        ? alike!.manifest.cellBounds.slice(4 * cell, 4 * cell + 4)
        : boundsOfCell(graph, roads, cell);
    cellBounds.push(...box);
  }
  const description = {
    attribution: '© OpenStreetMap contributors, ODbL 1.0',
    ...rules,
    bounds: boundsOfAll(cellBounds),
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
    hours: graph.hours,
    limits: graph.limits,
    children,
  };
  const hashes = tileKinds.map((kind) => payloads[kind].map(({ sha256 }) => sha256));
  const tilesetId = createHash('sha256')
    .update(JSON.stringify([description, hashes]))
    .digest('hex')
    .slice(0, 16);

  const packedBefore = earlier?.manifest.builder === builder ? earlier.tileBytes : undefined;
  const files: (readonly [string, Uint8Array])[] = [];
  const tileBytes = new Map<string, number>();
  let sealed = 0;
  const seal = (kind: TileKind): TileList => {
    const list: { bytes: number[]; sha256: string[] } = { bytes: [], sha256: [] };
    for (const { bytes, sha256 } of payloads[kind]) {
      const before = packedBefore?.get(sha256);
      const packed = before === undefined ? sealTile(kind, bytes!) : undefined;
      const length = packed?.length ?? before!;
      tileBytes.set(sha256, length);
      list.bytes.push(length);
      list.sha256.push(sha256);
      if (packed !== undefined) added.set(sha256, packed);
      if (kind === 'roads') onProgress(cells + ++sealed, 2 * cells);
    }
    return list;
  };
  const added = new Map<string, Uint8Array>();
  const manifest: TilesetManifest = {
    format: 'meridian-tileset',
    version: 6,
    tilesetId,
    ...description,
    roads: seal('roads'),
    borders: seal('borders'),
    weights: seal('weights'),
    ways: seal('ways'),
    numbers: seal('numbers'),
    partition: seal('partition'),
    nodes: seal('nodes'),
  };
  for (const kind of tileKinds)
    for (const [index, sha256] of manifest[kind]!.sha256.entries()) {
      const bytes = added.get(sha256);
      if (bytes !== undefined) files.push([tileNamed(manifest, kind, index).key, bytes]);
      added.delete(sha256);
    }
  const overlay = { nesting: nestingOf(roads.arrays, roads.levelCells), weightsMs };
  const encodedNumbers = locals.map((local) => local.encoded);
  const alive = [...searched, turnTables.tabulator, cellNames, numbering, out];
  const made = { manifest, overlay, partition, tileBytes, graph, roads, labels, encodedNumbers, alive };
  return { manifest, files, known: made };
}

/** `bytes` are left out where an earlier tileset has the tile. */
interface Payload {
  readonly bytes?: Uint8Array;
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

/** The labels of a cell in which names have changed. */
const renamed = (labels: CellLabels, { nameNow }: CarriedPieces): CellLabels => ({
  ...labels,
  names: labels.names.map((name) => nameNow[name]),
});

const equal = (a: Uint32Array, b: Uint32Array): boolean =>
  a.length === b.length && a.every((number, i) => number === b[i]);

function keptPartition(
  { pieces, nodes, partition }: RoadGraph,
  cellNodesMax: readonly number[],
  children: readonly (readonly number[])[],
  kept: Scratch,
): KeptPartition {
  const nodeIds = pickFloat64(pieces.nodeOsmId, nodes, kept.float64('partition nodeIds', nodes.length));
  return { cellNodesMax, nodeIds, cellFirstNode: partition.levels[0], children };
}

const emptyCounts = (): Record<CellCount, number[]> =>
  Object.fromEntries(cellCounts.map((count) => [count, []])) as unknown as Record<CellCount, number[]>;
