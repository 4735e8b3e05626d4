import { TextPool } from './text-pool.js';

/** The texts to which records of places refer by id. */
export class PlacePools {
  readonly texts = new TextPool();
  readonly languages = new TextPool();
  readonly categories = new TextPool();
  readonly #empty = [this.texts, this.languages].map((pool) => [pool, pool.enter('')] as const);

  /** Starts a numbering: the empty text and the empty language are 0. */
  begin(): void {
    for (const pool of [this.texts, this.languages, this.categories]) pool.begin();
    for (const [pool, empty] of this.#empty) pool.numberOf(empty);
  }
}
