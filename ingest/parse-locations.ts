import { locationBodyBytesMax } from '#schemas/http/locations.js';
import { type LocationField, locationFields } from '#schemas/location-fields.js';
import { createJsonReader } from './json-locations.js';
import { futureMsMax } from './limits.js';
import { createColumns, hasDoubledTime } from './location-columns.js';
import { malformed, type ParsedLocations, protobufType, type RejectedPoint } from './parsed-locations.js';
import { createProtobufReader } from './read-protobuf-batch.js';
import { createJsonScanner } from './scan-json-batch.js';

const noneRejected: readonly RejectedPoint[] = [];

/** Reads the body of a batch, or its query parameter. The points are valid until the next call. */
export type LocationParser = (
  body: Uint8Array,
  contentType: string,
  query: string | undefined,
  nowMs: number,
) => ParsedLocations;

/**
 * Reads `locs` in each of its forms (M-001, M-002): an array, or the JSON text of one. A point is a tuple
 * `[lat, lng, timestamp, …]` or an object with those names. Bad points are named by their index and left out;
 * the good ones stay.
 */
export function createLocationParser(fields: readonly LocationField[]): LocationParser {
  const columns = createColumns(fields);
  const scan = createJsonScanner(fields);
  const readProtobuf = createProtobufReader(fields);
  const json = createJsonReader(fields);
  return (body, contentType, query, nowMs) => {
    if (query !== undefined) return json.readLocs(query, undefined, nowMs);
    if (body.length > locationBodyBytesMax)
      return malformed('', `The body has more than ${locationBodyBytesMax} bytes.`);
    if (contentType === 'application/json') {
      const scanned = scan(body, nowMs + futureMsMax, columns);
      if (scanned === undefined || hasDoubledTime(columns, scanned.count)) return json.readBody(body, nowMs);
      const points = columns.points(scanned.count, scanned.present);
      return { outcome: 'ok', points, batchId: scanned.batchId, duplicate: 0, rejected: noneRejected };
    }
    if (contentType === protobufType) return readProtobuf(body, nowMs, columns);
    return json.readForm(body, nowMs);
  };
}

export const parseLocations: LocationParser = createLocationParser(locationFields);
