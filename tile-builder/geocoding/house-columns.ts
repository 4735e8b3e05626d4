import type { House } from './gazetteer.js';
import type { IndexColumns } from './index-file.js';
import type { TextNumbers } from './text-numbers.js';

/** What only houses have. */
export class HouseColumns {
  readonly #texts: TextNumbers;
  readonly #street: Uint32Array;
  readonly #number: Uint32Array;
  readonly #suffix: Uint32Array;
  readonly #interpolated: Uint8Array;

  constructor(houses: number, texts: TextNumbers) {
    this.#texts = texts;
    this.#street = new Uint32Array(houses);
    this.#number = new Uint32Array(houses);
    this.#suffix = new Uint32Array(houses);
    this.#interpolated = new Uint8Array(houses);
  }

  /** `at` counts houses, `street` is a row. */
  put(at: number, street: number, { number, suffix, interpolated }: House): void {
    this.#street[at] = street;
    this.#number[at] = number;
    this.#suffix[at] = this.#texts.of(suffix);
    this.#interpolated[at] = Number(interpolated);
  }

  columns() {
    return {
      houseStreet: this.#street,
      houseNumber: this.#number,
      houseSuffix: this.#suffix,
      houseInterpolated: this.#interpolated,
    } satisfies Partial<IndexColumns>;
  }
}
