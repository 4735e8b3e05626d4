import type { LocationBatch, LocationPoints } from '#schemas/location.js';
import { type LocationField, locationFields, requiredLocationFields } from '#schemas/location-fields.js';
import type { UserId } from '#schemas/units.js';
import { ColumnReader } from './column-reader.js';
import { wireLimits } from './limits.js';
import type { MessageBody } from './message-body.js';
import { UndecodableRecord } from './topic-codec.js';

/**
 * `meridian.location.v1.LocationBatch` between typed arrays and Protobuf bytes, without an object per point:
 * the hottest message of the platform. Any Protobuf reader reads these bytes; this one reads what Protobuf
 * writers write for packed fields, each column in one piece.
 */

/** Zigzag doubles a number, so the difference of any two of these is still exact below 2^53. */
const TIME_MAX = 2 ** 50;
const UINT32_MAX = 2 ** 32 - 1;
const COLUMN_BYTES_PER_POINT = 10;
const PACKED = 2;
const [{ number: LAT }, { number: LNG }, { number: TIME }] = requiredLocationFields;
const undecodable = (reason: string) => new UndecodableRecord(reason);

/**
 * Batches are written one after the other, and each is returned as a view: nothing is copied, and a full page
 * is left to its views.
 */
const PAGE_BYTES = 256 * 1024;
let scratch = Buffer.allocUnsafeSlow(PAGE_BYTES);
let at = 0;

/** Points whose optional columns are added by name. */
type Writable = { [column: string]: number | Int32Array | Float64Array | Float32Array };

export function createLocationBatchBody(fields: readonly LocationField[]): MessageBody<LocationBatch> {
  const columnNames = fields.map(({ column }) => column);
  const readers = fields.map(({ of }) => of);
  /** By the number of the Protobuf field: its place in `fields`, -1 where there is none. */
  const indexOf = new Int8Array(Math.max(...fields.map(({ number }) => number)) + 1).fill(-1);
  for (const [index, { number }] of fields.entries()) indexOf[number] = index;
  const tagEnd = indexOf.length * 8;
  const columnsMax = requiredLocationFields.length + fields.length;

  function writeColumns(points: LocationPoints): void {
    const { count, latE7, lngE7, timeMs } = points;
    writeDeltas32(LAT, latE7, count);
    writeDeltas32(LNG, lngE7, count);
    writeTimes(timeMs, count);
    for (let i = 0; i < fields.length; i++) {
      const column = readers[i]!(points as unknown as Parameters<LocationField['of']>[0]);
      if (column !== undefined) writeScaled(fields[i]!, column, count);
    }
  }

  return {
    name: 'meridian.location.v1.LocationBatch',

    encode(batch, header) {
      const { count } = batch.points;
      if (count > wireLimits.pointsMax)
        throw new RangeError(`A batch has ${count} points; the limit is ${wireLimits.pointsMax}.`);
      const bytesMax =
        header.length +
        columnsMax * COLUMN_BYTES_PER_POINT * (count + 1) +
        4 * wireLimits.idCharactersMax * 2 +
        64;
      if (scratch.length - at < bytesMax) {
        scratch = Buffer.allocUnsafeSlow(Math.max(PAGE_BYTES, bytesMax));
        at = 0;
      }
      const begin = at;
      for (let i = 0; i < header.length; i++) scratch[at++] = header[i]!;
      writeText(0x0a, batch.userId);
      writeText(0x12, batch.batchId);
      if (batch.receivedMs !== 0) {
        scratch[at++] = 0x18;
        writeVarint(Math.max(0, wholeTime(batch.receivedMs)));
      }
      if (count > 0) writeColumns(batch.points);
      return scratch.subarray(begin, at);
    },

    decode(body, exact) {
      const reader = new ColumnReader(body, 'batch', undecodable);
      let userId = '';
      let batchId = '';
      let receivedMs = 0;
      let count = 0;
      let columns = 0;
      let latE7: Int32Array | undefined;
      let lngE7: Int32Array | undefined;
      let timeMs: Float64Array | undefined;
      const optional: (Float32Array | undefined)[] = [];
      while (!reader.ended) {
        const tag = reader.varint();
        if (tag === 0x0a) userId = reader.text();
        else if (tag === 0x12) batchId = reader.text();
        else if (tag === 0x18) receivedMs = reader.varint();
        else {
          const known = tag < tagEnd && (tag & 7) === PACKED;
          const number = known ? tag >>> 3 : 0;
          const index = indexOf[number]!;
          if (index < 0 && number !== LAT && number !== LNG && number !== TIME) {
            if (exact)
              throw new UndecodableRecord(
                `The batch has a field with the tag ${tag}, unknown to its schema.`,
              );
            reader.skip(tag & 7);
            continue;
          }
          const entries = reader.enterColumn();
          if (entries > wireLimits.pointsMax) throw new UndecodableRecord(`The batch has ${entries} points.`);
          if (columns++ > 0 && entries !== count)
            throw new UndecodableRecord(`The columns of the batch have ${count} and ${entries} entries.`);
          count = entries;
          if (index >= 0) {
            const column = new Float32Array(entries);
            reader.scaled(column, entries, fields[index]!.scale);
            optional[index] = column;
          } else if (number === LAT) {
            latE7 = new Int32Array(entries);
            reader.deltas32(latE7, entries);
          } else if (number === LNG) {
            lngE7 = new Int32Array(entries);
            reader.deltas32(lngE7, entries);
          } else {
            timeMs = new Float64Array(entries);
            reader.deltas64(timeMs, entries);
          }
          reader.leaveColumn();
        }
      }
      if (columns > 0 && (latE7 === undefined || lngE7 === undefined || timeMs === undefined))
        throw new UndecodableRecord('The batch lacks the column of latitudes, longitudes or times.');
      if (userId.length === 0 || userId.length > wireLimits.idCharactersMax)
        throw new UndecodableRecord(`The batch's user id has ${userId.length} characters.`);
      const points: Writable = {
        count,
        latE7: latE7 ?? new Int32Array(0),
        lngE7: lngE7 ?? new Int32Array(0),
        timeMs: timeMs ?? new Float64Array(0),
      };
      for (let i = 0; i < optional.length; i++) {
        const column = optional[i];
        if (column !== undefined) points[columnNames[i]!] = column;
      }
      return { userId: userId as UserId, batchId, receivedMs, points: points as unknown as LocationPoints };
    },
  };
}

