import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { kindByte, type TileKind } from './tile-kinds.js';

/** Maximum size of a packed tile; the builder refuses to write a larger one. */
export const tileBytesMax = 512 * 1024;
/** Unpacked, so that a hostile tile cannot exhaust the memory. */
const rawBytesMax = 16 * 1024 * 1024;

const MAGIC = 0x4d52544c; // 'MRTL'
const VERSION = 4;
const HEADER_BYTES = 16;
/**
 * Level 9 would make all tiles of a map 0.1 % smaller, but weights take three times as long. Another level
 * needs another `builder` version.
 */
const packLevel = 6;

/** The bytes are not the tile that was requested; the message says why. */
export class InvalidTile extends Error {
  override readonly name = 'InvalidTile';
}

/**
 * ```text
 *  0        4         6      7   8           12       16          16+packed
 *  | "MRTL" | version | kind | 0 | raw bytes | packed | payload … | crc32 of all before |
 * ```
 * Big-endian; the payload is raw deflate.
 */
export function sealTile(kind: TileKind, payload: Uint8Array): Uint8Array {
  if (payload.length > rawBytesMax)
    throw new InvalidTile(
      `a ${kind} tile has ${payload.length} bytes, ${rawBytesMax} are allowed; build with smaller cells`,
    );
  const packed = deflateRawSync(payload, { level: packLevel });
  const bytes = new Uint8Array(HEADER_BYTES + packed.length + 4);
  if (bytes.length > tileBytesMax)
    throw new InvalidTile(
      `a ${kind} tile packs to ${bytes.length} bytes, ${tileBytesMax} are allowed; build with smaller cells`,
    );
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint16(4, VERSION);
  view.setUint8(6, kindByte[kind]);
  view.setUint32(8, payload.length);
  view.setUint32(12, packed.length);
  bytes.set(packed, HEADER_BYTES);
  view.setUint32(HEADER_BYTES + packed.length, crc32(bytes.subarray(0, HEADER_BYTES + packed.length)));
  return bytes;
}

/**
 * The payload. Throws `InvalidTile` when the bytes are truncated, changed, of another version or another
 * kind.
 */
export function openTile(kind: TileKind, bytes: Uint8Array): Uint8Array {
  if (bytes.length < HEADER_BYTES + 4) throw new InvalidTile(`it is cut off at ${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== MAGIC) throw new InvalidTile('it does not begin with "MRTL"');
  if (view.getUint16(4) !== VERSION)
    throw new InvalidTile(`its format is version ${view.getUint16(4)}, this program reads ${VERSION}`);
  const packedBytes = view.getUint32(12);
  if (bytes.length !== HEADER_BYTES + packedBytes + 4)
    throw new InvalidTile(`it has ${bytes.length} bytes and says ${HEADER_BYTES + packedBytes + 4}`);
  if (view.getUint32(HEADER_BYTES + packedBytes) !== crc32(bytes.subarray(0, HEADER_BYTES + packedBytes)))
    throw new InvalidTile('its checksum does not match');
  if (view.getUint8(6) !== kindByte[kind] || view.getUint8(7) !== 0)
    throw new InvalidTile('it is of another kind than its name says');
  const rawBytes = view.getUint32(8);
  if (rawBytes > rawBytesMax) throw new InvalidTile(`it unpacks to ${rawBytes} bytes`);
  const payload = unpack(bytes.subarray(HEADER_BYTES, HEADER_BYTES + packedBytes), rawBytes);
  if (payload.length !== rawBytes) throw new InvalidTile('it unpacks to another length than it says');
  return payload;
}

function unpack(packed: Uint8Array, rawBytes: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, rawBytes) });
  } catch (cause) {
    throw new InvalidTile('it does not unpack', { cause });
  }
}
