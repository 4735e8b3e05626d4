import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonReader } from '#ingest/json-locations.js';
import { createColumns } from '#ingest/location-columns.js';
import { parseLocations } from '#ingest/parse-locations.js';
import type { ParsedLocations } from '#ingest/parsed-locations.js';
import { createJsonScanner } from '#ingest/scan-json-batch.js';
import { locationFields } from '#schemas/location-fields.js';
import { runs } from '../property-runs.js';

const now = Date.UTC(2026, 10, 21, 12);
const columns = ['latE7', 'lngE7', 'timeMs', 'accuracyM', 'speedMps', 'headingDeg', 'modeIndex'] as const;

/**
 * Every observable part of an outcome, as text, so that NaN equals NaN and 0 differs from an absent value.
 */
function seen(parsed: ParsedLocations): string {
  if (parsed.outcome !== 'ok') return JSON.stringify(parsed);
  const { points, batchId, duplicate, rejected } = parsed;
  const values = columns.map((name) => points[name]?.subarray(0, points.count).join());
  return JSON.stringify([points.count, batchId, duplicate, rejected, values]);
}

const byScanner = (body: Uint8Array) => seen(parseLocations(body, 'application/json', undefined, now));
const oracle = createJsonReader(locationFields);
const byOracle = (body: Uint8Array) => seen(oracle.readBody(body, now));

const number = fc.oneof(
  fc.double({ min: -181, max: 181, noNaN: true }),
  fc.integer({ min: -1_800_000_001, max: 1_800_000_001 }).map((e7) => e7 / 1e7),
  fc.constantFrom(
    '1e1',
    '-0',
    '0.10',
    '1E-2',
    '57.70891234567890123',
    '00',
    '.5',
    '1.',
    '-',
    '+1',
    'null',
    '1e',
    '0x1',
  ),
);
const time = fc.oneof(
  fc.integer({ min: now - 50, max: now + 400_000 }),
  fc.constantFrom(5, now - 0.5, 2 ** 53, '1.7e12'),
);
const blank = fc.constantFrom('', '', '', ' ', '\n\t', '\r');
const word = fc.constantFrom(
  '"driving"',
  '"walking"',
  '"bicycling"',
  '"flying"',
  '"driving',
  '"Driving"',
  '"driv\\u0069ng"',
  '""',
);
const value = fc.oneof({ weight: 3, arbitrary: number }, word);
const tuple = fc
  .tuple(number, number, time, fc.array(value, { maxLength: 5 }), blank)
  .map(([lat, lng, at, more, gap]) => `[${gap}${[lat, lng, at, ...more].join(`${gap},`)}]`);
const fieldName = fc.constantFrom(
  'lat',
  'lng',
  'timestamp',
  'accuracy',
  'speed',
  'heading',
  'mode',
  'l\\u0061t',
  'name',
);
const object = fc
  .tuple(number, number, time, fc.array(fc.tuple(fieldName, value), { maxLength: 3 }), blank)
  .map(([lat, lng, at, more, gap]) => {
    const fields = [['lat', lat], ['lng', lng], ['timestamp', at], ...more];
    return `{${gap}${fields.map(([name, value]) => `"${name}"${gap}:${gap}${value}`).join(',')}${gap}}`;
  });
const batchId = fc.constantFrom(
  '',
  ',"batch_id":"b-1"',
  ',"batch_id":""',
  ',"batch_id":"ä"',
  ',"batch_id":7',
  ',"batch_id":"\\n"',
);
const bodyText = fc
  .tuple(fc.array(fc.oneof(tuple, object), { maxLength: 6 }), batchId, blank)
  .map(([points, id, gap]) => `${gap}{"locs":${gap}[${points.join(`,${gap}`)}]${id}}${gap}`);

describe('the scanner of plain JSON batches', () => {
  it('M-001: accepts exactly what JSON.parse accepts, with the same result', () => {
    fc.assert(
      fc.property(bodyText, (text) => {
        const body = Buffer.from(text);
        expect(byScanner(body)).toBe(byOracle(body));
      }),
      { numRuns: runs(10_000) },
    );
  });

  it('reads the travel mode in both forms of a point, without the slower reader', () => {
    const scan = createJsonScanner(locationFields);
    const columns = createColumns(locationFields);
    const tuple = `[1,2,${now},5,12.5,90,"bicycling"]`;
    const locs = `[${tuple},{"lat":1,"lng":2,"timestamp":${now - 1},"mode": "walking"}]`;
    const scanned = scan(Buffer.from(`{"locs":${locs}}`), now, columns);
    expect(scanned?.count).toBe(2);
    expect([...columns.points(2, scanned!.present).modeIndex!.subarray(0, 2)]).toEqual([2, 1]);
  });
});
