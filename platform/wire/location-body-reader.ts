import { wireLimits } from './limits.js';
import { UndecodableRecord } from './topic-codec.js';

/** Protobuf fields and packed columns of a location batch, read one behind the other. Throws `UndecodableRecord`. */
export class LocationBodyReader {
  readonly #bytes: Buffer;
  #at = 0;
  #columnEnd = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get ended(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** An unsigned number below 2^53. */
  varint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 56; scale *= 128) {
      if (this.#at >= this.#bytes.length) throw new UndecodableRecord('The batch is cut off.');
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
    }
    throw new UndecodableRecord('The batch holds a number of more than 53 bits.');
  }

  text(): string {
    const end = this.enterColumn();
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  /** Reads a length and gives where what follows ends. */
  enterColumn(): number {
    const length = this.varint();
    this.#columnEnd = this.#at + length;
    if (this.#columnEnd > this.#bytes.length) throw new UndecodableRecord('The batch is cut off.');
    return this.#columnEnd;
  }

  countTo(end: number): number {
    let count = 0;
    for (let i = this.#at; i < end; i++) if (this.#bytes[i]! < 0x80) count++;
    if (count > wireLimits.pointsMax) throw new UndecodableRecord(`The batch has ${count} points.`);
    return count;
  }

  mustBeAt(end: number): void {
    if (this.#at !== end) throw new UndecodableRecord('A column of the batch is cut off.');
  }

  deltas32(out: Int32Array): Int32Array {
    const bytes = this.#bytes;
    let from = this.#at;
    let value = 0;
    for (let i = 0; i < out.length; i++) {
      let byte = bytes[from++]!;
      let zigzag = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        if (shift > 28) throw new UndecodableRecord('A coordinate of the batch has more than 32 bits.');
        byte = bytes[from++]!;
        zigzag |= (byte & 0x7f) << shift;
      }
      value = (value + ((zigzag >>> 1) ^ -(zigzag & 1))) | 0;
      out[i] = value;
    }
    this.#at = from;
    return out;
  }

  deltas64(out: Float64Array): Float64Array {
    let value = 0;
    for (let i = 0; i < out.length; i++) {
      const zigzag = this.#quickVarint();
      value += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      out[i] = value;
    }
    return out;
  }

  scaled(out: Float32Array, scale: number): Float32Array {
    for (let i = 0; i < out.length; i++) {
      const plusOne = this.#quickVarint();
      out[i] = plusOne === 0 ? Number.NaN : (plusOne - 1) / scale;
    }
    return out;
  }

  /** Most numbers of a column take one byte or two. */
  #quickVarint(): number {
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

  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.#at += 8;
    else if (wireType === 2) this.#at = this.enterColumn();
    else if (wireType === 5) this.#at += 4;
    else throw new UndecodableRecord(`The batch holds a field of the wire type ${wireType}.`);
    if (this.#at > this.#bytes.length) throw new UndecodableRecord('The batch is cut off.');
  }
}
