import type { Partition } from './partition.js';

/** Nested cells over nodes; within a cell of the finest level nodes ascend. */
export interface Cells {
  /** [nodes] in the order of the cells. */
  readonly order: Uint32Array;
  /** By level: [cells+1] first position of each cell in `order`. The last level has one cell. */
  readonly levels: readonly Uint32Array[];
}

/** A partition without the order of nodes within a cell. */
export function cellsOf({ order, levels }: Partition): Cells {
  const sorted = order.slice();
  const starts = levels[0];
  for (let cell = 0; cell + 1 < starts.length; cell++) sorted.subarray(starts[cell], starts[cell + 1]).sort();
  return { order: sorted, levels };
}

/**
 * Cells from the cell of each node and, from level 1 up, how many cells of the level below each holds. Omits
 * cells without a node, and levels with one cell if the level above has one cell too. `order` is filled.
 */
export function cellsByNode(
  cellOfNode: Uint32Array,
  cellCount: number,
  children: readonly (readonly number[])[],
  order: Uint32Array,
): Cells {
  let starts = byCell(cellOfNode, cellCount, order);
  const levels = [withoutEmpty(starts)];
  for (const counts of children) {
    const above = new Uint32Array(counts.length + 1);
    let below = 0;
    for (const [cell, count] of counts.entries()) {
      below += count;
      above[cell + 1] = starts[below];
    }
    starts = above;
    levels.push(withoutEmpty(starts));
  }
  while (levels.length > 1 && levels.at(-2)!.length === 2) levels.pop();
  return { order, levels };
}

/** Fills `order` with the nodes, cell by cell, and returns [cells+1] the first position of each cell. */
function byCell(cellOfNode: Uint32Array, cellCount: number, order: Uint32Array): Uint32Array {
  const first = new Uint32Array(cellCount + 1);
  for (let node = 0; node < cellOfNode.length; node++) first[cellOfNode[node] + 1]++;
  for (let cell = 0; cell < cellCount; cell++) first[cell + 1] += first[cell];
  const next = first.slice();
  for (let node = 0; node < cellOfNode.length; node++) order[next[cellOfNode[node]]++] = node;
  return first;
}

const withoutEmpty = (starts: Uint32Array): Uint32Array =>
  starts.filter((start, cell) => cell + 1 === starts.length || start !== starts[cell + 1]);

/** From level 1 up: how many cells of the level below each cell holds. */
export function childrenOf({ levels }: Cells): number[][] {
  return levels.slice(1).map((starts, i) => {
    const children = Array.from({ length: starts.length - 1 }, () => 0);
    let cell = 0;
    for (const start of levels[i].subarray(0, -1)) {
      while (starts[cell + 1] <= start) cell++;
      children[cell]++;
    }
    return children;
  });
}
