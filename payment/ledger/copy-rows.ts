const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
/** A field's length and eight bytes. */
const wide = 12;
/** Buffers of rows that the server has received, for reuse: new memory costs more than encoding. */
let spare: Buffer | undefined;

/** Rows as COPY reads them in binary: the number of fields, and each field behind its length. */
export class CopyRows {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #size = signature.length;
  #taken = 0;

  /** `room`: bytes that are enough for all rows. */
  constructor(room: number) {
    const wanted = signature.length + room + 2;
    this.#bytes = spare !== undefined && spare.length >= wanted ? spare : Buffer.allocUnsafeSlow(wanted);
    spare = undefined;
    this.#view = new DataView(this.#bytes.buffer);
    signature.copy(this.#bytes);
  }

  begin(columns: number): void {
    this.#view.setInt16(this.#size, columns);
    this.#size += 2;
  }

  bigint(value: bigint): void {
    this.#view.setInt32(this.#size, 8);
    this.#view.setBigInt64(this.#size + 4, value);
    this.#size += wide;
  }

  /** A safe integer that is not negative. */
  integer(value: number): void {
    this.#view.setInt32(this.#size, 8);
    this.#view.setUint32(this.#size + 4, value / 2 ** 32);
    this.#view.setUint32(this.#size + 8, value);
    this.#size += wide;
  }

  short(value: number): void {
    this.#view.setInt32(this.#size, 2);
    this.#view.setInt16(this.#size + 4, value);
    this.#size += 6;
  }

  text(value: string | undefined): void {
    const start = this.#size + 4;
    if (value === undefined) {
      this.#view.setInt32(this.#size, -1);
      this.#size = start;
      return;
    }
    let length = value.length;
    for (let at = 0; at < value.length; at += 1) {
      const code = value.charCodeAt(at);
      // A loop, because a call into the runtime costs more than the few letters of a name.
      if (code < 0x80) this.#bytes[start + at] = code;
      else {
        length = this.#bytes.write(value, start);
        break;
      }
    }
    this.#view.setInt32(this.#size, length);
    this.#size = start + length;
  }

  end(): void {
    this.begin(-1);
  }

  /** The bytes that were written since the last call. */
  take(): Uint8Array {
    const from = this.#taken;
    this.#taken = this.#size;
    return this.#bytes.subarray(from, this.#size);
  }

  /** Called when the server has received all rows. */
  release(): void {
    spare = this.#bytes;
  }
}
