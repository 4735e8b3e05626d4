import { type Bisect, type CellStarts, splitAll } from './split-part.js';

/** Nested cells over nodes: `order` lists the nodes so that each cell of each level is a run of it. */
export interface Partition {
  readonly order: Uint32Array;
  /** By level: [cells+1] first position of each cell in `order`. The last level has one cell. */
  readonly levels: readonly Uint32Array[];
}

/**
 * Bisects until the parts fit. The cells of a level are the first parts of the recursion that fit its size,
 * so that finer cells nest in coarser ones.
 */
export function partition(
  nodeCount: number,
  cellNodesMax: readonly number[],
  bisect: Bisect,
  onProgress?: (placed: number) => void,
): Partition {
  const order = Uint32Array.from({ length: nodeCount }, (_, node) => node);
  const starts: CellStarts = cellNodesMax.map(() => []);
  const whole = { first: 0, end: nodeCount, openLevel: cellNodesMax.length - 1 };
  if (nodeCount > 0) splitAll(order, whole, cellNodesMax, bisect, starts, onProgress);
  return partitionOf(order, starts);
}

/** The partition from the starts of its cells, in any order. */
export function partitionOf(order: Uint32Array, starts: CellStarts): Partition {
  const levels = [...starts, [0]].map((level) =>
    Uint32Array.from([...(level.length === 0 ? [0] : level), order.length]).sort(),
  );
  // A level with one cell is redundant if the level above has one cell too.
  while (levels.length > 1 && levels.at(-2)!.length === 2) levels.pop();
  return { order, levels };
}
