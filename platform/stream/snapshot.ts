import { crc32 } from 'node:zlib';

/** State of one partition number with the offsets at which it was taken. */
export interface Snapshot {
  readonly group: string;
  readonly partition: number;
  /** Next offset by topic. */
  readonly offsets: Readonly<Record<string, number>>;
  /** Null before any event time was seen. */
  readonly watermarkMs: number | null;
  readonly savedMs: number;
}

export class UnreadableSnapshot extends Error {
  override readonly name = 'UnreadableSnapshot';
  /** The snapshot is complete, but for an earlier version or other roads. */
  readonly isOutdated: boolean;

  constructor(message: string, options: { readonly isOutdated?: boolean; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.isOutdated = options.isOutdated === true;
  }
}

/*
 * A snapshot as stored in the object store (docs/formats/stream-snapshot.md), little-endian:
 *
 *   0        4         6         8              12
 *   ┌────────┬─────────┬─────────┬──────────────┬─────────────┬───────┬────────────────┐
 *   │ "MSNP" │ version │ 0       │ header bytes │ header JSON │ state │ crc32 of all   │
 *   │        │ u16     │ u16     │ u32          │             │       │ before it, u32 │
 *   └────────┴─────────┴─────────┴──────────────┴─────────────┴───────┴────────────────┘
 */
const MAGIC = 'MSNP';
const VERSION = 1;
const FIXED_BYTES = 12;
const CHECKSUM_BYTES = 4;

export function encodeSnapshot(snapshot: Snapshot, state: Uint8Array): Buffer {
  const header = Buffer.from(JSON.stringify(snapshot));
  const bytes = Buffer.alloc(FIXED_BYTES + header.length + state.length + CHECKSUM_BYTES);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt16LE(VERSION, 4);
  bytes.writeUInt32LE(header.length, 8);
  header.copy(bytes, FIXED_BYTES);
  bytes.set(state, FIXED_BYTES + header.length);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -CHECKSUM_BYTES)), bytes.length - CHECKSUM_BYTES);
  return bytes;
}

/** Throws `UnreadableSnapshot` with a sentence for bytes that are no complete snapshot. */
export function decodeSnapshot(input: Uint8Array): { readonly snapshot: Snapshot; readonly state: Buffer } {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  if (bytes.length < FIXED_BYTES + CHECKSUM_BYTES || bytes.toString('latin1', 0, 4) !== MAGIC)
    throw new UnreadableSnapshot('These bytes are not a snapshot.');
  if (bytes.readUInt16LE(4) !== VERSION)
    throw new UnreadableSnapshot(
      `The snapshot has version ${bytes.readUInt16LE(4)}; this program reads version ${VERSION}.`,
    );
  const end = bytes.length - CHECKSUM_BYTES;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end))
    throw new UnreadableSnapshot('The snapshot does not match its checksum.');
  const stateAt = FIXED_BYTES + bytes.readUInt32LE(8);
  return {
    snapshot: JSON.parse(bytes.toString('utf8', FIXED_BYTES, stateAt)) as Snapshot,
    state: bytes.subarray(stateAt, end),
  };
}
