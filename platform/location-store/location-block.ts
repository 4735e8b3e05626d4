import { crc32 } from 'node:zlib';
import { fieldColumnBytesMax, readFieldColumns, writeFieldColumns } from './field-columns.js';
import type { StoredPoint } from './partition-points.js';

/**
 * Some points of one partition as stored in LMDB, see `docs/formats/location-block.md`:
 *
 *     version │ count │ (Δtime Δlat Δlng Δreceived) × count │ optional fields │ CRC-32 of all before
 *        u8   │ varint│      zigzag varints, first against 0 │ in version 2    │ u32 little-endian
 *
 * A car that reports every second takes about 7 bytes a point, and 3 more with all optional fields.
 */
const plainVersion = 1;
const fieldsVersion = 2;
const pointBytesMax = 4 * 8;

export function encodeLocationBlock(points: readonly StoredPoint[]): Buffer {
  const hasFields = points.some(({ codes }) => codes !== undefined);
  const bytesMax = pointBytesMax + (hasFields ? fieldColumnBytesMax : 0);
  const buffer = Buffer.allocUnsafe(1 + 8 + (points.length + 1) * bytesMax + 4);
  let at = buffer.writeUInt8(hasFields ? fieldsVersion : plainVersion, 0);
  const write = (value: number) => {
    let rest = value;
    // Times exceed 32 bits, so no shifts.
    for (; rest >= 128; rest = Math.floor(rest / 128)) buffer[at++] = (rest % 128) + 128;
    buffer[at++] = rest;
  };
  const writeDelta = (value: number, before: number) => {
    const delta = value - before;
    write(delta < 0 ? -2 * delta - 1 : 2 * delta);
  };
  write(points.length);
  let before = { timeMs: 0, latE7: 0, lngE7: 0, receivedMs: 0 };
  for (const point of points) {
    writeDelta(point.timeMs, before.timeMs);
    writeDelta(point.latE7, before.latE7);
    writeDelta(point.lngE7, before.lngE7);
    writeDelta(point.receivedMs, before.receivedMs);
    before = point;
  }
  if (hasFields) writeFieldColumns(points, write);
  at = buffer.writeUInt32LE(crc32(buffer.subarray(0, at)), at);
  return buffer.subarray(0, at);
}

/** Throws if the bytes are not a complete block. */
export function decodeLocationBlock(bytes: Buffer): StoredPoint[] {
  const end = bytes.length - 4;
  const version = bytes[0];
  const known = version === plainVersion || version === fieldsVersion;
  if (end < 2 || !known || crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) {
    throw new Error(
      'A block of locations is damaged: restore the folder of the location store or remove it.',
    );
  }
  let at = 1;
  const read = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const readDelta = () => {
    const value = read();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const points: { -readonly [Key in keyof StoredPoint]: StoredPoint[Key] }[] = [];
  let [timeMs, latE7, lngE7, receivedMs] = [0, 0, 0, 0];
  for (let rest = read(); rest > 0; rest -= 1) {
    timeMs += readDelta();
    latE7 += readDelta();
    lngE7 += readDelta();
    receivedMs += readDelta();
    points.push({ timeMs, latE7, lngE7, receivedMs, codes: undefined });
  }
  if (version === fieldsVersion) {
    for (const [index, codes] of readFieldColumns(points.length, read).entries())
      points[index]!.codes = codes;
  }
  return points;
}
