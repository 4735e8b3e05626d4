/** Makes the error that is thrown; the sentence says what is wrong. */
export type Malformed = (reason: string) => Error;

/**
 * Reads Protobuf fields and packed columns in sequence into typed arrays of the caller, without an object per
 * value. The bytes are not kept.
 */
export class ColumnReader {
  readonly #bytes: Uint8Array;
  /** What the bytes are, for the sentences: "upload", "batch". */
  readonly #what: string;
  readonly #malformed: Malformed;
  #at = 0;
  #end = 0;

  constructor(bytes: Uint8Array, what: string, error: Malformed) {
    this.#bytes = bytes;
    this.#what = what;
    this.#malformed = error;
  }

  get ended(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** An unsigned number of at most 53 bits. */
  varint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 56; scale *= 128) {
      if (this.#at >= this.#bytes.length) throw this.#cutOff();
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
    }
    throw this.#malformed(`The ${this.#what} has a number of more than 53 bits.`);
  }

  /** Reads a length and the bytes behind it, which stay where they are. */
  content(): Uint8Array {
    const end = this.#enter();
    const content = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return content;
  }

  /** Reads a length and UTF-8 text behind it, whatever its bytes are. */
  text(): string {
    const end = this.#enter();
    const bytes = this.#bytes;
    const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const text = buffer.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  /** Reads the length of a column and returns its number of entries. */
  enterColumn(): number {
    this.#end = this.#enter();
    let count = 0;
    for (let i = this.#at; i < this.#end; i++) if (this.#bytes[i]! < 0x80) count++;
    if (this.#end > this.#at && this.#bytes[this.#end - 1]! >= 0x80) {
      throw this.#malformed(`A column of the ${this.#what} ends within a number.`);
    }
    return count;
  }

  leaveColumn(): void {
    if (this.#at !== this.#end) throw this.#malformed(`A column of the ${this.#what} is malformed.`);
  }

  /** Sums of differences, modulo 2^32. */
  deltas32(out: Int32Array, count: number): void {
    const bytes = this.#bytes;
    let from = this.#at;
    let value = 0;
    for (let i = 0; i < count; i++) {
      let byte = bytes[from++]!;
      let zigzag = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        if (shift > 28) throw this.#malformed(`A coordinate of the ${this.#what} has more than 32 bits.`);
        byte = bytes[from++]!;
        zigzag |= (byte & 0x7f) << shift;
      }
      value = (value + ((zigzag >>> 1) ^ -(zigzag & 1))) | 0;
      out[i] = value;
    }
    this.#at = from;
  }

  deltas64(out: Float64Array, count: number): void {
    let value = 0;
    for (let i = 0; i < count; i++) {
      const zigzag = this.#shortVarint();
      value += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      out[i] = value;
    }
  }

  /** 0 is "not known" and becomes NaN; else the number is one more than `scale` times the value. */
  scaled(out: Float32Array, count: number, scale: number): void {
    for (let i = 0; i < count; i++) {
      const plusOne = this.#shortVarint();
      out[i] = plusOne === 0 ? Number.NaN : (plusOne - 1) / scale;
    }
  }

  /** A field of an unknown number. */
  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.#at += 8;
    else if (wireType === 2) this.#at = this.#enter();
    else if (wireType === 5) this.#at += 4;
    else throw this.#malformed(`The ${this.#what} has a field of the wire type ${wireType}.`);
    if (this.#at > this.#bytes.length) throw this.#cutOff();
  }

  /** Most numbers of a column take one byte or two. */
  #shortVarint(): number {
    const first = this.#bytes[this.#at]!;
    if (first < 0x80) {
      this.#at++;
      return first;
    }
    const second = this.#bytes[this.#at + 1]!;
    if (second >= 0x80) return this.varint();
    this.#at += 2;
    return (first & 0x7f) | (second << 7);
  }

  #enter(): number {
    const length = this.varint();
    const end = this.#at + length;
    if (end > this.#bytes.length) throw this.#cutOff();
    return end;
  }

  #cutOff(): Error {
    return this.#malformed(`The ${this.#what} is truncated.`);
  }
}
