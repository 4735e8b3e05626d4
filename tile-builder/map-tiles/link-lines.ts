import type { FeatureRows } from './feature-rows.js';

/** Lines that look alike and follow one another, as chains of rows. */
export interface LineChains {
  /** The row that follows in the chain, −1 at its end; of a ring the last is followed by none too. */
  readonly next: Int32Array;
  /** The first row of the chain of each row that is a line; −1 for others. */
  readonly head: Int32Array;
}

/**
 * Joins lines that look alike and follow one another. A map cuts roads at every bridge and speed limit; drawn at a low zoom, where
 * each piece is smaller than a pixel, they would all be simplified away, and a name would be written many times.
 *
 * At each point and for each look, the first line that ends there is followed by the first that begins there, the second by the
 * second. So what a change does to chains ends with the chains that it touches. A ring is cut open at its first row.
 */
export function linkLines(rows: FeatureRows, lineOf: (row: number) => Int32Array): LineChains {
  const { length, isLine } = rows;
  const next = new Int32Array(length).fill(-1);
  const hasPrevious = new Uint8Array(length);
  const ends = endsOf(rows, lineOf);
  const starts = new StartTable(rows, ends);
  for (let row = 0; row < length; row++) if (isLine[row] === 1) starts.add(row);
  for (let row = 0; row < length; row++) {
    if (isLine[row] === 0) continue;
    const follower = starts.take(row);
    if (follower < 0) continue;
    next[row] = follower;
    hasPrevious[follower] = 1;
  }
  const head = new Int32Array(length).fill(-1);
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

/** [4 a row] First and last point of each line. */
function endsOf({ length, isLine }: FeatureRows, lineOf: (row: number) => Int32Array): Int32Array {
  const ends = new Int32Array(4 * length);
  for (let row = 0; row < length; row++) {
    if (isLine[row] === 0) continue;
    const line = lineOf(row);
    ends[4 * row] = line[0]!;
    ends[4 * row + 1] = line[1]!;
    ends[4 * row + 2] = line[line.length - 2]!;
    ends[4 * row + 3] = line[line.length - 1]!;
  }
  return ends;
}

/** Open addressing: the lines that begin at a point with a look, in their order. */
class StartTable {
  readonly #look: Uint32Array;
  readonly #ends: Int32Array;
  readonly #mask: number;
  /** By slot the first line that is not taken yet, and one line that names the slot; −1 where the slot is free. */
  readonly #first: Int32Array;
  readonly #named: Int32Array;
  readonly #last: Int32Array;
  readonly #nextOfSlot: Int32Array;

  constructor(rows: FeatureRows, ends: Int32Array) {
    this.#look = rows.look;
    this.#ends = ends;
    const slots = 2 ** Math.ceil(Math.log2(2 * rows.length + 2));
    this.#mask = slots - 1;
    this.#first = new Int32Array(slots).fill(-1);
    this.#named = new Int32Array(slots).fill(-1);
    this.#last = new Int32Array(slots);
    this.#nextOfSlot = new Int32Array(rows.length).fill(-1);
  }

  add(row: number): void {
    const slot = this.#slot(row, 0);
    if (this.#named[slot] === -1) {
      this.#named[slot] = row;
      this.#first[slot] = row;
    } else this.#nextOfSlot[this.#last[slot]!] = row;
    this.#last[slot] = row;
  }

  /** The line that goes on where `row` ends; −1 when there is none left. */
  take(row: number): number {
    const slot = this.#slot(row, 2);
    const next = this.#first[slot]!;
    if (next >= 0) this.#first[slot] = this.#nextOfSlot[next]!;
    return next;
  }

  /** Of the look of a row and its first point, or its last one with `end` 2. */
  #slot(row: number, end: 0 | 2): number {
    const [look, ends, named, mask] = [this.#look, this.#ends, this.#named, this.#mask];
    const [lookA, lookB] = [look[2 * row]!, look[2 * row + 1]!];
    const [x, y] = [ends[4 * row + end]!, ends[4 * row + end + 1]!];
    let hash = Math.imul(lookA ^ Math.imul(x, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(y, 0xc2b2ae35);
    hash ^= hash >>> 15;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const other = named[slot]!;
      if (other === -1) return slot;
      const isSame = look[2 * other] === lookA && look[2 * other + 1] === lookB;
      if (isSame && ends[4 * other] === x && ends[4 * other + 1] === y) return slot;
    }
  }
}

/** The pieces of a chain as one line. */
export function joinedLine(head: number, next: Int32Array, lineOf: (row: number) => Int32Array): Int32Array {
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
