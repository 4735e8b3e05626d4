import type { NetworkArrays } from '../network-arrays.js';

/** The part of the network's arrays that the overlay is: who crosses the border of which cell. */
export type OverlayArrays = Pick<
  NetworkArrays,
  | 'cellOf'
  | 'firstEntry'
  | 'entries'
  | 'firstExit'
  | 'exits'
  | 'firstWeight'
  | 'boundary'
  | 'entryRank'
  | 'exitRank'
>;

type Cells = Pick<NetworkArrays, 'tail' | 'head' | 'cellFirstNode' | 'cellAncestor'>;

/** First cell of each level when the cells of all levels are numbered through; the last entry is their count. */
export function levelOffsets(cellCounts: readonly number[]): number[] {
  const offsets = [0];
  for (const count of cellCounts.slice(0, -1)) offsets.push(offsets[offsets.length - 1] + count);
  return offsets;
}

/**
 * Entries and exits of every cell of every level but the topmost. An edge whose ends lie in two cells is an exit of the
 * one and an entry of the other; an edge that crosses a border of level 2 crosses those of levels 1 and 0 as well.
 */
export function buildOverlay(cells: Cells, cellCounts: readonly number[]): OverlayArrays {
  const { tail, head, cellFirstNode, cellAncestor } = cells;
  const nodeCount = cellFirstNode[cellFirstNode.length - 1];
  const levels = cellCounts.length - 1;
  const offsets = levelOffsets(cellCounts);
  const finest = cellCounts[0];
  const total = offsets[levels];

  const cellOf = shared32(nodeCount);
  for (let cell = 0; cell < finest; cell++) cellOf.fill(cell, cellFirstNode[cell], cellFirstNode[cell + 1]);
  const cellAt = (level: number, node: number): number =>
    level === 0 ? cellOf[node] : cellAncestor[(level - 1) * finest + cellOf[node]];

  const boundary = new Int32Array(new SharedArrayBuffer(4 * tail.length)).fill(-1);
  let boundaries = 0;
  for (let edge = 0; edge < tail.length; edge++)
    if (levels > 0 && cellOf[tail[edge]] !== cellOf[head[edge]]) boundary[edge] = boundaries++;

  const firstEntry = shared32(total + 1);
  const firstExit = shared32(total + 1);
  for (let edge = 0; edge < tail.length; edge++) {
    if (boundary[edge] < 0) continue;
    for (let level = 0; level < levels; level++) {
      const from = cellAt(level, tail[edge]);
      const to = cellAt(level, head[edge]);
      if (from === to) break;
      firstExit[offsets[level] + from + 1]++;
      firstEntry[offsets[level] + to + 1]++;
    }
  }
  const firstWeight = shared32(total + 1);
  for (let cell = 0; cell < total; cell++) {
    firstWeight[cell + 1] = firstWeight[cell] + firstEntry[cell + 1] * firstExit[cell + 1];
    firstEntry[cell + 1] += firstEntry[cell];
    firstExit[cell + 1] += firstExit[cell];
  }
  const entries = shared32(firstEntry[total]);
  const exits = shared32(firstExit[total]);
  const entryRank = new Uint16Array(new SharedArrayBuffer(2 * levels * boundaries));
  const exitRank = new Uint16Array(new SharedArrayBuffer(2 * levels * boundaries));
  const nextEntry = firstEntry.slice(0, total);
  const nextExit = firstExit.slice(0, total);
  for (let edge = 0; edge < tail.length; edge++) {
    if (boundary[edge] < 0) continue;
    for (let level = 0; level < levels; level++) {
      const from = offsets[level] + cellAt(level, tail[edge]);
      const to = offsets[level] + cellAt(level, head[edge]);
      if (from === to) break;
      exitRank[level * boundaries + boundary[edge]] = nextExit[from] - firstExit[from];
      exits[nextExit[from]++] = edge;
      entryRank[level * boundaries + boundary[edge]] = nextEntry[to] - firstEntry[to];
      entries[nextEntry[to]++] = edge;
    }
  }
  return { cellOf, firstEntry, entries, firstExit, exits, firstWeight, boundary, entryRank, exitRank };
}

const shared32 = (length: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * length));
