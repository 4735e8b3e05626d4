/**
 * The index of each id in a list. Open addressing with linear probing over two to four times as many slots as
 * ids; a slot holds 1 + index, 0 is free.
 */
export class IdIndex {
  readonly #ids: Float64Array;
  readonly #slots: Uint32Array;
  readonly #shift: number;

  constructor(ids: Float64Array) {
    this.#ids = ids;
    const bits = Math.max(4, Math.ceil(Math.log2(2 * ids.length + 1)));
    this.#slots = new Uint32Array(2 ** bits);
    this.#shift = 32 - bits;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let place = 0; place < ids.length; place++) {
      let slot = this.#slotOf(ids[place]!);
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = place + 1;
    }
  }

  /** Index of an id, or -1. */
  find(id: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = this.#slotOf(id); slots[slot] !== 0; slot = (slot + 1) & mask) {
      const place = slots[slot]! - 1;
      if (this.#ids[place] === id) return place;
    }
    return -1;
  }

  /** Fibonacci hashing of the low 32 bits, mixed with the bits above: adjacent ids are spread apart. */
  #slotOf(id: number): number {
    const high = Math.floor(id / 2 ** 32);
    return Math.imul((id | 0) ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> this.#shift;
  }
}
