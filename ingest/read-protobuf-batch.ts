import { ColumnReader } from '#platform/wire/column-reader.js';
import { pointsPerBatchMax } from '#schemas/http/locations.js';
import { type LocationField, requiredLocationFields } from '#schemas/location-fields.js';
import { E7 } from '#schemas/units.js';
import { futureMsMax } from './limits.js';
import type { LocationColumns } from './location-columns.js';
import { malformed, type ParsedLocations, type RejectedPoint } from './parsed-locations.js';
import { inTheFuture, outside, requiredBounds } from './point-bounds.js';

/** What is wrong with the bytes, in one sentence for the client. */
class MalformedUpload extends Error {
  override readonly name = 'MalformedUpload';
}

const malformedUpload = (reason: string) => new MalformedUpload(reason);
const batchIdNumber = 2;
const packed = 2;
const required = requiredLocationFields.length;
const allRequired = (1 << required) - 1;
const batchIdCharactersMax = 64;
const noneRejected: readonly RejectedPoint[] = [];
const [[, latMost], [, lngMost], [timeLeast]] = requiredBounds;
const latE7Most = latMost * E7;
const lngE7Most = lngMost * E7;
const strictText = new TextDecoder('utf-8', { fatal: true });

/** The points are valid until the columns are filled again. */
export type ProtobufReader = (body: Uint8Array, nowMs: number, into: LocationColumns) => ParsedLocations;

/** Reads `meridian.location.v1.LocationUpload` into columns. */
export function createProtobufReader(fields: readonly LocationField[]): ProtobufReader {
  const all = [...requiredLocationFields, ...fields];
  /** By the number of the Protobuf field: its place in the columns, -1 where there is none. */
  const positionOf = new Int8Array(Math.max(...all.map(({ number }) => number)) + 1).fill(-1);
  for (const [position, { number }] of all.entries()) positionOf[number] = position;
  const tagEnd = positionOf.length * 8;
  const scale = Float64Array.from(fields, (field) => field.scale);
  const most = Float64Array.from(fields, (field) => field.most);
  /** The value that becomes 0; no value is NaN. */
  const sameAsZero = Float64Array.from(fields, ({ circular, most: greatest }) =>
    circular === true ? greatest : Number.NaN,
  );

  function readUpload(body: Uint8Array, nowMs: number, into: LocationColumns): ParsedLocations {
    const reader = new ColumnReader(body, 'upload', malformedUpload);
    let batchId: string | undefined;
    let seen = 0;
    let count = 0;
    while (!reader.ended) {
      const tag = reader.varint();
      if (tag === batchIdNumber * 8 + packed && batchId === undefined) {
        batchId = readBatchId(reader);
        continue;
      }
      const position = tag < tagEnd && (tag & 7) === packed ? positionOf[tag >>> 3]! : -1;
      if (position < 0) {
        throw new MalformedUpload(
          `The field with the tag ${tag} does not belong to an upload, or its column is not packed.`,
        );
      }
      if (seen & (1 << position))
        throw new MalformedUpload(`The column ${all[position]!.name} occurs twice.`);
      const entries = reader.enterColumn();
      if (entries > pointsPerBatchMax) return { outcome: 'too-many', count: entries };
      if (seen !== 0 && entries !== count)
        throw new MalformedUpload('The columns of the upload differ in length.');
      seen |= 1 << position;
      count = entries;
      if (position === 0) reader.deltas32(into.latE7, count);
      else if (position === 1) reader.deltas32(into.lngE7, count);
      else if (position === 2) reader.deltas64(into.timeMs, count);
      else reader.scaled(into.optional[position - required]!, count, scale[position - required]!);
      reader.leaveColumn();
    }
    if (batchId !== undefined && (batchId.length < 1 || batchId.length > batchIdCharactersMax)) {
      return malformed('/batch_id', `batch_id must be a string of 1 to ${batchIdCharactersMax} characters.`);
    }
    if (count === 0) return malformed('', 'The upload is empty; send at least one point.');
    if ((seen & allRequired) !== allRequired) {
      throw new MalformedUpload('The upload has no column of latitudes, longitudes or times.');
    }
    return judge(into, count, seen >> required, batchId, nowMs + futureMsMax);
  }

  /** Compacts the columns to the good points and lists the others. */
  function judge(
    columns: LocationColumns,
    count: number,
    present: number,
    batchId: string | undefined,
    latestMs: number,
  ): ParsedLocations {
    let rejected = noneRejected as RejectedPoint[];
    let kept = 0;
    let duplicate = 0;
    let seen: Set<number> | undefined;
    const { timeMs } = columns;
    for (let row = 0; row < count; row++) {
      const fault = faultOf(columns, row, present, latestMs);
      if (fault !== undefined) {
        if (rejected === noneRejected) rejected = [];
        rejected.push({ index: row, reason: fault });
        continue;
      }
      // Only a time that is out of order can be a duplicate.
      if (kept > 1 && seen === undefined && !goesOn(timeMs, kept, timeMs[row]!))
        seen = new Set(timeMs.subarray(0, kept));
      if (seen?.has(timeMs[row]!) === true || (kept === 1 && timeMs[0] === timeMs[row])) {
        duplicate++;
        continue;
      }
      seen?.add(timeMs[row]!);
      if (kept !== row) moveRow(columns, row, kept, present);
      kept++;
    }
    return { outcome: 'ok', points: columns.points(kept, present), batchId, duplicate, rejected };
  }

  function faultOf(
    columns: LocationColumns,
    row: number,
    present: number,
    latestMs: number,
  ): string | undefined {
    if (Math.abs(columns.latE7[row]!) > latE7Most) return outside(fields, 0);
    if (Math.abs(columns.lngE7[row]!) > lngE7Most) return outside(fields, 1);
    const time = columns.timeMs[row]!;
    if (!(time >= timeLeast)) return outside(fields, 2);
    if (time > latestMs) return inTheFuture;
    if (present === 0) return undefined;
    for (let i = 0; i < most.length; i++) {
      if (!(present & (1 << i))) continue;
      const column = columns.optional[i]!;
      if (column[row]! > most[i]!) return outside(fields, required + i);
      if (column[row] === sameAsZero[i]) column[row] = 0;
    }
    return undefined;
  }

  return (body, nowMs, into) => {
    try {
      return readUpload(body, nowMs, into);
    } catch (error) {
      if (error instanceof MalformedUpload) return malformed('', error.message);
      throw error;
    }
  };
}

function readBatchId(reader: ColumnReader): string {
  const bytes = reader.content();
  try {
    return strictText.decode(bytes);
  } catch {
    throw new MalformedUpload('batch_id is not UTF-8 text.');
  }
}

function goesOn(timeMs: Float64Array, kept: number, next: number): boolean {
  const before = timeMs[kept - 1]!;
  return before > timeMs[kept - 2]! ? next > before : next < before;
}

function moveRow(columns: LocationColumns, from: number, to: number, present: number): void {
  columns.latE7[to] = columns.latE7[from]!;
  columns.lngE7[to] = columns.lngE7[from]!;
  columns.timeMs[to] = columns.timeMs[from]!;
  for (const [i, column] of columns.optional.entries()) {
    if (present & (1 << i)) column[to] = column[from]!;
  }
}
