import protobuf from 'protobufjs';
import { UndecodableRecord } from './topic-codec.js';

/** Bytes of one kind of message, without any header. */
export interface MessageBody<Message> {
  /** Full name, such as `meridian.traffic.v1.SegmentSpeeds`. */
  readonly name: string;
  /** Writes behind `header` and returns both. */
  encode(message: Message, header: Uint8Array): Uint8Array;
  /**
   * Throws `UndecodableRecord`. `exact`: the writer had this very schema, so a field that it lacks is
   * garbage.
   */
  decode(body: Uint8Array, exact: boolean): Message;
}

const plain = { longs: Number, enums: Number, defaults: true, arrays: true } as const;

/**
 * By protobufjs' code generated from the schema: plain objects with every field present, enums and 64-bit
 * integers as numbers.
 */
export function reflectedBody<Message extends object>(type: protobuf.Type): MessageBody<Message> {
  type.setup();
  const name = type.fullName.slice(1);
  return {
    name,
    encode(message, header) {
      const fault = type.verify(message);
      if (fault !== null) throw new TypeError(`This is not a ${name}: ${fault}.`);
      const body = type.encode(message).finish();
      const value = Buffer.allocUnsafe(header.length + body.length);
      value.set(header);
      value.set(body, header.length);
      return value;
    },
    decode(body, exact) {
      let decoded: protobuf.Message & { $unknowns?: readonly Uint8Array[] };
      try {
        const reader = protobuf.Reader.create(body);
        reader.discardUnknown = !exact;
        decoded = type.decode(reader);
      } catch (cause) {
        throw new UndecodableRecord(`The body is not a ${name}: ${(cause as Error).message}.`, { cause });
      }
      if (exact && (decoded.$unknowns?.length ?? 0) > 0)
        throw new UndecodableRecord(`The body has fields that the schema of ${name} does not have.`);
      return type.toObject(decoded, plain) as Message;
    },
  };
}
