import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import type { EdgeHours } from '#routing-engine/network/network-arrays.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { CliqueSearch } from '#routing-engine/overlay/clique-search.js';
import { customizeAll, customizeCells } from '#routing-engine/overlay/customize.js';
import { atAnyHourMs } from '#routing-engine/overlay/metric.js';
import { levelOffsets, type OverlayArrays } from '#routing-engine/overlay/overlay-topology.js';
import { RoadSearch } from '#routing-engine/overlay/road-search.js';
import type { CellTurns } from './cell-turns.js';
import type { CompleteRoads } from './complete-roads.js';
import { networkWithoutNames } from './network-without-names.js';

/** Which edge crosses the border of which cell, for nested cells. */
export interface NestedOverlay extends OverlayArrays {
  readonly cellAncestor: Uint32Array;
  readonly levelCells: readonly number[];
}

/** The overlay of a tileset with its weights at free flow. */
export interface WeighedOverlay {
  readonly nesting: NestedOverlay;
  /** [modes × weights] */
  readonly weightsMs: Int32Array;
}

/**
 * [modes × weights] of the overlay at free flow. With `earlier`, which has the same cell numbers and nesting,
 * only `changed` cells of level 0 are searched, and above them the cells with changed weights or borders.
 * Only the turn tables of the changed cells are needed. `searched` is an object of each class that searching
 * uses: see `KnownTileset.alive`.
 */
export function freeFlowWeights(
  { arrays, levelCells }: CompleteRoads,
  hours: readonly EdgeHours[],
  turns: CellTurns,
  changed: readonly number[],
  earlier: WeighedOverlay | undefined,
  { scratch, kept: columns }: BuildMemory,
): { readonly weightsMs: Int32Array; readonly searched: readonly object[] } {
  const network = networkWithoutNames(arrays, levelCells, hours, turns);
  const { firstWeight, cellFirstEdge } = arrays;
  const count = firstWeight[firstWeight.length - 1];
  const now = nestingOf(arrays, levelCells);
  const kept = earlier === undefined ? undefined : keptCells(now, earlier.nesting, changed);
  const weightsMs = columns.int32('weightsMs', travelModes.length * count);
  const costMs = scratch.int32('costMs', network.edgeCount).fill(0);
  const before = scratch.int32('weightsBefore', kept === undefined ? 0 : count);
  for (const [mode, name] of travelModes.entries()) {
    for (const cell of changed)
      for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++)
        costMs[edge] = atAnyHourMs(network, edge, name);
    const costs = { costMs, covered: arrays.loaded };
    let ofMode: Int32Array;
    if (earlier === undefined || kept === undefined) ofMode = customizeAll(network, name, costs);
    else {
      before.fill(UNKNOWN);
      const firstBefore = earlier.nesting.firstWeight;
      const row = (mode * earlier.weightsMs.length) / travelModes.length;
      for (const cell of kept.taken)
        before.set(
          earlier.weightsMs.subarray(row + firstBefore[cell], row + firstBefore[cell + 1]),
          firstWeight[cell],
        );
      ofMode = customizeCells(network, name, costs, before, changed, kept.stale);
    }
    weightsMs.set(ofMode, mode * count);
  }
  return { weightsMs, searched: [network, new RoadSearch(network), new CliqueSearch(network)] };
}

/** Not a weight, so every searched value differs from it. */
const UNKNOWN = -1;

/** Listed one by one, so that the object has one shape for every caller. */
export const nestingOf = (
  arrays: OverlayArrays & Pick<NestedOverlay, 'cellAncestor'>,
  levelCells: readonly number[],
): NestedOverlay => ({
  boundaryEdge: arrays.boundaryEdge,
  boundaryTailCell: arrays.boundaryTailCell,
  boundaryHeadCell: arrays.boundaryHeadCell,
  firstEntry: arrays.firstEntry,
  entries: arrays.entries,
  firstExit: arrays.firstExit,
  exits: arrays.exits,
  firstWeight: arrays.firstWeight,
  entryRank: arrays.entryRank,
  exitRank: arrays.exitRank,
  cellAncestor: arrays.cellAncestor,
  levelCells,
});

/**
 * Cells, numbered consecutively, with weights that may be reused; and by level from 1 up those that must be
 * searched again.
 */
function keptCells(
  now: NestedOverlay,
  earlier: NestedOverlay,
  changed: readonly number[],
): { readonly taken: readonly number[]; readonly stale: readonly (readonly number[])[] } {
  const taken: number[] = [];
  const stale: number[][] = [];
  const isChanged = new Set(changed);
  const offsets = levelOffsets(now.levelCells);
  for (let level = 0; level + 1 < now.levelCells.length; level++) {
    stale.push([]);
    for (let cell = 0; cell < now.levelCells[level]; cell++) {
      const number = offsets[level] + cell;
      const isKept =
        level === 0
          ? !isChanged.has(cell) || sameSize(now, earlier, number)
          : equal(linksOf(now, level, cell), linksOf(earlier, level, cell));
      if (isKept) taken.push(number);
      else if (level > 0) stale[level].push(cell);
    }
  }
  return { taken, stale };
}

const sameSize = (now: NestedOverlay, earlier: NestedOverlay, number: number): boolean =>
  now.firstEntry[number + 1] - now.firstEntry[number] ===
    earlier.firstEntry[number + 1] - earlier.firstEntry[number] &&
  now.firstExit[number + 1] - now.firstExit[number] ===
    earlier.firstExit[number + 1] - earlier.firstExit[number];

/**
 * How the tables of the lower cells form that of a cell: where each of their exits leads, and where its
 * entries enter.
 */
function linksOf(overlay: NestedOverlay, level: number, cell: number): number[] {
  const { cellAncestor, levelCells, boundaryHeadCell, boundaryEdge } = overlay;
  const { firstEntry, entries, firstExit, exits, entryRank, exitRank } = overlay;
  const offsets = levelOffsets(levelCells);
  const at = (of: number, finest: number): number =>
    of === 0 ? finest : cellAncestor[(of - 1) * levelCells[0] + finest];
  const row = (level - 1) * levelCells[0];
  const firstFinest = cellAncestor.indexOf(cell, row) - row;
  let endFinest = firstFinest;
  while (endFinest < levelCells[0] && cellAncestor[row + endFinest] === cell) endFinest++;
  const below = (level - 1) * boundaryEdge.length;
  const links: number[] = [];
  for (let child = at(level - 1, firstFinest); child <= at(level - 1, endFinest - 1); child++) {
    const number = offsets[level - 1] + child;
    for (let i = firstExit[number]; i < firstExit[number + 1]; i++) {
      const edge = exits[i];
      const head = boundaryHeadCell[edge];
      if (at(level, head) === cell) links.push(at(level - 1, head), entryRank[below + edge]);
      else links.push(-1, exitRank[level * boundaryEdge.length + edge]);
    }
    links.push(-2, firstEntry[number + 1] - firstEntry[number]);
  }
  const number = offsets[level] + cell;
  for (let i = firstEntry[number]; i < firstEntry[number + 1]; i++)
    links.push(at(level - 1, boundaryHeadCell[entries[i]]), entryRank[below + entries[i]]);
  return links;
}

const equal = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((number, i) => number === b[i]);
