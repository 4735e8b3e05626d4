import type { IndexColumns } from './index-file.js';
import type { AreaSet } from './surroundings.js';

/** Numbers the sets of areas around rows, which many rows share, in the order in which they come. */
export class AreaSetColumns {
  readonly #areaSet: Uint32Array;
  readonly #numbers = new Map<AreaSet, number>();
  readonly #setFirst = [0];
  readonly #setArea: number[] = [];

  constructor(rows: number) {
    this.#areaSet = new Uint32Array(rows);
  }

  /** Equal sets are the same object. */
  set(row: number, areas: AreaSet): void {
    let number = this.#numbers.get(areas);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(areas, number);
      this.#setArea.push(...areas);
      this.#setFirst.push(this.#setArea.length);
    }
    this.#areaSet[row] = number;
  }

  columns(): Pick<IndexColumns, 'areaSet' | 'setFirst' | 'setArea'> {
    return {
      areaSet: this.#areaSet,
      setFirst: Uint32Array.from(this.#setFirst),
      setArea: Uint32Array.from(this.#setArea),
    };
  }
}
