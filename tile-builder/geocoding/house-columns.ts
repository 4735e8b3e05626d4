import type { House } from './gazetteer.js';
import type { IndexColumns } from './index-file.js';

/** What only houses have. */
export class HouseColumns {
  readonly #street: Uint32Array;
  readonly #number: Uint32Array;
  readonly #suffix: Uint32Array;
  readonly #interpolated: Uint8Array;

  constructor(houses: number) {
    this.#street = new Uint32Array(houses);
    this.#number = new Uint32Array(houses);
    this.#suffix = new Uint32Array(houses);
    this.#interpolated = new Uint8Array(houses);
  }

  /** `at` counts houses, `street` is a row, `suffix` a text. */
  put(at: number, street: number, { number, interpolated }: House, suffix: number): void {
    this.#street[at] = street;
    this.#number[at] = number;
    this.#suffix[at] = suffix;
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
