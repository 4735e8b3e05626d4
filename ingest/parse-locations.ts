import { locationBodyBytesMax, pointsPerBatchMax } from '#schemas/http/locations.js';
import type { LocationPoints } from '#schemas/location.js';
import { E7 } from '#schemas/units.js';
import { futureMsMax } from './limits.js';
import { createColumns, hasDoubledTime, pointsOf } from './location-columns.js';
import { malformed, type ParsedLocations, protobufType, type RejectedPoint } from './parsed-locations.js';
import { pointBounds as bounds, pointFields as fields, inTheFuture, outside } from './point-bounds.js';
import { readProtobufBatch } from './read-protobuf-batch.js';
import { scanJsonBatch } from './scan-json-batch.js';

const columns = createColumns();
const noneRejected: readonly RejectedPoint[] = [];

/**
 * Reads `locs` in each of its forms (M-001, M-002): an array, or the JSON text of one. A point is a tuple
 * `[lat, lng, timestamp, accuracy?, speed?, heading?]` or an object with those names. Bad points are named by their
 * index and left out; the good ones stay. The points are valid until the next call.
 */
export function parseLocations(
  body: Uint8Array,
  contentType: string,
  query: string | undefined,
  nowMs: number,
): ParsedLocations {
  if (query !== undefined) return parseLocs(query, undefined, nowMs);
  if (body.length > locationBodyBytesMax)
    return malformed('', `The body is over ${locationBodyBytesMax} bytes.`);
  if (contentType === 'application/json') {
    const scanned = scanJsonBatch(body, nowMs + futureMsMax, columns);
    if (scanned === undefined || hasDoubledTime(columns, scanned.count))
      return parseJsonLocations(body, nowMs);
    const points = pointsOf(columns, scanned.count, scanned.extras);
    return { outcome: 'ok', points, batchId: scanned.batchId, duplicate: 0, rejected: noneRejected };
  }
  if (contentType === protobufType) return readProtobufBatch(body, nowMs, columns);
  return parseForm(body, nowMs);
}

/** Any JSON, and what is wrong with it: slower, and the referee of the scanner. */
export function parseJsonLocations(body: Uint8Array, nowMs: number): ParsedLocations {
  const text = decodeText(body);
  if (text === undefined) return malformed('', 'The body is not UTF-8 text.');
  const json = parseJson(text);
  if (json === undefined) return malformed('', 'The body is not valid JSON.');
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return malformed('', 'The body must be a JSON object with a field `locs`.');
  }
  for (const name of Object.keys(json)) {
    if (name !== 'locs' && name !== 'batch_id') return malformed(`/${name}`, 'There is no such field.');
  }
  const { locs, batch_id: batchId } = json as { readonly locs?: unknown; readonly batch_id?: unknown };
  return parseLocs(locs, batchId, nowMs);
}

function parseForm(body: Uint8Array, nowMs: number): ParsedLocations {
  const text = decodeText(body);
  if (text === undefined) return malformed('', 'The body is not UTF-8 text.');
  const form = new URLSearchParams(text);
  const locs = form.get('locs');
  if (locs === null) return malformed('/locs', 'The form has no field `locs`.');
  return parseLocs(locs, form.get('batch_id') ?? undefined, nowMs);
}

function decodeText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseLocs(given: unknown, batchId: unknown, nowMs: number): ParsedLocations {
  if (batchId !== undefined && (typeof batchId !== 'string' || batchId.length < 1 || batchId.length > 64)) {
    return malformed('/batch_id', 'batch_id must be a string of 1 to 64 characters.');
  }
  const locs = typeof given === 'string' ? parseJson(given) : given;
  if (!Array.isArray(locs)) {
    return malformed('/locs', '`locs` must be an array of points, or the JSON text of one.');
  }
  if (locs.length === 0) return malformed('/locs', '`locs` is empty; send at least one point.');
  if (locs.length > pointsPerBatchMax) return { outcome: 'too-many', count: locs.length };
  return collect(locs, batchId, nowMs);
}

/** Columns as long as the batch; a rejected or doubled point is overwritten by the next good one. */
function collect(locs: readonly unknown[], batchId: string | undefined, nowMs: number): ParsedLocations {
  const latE7 = new Int32Array(locs.length);
  const lngE7 = new Int32Array(locs.length);
  const timeMs = new Float64Array(locs.length);
  const extras = [0, 1, 2].map(() => new Float32Array(locs.length).fill(Number.NaN));
  const extraSeen = [false, false, false];
  const rejected: RejectedPoint[] = [];
  const seen = new Set<number>();
  let count = 0;
  let duplicate = 0;
  for (const [index, given] of locs.entries()) {
    const point = readPoint(given, nowMs);
    if (typeof point === 'string') {
      rejected.push({ index, reason: point });
      continue;
    }
    const [lat, lng, time] = point as [number, number, number];
    if (seen.has(time)) {
      duplicate++;
      continue;
    }
    seen.add(time);
    latE7[count] = Math.round(lat * E7);
    lngE7[count] = Math.round(lng * E7);
    timeMs[count] = time;
    for (let extra = 0; extra < 3; extra++) {
      const value = point[3 + extra];
      if (value === undefined) continue;
      extras[extra]![count] = extra === 2 ? value % 360 : value;
      extraSeen[extra] = true;
    }
    count++;
  }
  const points: LocationPoints = {
    count,
    latE7,
    lngE7,
    timeMs,
    ...(extraSeen[0] ? { accuracyM: extras[0]! } : {}),
    ...(extraSeen[1] ? { speedMps: extras[1]! } : {}),
    ...(extraSeen[2] ? { headingDeg: extras[2]! } : {}),
  };
  return { outcome: 'ok', points, batchId, duplicate, rejected };
}

/** The point as numbers in the order of `fields`, or the sentence that says what is wrong with it. */
function readPoint(given: unknown, nowMs: number): readonly (number | undefined)[] | string {
  if (typeof given !== 'object' || given === null) return 'A point is an array or an object.';
  let values: readonly unknown[];
  if (Array.isArray(given)) {
    if (given.length < 3 || given.length > 6) return 'A tuple has 3 to 6 numbers: lat, lng, timestamp, …';
    values = given;
  } else {
    const unknown = Object.keys(given).find((name) => !(fields as readonly string[]).includes(name));
    if (unknown !== undefined) return `There is no field ${JSON.stringify(unknown.slice(0, 32))} in a point.`;
    const named = given as Readonly<Record<string, unknown>>;
    values = fields.map((name) => named[name]);
  }
  for (const [position, name] of fields.entries()) {
    const value = values[position];
    if ((value === undefined || value === null) && position > 2) continue;
    if (typeof value !== 'number' || !Number.isFinite(value)) return `${name} must be a number.`;
    const [least, most] = bounds[position]!;
    if (value < least || value > most) return outside(position);
  }
  if (!Number.isInteger(values[2])) return 'timestamp must be whole milliseconds.';
  if ((values[2] as number) > nowMs + futureMsMax) return inTheFuture;
  return values.map((value) => (typeof value === 'number' ? value : undefined));
}
