import type { NetworkArrays } from '../network/network-arrays.js';

/** The part of the network's arrays that forms the overlay: which edge crosses the border of which cell. */
export type OverlayArrays = Pick<
  NetworkArrays,
  | 'boundaryEdge'
  | 'boundaryTailCell'
  | 'boundaryHeadCell'
  | 'firstEntry'
  | 'entries'
  | 'firstExit'
  | 'exits'
  | 'firstWeight'
  | 'entryRank'
  | 'exitRank'
>;

type Cells = Pick<NetworkArrays, 'tail' | 'head' | 'cellFirstNode' | 'cellAncestor'>;

/**
 * First cell of each level when the cells of all levels are numbered through; the last entry is their count.
 */
export function levelOffsets(cellCounts: readonly number[]): number[] {
  const offsets = [0];
  for (const count of cellCounts.slice(0, -1)) offsets.push(offsets[offsets.length - 1] + count);
  return offsets;
}

/** The overlay of a completely loaded network. */
export function buildOverlay(cells: Cells, cellCounts: readonly number[]): OverlayArrays {
  const { tail, head, cellFirstNode } = cells;
  const cellOf = new Uint32Array(cellFirstNode[cellFirstNode.length - 1]);
  for (let cell = 0; cell + 1 < cellFirstNode.length; cell++)
    cellOf.fill(cell, cellFirstNode[cell], cellFirstNode[cell + 1]);
  let count = 0;
  for (let edge = 0; edge < tail.length; edge++) if (cellOf[tail[edge]] !== cellOf[head[edge]]) count++;
  const boundaryEdge = shared32(count);
  const boundaryTailCell = shared32(count);
  const boundaryHeadCell = shared32(count);
  let at = 0;
  for (let edge = 0; edge < tail.length; edge++) {
    if (cellOf[tail[edge]] === cellOf[head[edge]]) continue;
    boundaryEdge[at] = edge;
    boundaryTailCell[at] = cellOf[tail[edge]];
    boundaryHeadCell[at++] = cellOf[head[edge]];
  }
  return {
    boundaryEdge,
    boundaryTailCell,
    boundaryHeadCell,
    ...linkCells(boundaryTailCell, boundaryHeadCell, cells.cellAncestor, cellCounts),
  };
}

/**
 * Entries and exits of every cell of every level but the topmost. An edge whose ends lie in two cells is an
 * exit of the one and an entry of the other; an edge that crosses a border of level 2 crosses those of levels
 * 1 and 0 as well.
 */
export function linkCells(
  tailCell: Uint32Array,
  headCell: Uint32Array,
  cellAncestor: Uint32Array,
  cellCounts: readonly number[],
): Omit<OverlayArrays, 'boundaryEdge' | 'boundaryTailCell' | 'boundaryHeadCell'> {
  const count = tailCell.length;
  const levels = cellCounts.length - 1;
  const offsets = levelOffsets(cellCounts);
  const finest = cellCounts[0];
  const total = offsets[levels];
  const at = (level: number, cell: number): number =>
    offsets[level] + (level === 0 ? cell : cellAncestor[(level - 1) * finest + cell]);

  const firstEntry = shared32(total + 1);
  const firstExit = shared32(total + 1);
  for (let edge = 0; edge < count; edge++)
    for (let level = 0; level < levels; level++) {
      const from = at(level, tailCell[edge]);
      const to = at(level, headCell[edge]);
      if (from === to) break;
      firstExit[from + 1]++;
      firstEntry[to + 1]++;
    }
  const firstWeight = shared32(total + 1);
  for (let cell = 0; cell < total; cell++) {
    firstWeight[cell + 1] = firstWeight[cell] + firstEntry[cell + 1] * firstExit[cell + 1];
    firstEntry[cell + 1] += firstEntry[cell];
    firstExit[cell + 1] += firstExit[cell];
  }
  const entries = shared32(firstEntry[total]);
  const exits = shared32(firstExit[total]);
  const entryRank = new Uint16Array(new SharedArrayBuffer(2 * levels * count));
  const exitRank = new Uint16Array(new SharedArrayBuffer(2 * levels * count));
  const nextEntry = firstEntry.slice(0, total);
  const nextExit = firstExit.slice(0, total);
  for (let edge = 0; edge < count; edge++)
    for (let level = 0; level < levels; level++) {
      const from = at(level, tailCell[edge]);
      const to = at(level, headCell[edge]);
      if (from === to) break;
      exitRank[level * count + edge] = nextExit[from] - firstExit[from];
      exits[nextExit[from]++] = edge;
      entryRank[level * count + edge] = nextEntry[to] - firstEntry[to];
      entries[nextEntry[to]++] = edge;
    }
  return { firstEntry, entries, firstExit, exits, firstWeight, entryRank, exitRank };
}

const shared32 = (length: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * length));
