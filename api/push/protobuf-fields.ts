import { UndecodableRecord } from '#platform/wire/topic-codec.js';

/** The low three bits of a field's key are its wire type. */
export const wireTypes = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;
const { varint, fixed64, delimited, fixed32 } = wireTypes;

/**
 * The fields of a Protobuf message, one after the other: key (number and wire type), and either a value or
 * the position of its bytes.
 */
export class ProtobufFields {
  key = 0;
  value = 0;
  /** Start of the field, and of its content. */
  begin = 0;
  from = 0;
  to = 0;
  readonly #body: Buffer;

  constructor(body: Buffer) {
    this.#body = body;
  }

  next(): boolean {
    const body = this.#body;
    if (this.to === body.length) return false;
    this.begin = this.to;
    this.key = this.#varint();
    const type = this.key & 7;
    if (type === varint) {
      this.value = this.#varint();
      return true;
    }
    if (type !== delimited && type !== fixed32 && type !== fixed64)
      throw new UndecodableRecord(`A field has the wire type ${type}.`);
    const length = type === delimited ? this.#varint() : type === fixed32 ? 4 : 8;
    this.from = this.to;
    this.to += length;
    if (this.to > body.length) throw new UndecodableRecord('The message is cut off in a field.');
    return true;
  }

  /** Skips consecutive texts of the same field; returns their end. */
  passAll(key: number): number {
    const body = this.#body;
    let at = this.to;
    // Longer texts end the stretch: they get one of their own.
    while (at + 1 < body.length && body[at] === key && body[at + 1]! < 0x80) {
      const to = at + 2 + body[at + 1]!;
      if (to > body.length) throw new UndecodableRecord('The message is cut off in a field.');
      at = to;
    }
    this.to = at;
    return at;
  }

  text(): string {
    return this.#body.toString('utf8', this.from, this.to);
  }

  /** Whole numbers below 2^53. */
  #varint(): number {
    const body = this.#body;
    const first = body[this.to];
    if (first !== undefined && first < 0x80) {
      this.to++;
      return first;
    }
    let value = 0;
    for (let scale = 1, at = this.to; at < body.length && at - this.to < 10; at++, scale *= 128) {
      const byte = body[at]!;
      value += (byte & 0x7f) * scale;
      if (byte >= 0x80) continue;
      this.to = at + 1;
      return value;
    }
    throw new UndecodableRecord('A number of the message is cut off.');
  }
}
