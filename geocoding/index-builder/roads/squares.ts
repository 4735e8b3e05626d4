import { limits } from '../../index/limits.js';

/** The square that a coordinate lies in, counted from the equator or Greenwich. */
export const squareAt = (e7: number): number => Math.floor(e7 / limits.roadSquareE7);

/**
 * Numbers squares in order of first use. Open addressing over typed arrays, at least twice as large as the
 * number of squares:
 *
 * ```text
 *   slot of (x, y)  →  #number: 1 + number, 0 is free  →  #x, #y
 * ```
 */
export class Squares {
  #size = 0;
  #number = new Uint32Array(2_048);
  #x = new Int32Array(1_024);
  #y = new Int32Array(1_024);

  get size(): number {
    return this.#size;
  }

  /** -1 for an unknown square. */
  find(x: number, y: number): number {
    return this.#number[this.#slotOf(x, y)] - 1;
  }

  make(x: number, y: number): number {
    const slot = this.#slotOf(x, y);
    const known = this.#number[slot];
    if (known > 0) return known - 1;
    const number = this.#size++;
    this.#x[number] = x;
    this.#y[number] = y;
    this.#number[slot] = this.#size;
    if (this.#size === this.#x.length) this.#double();
    return number;
  }

  /** Whether a square within `rings` is known. */
  hasWithin(x: number, y: number, rings: number): boolean {
    for (let row = y - rings; row <= y + rings; row++)
      for (let column = x - rings; column <= x + rings; column++)
        if (this.find(column, row) >= 0) return true;
    return false;
  }

  #slotOf(x: number, y: number): number {
    const numbers = this.#number;
    const mask = numbers.length - 1;
    let slot = (Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & mask;
    for (;;) {
      const number = numbers[slot];
      if (number === 0 || (this.#x[number - 1] === x && this.#y[number - 1] === y)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #double(): void {
    const [x, y] = [this.#x, this.#y];
    this.#x = new Int32Array(2 * x.length);
    this.#y = new Int32Array(2 * y.length);
    this.#x.set(x);
    this.#y.set(y);
    this.#number = new Uint32Array(4 * x.length);
    for (let number = 0; number < this.#size; number++)
      this.#number[this.#slotOf(x[number], y[number])] = number + 1;
  }
}

/** The squares that a line touches, each once or more. */
export function squaresOfLine(lngLatE7: Int32Array, use: (x: number, y: number) => void): void {
  for (let i = 0; i + 3 < lngLatE7.length; i += 2)
    squaresOfSegment(lngLatE7[i], lngLatE7[i + 1], lngLatE7[i + 2], lngLatE7[i + 3], use);
}

/** Column by column, so that a long ferry does not fill its box. */
export function squaresOfSegment(
  lngA: number,
  latA: number,
  lngB: number,
  latB: number,
  use: (x: number, y: number) => void,
): void {
  const first = squareAt(Math.min(lngA, lngB));
  const last = squareAt(Math.max(lngA, lngB));
  if (first === last && squareAt(latA) === squareAt(latB)) {
    use(first, squareAt(latA));
    return;
  }
  for (let x = first; x <= last; x++) {
    let south = Math.min(latA, latB);
    let north = Math.max(latA, latB);
    if (first < last) {
      const from = latA + (latB - latA) * share(x * limits.roadSquareE7, lngA, lngB);
      const to = latA + (latB - latA) * share((x + 1) * limits.roadSquareE7, lngA, lngB);
      // One unit more, so that rounding does not skip a square; never beyond the segment.
      south = Math.max(south, Math.min(from, to) - 1);
      north = Math.min(north, Math.max(from, to) + 1);
    }
    const top = squareAt(north);
    for (let y = squareAt(south); y <= top; y++) use(x, y);
  }
}

const share = (at: number, from: number, to: number): number =>
  Math.max(0, Math.min(1, (at - from) / (to - from)));
