/** What is wrong with the bytes, in one sentence for the client. */
export class MalformedUpload extends Error {
  override readonly name = 'MalformedUpload';
}

const cutOff = 'The upload is cut off.';
const strictText = new TextDecoder('utf-8', { fatal: true });

/** Reads packed columns of Protobuf from the body's own bytes, which are only lent, into columns of the caller. */
export class ColumnReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #end = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** An unsigned number of at most 53 bits. */
  varint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 56; scale *= 128) {
      if (this.#at >= this.#bytes.length) throw new MalformedUpload(cutOff);
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
    }
    throw new MalformedUpload('The upload holds a number of more than 53 bits.');
  }

  text(): string {
    const end = this.#enter();
    try {
      const text = strictText.decode(this.#bytes.subarray(this.#at, end));
      this.#at = end;
      return text;
    } catch {
      throw new MalformedUpload('batch_id is not UTF-8 text.');
    }
  }

  /** Reads the length of a column and answers how many entries it has. */
  enterColumn(): number {
    this.#end = this.#enter();
    let count = 0;
    for (let i = this.#at; i < this.#end; i++) if (this.#bytes[i]! < 0x80) count++;
    if (this.#end > this.#at && this.#bytes[this.#end - 1]! >= 0x80) {
      throw new MalformedUpload('A column of the upload ends within a number.');
    }
    return count;
  }

  leaveColumn(): void {
    if (this.#at !== this.#end) throw new MalformedUpload('A column of the upload is malformed.');
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
        if (shift > 28) throw new MalformedUpload('A coordinate of the upload has more than 32 bits.');
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
    if (end > this.#bytes.length) throw new MalformedUpload(cutOff);
    return end;
  }
}
