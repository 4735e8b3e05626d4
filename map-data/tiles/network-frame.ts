import { CLOSED } from '#routing-engine/network/closed.js';
import type {
  EdgeHours,
  EdgeLimits,
  NetworkArrays,
  NetworkMeta,
} from '#routing-engine/network/network-arrays.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { measures } from '#routing-engine/network/vehicle.js';
import { landmarkNumbers } from '#routing-engine/overlay/landmarks.js';
import { linkCells, type OverlayArrays } from '#routing-engine/overlay/overlay-topology.js';
import { sharedInt32, sharedUint32 } from '../arrays/shared-array.js';
import { type BorderEnds, decodeBorders } from './border-tiles.js';
import { type CellCount, cellCounts, type TilesetManifest } from './manifest.js';
import { type CellNumbers, decodeNumbers } from './number-tiles.js';
import type { TileKind } from './tile-kinds.js';
import { decodeWays } from './way-tiles.js';
import { decodeWeights } from './weight-tiles.js';

/** The arrays that are in memory whichever cells are loaded. */
export type ResidentArrays = OverlayArrays &
  Pick<
    NetworkArrays,
    | 'cellFirstNode'
    | 'cellFirstEdge'
    | 'cellFirstSnap'
    | 'cellBounds'
    | 'cellFlags'
    | 'cellAncestor'
    | 'zoneCells'
    | 'freeFlowWeightsMs'
    | 'landmarksMs'
    | 'landmarksMade'
    | 'wayIds'
    | 'wayCells'
  >;

/** By count: [cells+1] where the part of each cell begins. */
export type CellOffsets = Readonly<Record<CellCount, Uint32Array>>;

/** A tileset without its roads: what is needed to place and to cross any cell. */
export interface NetworkFrame {
  readonly manifest: TilesetManifest;
  readonly meta: NetworkMeta;
  readonly offsets: CellOffsets;
  /** Of the tileset, also where `offsets` has space for some of its cells. */
  readonly totals: { readonly nodes: number; readonly edges: number };
  readonly resident: ResidentArrays;
  readonly ends: BorderEnds;
  readonly numbers: CellNumbers;
}

/** Payloads of the super tiles by kind, in order. */
export type SuperTiles = Readonly<
  Record<Exclude<TileKind, 'roads' | 'partition' | 'nodes'>, readonly Uint8Array[]>
>;

/** The edges that cross the border of each cell, and their costs at free flow. */
export function overlayOf(manifest: TilesetManifest, tiles: Pick<SuperTiles, 'borders' | 'weights'>) {
  const { counts, children } = manifest;
  const offsets = Object.fromEntries(
    cellCounts.map((count) => [count, runningSum(counts[count])]),
  ) as CellOffsets;
  const cells = counts.nodes.length;
  if (cellCounts.some((count) => counts[count].length !== cells) || manifest.roads.sha256.length !== cells)
    throw new RangeError('the manifest counts different numbers of cells');
  const ancestors = ancestorRows(cells, children);
  const levelCells = [cells, ...children.map((level) => level.length)];
  const cellAncestor = sharedUint32(ancestors.length * cells);
  for (const [level, row] of ancestors.entries()) cellAncestor.set(row, level * cells);
  const { border, ends } = decodeBorders(tiles.borders, offsets.edges, offsets.nodes);
  const links = linkCells(border.boundaryTailCell, border.boundaryHeadCell, cellAncestor, levelCells);
  const weightsMs = decodeWeights(tiles.weights, links, manifest.turns.length);
  return { offsets, levelCells, cellAncestor, border, ends, links, weightsMs };
}

