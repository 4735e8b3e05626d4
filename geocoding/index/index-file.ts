import { crc32 } from 'node:zlib';
import type { Scratch } from '#map-data/arrays/scratch.js';
import { limits } from './limits.js';

const MAGIC = 0x4d47454f; // 'MGEO'
const VERSION = 2;
const HEADER_BYTES = 16;

/** No row, no name: the largest number of a column. */
export const NOTHING = 0xffffffff;

/** No key of a tag. */
export const NO_KEY = 0xff;

const columnTypes = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f64: Float64Array,
} as const;
type ColumnType = keyof typeof columnTypes;
interface ColumnNumbers {
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f64: Float64Array;
}

/** Columns of the file in their order; `docs/formats/geocode-index.md` says what each holds. */
export const columns = {
  key: 'f64',
  lngE7: 'i32',
  latE7: 'i32',
  kind: 'u8',
  settlement: 'u32',
  postcode: 'u32',
  category: 'u16',
  importance: 'u8',
  box: 'i32',
  firstName: 'u32',
  nameText: 'u32',
  nameLanguage: 'u8',
  firstHouse: 'u32',
  houseStreet: 'u32',
  houseNumber: 'u32',
  houseSuffix: 'u32',
  houseInterpolated: 'u8',
  access: 'u32',
  accessWay: 'u32',
  accessLngE7: 'i32',
  accessLatE7: 'i32',
  accessSide: 'u8',
  textFirst: 'u32',
  textBytes: 'u8',
  wordFirst: 'u32',
  wordChars: 'u16',
  wordShared: 'u8',
  entryPlace: 'u32',
  entryName: 'u32',
  firstPosting: 'u32',
  postings: 'u32',
  byKey: 'u32',
  pointRow: 'u32',
  pointTree: 'u8',
  wayId: 'f64',
  wayStreet: 'u32',
  areaRow: 'u32',
  areaFirstRing: 'u32',
  ringFirst: 'u32',
  ringLngE7: 'i32',
  ringLatE7: 'i32',
  areaSet: 'u32',
  setFirst: 'u32',
  setArea: 'u32',
  tagKey: 'u8',
  areaRelation: 'f64',
  areaLevel: 'u8',
} as const satisfies Record<string, ColumnType>;
/** Columns from here on are empty in files of programs that did not write them. */
const firstLater: ColumnName = 'tagKey';
export type ColumnName = keyof typeof columns;
export type IndexColumns = { readonly [Name in ColumnName]: ColumnNumbers[(typeof columns)[Name]] };

/** The head of the file. */
export interface IndexHead {
  /** The tileset of the same extract; access points are on its roads. */
  readonly tilesetId: string;
  readonly attribution: string;
  /** ISO code, may be empty. */
  readonly country: string;
  /** Pairs of the row of a country and its ISO code. */
  readonly countryCodes: readonly (readonly [row: number, code: string])[];
  /** West, south, east, north of everything in it, in 1e-7 degrees. */
  readonly bounds: readonly [number, number, number, number];
  /** By number in `nameLanguage`. */
  readonly languages: readonly string[];
  /** By number in `category`. */
  readonly categories: readonly string[];
  /** By number in `tagKey`; absent in older files. */
  readonly tagKeys?: readonly string[];
}

/** The bytes are not a complete index; the message gives the reason. */
export class InvalidGeocodeIndex extends Error {
  override readonly name = 'InvalidGeocodeIndex';
}

const names = Object.keys(columns) as ColumnName[];
const aligned = (length: number): number => Math.ceil(length / 8) * 8;

/**
 * ```text
 *  0        4         8             12     16                      each column at a multiple of 8
 *  | "MGEO" | version | head bytes | 0 | head: JSON with lengths … | column | column | … | crc32 |
 * ```
 * Little-endian, as the columns are read in place. The bytes are those of the scratch, until the next index
 * is encoded.
 */
export function encodeIndex(head: IndexHead, data: IndexColumns, scratch: Scratch): Uint8Array {
  const json = new TextEncoder().encode(
    JSON.stringify({ ...head, lengths: names.map((name) => data[name].length) }),
  );
  let length = aligned(HEADER_BYTES + json.length);
  for (const name of names) length = aligned(length + data[name].byteLength);
  const bytes = scratch.uint8('file', length + 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint32(0, MAGIC);
  view.setUint32(4, VERSION, true);
  view.setUint32(8, json.length, true);
  view.setUint32(12, 0);
  let at = HEADER_BYTES;
  const put = (part: Uint8Array): void => {
    bytes.set(part, at);
    const end = at + part.length;
    at = aligned(end);
    bytes.fill(0, end, at);
  };
  put(json);
  for (const name of names) {
    const { buffer, byteOffset, byteLength } = data[name];
    put(new Uint8Array(buffer, byteOffset, byteLength));
  }
  view.setUint32(length, crc32(bytes.subarray(0, length)), true);
  return bytes;
}

/** Views on the bytes, nothing is copied. Throws `InvalidGeocodeIndex`. */
export function decodeIndex(given: Uint8Array): { head: IndexHead; data: IndexColumns } {
  if (given.length < HEADER_BYTES + 4)
    throw new InvalidGeocodeIndex(`it is cut off at ${given.length} bytes`);
  if (given.length > limits.indexBytesMax) throw new InvalidGeocodeIndex(`it has ${given.length} bytes`);
  // Columns must begin at multiples of eight, which a slice of a pool need not.
  const bytes = given.byteOffset % 8 === 0 ? given : given.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== MAGIC) throw new InvalidGeocodeIndex('it does not begin with "MGEO"');
  const version = view.getUint32(4, true);
  if (version !== VERSION)
    throw new InvalidGeocodeIndex(`its format is version ${version}, this program reads ${VERSION}`);
  const end = bytes.length - 4;
  if (view.getUint32(end, true) !== crc32(bytes.subarray(0, end)))
    throw new InvalidGeocodeIndex('its checksum does not match');
  const jsonEnd = HEADER_BYTES + view.getUint32(8, true);
  if (jsonEnd > end) throw new InvalidGeocodeIndex('its head is longer than the file');
  const { lengths, ...head } = JSON.parse(
    new TextDecoder().decode(bytes.subarray(HEADER_BYTES, jsonEnd)),
  ) as IndexHead & { readonly lengths: readonly number[] };
  let at = aligned(jsonEnd);
  const laterFrom = names.indexOf(firstLater);
  const data = Object.fromEntries(
    names.map((name, index) => {
      const type = columnTypes[columns[name]];
      const length = lengths[index] ?? (index >= laterFrom ? 0 : -1);
      if (length < 0 || !Number.isSafeInteger(length) || at + length * type.BYTES_PER_ELEMENT > end)
        throw new InvalidGeocodeIndex(`its column ${name} is longer than the file`);
      const column = new type(bytes.buffer as ArrayBuffer, bytes.byteOffset + at, length);
      at = aligned(at + column.byteLength);
      return [name, column];
    }),
  ) as unknown as IndexColumns;
  return { head, data };
}
