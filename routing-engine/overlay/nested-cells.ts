import { perNetwork } from '../network/per-network.js';
import type { RoadNetwork } from '../network/road-network.js';
import { levelOffsets } from './overlay-topology.js';

/** The position of each level's cells. */
export interface NestedCells {
  /** By level: number of its first cell when the cells of all levels but the topmost are numbered through. */
  readonly offsets: readonly number[];
  /** By level (from 1 up) and cell: its first cell of the level below; one entry more at the end. */
  readonly firstChild: readonly Uint32Array[];
}

export const nestedCells = perNetwork(
  (network): NestedCells => ({
    offsets: levelOffsets(network.meta.cellCounts),
    firstChild: firstChildren(network),
  }),
);

/** Place in `exits` of an edge, as one that leaves a cell of `level`. */
export function exitPlace(
  { arrays, cellCount }: RoadNetwork,
  cells: NestedCells,
  level: number,
  edge: number,
) {
  const finest = arrays.boundaryTailCell[edge];
  const cell = level === 0 ? finest : arrays.cellAncestor[(level - 1) * cellCount + finest];
  return (
    arrays.firstExit[cells.offsets[level] + cell] + arrays.exitRank[level * arrays.boundaryEdge.length + edge]
  );
}

function firstChildren({ meta: { cellCounts }, arrays: { cellAncestor }, cellCount }: RoadNetwork) {
  const levels: Uint32Array[] = [new Uint32Array(0)];
  for (let level = 1; level < cellCounts.length; level++) {
    const first = new Uint32Array(cellCounts[level] + 1);
    first[cellCounts[level]] = cellCounts[level - 1];
    let cell = -1;
    for (let finest = 0; finest < cellCount; finest++) {
      if (cellAncestor[(level - 1) * cellCount + finest] === cell) continue;
      cell = cellAncestor[(level - 1) * cellCount + finest];
      first[cell] = level === 1 ? finest : cellAncestor[(level - 2) * cellCount + finest];
    }
    levels.push(first);
  }
  return levels;
}
