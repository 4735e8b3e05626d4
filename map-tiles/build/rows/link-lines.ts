import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import type { Scratch } from '#map-data/arrays/scratch.js';
import { type LookedPoints, PointSet, StartTable } from '../geometry/line-points.js';
import type { FeatureRows } from './feature-rows.js';

/** Consecutive lines of the same style, as chains of rows. */
export interface LineChains extends LookedPoints {
  /** The next row in the chain, −1 at its end; also after the last row of a ring. */
  readonly next: Int32Array;
  /** The first row of the chain of each row that is a line; −1 for others. */
  readonly head: Int32Array;
  /** As `next`, where the last of a ring is followed by its first. */
  readonly follower: Int32Array;
}

/** The previous chains, and the rows that come from the same elements as before. */
export interface ChainsBefore {
  readonly chains: LineChains;
  readonly rows: FeatureRows;
  /** For each row the previous one, −1 for others. */
  readonly taken: Int32Array;
  /** By previous row the current one, −1 for removed ones. */
  readonly nowOf: Int32Array;
}

type LineOf = (row: number) => Int32Array;

/**
 * Joins lines that look alike and follow one another. A map cuts roads at every bridge and speed limit; drawn
 * at a low zoom, where each piece is smaller than a pixel, they would all be simplified away, and a name
 * would be written many times.
 *
 * At each point and for each look, the first line that ends there is followed by the first that begins there,
 * the second by the second. So what a change does to chains ends with the chains that it touches, and
 * elsewhere the lines follow one another as they did. A ring is cut open at its first row.
 */
export function linkLines(
  rows: FeatureRows,
  lineOf: LineOf,
  { scratch, kept }: BuildMemory,
  before?: ChainsBefore,
): LineChains {
  const { length, isLine, look } = rows;
  const points = { look, ends: endsOf(rows, lineOf, kept, before) };
  const changed = before && changedPoints(rows, points, before);
  const follower = kept.int32('followers', length).fill(-1);
  const beginning: number[] = [];
  for (let row = 0; row < length; row++)
    if (isLine[row] === 1 && (changed === undefined || changed.hasStart(points, row))) beginning.push(row);
  const starts = new StartTable(points, beginning);
  for (let row = 0; row < length; row++) {
    if (isLine[row] === 0) continue;
    if (changed === undefined || changed.hasEnd(points, row)) follower[row] = starts.take(row);
    else {
      // Neither the row nor its successor was added or removed; otherwise the point would have changed.
      const followed = before!.chains.follower[before!.taken[row]!]!;
      if (followed >= 0) follower[row] = before!.nowOf[followed]!;
    }
  }
  return { ...points, follower, ...chained(rows, follower, { scratch, kept }) };
}

/** The rows of each chain that differs from the previous one, its head first. */
export function* changedHeads(
  { length }: FeatureRows,
  { head, next }: LineChains,
  before: ChainsBefore | undefined,
): Iterable<number> {
  for (let first = 0; first < length; first++) {
    if (head[first] !== first) continue;
    let isSame = before !== undefined;
    for (let row = first; isSame && row !== -1; row = next[row]!) {
      const was = before!.taken[row]!;
      if (was < 0) isSame = false;
      else {
        const { head: headBefore, next: nextBefore } = before!.chains;
        const followed = nextBefore[was]!;
        isSame =
          headBefore[was] === before!.taken[first] &&
          (next[row] === -1 ? followed < 0 : followed >= 0 && before!.nowOf[followed] === next[row]);
      }
    }
    if (!isSame) yield first;
  }
}

function chained(
  { length, isLine }: FeatureRows,
  follower: Int32Array,
  { scratch, kept }: BuildMemory,
): Pick<LineChains, 'next' | 'head'> {
  const next = kept.int32('next in chains', length);
  next.set(follower);
  const hasPrevious = scratch.uint8('rows with a previous', length).fill(0);
  for (let row = 0; row < length; row++) if (follower[row]! >= 0) hasPrevious[follower[row]!] = 1;
  const head = kept.int32('heads of chains', length).fill(-1);
  const follow = (first: number): void => {
    for (let row = first; ; row = next[row]!) {
      head[row] = first;
      if (next[row] === first) next[row] = -1;
      if (next[row] === -1) return;
    }
  };
  for (let row = 0; row < length; row++) if (isLine[row] === 1 && hasPrevious[row] === 0) follow(row);
  for (let row = 0; row < length; row++) if (isLine[row] === 1 && head[row] === -1) follow(row);
  return { next, head };
}

/** [4 a row] First and last point of each line; undefined for other rows. */
function endsOf(
  { length, isLine }: FeatureRows,
  lineOf: LineOf,
  kept: Scratch,
  before: ChainsBefore | undefined,
): Int32Array {
  const ends = kept.int32('ends of lines', 4 * length);
  for (let row = 0; row < length; row++) {
    if (isLine[row] === 0) continue;
    const was = before === undefined ? -1 : before.taken[row]!;
    if (was < 0) {
      const line = lineOf(row);
      ends[4 * row] = line[0]!;
      ends[4 * row + 1] = line[1]!;
      ends[4 * row + 2] = line[line.length - 2]!;
      ends[4 * row + 3] = line[line.length - 1]!;
    } else for (let i = 0; i < 4; i++) ends[4 * row + i] = before!.chains.ends[4 * was + i]!;
  }
  return ends;
}

/** The points, each with a style, at which an added or removed line begins or ends. */
function changedPoints(
  { length, isLine }: FeatureRows,
  points: LookedPoints,
  { taken, nowOf, rows, chains }: ChainsBefore,
): PointSet {
  const fresh: number[] = [];
  const gone: number[] = [];
  for (let row = 0; row < length; row++) if (taken[row]! < 0 && isLine[row] === 1) fresh.push(row);
  for (let row = 0; row < nowOf.length; row++) if (nowOf[row]! < 0 && rows.isLine[row] === 1) gone.push(row);
  const changed = new PointSet(2 * (fresh.length + gone.length));
  for (const row of fresh) changed.add(points, row);
  for (const row of gone) changed.add(chains, row);
  return changed;
}

/** The pieces of a chain as one line. */
export function joinedLine(head: number, next: Int32Array, lineOf: LineOf): Int32Array {
  if (next[head] === -1) return lineOf(head);
  let length = 2;
  for (let row = head; row !== -1; row = next[row]!) length += lineOf(row).length - 2;
  const joined = new Int32Array(length);
  let at = 0;
  for (let row = head; row !== -1; row = next[row]!) {
    const piece = lineOf(row);
    joined.set(at === 0 ? piece : piece.subarray(2), at);
    at += at === 0 ? piece.length : piece.length - 2;
  }
  return joined;
}
