import { pointsPerBatchMax } from '#schemas/http/locations.js';
import { E7 } from '#schemas/units.js';
import { futureMsMax } from './limits.js';
import { hasAccuracy, hasHeading, hasSpeed, type LocationColumns, pointsOf } from './location-columns.js';
import { malformed, type ParsedLocations, type RejectedPoint } from './parsed-locations.js';
import { inTheFuture, outside, pointBounds } from './point-bounds.js';
import { ColumnReader, MalformedUpload } from './protobuf-columns.js';

const batchIdTag = 0x12;
const firstColumnTag = 0x22;
const lastColumnTag = 0x4a;
const columnNames = ['lat_e7', 'lng_e7', 'time_ms', 'accuracy', 'speed', 'heading'] as const;
const requiredColumns = 0b111;
const extraScales = [10, 100, 10] as const;
const batchIdCharactersMax = 64;
const noneRejected: readonly RejectedPoint[] = [];
const [[, latMost], [, lngMost], [timeLeast]] = pointBounds;
const latE7Most = latMost * E7;
const lngE7Most = lngMost * E7;

/** Reads `meridian.location.v1.LocationUpload` into columns. The points are valid until the columns are filled again. */
export function readProtobufBatch(body: Uint8Array, nowMs: number, into: LocationColumns): ParsedLocations {
  try {
    return readUpload(body, nowMs, into);
  } catch (error) {
    if (error instanceof MalformedUpload) return malformed('', error.message);
    throw error;
  }
}

function readUpload(body: Uint8Array, nowMs: number, into: LocationColumns): ParsedLocations {
  const reader = new ColumnReader(body);
  let batchId: string | undefined;
  let seen = 0;
  let count = 0;
  while (!reader.ended) {
    const tag = reader.varint();
    if (tag === batchIdTag && batchId === undefined) {
      batchId = reader.text();
      continue;
    }
    const field = (tag - firstColumnTag) / 8;
    if (tag < firstColumnTag || tag > lastColumnTag || !Number.isInteger(field)) {
      throw new MalformedUpload(
        `The upload holds a field with the tag ${tag}, which is none of it, or its columns are not packed.`,
      );
    }
    if (seen & (1 << field)) throw new MalformedUpload(`The column ${columnNames[field]} comes twice.`);
    const entries = reader.enterColumn();
    if (entries > pointsPerBatchMax) return { outcome: 'too-many', count: entries };
    if (seen !== 0 && entries !== count)
      throw new MalformedUpload('The columns of the upload differ in length.');
    seen |= 1 << field;
    count = entries;
    readColumn(reader, field, count, into);
    reader.leaveColumn();
  }
  if (batchId !== undefined && (batchId.length < 1 || batchId.length > batchIdCharactersMax)) {
    return malformed('/batch_id', `batch_id must be a string of 1 to ${batchIdCharactersMax} characters.`);
  }
  if (count === 0) return malformed('', 'The upload is empty; send at least one point.');
  if ((seen & requiredColumns) !== requiredColumns) {
    throw new MalformedUpload('The upload lacks the column of latitudes, longitudes or times.');
  }
  return judge(into, count, seen >> 3, batchId, nowMs + futureMsMax);
}

function readColumn(reader: ColumnReader, field: number, count: number, into: LocationColumns): void {
  if (field === 0) reader.deltas32(into.latE7, count);
  else if (field === 1) reader.deltas32(into.lngE7, count);
  else if (field === 2) reader.deltas64(into.timeMs, count);
  else reader.scaled(extraColumn(into, field - 3), count, extraScales[field - 3]!);
}

function extraColumn({ accuracyM, speedMps, headingDeg }: LocationColumns, extra: number): Float32Array {
  return extra === 0 ? accuracyM : extra === 1 ? speedMps : headingDeg;
}

/** Moves the good points of the columns together and names the others. */
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
    // Only a time that does not go on in the direction of the batch can be a doubled one.
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
  return { outcome: 'ok', points: pointsOf(columns, kept, present), batchId, duplicate, rejected };
}

function goesOn(timeMs: Float64Array, kept: number, next: number): boolean {
  const before = timeMs[kept - 1]!;
  return before > timeMs[kept - 2]! ? next > before : next < before;
}

function faultOf(
  columns: LocationColumns,
  row: number,
  present: number,
  latestMs: number,
): string | undefined {
  if (Math.abs(columns.latE7[row]!) > latE7Most) return outside(0);
  if (Math.abs(columns.lngE7[row]!) > lngE7Most) return outside(1);
  const time = columns.timeMs[row]!;
  if (!(time >= timeLeast)) return outside(2);
  if (time > latestMs) return inTheFuture;
  if (present === 0) return undefined;
  if (present & hasAccuracy && columns.accuracyM[row]! > pointBounds[3][1]) return outside(3);
  if (present & hasSpeed && columns.speedMps[row]! > pointBounds[4][1]) return outside(4);
  if (present & hasHeading) {
    if (columns.headingDeg[row]! > pointBounds[5][1]) return outside(5);
    if (columns.headingDeg[row] === pointBounds[5][1]) columns.headingDeg[row] = 0;
  }
  return undefined;
}

function moveRow(columns: LocationColumns, from: number, to: number, present: number): void {
  columns.latE7[to] = columns.latE7[from]!;
  columns.lngE7[to] = columns.lngE7[from]!;
  columns.timeMs[to] = columns.timeMs[from]!;
  for (let extra = 0; extra < extraScales.length; extra++) {
    const column = extraColumn(columns, extra);
    if (present & (1 << extra)) column[to] = column[from]!;
  }
}
