import { Scratch } from '#map-data/arrays/scratch.js';

/**
 * Columns that each change replaces. Two sets of memory alternate, so that the previous columns are complete
 * until the others are in use, and nothing is allocated while the map keeps its size.
 */
export class TurningColumns<Columns extends object> {
  #columns: Columns;
  #used = new Scratch();
  #spare = new Scratch();

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  get columns(): Columns {
    return this.#columns;
  }

  /**
   * Where the next ones are to be put: all of them, since what lies elsewhere is written over by those after
   * them.
   */
  get spare(): Scratch {
    return this.#spare;
  }

  /** Those that lie in `spare` now; or the same again, which nothing changed. */
  take(columns: Columns): void {
    if (columns === this.#columns) return;
    this.#columns = columns;
    [this.#used, this.#spare] = [this.#spare, this.#used];
  }
}
