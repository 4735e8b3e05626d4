import { pointsPerBatchMax } from '#schemas/http/locations.js';
import { type LocationField, requiredLocationFields } from '#schemas/location-fields.js';
import { E7 } from '#schemas/units.js';
import { futureMsMax } from './limits.js';
import { createColumns } from './location-columns.js';
import { malformed, type ParsedLocations, type RejectedPoint } from './parsed-locations.js';
import { inTheFuture, outside, requiredBounds } from './point-bounds.js';

export interface JsonReader {
  readBody(body: Uint8Array, nowMs: number): ParsedLocations;
  readForm(body: Uint8Array, nowMs: number): ParsedLocations;
  readLocs(given: unknown, batchId: unknown, nowMs: number): ParsedLocations;
}

/** Reads any JSON and reports what is wrong with it: slower than the scanner, and its test oracle. */
export function createJsonReader(fields: readonly LocationField[]): JsonReader {
  const names: readonly string[] = [...requiredLocationFields, ...fields].map(({ name }) => name);
  const bounds = [...requiredBounds, ...fields.map(({ most }) => [0, most] as const)];
  const required = requiredBounds.length;

  function readLocs(given: unknown, batchId: unknown, nowMs: number): ParsedLocations {
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

  /** Columns as long as the batch; the next good point overwrites a rejected or duplicate one. */
  function collect(locs: readonly unknown[], batchId: string | undefined, nowMs: number): ParsedLocations {
    const columns = createColumns(fields, locs.length);
    const rejected: RejectedPoint[] = [];
    const seen = new Set<number>();
    let present = 0;
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
      columns.latE7[count] = Math.round(lat * E7);
      columns.lngE7[count] = Math.round(lng * E7);
      columns.timeMs[count] = time;
      for (const [i, { most, circular }] of fields.entries()) {
        const value = point[required + i];
        columns.optional[i]![count] =
          value === undefined ? Number.NaN : circular === true ? value % most : value;
        if (value !== undefined) present |= 1 << i;
      }
      count++;
    }
    return { outcome: 'ok', points: columns.points(count, present), batchId, duplicate, rejected };
  }

  /** The point as numbers in the order of a tuple, or the sentence that says what is wrong with it. */
  function readPoint(given: unknown, nowMs: number): readonly (number | undefined)[] | string {
    if (typeof given !== 'object' || given === null) return 'A point is an array or an object.';
    let values: readonly unknown[];
    if (Array.isArray(given)) {
      if (given.length < required || given.length > names.length)
        return `A tuple has ${required} to ${names.length} numbers: lat, lng, timestamp, …`;
      values = given;
    } else {
      const unknown = Object.keys(given).find((name) => !names.includes(name));
      if (unknown !== undefined) return `${JSON.stringify(unknown.slice(0, 32))} is not a field of a point.`;
      const named = given as Readonly<Record<string, unknown>>;
      values = names.map((name) => named[name]);
    }
    const read: (number | undefined)[] = [];
    for (const [position, name] of names.entries()) {
      const present = values[position];
      if ((present === undefined || present === null) && position >= required) {
        read.push(undefined);
        continue;
      }
      const value = fields[position - required]?.values === undefined ? present : indexIn(position, present);
      if (typeof value !== 'number' || !Number.isFinite(value)) return `${name} must be a number.`;
      const [least, most] = bounds[position]!;
      if (value < least || value > most) return outside(fields, position);
      read.push(value);
    }
    if (!Number.isInteger(read[2])) return 'timestamp must be a whole number of milliseconds.';
    if (read[2]! > nowMs + futureMsMax) return inTheFuture;
    return read;
  }

  /** The index of the name among those of the field; -1, outside of its bounds, for anything else. */
  function indexIn(position: number, name: unknown): number {
    return fields[position - required]!.values!.indexOf(name as string);
  }

  function readBody(body: Uint8Array, nowMs: number): ParsedLocations {
    const text = decodeText(body);
    if (text === undefined) return malformed('', 'The body is not UTF-8 text.');
    const json = parseJson(text);
    if (json === undefined) return malformed('', 'The body is not valid JSON.');
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      return malformed('', 'The body must be a JSON object with a field `locs`.');
    }
    for (const name of Object.keys(json)) {
      if (name !== 'locs' && name !== 'batch_id') return malformed(`/${name}`, 'This field does not exist.');
    }
    const { locs, batch_id: batchId } = json as { readonly locs?: unknown; readonly batch_id?: unknown };
    return readLocs(locs, batchId, nowMs);
  }

  function readForm(body: Uint8Array, nowMs: number): ParsedLocations {
    const text = decodeText(body);
    if (text === undefined) return malformed('', 'The body is not UTF-8 text.');
    const form = new URLSearchParams(text);
    const locs = form.get('locs');
    if (locs === null) return malformed('/locs', 'The form has no field `locs`.');
    return readLocs(locs, form.get('batch_id') ?? undefined, nowMs);
  }

  return { readBody, readForm, readLocs };
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
