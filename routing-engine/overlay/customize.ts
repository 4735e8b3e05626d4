import { CLOSED } from '../closed.js';
import type { RoadNetwork } from '../road-network.js';
import { modeIndex, type TravelMode } from '../travel-mode.js';
import { type CellSearch, cellSearch } from './cell-search.js';
import { levelOffsets } from './overlay-topology.js';

/**
 * Weights of the overlay (Delling, Goldberg, Pajor and Werneck 2011): for each cell, each entry and each exit, the
 * milliseconds from the head of the entry to the head of the exit on the cheapest way inside the cell; CLOSED where there
 * is none. On a SharedArrayBuffer.
 */
export function customizeAll(network: RoadNetwork, mode: TravelMode, costMs: Int32Array): Int32Array {
  const { firstWeight } = network.arrays;
  const weights = new Int32Array(new SharedArrayBuffer(4 * firstWeight[firstWeight.length - 1]));
  const search = cellSearch(network);
  const offsets = levelOffsets(network.meta.cellCounts);
  for (let level = 0; level + 1 < network.levelCount; level++)
    for (let cell = 0; cell < network.meta.cellCounts[level]; cell++)
      customizeCell(network, search, offsets, mode, costMs, weights, level, cell);
  return weights;
}

/**
 * New weights after the costs of some level-0 cells changed: these cells, then upwards only the ancestors of cells whose
 * weights came out different. `before` is untouched.
 */
export function customizeCells(
  network: RoadNetwork,
  mode: TravelMode,
  costMs: Int32Array,
  before: Int32Array,
  cells: Iterable<number>,
): Int32Array {
  const weights = new Int32Array(new SharedArrayBuffer(before.byteLength));
  weights.set(before);
  const search = cellSearch(network);
  const offsets = levelOffsets(network.meta.cellCounts);
  const { cellAncestor } = network.arrays;
  let dirty = new Set(cells);
  /** A level-0 cell inside each dirty cell, by which its ancestors are found. */
  let inside = new Map([...dirty].map((cell) => [cell, cell]));
  for (let level = 0; level + 1 < network.levelCount && dirty.size > 0; level++) {
    const above = new Map<number, number>();
    for (const cell of dirty) {
      if (!customizeCell(network, search, offsets, mode, costMs, weights, level, cell)) continue;
      const finest = inside.get(cell)!;
      above.set(cellAncestor[level * network.cellCount + finest], finest);
    }
    dirty = new Set(above.keys());
    inside = above;
  }
  return weights;
}

/** True when a weight changed. */
function customizeCell(
  network: RoadNetwork,
  search: CellSearch,
  offsets: readonly number[],
  mode: TravelMode,
  costMs: Int32Array,
  weights: Int32Array,
  level: number,
  cell: number,
): boolean {
  const { firstEntry, entries, firstExit, exits, firstWeight, speedKph } = network.arrays;
  const number = offsets[level] + cell;
  const modeNumber = modeIndex(mode);
  let at = firstWeight[number];
  let changed = false;
  for (let entry = firstEntry[number]; entry < firstEntry[number + 1]; entry++) {
    // Nobody ever comes in where the mode may not go. A road that is closed for now may open without this cell being told.
    const open = speedKph[modeNumber * network.edgeCount + entries[entry]] > 0;
    if (open) {
      if (level === 0) search.overRoads(cell, entries[entry], costMs, modeNumber);
      else search.overCliques(level, cell, entries[entry], weights);
    }
    for (let exit = firstExit[number]; exit < firstExit[number + 1]; exit++) {
      const edge = exits[exit];
      const ms = open && search.reached(edge) ? Math.min(search.label[edge], CLOSED) : CLOSED;
      if (weights[at] !== ms) {
        weights[at] = ms;
        changed = true;
      }
      at++;
    }
  }
  return changed;
}
