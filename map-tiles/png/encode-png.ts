import { crc32, deflateSync } from 'node:zlib';

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const PALETTE = 3;
const RGB = 2;
const coloursMax = 256;
/** Filter type of a row, before its pixels. */
const unfiltered = 0;
/** Most pictures are packed in one piece, which needs no copy. */
const packedBytes = 65_536;

/** Palette entry by colour of 5 bits a channel; cleared after each picture. */
const entryOf = new Int16Array(32_768).fill(-1);

/**
 * PNG of opaque pixels, RGBA row by row. A map has few colours: colours that differ in the lowest three bits
 * of a channel share an entry of a palette, and a picture with more than 256 of those is stored in full
 * colour. A third of the bytes and a fifth of the time of a general encoder (docs/performance/map-tiles.md).
 */
export function encodePng(pixels: Uint8Array | Uint8ClampedArray, width: number, height: number): Uint8Array {
  const palette: number[] = [];
  const buckets: number[] = [];
  const rows = room((width + 1) * height);
  let from = 0;
  let to = 0;
  for (let y = 0; y < height && palette.length <= coloursMax; y++) {
    rows[to++] = unfiltered;
    for (let x = 0; x < width; x++, from += 4) {
      const r = pixels[from]!;
      const g = pixels[from + 1]!;
      const b = pixels[from + 2]!;
      const bucket = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
      let entry = entryOf[bucket]!;
      if (entry < 0) {
        entry = palette.length;
        entryOf[bucket] = entry;
        buckets.push(bucket);
        palette.push((r << 16) | (g << 8) | b);
        if (palette.length > coloursMax) break;
      }
      rows[to++] = entry;
    }
  }
  for (const bucket of buckets) entryOf[bucket] = -1;
  if (palette.length > coloursMax)
    return pngOf(width, height, RGB, undefined, fullColour(pixels, width, height));
  const colours = new Uint8Array(3 * palette.length);
  palette.forEach((colour, i) => {
    colours[3 * i] = colour >> 16;
    colours[3 * i + 1] = colour >> 8;
    colours[3 * i + 2] = colour;
  });
  return pngOf(width, height, PALETTE, colours, rows);
}

/** The rows of the current picture; reused, because each is packed before the next. */
let rowsRoom = new Uint8Array();
function room(bytes: number): Uint8Array {
  if (rowsRoom.length < bytes) rowsRoom = new Uint8Array(bytes);
  return rowsRoom.subarray(0, bytes);
}

function fullColour(pixels: Uint8Array | Uint8ClampedArray, width: number, height: number): Uint8Array {
  const rows = room((3 * width + 1) * height);
  let from = 0;
  let to = 0;
  for (let y = 0; y < height; y++) {
    rows[to++] = unfiltered;
    for (let x = 0; x < width; x++, from += 4) {
      rows[to++] = pixels[from]!;
      rows[to++] = pixels[from + 1]!;
      rows[to++] = pixels[from + 2]!;
    }
  }
  return rows;
}

function pngOf(
  width: number,
  height: number,
  colourType: number,
  palette: Uint8Array | undefined,
  rows: Uint8Array,
): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(colourType, 9);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...(palette === undefined ? [] : [chunk('PLTE', palette)]),
    chunk('IDAT', deflateSync(rows, { level: 6, chunkSize: packedBytes })),
    chunk('IEND', new Uint8Array()),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
