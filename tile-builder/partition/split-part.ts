/**
 * Splits `nodes` into two sides by reordering them; returns the size of the first side, between 1 and n − 1.
 * The result depends on the nodes and their order alone, so parts can be split in any order.
 */
export type Bisect = (nodes: Uint32Array) => number;

/** A run of nodes in the order of a partition that may be split further. */
export interface Part {
  readonly first: number;
  readonly end: number;
  /** Levels from this one down have not begun a cell here; those above began it further up. */
  readonly openLevel: number;
}

/** By level: first positions of its cells. The topmost cell holds all nodes and begins at 0. */
export type CellStarts = number[][];

/** Begins the cells that the part fits; returns the highest level that is still open, or -1. */
function beginCells({ first, end, openLevel }: Part, cellNodesMax: readonly number[], starts: CellStarts) {
  let level = openLevel;
  while (level >= 0 && end - first <= cellNodesMax[level]) starts[level--].push(first);
  return level;
}

/** Splits a part in two, or into none if it fits the finest cells. Cells that it fits begin in `starts`. */
export function splitOnce(
  order: Uint32Array,
  part: Part,
  cellNodesMax: readonly number[],
  bisect: Bisect,
  starts: CellStarts,
): readonly Part[] {
  const openLevel = beginCells(part, cellNodesMax, starts);
  const { first, end } = part;
  if (openLevel < 0 || end - first <= (cellNodesMax[0] ?? 1)) return [];
  const middle = first + bisect(order.subarray(first, end));
  return [
    { first, end: middle, openLevel },
    { first: middle, end, openLevel },
  ];
}

/** Splits a part until all of it fits. `onPlaced` is called with the end of each finest part, ascending. */
export function splitAll(
  order: Uint32Array,
  part: Part,
  cellNodesMax: readonly number[],
  bisect: Bisect,
  starts: CellStarts,
  onPlaced?: (end: number) => void,
): void {
  const halves = splitOnce(order, part, cellNodesMax, bisect, starts);
  if (halves.length === 0) onPlaced?.(part.end);
  for (const half of halves) splitAll(order, half, cellNodesMax, bisect, starts, onPlaced);
}
