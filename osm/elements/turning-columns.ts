import { Scratch } from '#map-data/arrays/scratch.js';

/**
 * Columns that each change replaces. Two buffers alternate, so that the previous columns stay complete until
 * the others are in use, and nothing is allocated while the map keeps its size.
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
   * The buffer for the next columns. All of them must be in it, because the change after that overwrites the
   * other buffer.
   */
  get spare(): Scratch {
    return this.#spare;
  }

  /** The columns that are now in `spare`, or the same ones if nothing changed. */
  take(columns: Columns): void {
    if (columns === this.#columns) return;
    this.#columns = columns;
    [this.#used, this.#spare] = [this.#spare, this.#used];
  }
}
