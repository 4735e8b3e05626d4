import type { Scratch } from '#map-data/arrays/scratch.js';
import type { RoadGraph } from '../graph/road-graph.js';

/** Pairs of way and cell, ascending by both. */
export interface WaysByCell {
  readonly wayIds: Float64Array;
  readonly wayCells: Uint32Array;
}

/** Where the edges of each way begin. Pieces of a way follow one another, and ways mostly ascend. */
export function waysByCell({ pieces, piece, partition, tail }: RoadGraph, scratch: Scratch): WaysByCell {
  const starts = partition.levels[0];
  const cellOf = scratch.uint32('cellOf', starts[starts.length - 1]);
  for (let cell = 0; cell + 1 < starts.length; cell++) cellOf.fill(cell, starts[cell], starts[cell + 1]);
  // Of the two directions of a piece one begins at either end; copies begin where their originals do.
  const cellsOf = scratch.int32('cellsOf', 2 * pieces.from.length).fill(-1);
  for (let edge = 0; edge < piece.length; edge++) {
    const at = 2 * piece[edge];
    const cell = cellOf[tail[edge]];
    if (cellsOf[at] < 0 || cellsOf[at] === cell) cellsOf[at] = cell;
    else cellsOf[at + 1] = cell;
  }
  const ids = scratch.float64('idsOfWays', cellsOf.length);
  const cells = scratch.uint32('cellsOfWays', cellsOf.length);
  let count = 0;
  /** First pair of the current way. */
  let first = 0;
  for (let at = 0; at < cellsOf.length; at++) {
    const cell = cellsOf[at];
    if (cell < 0) continue;
    const way = pieces.wayId[at >>> 1];
    if (count > 0 && ids[count - 1] !== way) first = count;
    // A way has few cells, so its pairs are sorted on insertion.
    let place = count;
    while (place > first && cells[place - 1] > cell) place--;
    if (place > first && cells[place - 1] === cell) continue;
    cells.copyWithin(place + 1, place, count);
    cells[place] = cell;
    ids[count++] = way;
  }
  return ascending({ wayIds: ids.subarray(0, count), wayCells: cells.subarray(0, count) });
}

/** The pairs, sorted if ways do not ascend: accepted roads follow those of the map. */
function ascending(pairs: WaysByCell): WaysByCell {
  const { wayIds, wayCells } = pairs;
  let sorted = true;
  for (let i = 1; i < wayIds.length && sorted; i++) sorted = wayIds[i - 1] <= wayIds[i];
  if (sorted) return pairs;
  const order = Uint32Array.from(wayIds, (_, i) => i).sort(
    (a, b) => wayIds[a] - wayIds[b] || wayCells[a] - wayCells[b],
  );
  // A way that occurs twice has a cell twice.
  const once = order.filter(
    (at, i) => i === 0 || wayIds[at] !== wayIds[order[i - 1]] || wayCells[at] !== wayCells[order[i - 1]],
  );
  return {
    wayIds: Float64Array.from(once, (at) => wayIds[at]),
    wayCells: Uint32Array.from(once, (at) => wayCells[at]),
  };
}
