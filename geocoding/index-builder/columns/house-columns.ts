import type { Scratch } from '#map-data/arrays/scratch.js';
import type { IndexColumns } from '../../index/index-file.js';
import { houseRecord } from './place-records.js';
import type { TextPool } from './text-pool.js';

/** What only houses have. */
export class HouseColumns {
  readonly #street: Uint32Array;
  readonly #number: Uint32Array;
  readonly #suffix: Uint32Array;
  readonly #interpolated: Uint8Array;
  readonly #texts: TextPool;

  constructor(houses: number, texts: TextPool, scratch: Scratch) {
    this.#street = scratch.uint32('houseStreet', houses);
    this.#number = scratch.uint32('houseNumber', houses);
    this.#suffix = scratch.uint32('houseSuffix', houses);
    this.#interpolated = scratch.uint8('houseInterpolated', houses);
    this.#texts = texts;
  }

  /** `house` counts houses, `street` is a row, `at` is behind the row of the house's record. */
  put(house: number, street: number, numbers: Int32Array, at: number): void {
    this.#street[house] = street;
    this.#number[house] = numbers[at + houseRecord.number]!;
    this.#suffix[house] = this.#texts.numberOf(numbers[at + houseRecord.suffix]!);
    this.#interpolated[house] = numbers[at + houseRecord.interpolated]!;
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
