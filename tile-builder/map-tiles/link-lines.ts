import { ContentMixer } from './content-mixer.js';
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
  const { length, look, isLine } = rows;
  const next = new Int32Array(length).fill(-1);
  const hasPrevious = new Uint8Array(length);
  const starts = new StartTable(rows, lineOf);
  for (let row = 0; row < length; row++) if (isLine[row] === 1) starts.add(row);
  for (let row = 0; row < length; row++) {
    if (isLine[row] === 0) continue;
    const line = lineOf(row);
    const follower = starts.take(
      look[2 * row]!,
      look[2 * row + 1]!,
      line[line.length - 2]!,
      line[line.length - 1]!,
    );
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

/** Open addressing: the lines that begin at a point with a look, in their order. */
class StartTable {
  readonly #rows: FeatureRows;
  readonly #lineOf: (row: number) => Int32Array;
  readonly #mask: number;
  /** By slot the first line that is not taken yet, and one line that names the slot; −1 where the slot is free. */
  readonly #first: Int32Array;
  readonly #named: Int32Array;
  readonly #last: Int32Array;
  readonly #nextOfSlot: Int32Array;
  readonly #mixer = new ContentMixer();

  constructor(rows: FeatureRows, lineOf: (row: number) => Int32Array) {
    this.#rows = rows;
    this.#lineOf = lineOf;
    const slots = 2 ** Math.ceil(Math.log2(2 * rows.length + 2));
    this.#mask = slots - 1;
    this.#first = new Int32Array(slots).fill(-1);
    this.#named = new Int32Array(slots).fill(-1);
    this.#last = new Int32Array(slots);
    this.#nextOfSlot = new Int32Array(rows.length).fill(-1);
  }

  add(row: number): void {
    const { look } = this.#rows;
    const line = this.#lineOf(row);
    const slot = this.#slot(look[2 * row]!, look[2 * row + 1]!, line[0]!, line[1]!);
    if (this.#named[slot] === -1) {
      this.#named[slot] = row;
      this.#first[slot] = row;
    } else this.#nextOfSlot[this.#last[slot]!] = row;
    this.#last[slot] = row;
  }

  take(lookA: number, lookB: number, x: number, y: number): number {
    const slot = this.#slot(lookA, lookB, x, y);
    const row = this.#first[slot]!;
    if (row >= 0) this.#first[slot] = this.#nextOfSlot[row]!;
    return row;
  }

  #slot(lookA: number, lookB: number, x: number, y: number): number {
    const mixer = this.#mixer.reset();
    mixer.add(lookA);
    mixer.add(lookB);
    mixer.add(x);
    mixer.add(y);
    const { look } = this.#rows;
    for (let slot = mixer.b & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const row = this.#named[slot]!;
      if (row === -1) return slot;
      if (look[2 * row] !== lookA || look[2 * row + 1] !== lookB) continue;
      const line = this.#lineOf(row);
      if (line[0] === x && line[1] === y) return slot;
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
