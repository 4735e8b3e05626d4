import { pointsPerBatchMax } from '#schemas/http/locations.js';
import { type LocationField, requiredLocationFields } from '#schemas/location-fields.js';
import { E7 } from '#schemas/units.js';
import type { LocationColumns } from './location-columns.js';
import { requiredBounds } from './point-bounds.js';

/**
 * Reads a well-formed batch in one pass from the body's bytes into columns: no text, no object per point. It
 * accepts only what the reader by JSON.parse accepts, with the same result, and stops at the first unexpected
 * byte. The other reader handles all other JSON and reports errors (tests compare the two).
 */

export interface ScannedBatch {
  /** Rows of the columns that were filled, doubled timestamps included. */
  readonly count: number;
  /** Bit `i` says that a point has the optional field `i`. */
  readonly present: number;
  readonly batchId: string | undefined;
}

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const backslash = 0x5c;
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

const batchIdBytesMax = 64;
const decimalsMax = 22;
const tenTo = Array.from({ length: decimalsMax + 1 }, (_, exponent) => 10 ** exponent);
const [[latLeast, latMost], [lngLeast, lngMost], [timeLeast]] = requiredBounds;
const required = requiredBounds.length;

let text: Uint8Array = new Uint8Array(0);
let at = 0;
const letters = (name: string): readonly number[] => [...Buffer.from(`${name}"`)];
const locsName = letters('locs');
const batchIdName = letters('batch_id');

/** Nothing if the batch has another form; the columns then hold what was read so far. */
export type JsonScanner = (
  body: Uint8Array,
  latestMs: number,
  into: LocationColumns,
) => ScannedBatch | undefined;

