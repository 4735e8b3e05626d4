import { extent } from '../format/encode-vector-tile.js';

export const tilePixels = 256;
const scale = tilePixels / extent;

/** A pen that follows lines, in pixels of a 256-pixel tile. */
export interface LinePen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

const moveTo = 1;
const closePath = 7;

/** Where the next number is read; one for all, since a geometry is read to its end. */
let at = 0;

/**
 * Moves a pen along the commands of a geometry, which follow their length at `start`, without allocations.
 * Steps shorter than `stepPixels` in both axes are skipped, except for the last of a line.
 */
export function traceGeometry(bytes: Uint8Array, start: number, pen: LinePen, stepPixels: number): void {
  at = start;
  const end = varint(bytes) + at;
  // The last command, the start of its line, and the position of the pen.
  let [x, y, startX, startY, penX, penY] = [0, 0, 0, 0, 0, 0];
  while (at < end) {
    const command = varint(bytes);
    const kind = command & 7;
    if (kind === closePath) {
      pen.lineTo(startX, startY);
      continue;
    }
    for (let left = command >> 3; left > 0; left--) {
      x += zigzag(varint(bytes));
      y += zigzag(varint(bytes));
      const [nextX, nextY] = [x * scale, y * scale];
      if (kind === moveTo) {
        pen.moveTo(nextX, nextY);
        [startX, startY] = [nextX, nextY];
      } else {
        const isShort = Math.abs(nextX - penX) < stepPixels && Math.abs(nextY - penY) < stepPixels;
        if (isShort && (left > 1 || (at < end && (bytes[at]! & 7) === closePath))) continue;
        pen.lineTo(nextX, nextY);
      }
      [penX, penY] = [nextX, nextY];
    }
  }
}

const zigzag = (value: number): number => (value >>> 1) ^ -(value & 1);

function varint(bytes: Uint8Array): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}
