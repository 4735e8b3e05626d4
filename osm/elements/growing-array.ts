import { mappedBuffer } from '#map-data/arrays/mapped-buffer.js';

/** A typed array that doubles when it is full; `trimmed` gives what was pushed. */
class GrowingArray<Numbers extends Int32Array | Float64Array | Uint32Array> {
  length = 0;
  #numbers: Numbers;
  readonly #make: (length: number) => Numbers;

  constructor(make: (length: number) => Numbers) {
    this.#make = make;
    this.#numbers = make(1024);
  }

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = this.#make(2 * this.length);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.length++] = value;
  }

  trimmed(): Numbers {
    return this.#numbers.subarray(0, this.length) as Numbers;
  }
}

export type { GrowingArray };
export const growingInt32 = (): GrowingArray<Int32Array> =>
  new GrowingArray((length) => new Int32Array(mappedBuffer(4 * length), 0, length));
export const growingUint32 = (): GrowingArray<Uint32Array> =>
  new GrowingArray((length) => new Uint32Array(mappedBuffer(4 * length), 0, length));
export const growingFloat64 = (): GrowingArray<Float64Array> =>
  new GrowingArray((length) => new Float64Array(mappedBuffer(8 * length), 0, length));
