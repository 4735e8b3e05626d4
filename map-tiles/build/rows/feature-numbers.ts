import type { Scratch } from '#map-data/arrays/scratch.js';

/**
 * A number for each feature of a map, by its first row. An unchanged feature keeps its number while rows
 * move, so cached data of tiles by feature numbers stays valid.
 */
export class FeatureNumbers {
  readonly #ofRow: Uint32Array;
  /** By number, −1 where no feature has it. */
  readonly #rowOf: Int32Array;
  /** The rows that got a number in this build, ascending; none where there were no numbers before. */
  readonly freshRows: readonly number[];
  /** By number whether it is new. */
  readonly #isFresh: Uint8Array;

  constructor(
    rows: number,
    memory: Scratch,
    before?: { readonly numbers: FeatureNumbers; readonly rowBefore: Int32Array },
  ) {
    this.#ofRow = memory.uint32('numbers of rows', rows);
    const fresh: number[] = [];
    if (before === undefined) for (let row = 0; row < rows; row++) this.#ofRow[row] = row;
    else
      for (let row = 0; row < rows; row++) {
        const same = before.rowBefore[row]!;
        if (same < 0) fresh.push(row);
        else this.#ofRow[row] = before.numbers.#ofRow[same]!;
      }
    const known = before === undefined ? new Int32Array(rows) : before.numbers.#rowOf;
    // No tile refers to a number that no feature had in the previous build: tiles with it were built
    // again without it.
    let free = -1;
    for (const row of fresh) {
      do free++;
      while (free < known.length && known[free] !== -1);
      this.#ofRow[row] = free;
    }
    const count = Math.max(known.length, free + 1);
    this.#rowOf = memory.int32('rows of numbers', count).fill(-1);
    this.#isFresh = memory.uint8('fresh numbers', count).fill(0);
    for (let row = 0; row < rows; row++) this.#rowOf[this.#ofRow[row]!] = row;
    for (const row of fresh) this.#isFresh[this.#ofRow[row]!] = 1;
    this.freshRows = fresh;
  }

  of(row: number): number {
    return this.#ofRow[row]!;
  }

  /** −1 if the feature was removed. */
  rowOf(number: number): number {
    return this.#rowOf[number]!;
  }

  isFresh(number: number): boolean {
    return this.#isFresh[number] === 1;
  }
}
