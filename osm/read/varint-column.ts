import type { PbfReader } from 'pbf';
import { limits } from './limits.js';

const WIRE_BYTES = 2;
/** Maximum bytes of a 64-bit number. */
const BYTES_MAX = 10;

/** A column of numbers that is read sequentially, without an array. Empty until it is opened. */
export class VarintColumn {
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;

  /** Opens a field with packed numbers or a single one; the reader continues after it. */
  open(pbf: PbfReader, messageEnd: number): void {
    this.#bytes = pbf.buf;
    if (pbf.type === WIRE_BYTES) {
      this.#end = pbf.readVarint() + pbf.pos;
      this.#at = pbf.pos;
      pbf.pos = this.#end;
    } else {
      this.#at = pbf.pos;
      pbf.readVarint();
      this.#end = pbf.pos;
    }
    if (this.#end > messageEnd) throw new Error('a column that ends too late');
    if (this.#end - this.#at > limits.columnBytesMax)
      throw new Error('a column of more numbers than a map has');
  }

  hasMore(): boolean {
    return this.#at < this.#end;
  }

  unsigned(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      if (this.#at >= this.#end) throw new Error('columns of different length');
      byte = bytes[this.#at++]!;
      // Below 2^28, small integers suffice, which are many times faster.
      if (shift < 28) value |= (byte & 127) << shift;
      else if (shift < 7 * BYTES_MAX) value += (byte & 127) * 2 ** shift;
      else throw new Error('a number that is too long');
    }
    if (this.#at > this.#end) throw new Error('columns of different length');
    return value;
  }

  /** Zigzag. */
  signed(): number {
    const value = this.unsigned();
    if (value < 2 ** 28) return (value >>> 1) ^ -(value & 1);
    return value % 2 === 1 ? (value + 1) / -2 : value / 2;
  }
}