/** Throws a RangeError when manifest and super tiles do not fit together. */
export function frameOf(manifest: TilesetManifest, tiles: SuperTiles): NetworkFrame {
  const { offsets, levelCells, cellAncestor, border, ends, links, weightsMs } = overlayOf(manifest, tiles);
  const cells = offsets.nodes.length - 1;
  const cellBounds = sharedInt32(4 * cells);
  cellBounds.set(manifest.cellBounds);
  const cellFlags = sharedUint32(cells);
  cellFlags.set(manifest.cellFlags);
  const zoneCells = sharedUint32(manifest.zoneCells.length);
  zoneCells.set(manifest.zoneCells);
  return {
    manifest,
    meta: {
      tilesetId: manifest.tilesetId,
      bounds: manifest.bounds,
      cellCounts: levelCells,
      drivingSide: manifest.drivingSide,
      hours: checkedHours(manifest, offsets.edges.at(-1)!),
      limits: checkedLimits(manifest, offsets.edges.at(-1)!),
    },
    offsets,
    totals: { nodes: offsets.nodes[cells], edges: offsets.edges[cells] },
    ends,
    numbers: decodeNumbers(tiles.numbers, cells, manifest.turns.length),
    resident: {
      cellFirstNode: offsets.nodes,
      cellFirstEdge: offsets.edges,
      cellFirstSnap: offsets.snapRows,
      cellBounds,
      cellFlags,
      cellAncestor,
      zoneCells,
      ...border,
      ...links,
      freeFlowWeightsMs: forAllModes(weightsMs, manifest.turns.length),
      landmarksMs: sharedInt32(landmarkNumbers(border.boundaryEdge.length)),
      landmarksMade: sharedInt32(travelModes.length),
      ...decodeWays(tiles.ways, cells),
    },
  };
}

const isBelow =
  (count: number) =>
  (edge: unknown): boolean =>
    Number.isInteger(edge) && (edge as number) >= 0 && (edge as number) < count;

/** Tilesets before version 5 have none, those before version 6 none for trucks. */
function checkedHours({ hours = [], turns }: TilesetManifest, edgeCount: number): readonly EdgeHours[] {
  const isEdge = isBelow(edgeCount);
  const isRule = ({ shut, clauses, edges }: EdgeHours): boolean =>
    typeof shut === 'boolean' &&
    clauses.every((each) => typeof each.shut === 'boolean' && typeof each.hours === 'string') &&
    edges.length === turns.length &&
    edges.every((ofMode) => ofMode.every(isEdge));
  if (!hours.every(isRule)) throw new RangeError('the manifest states hours that no edge can have');
  return hours.map((rule) => ({ ...rule, edges: travelModes.map((_, mode) => rule.edges[mode] ?? []) }));
}

function checkedLimits({ limits = [] }: TilesetManifest, edgeCount: number): readonly EdgeLimits[] {
  const isEdge = isBelow(edgeCount);
  const isRow = ({ edges, most, hazmat, atTail }: EdgeLimits): boolean =>
    Object.entries(most).every(
      ([name, value]) =>
        (measures as readonly string[]).includes(name) && Number.isSafeInteger(value) && value >= 0,
    ) &&
    typeof hazmat === 'boolean' &&
    typeof atTail === 'boolean' &&
    edges.every(isEdge);
  if (!limits.every(isRow)) throw new RangeError('the manifest states limits that no edge can have');
  return limits;
}

/** Modes that the tileset does not know have no paths. */
function forAllModes(weightsMs: Int32Array, modes: number): Int32Array {
  if (modes === travelModes.length) return weightsMs;
  const all = sharedInt32((weightsMs.length / modes) * travelModes.length).fill(CLOSED);
  all.set(weightsMs);
  return all;
}

/** Where the part of each cell begins; without those that `has` gives 0, which take no space. */
export function runningSum(counts: readonly number[], has?: Uint8Array): Uint32Array {
  const sums = sharedUint32(counts.length + 1);
  let sum = 0;
  for (const [i, count] of counts.entries()) {
    if (has === undefined || has[i] === 1) sum += count;
    if (!(Number.isSafeInteger(count) && count >= 0 && sum < 2 ** 32))
      throw new RangeError('the manifest counts more than this program can number');
    sums[i + 1] = sum;
  }
  return sums;
}

/** From level 1 up: by cell of level 0, the cell that holds it. */
function ancestorRows(cells: number, children: readonly (readonly number[])[]): Uint32Array[] {
  const rows: Uint32Array[] = [];
  let below = Uint32Array.from({ length: cells }, (_, cell) => cell);
  let belowCount = cells;
  for (const level of children) {
    const parent: number[] = [];
    for (const [cell, count] of level.entries()) for (let i = 0; i < count; i++) parent.push(cell);
    if (parent.length !== belowCount) throw new RangeError('the levels of the manifest do not nest');
    below = below.map((cell) => parent[cell]);
    rows.push(below);
    belowCount = level.length;
  }
  if (belowCount !== 1) throw new RangeError('the topmost level of the manifest is not one cell');
  return rows;
}
