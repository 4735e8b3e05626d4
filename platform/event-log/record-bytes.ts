import { crc32 } from 'node:zlib';
import type { LogRecord, NewRecord } from './event-log.js';
import { writeText } from './write-text.js';

/**
 * One record as it rests in the embedded log (docs/formats/event-log.md), little-endian:
 *
 *   0        4       5            13        15        17
 *   ┌────────┬───────┬────────────┬─────────┬─────────┬─────┬─────────────┬───────┐
 *   │ crc32  │ flags │ timestamp  │ key len │ headers │ key │ headers …   │ value │
 *   │ u32    │ u8    │ f64, ms    │ u16     │ u16     │     │             │       │
 *   └────────┴───────┴────────────┴─────────┴─────────┴─────┴─────────────┴───────┘
 *   header = u16 name length, u32 value length, name, value
 *
 * The checksum covers everything behind it and is seeded with the offset: a record in the wrong place does
 * not verify.
 */
const FIXED_BYTES = 17;
const VERSION_1 = 0x10;
const TOMBSTONE = 0x01;
const noNames: readonly string[] = [];

export class CorruptRecord extends Error {
  override readonly name = 'CorruptRecord';
}

export function encodeRecord(record: NewRecord, offset: number, nowMs: number): Buffer {
  const names = record.headers === undefined ? noNames : Object.keys(record.headers);
  const keyBytes = Buffer.byteLength(record.key);
  const value = record.value;
  let size = FIXED_BYTES + keyBytes + (value?.length ?? 0);
  for (const name of names) size += 6 + Buffer.byteLength(name) + Buffer.byteLength(record.headers![name]!);
  const bytes = Buffer.allocUnsafe(size);
  bytes[4] = VERSION_1 | (value === null ? TOMBSTONE : 0);
  bytes.writeDoubleLE(record.timestampMs ?? nowMs, 5);
  bytes.writeUInt16LE(keyBytes, 13);
  bytes.writeUInt16LE(names.length, 15);
  let at = FIXED_BYTES + writeText(record.key, bytes, FIXED_BYTES);
  for (const name of names) {
    const header = record.headers![name]!;
    const nameBytes = bytes.write(name, at + 6);
    const headerBytes = bytes.write(header, at + 6 + nameBytes);
    bytes.writeUInt16LE(nameBytes, at);
    bytes.writeUInt32LE(headerBytes, at + 2);
    at += 6 + nameBytes + headerBytes;
  }
  if (value !== null) bytes.set(value, at);
  bytes.writeUInt32LE(crc32(bytes.subarray(4), offset >>> 0), 0);
  return bytes;
}

/** False for bytes that are cut off, changed, or were written for another offset. */
export function recordIsSound(bytes: Uint8Array, offset: number): boolean {
  if (bytes.length < FIXED_BYTES) return false;
  const stored = (bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16) | (bytes[3]! << 24)) >>> 0;
  return crc32(bytes.subarray(4), offset >>> 0) === stored && (bytes[4]! & 0xf0) === VERSION_1;
}

/** Throws `CorruptRecord` when the checksum does not hold. The value is a view of `bytes`. */
export function decodeRecord(bytes: Buffer, offset: number, where: string): LogRecord {
  if (!recordIsSound(bytes, offset)) {
    throw new CorruptRecord(
      `The record at offset ${offset} of ${where} does not match its checksum: ` +
        'the disk or another program changed it. Restore the log folder from a copy.',
    );
  }
  const keyEnd = FIXED_BYTES + bytes.readUInt16LE(13);
  const headers: Record<string, string> = {};
  let at = keyEnd;
  for (let left = bytes.readUInt16LE(15); left > 0; left--) {
    const nameEnd = at + 6 + bytes.readUInt16LE(at);
    const headerEnd = nameEnd + bytes.readUInt32LE(at + 2);
    headers[bytes.toString('utf8', at + 6, nameEnd)] = bytes.toString('utf8', nameEnd, headerEnd);
    at = headerEnd;
  }
  return {
    offset,
    key: bytes.toString('utf8', FIXED_BYTES, keyEnd),
    value: bytes[4]! & TOMBSTONE ? null : bytes.subarray(at),
    headers,
    timestampMs: bytes.readDoubleLE(5),
  };
}
