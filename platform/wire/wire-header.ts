import { UndecodableRecord } from './topic-codec.js';

/*
 * Confluent's wire format:
 *
 *   0      1                  5
 *   ┌──────┬──────────────────┬───────────────┬───────────────┐
 *   │ 0x00 │ schema id, u32BE │ message index │ Protobuf body │
 *   └──────┴──────────────────┴───────────────┴───────────────┘
 *   message index: 0x00 for the first message of the schema, else 0x02 and the zigzag varint of its place
 *   (Confluent's general form is a path of indexes with its length in front; our messages are never nested).
 */
const MAGIC = 0x00;
const INDEX_AT = 5;

/** The bytes in front of each body of one schema and message. */
export function wireHeader(schemaId: number, messageIndex: number): Buffer {
  const index = messageIndex === 0 ? [0x00] : [0x02, ...varint(messageIndex * 2)];
  const header = Buffer.alloc(INDEX_AT + index.length);
  header[0] = MAGIC;
  header.writeUInt32BE(schemaId, 1);
  header.set(index, INDEX_AT);
  return header;
}

export interface WireHeader {
  readonly schemaId: number;
  readonly messageIndex: number;
  /** Where the body begins. */
  readonly bodyAt: number;
}

/** Throws `UndecodableRecord` for bytes that do not begin with a header. */
export function readWireHeader(value: Uint8Array): WireHeader {
  if (value.length <= INDEX_AT)
    throw new UndecodableRecord(
      `The value has ${value.length} bytes, too few for the six of the wire format's header.`,
    );
  if (value[0] !== MAGIC)
    throw new UndecodableRecord(
      `The value starts with ${value[0]}, not with the wire format's magic byte 0.`,
    );
  const schemaId = ((value[1]! << 24) | (value[2]! << 16) | (value[3]! << 8) | value[4]!) >>> 0;
  if (value[INDEX_AT] === 0x00) return { schemaId, messageIndex: 0, bodyAt: INDEX_AT + 1 };
  if (value[INDEX_AT] !== 0x02) throw new UndecodableRecord('The message index names a nested message.');
  let zigzag = 0;
  for (let at = INDEX_AT + 1, shift = 0; at < value.length && shift < 28; at++, shift += 7) {
    zigzag |= (value[at]! & 0x7f) << shift;
    if (value[at]! < 0x80) return { schemaId, messageIndex: zigzag >>> 1, bodyAt: at + 1 };
  }
  throw new UndecodableRecord('The message index is truncated.');
}

function varint(value: number): number[] {
  const bytes = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
