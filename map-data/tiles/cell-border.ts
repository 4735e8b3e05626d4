import type { ResidentArrays } from './network-frame.js';

/** The edges that lead out of a cell of level 0 and into it, ascending, from the super tiles. */
export interface CellBorder {
  readonly exits: Uint32Array;
  /** By exit: its number among the edges between cells. */
  readonly exitNumbers: Uint32Array;
  /** By exit: cell of its head. */
  readonly exitCells: Uint32Array;
  readonly entries: Uint32Array;
  /** Cells that an exit leads to or an entry comes from, ascending. */
  readonly adjacent: readonly number[];
}

type Borders = Pick<
  ResidentArrays,
  'boundaryEdge' | 'boundaryTailCell' | 'boundaryHeadCell' | 'firstEntry' | 'entries' | 'firstExit' | 'exits'
>;

export function borderOf(arrays: Borders, cell: number): CellBorder {
  const { boundaryEdge, boundaryTailCell, boundaryHeadCell, firstEntry, firstExit } = arrays;
  // A network of one cell has no overlay, and no borders.
  const alone = boundaryEdge.length === 0;
  const exitNumbers = alone
    ? new Uint32Array(0)
    : arrays.exits.subarray(firstExit[cell], firstExit[cell + 1]);
  const entries = alone
    ? new Uint32Array(0)
    : arrays.entries.subarray(firstEntry[cell], firstEntry[cell + 1]);
  const exitCells = exitNumbers.map((number) => boundaryHeadCell[number]);
  const adjacent = new Set(exitCells);
  for (const number of entries) adjacent.add(boundaryTailCell[number]);
  return {
    exits: exitNumbers.map((number) => boundaryEdge[number]),
    exitNumbers,
    exitCells,
    entries: entries.map((number) => boundaryEdge[number]),
    adjacent: [...adjacent].sort((a, b) => a - b),
  };
}

/** The edges that lead into a cell of level 0, ascending. */
export function entriesOf(
  { boundaryEdge, firstEntry, entries }: Pick<Borders, 'boundaryEdge' | 'firstEntry' | 'entries'>,
  cell: number,
): Uint32Array {
  if (boundaryEdge.length === 0) return boundaryEdge;
  return entries.slice(firstEntry[cell], firstEntry[cell + 1]).map((number) => boundaryEdge[number]);
}