export const locationBatchBody: MessageBody<LocationBatch> = createLocationBatchBody(locationFields);

function writeTimes(column: Float64Array, count: number): void {
  const start = beginColumn(TIME);
  let before = 0;
  for (let i = 0; i < count; i++) {
    const time = wholeTime(column[i]!);
    const delta = time - before;
    before = time;
    writeVarint(delta >= 0 ? delta * 2 : -delta * 2 - 1);
  }
  endColumn(start);
}

function writeDeltas32(number: number, column: Int32Array, count: number): void {
  const start = beginColumn(number);
  let before = 0;
  for (let i = 0; i < count; i++) {
    const value = column[i]!;
    // Wraps around 2^32 as the reader's sum does, so that every pair of 32-bit values has a 32-bit
    // difference.
    const delta = (value - before) | 0;
    before = value;
    let zigzag = ((delta << 1) ^ (delta >> 31)) >>> 0;
    while (zigzag > 0x7f) {
      scratch[at++] = (zigzag & 0x7f) | 0x80;
      zigzag >>>= 7;
    }
    scratch[at++] = zigzag;
  }
  endColumn(start);
}

/** In parts of the unit, plus one; 0 for an unknown value. A column without known values is not written. */
function writeScaled(field: LocationField, column: Float32Array, count: number): void {
  const { number, scale, most, circular } = field;
  const modulus = circular === true ? most * scale : UINT32_MAX;
  const begin = at;
  const start = beginColumn(number);
  let known = false;
  for (let i = 0; i < count; i++) {
    const value = column[i]!;
    if (value >= 0 && value * scale < UINT32_MAX - 1) {
      known = true;
      writeVarint((Math.round(value * scale) % modulus) + 1);
    } else scratch[at++] = 0;
  }
  if (known) endColumn(start);
  else at = begin;
}

function beginColumn(number: number): number {
  const tag = number * 8 + PACKED;
  if (tag < 0x80) scratch[at++] = tag;
  else writeVarint(tag);
  return ++at;
}

/** The length in front of a column takes one byte up to 127 bytes; for longer ones the column moves back. */
function endColumn(start: number): void {
  const length = at - start;
  if (length <= 0x7f) {
    scratch[start - 1] = length;
    return;
  }
  const more = length <= 0x3fff ? 1 : length <= 0x1fffff ? 2 : 3;
  scratch.copyWithin(start + more, start, at);
  at = start - 1;
  writeVarint(length);
  at += length;
}

function writeText(tag: number, text: string): void {
  if (text.length === 0) return;
  if (text.length > wireLimits.idCharactersMax)
    throw new RangeError(`An id has ${text.length} characters; the limit is ${wireLimits.idCharactersMax}.`);
  scratch[at++] = tag;
  const start = ++at;
  // Ids are usually short and ASCII, which a loop writes faster than native code.
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) {
      at = start + scratch.write(text, start);
      break;
    }
    scratch[at++] = code;
  }
  endColumn(start);
}

function writeVarint(value: number): void {
  let rest = value;
  for (; rest > 0x7fffffff; rest = Math.floor(rest / 128)) scratch[at++] = (rest & 0x7f) | 0x80;
  for (; rest > 0x7f; rest >>>= 7) scratch[at++] = (rest & 0x7f) | 0x80;
  scratch[at++] = rest;
}

function wholeTime(ms: number): number {
  if (Number.isInteger(ms) && Math.abs(ms) <= TIME_MAX) return ms;
  throw new RangeError(`${ms} is not a time in whole Unix milliseconds.`);
}