export function createJsonScanner(fields: readonly LocationField[]): JsonScanner {
  const pointNames = [...requiredLocationFields, ...fields].map(({ name }) => letters(name));
  /** By position in the tuple: the names that a field may have; nothing for a number. */
  const namesOf = [
    ...requiredLocationFields.map(() => undefined),
    ...fields.map(({ values }) => values?.map(letters)),
  ];
  const most = Float64Array.from(fields, (field) => field.most);
  /** The value that becomes 0; no value is NaN. */
  const sameAsZero = Float64Array.from(fields, ({ circular, most }) =>
    circular === true ? most : Number.NaN,
  );
  /** The point being read, in the order of a tuple. */
  const point = new Float64Array(pointNames.length);

  function scan(body: Uint8Array, latestMs: number, into: LocationColumns): ScannedBatch | undefined {
    text = body;
    at = 0;
    let scanned: ScannedBatch | undefined;
    let batchId: string | undefined;
    if (!take(openObject)) return undefined;
    do {
      if (!take(quote)) return undefined;
      if (scanned === undefined && takeName(locsName)) {
        scanned = scanPoints(latestMs, into);
        if (scanned === undefined) return undefined;
      } else if (batchId === undefined && takeName(batchIdName)) {
        batchId = scanBatchId();
        if (batchId === undefined) return undefined;
      } else return undefined;
    } while (take(comma));
    if (!take(closeObject) || scanned === undefined) return undefined;
    skipBlanks();
    if (at !== text.length) return undefined;
    return batchId === undefined ? scanned : { ...scanned, batchId };
  }

  function scanPoints(latestMs: number, into: LocationColumns): ScannedBatch | undefined {
    if (!take(openArray)) return undefined;
    const { latE7, lngE7, timeMs, optional } = into;
    let count = 0;
    let present = 0;
    do {
      if (count === pointsPerBatchMax) return undefined;
      const filled = take(openArray) ? scanTuple() : take(openObject) ? scanObject() : 0;
      if (filled < required) return undefined;
      const [lat, lng, time] = [point[0]!, point[1]!, point[2]!];
      if (!(lat >= latLeast && lat <= latMost && lng >= lngLeast && lng <= lngMost)) return undefined;
      if (!(time >= timeLeast && time <= latestMs && Number.isInteger(time))) return undefined;
      latE7[count] = Math.round(lat * E7);
      lngE7[count] = Math.round(lng * E7);
      timeMs[count] = time;
      if (filled > required || present !== 0) {
        for (let i = 0; i < most.length; i++) {
          const value = point[required + i]!;
          // Comparisons with NaN are false: an absent field is neither outside of its bounds nor counted as
          // present.
          if (value < 0 || value > most[i]!) return undefined;
          if (value >= 0 && !(present & (1 << i))) {
            present |= 1 << i;
            optional[i]!.fill(Number.NaN, 0, count);
          }
          optional[i]![count] = value === sameAsZero[i]! ? 0 : value;
        }
      }
      count++;
    } while (take(comma));
    return take(closeArray) ? { count, present, batchId: undefined } : undefined;
  }

  /** Both return the position of the last field in `point` plus one; 0 on unexpected input. */
  function scanTuple(): number {
    let field = 0;
    do {
      if (field === point.length || !scanValue(field)) return 0;
      field++;
    } while (take(comma));
    for (let rest = field; rest < point.length; rest++) point[rest] = Number.NaN;
    return take(closeArray) ? field : 0;
  }

  function scanObject(): number {
    let seen = 0;
    point.fill(Number.NaN);
    do {
      if (!take(quote)) return 0;
      const field = takePointName();
      if (field < 0 || seen & (1 << field) || !scanValue(field)) return 0;
      seen |= 1 << field;
    } while (take(comma));
    return take(closeObject) ? 32 - Math.clz32(seen) : 0;
  }

  function takePointName(): number {
    for (let field = 0; field < pointNames.length; field++) if (takeName(pointNames[field]!)) return field;
    return -1;
  }

  function scanValue(field: number): boolean {
    const names = field < required ? undefined : namesOf[field];
    if (names === undefined) return scanNumber(field);
    if (!take(quote)) return false;
    for (let index = 0; index < names.length; index++) {
      if (!takeLetters(names[index]!)) continue;
      point[field] = index;
      return true;
    }
    return false;
  }

  /**
   * A number of JSON's grammar into `point[field]`. Up to 2^53 the digits are an exact integer and a power of
   * ten up to 10^22 is exact too, so their quotient is the nearest double, as `Number()` gives it (Clinger
   * 1990).
   */
  function scanNumber(field: number): boolean {
    skipBlanks();
    const start = at;
    let byte = text[at]!;
    const negative = byte === minus;
    if (negative) byte = text[++at]!;
    let digits = 0;
    if (byte === zero) byte = text[++at]!;
    else if (byte > zero && byte <= nine) {
      do {
        digits = digits * 10 + (byte - zero);
        byte = text[++at]!;
      } while (byte >= zero && byte <= nine);
    } else return false;
    let decimals = 0;
    if (byte === dot) {
      byte = text[++at]!;
      const first = at;
      while (byte >= zero && byte <= nine) {
        digits = digits * 10 + (byte - zero);
        byte = text[++at]!;
      }
      decimals = at - first;
      if (decimals === 0) return false;
    }
    let value: number;
    if (digits <= Number.MAX_SAFE_INTEGER && decimals <= decimalsMax) {
      value = decimals === 0 ? digits : digits / tenTo[decimals]!;
      if (negative) value = -value;
    } else value = Number(Buffer.from(text.buffer, text.byteOffset + start, at - start).toString('latin1'));
    point[field] = value;
    return true;
  }

  return scan;
}

/** Reads the letters, the closing quote and the colon; reads nothing if they differ. */
function takeName(name: readonly number[]): boolean {
  const start = at;
  if (takeLetters(name) && take(colon)) return true;
  at = start;
  return false;
}

function takeLetters(name: readonly number[]): boolean {
  for (let letter = 0; letter < name.length; letter++) if (text[at + letter] !== name[letter]) return false;
  at += name.length;
  return true;
}

/** Printable ASCII without escapes. */
function scanBatchId(): string | undefined {
  if (!take(quote)) return undefined;
  const start = at;
  let id = '';
  for (let byte = text[at]!; byte !== quote; byte = text[++at]!) {
    if (!(byte >= 0x20 && byte <= 0x7e) || byte === backslash || at - start === batchIdBytesMax)
      return undefined;
    id += String.fromCharCode(byte);
  }
  at++;
  return id === '' ? undefined : id;
}

/** Skips blanks and then the byte, if it is this one. */
function take(byte: number): boolean {
  if (text[at] !== byte) {
    skipBlanks();
    if (text[at] !== byte) return false;
  }
  at++;
  return true;
}

function skipBlanks(): void {
  for (let byte = text[at]!; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; )
    byte = text[++at]!;
}
