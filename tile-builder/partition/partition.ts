/** Nested cells over nodes: `order` lists the nodes so that each cell of each level is a run of it. */
export interface Partition {
  readonly order: Uint32Array;
  /** By level: [cells+1] first position of each cell in `order`. The last level has one cell. */
  readonly levels: readonly Uint32Array[];
}

/** Undirected road pieces between nodes. */
export interface PartitionInput {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/**
 * Splits `nodes` into two sides by reordering them; returns the size of the first side, between 1 and n − 1.
 */
export type Bisect = (nodes: Uint32Array) => number;

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
  const starts: number[][] = [...cellNodesMax.map(() => []), []];
  const finest = cellNodesMax[0] ?? 1;
  const split = (first: number, end: number, openLevel: number): void => {
    // Levels above `openLevel` have begun their cell further up in the recursion.
    let level = openLevel;
    while (level >= 0 && end - first <= cellNodesMax[level]) starts[level--].push(first);
    if (level < 0 || end - first <= finest) {
      onProgress?.(end);
      return;
    }
    const middle = first + bisect(order.subarray(first, end));
    split(first, middle, level);
    split(middle, end, level);
  };
  starts[cellNodesMax.length].push(0);
  if (nodeCount > 0) split(0, nodeCount, cellNodesMax.length - 1);
  else for (const level of starts) if (level.length === 0) level.push(0);
  // A level with one cell is redundant if the level above has one cell too.
  while (starts.length > 1 && starts.at(-2)!.length === 1) starts.pop();
  return { order, levels: starts.map((level) => Uint32Array.from([...level, nodeCount])) };
}
