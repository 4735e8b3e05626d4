import { mappedBuffer } from '../arrays/mapped-buffer.js';

/** Writes numbers below 2^53 as varints, seven bits to the byte, low bits first. */
export class VarintWriter {
  #bytes = new Uint8Array(16_384);
  #length = 0;

  unsigned(value: number): void {
    if (this.#length + 10 > this.#bytes.length) this.#grow(10);
    const bytes = this.#bytes;
    let at = this.#length;
    let rest = value;
    while (rest >= 2 ** 31) {
      bytes[at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    // Below 2^31, shifts of small integers suffice, which are many times faster.
    let small = rest | 0;
    while (small > 127) {
      bytes[at++] = (small & 127) | 128;
      small >>>= 7;
    }
    bytes[at++] = small;
    this.#length = at;
  }

  /** Zigzag: small numbers of either sign stay short. */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** UTF-8 behind its length. */
  text(utf8: Uint8Array): void {
    this.unsigned(utf8.length);
    if (this.#length + utf8.length > this.#bytes.length) this.#grow(utf8.length);
    this.#bytes.set(utf8, this.#length);
    this.#length += utf8.length;
  }

  unsignedByte(byte: number): void {
    if (this.#length + 1 > this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = byte;
  }

  get length(): number {
    return this.#length;
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** The same without a copy; valid until more is written. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Discards what was written; results of `bytes` stay valid. */
  clear(): void {
    this.#length = 0;
  }

  #grow(room: number): void {
    const larger = new Uint8Array(mappedBuffer(2 * this.#bytes.length + room));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what `VarintWriter` wrote; throws a RangeError past the end or on a number that is too long. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  unsigned(): number {
    const bytes = this.#bytes;
    let byte = this.unsignedByte();
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; shift < 56; shift += 7) {
      if (this.#at >= bytes.length) throw new RangeError('the tile ends too early');
      byte = bytes[this.#at++];
      // Below 2^28, small integers suffice, which are many times faster.
      if (shift < 28) value |= (byte & 127) << shift;
      else value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new RangeError('a number that is too long');
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 1 ? (value + 1) / -2 : value / 2;
  }

  /** A count of items that take at least `bytesEach` of the remaining bytes. */
  count(bytesEach = 1): number {
    const value = this.unsigned();
    if (value * bytesEach > this.#bytes.length - this.#at)
      throw new RangeError('a count that is larger than the tile');
    return value;
  }

  /** What `VarintWriter.text` wrote, still in UTF-8. */
  textBytes(): Uint8Array {
    const length = this.count();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  unsignedByte(): number {
    if (this.#at >= this.#bytes.length) throw new RangeError('the tile ends too early');
    return this.#bytes[this.#at++];
  }

  isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Throws if bytes are left over. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new RangeError('the tile is longer than what it holds');
  }
}
