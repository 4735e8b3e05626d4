import type { Scratch } from '#map-data/arrays/scratch.js';
import { type IndexColumns, NOTHING } from '../../index/index-file.js';
import type { AreaSet } from '../extract/surroundings.js';

/** Numbers the sets of areas around rows, which many rows share, in order of first use. */
export class AreaSetColumns {
  readonly #sets: readonly AreaSet[];
  readonly #areaSet: Uint32Array;
  /** By the set's own number. */
  readonly #numbers: Uint32Array;
  readonly #setFirst = [0];
  readonly #setArea: number[] = [];

  /** `sets`: by their own numbers. */
  constructor(rows: number, sets: readonly AreaSet[], scratch: Scratch) {
    this.#sets = sets;
    this.#areaSet = scratch.uint32('areaSet', rows);
    this.#numbers = new Uint32Array(sets.length).fill(NOTHING);
  }

  put(row: number, set: number): void {
    if (this.#numbers[set] === NOTHING) {
      this.#numbers[set] = this.#setFirst.length - 1;
      this.#setArea.push(...this.#sets[set]!.areas);
      this.#setFirst.push(this.#setArea.length);
    }
    this.#areaSet[row] = this.#numbers[set]!;
  }

  columns(): Pick<IndexColumns, 'areaSet' | 'setFirst' | 'setArea'> {
    return {
      areaSet: this.#areaSet,
      setFirst: Uint32Array.from(this.#setFirst),
      setArea: Uint32Array.from(this.#setArea),
    };
  }
}
