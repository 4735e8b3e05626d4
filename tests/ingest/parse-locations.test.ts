import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLocations } from '#ingest/parse-locations.js';
import { pointsPerBatchMax } from '#schemas/http/locations.js';

const now = Date.UTC(2026, 10, 21, 12);
const parse = (body: unknown, contentType = 'application/json') =>
  parseLocations(
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    contentType,
    undefined,
    now,
  );

function points(body: unknown, contentType?: string) {
  const parsed = parse(body, contentType);
  if (parsed.outcome !== 'ok') throw new Error(JSON.stringify(parsed));
  const { count, latE7, lngE7, timeMs } = parsed.points;
  return Array.from({ length: count }, (_, i) => [latE7[i], lngE7[i], timeMs[i]]);
}

describe('parseLocations', () => {
  it('M-001: reads tuples and objects into the same columns', () => {
    const expected = [[577_000_000, 119_700_000, now]];
    expect(points({ locs: [[57.7, 11.97, now]] })).toEqual(expected);
    expect(points({ locs: [{ lat: 57.7, lng: 11.97, timestamp: now }] })).toEqual(expected);
  });

  it('M-002: reads locs as JSON text in the body, in a form and in the query', () => {
    const locs = JSON.stringify([[1, 2, now]]);
    const expected = [[10_000_000, 20_000_000, now]];
    expect(points({ locs })).toEqual(expected);
    expect(points(new URLSearchParams({ locs }).toString(), 'application/x-www-form-urlencoded')).toEqual(
      expected,
    );
    const fromQuery = parseLocations(new Uint8Array(), '', locs, now);
    expect(fromQuery).toMatchObject({ outcome: 'ok', points: { count: 1 } });
  });

  it('M-001: keeps every coordinate to 1e-7 degrees and every millisecond', () => {
    const tuple = fc.tuple(
      fc.integer({ min: -900_000_000, max: 900_000_000 }),
      fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
      fc.integer({ min: Date.UTC(2000, 0, 1), max: now }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(tuple, { minLength: 1, maxLength: 50, selector: (t) => t[2] }), (tuples) => {
        const locs = tuples.map(([lat, lng, time]) => [lat / 1e7, lng / 1e7, time]);
        expect(points({ locs })).toEqual(tuples.map(([lat, lng, time]) => [lat, lng, time]));
      }),
    );
  });

  it('keeps the good points of a partly bad batch and reports the bad ones by index', () => {
    const parsed = parse({
      locs: [
        [1, 2, now],
        [91, 2, now],
        [1, 181, now],
        [1, 2, now + 3_600_000],
        [1, 2, 5],
        [1, 2],
        'x',
        [1, 2, now - 1],
      ],
    });
    expect(parsed).toMatchObject({ outcome: 'ok', points: { count: 2 } });
    if (parsed.outcome !== 'ok') return;
    expect(parsed.rejected.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(parsed.rejected[2]!.reason).toContain('future');
  });

  it('counts a second point with the same timestamp as duplicate and keeps the first', () => {
    const parsed = parse({
      locs: [
        [1, 2, now],
        [3, 4, now],
      ],
    });
    expect(parsed).toMatchObject({ outcome: 'ok', duplicate: 1, points: { count: 1 } });
    expect(
      points({
        locs: [
          [1, 2, now],
          [3, 4, now],
        ],
      }),
    ).toEqual([[10_000_000, 20_000_000, now]]);
  });

  it('reads accuracy, speed, heading and travel mode, and leaves out columns that were not sent', () => {
    const parsed = parse({
      locs: [[1, 2, now, 5, 12.5], { lat: 1, lng: 2, timestamp: now - 1, heading: 360, mode: 'walking' }],
    });
    if (parsed.outcome !== 'ok') throw new Error('not read');
    expect([...parsed.points.speedMps!.subarray(0, 2)]).toEqual([12.5, Number.NaN]);
    expect([...parsed.points.headingDeg!.subarray(0, 2)]).toEqual([Number.NaN, 0]);
    expect([...parsed.points.modeIndex!.subarray(0, 2)]).toEqual([Number.NaN, 1]);
    for (const mode of ['flying', 'DRIVING', '', 1, null, true]) {
      const { rejected } = parse({ locs: [{ lat: 1, lng: 2, timestamp: now, mode }] }) as {
        readonly rejected: readonly unknown[];
      };
      const reason = 'mode must be one of driving, walking, bicycling.';
      expect(rejected, String(mode)).toEqual(mode === null ? [] : [{ index: 0, reason }]);
    }
    expect(parse({ locs: [[1, 2, now]] })).not.toHaveProperty('points.accuracyM');
  });

  it('M-004: accepts the documented maximum and rejects one more', () => {
    const many = (count: number) => ({ locs: Array.from({ length: count }, (_, i) => [1, 2, now - i]) });
    for (const count of [1, 10, 100, pointsPerBatchMax]) {
      expect(points(many(count))).toHaveLength(count);
    }
    expect(parse(many(pointsPerBatchMax + 1))).toEqual({ outcome: 'too-many', count: pointsPerBatchMax + 1 });
  });

  it.each([
    ['{"locs":', 'not valid JSON'],
    ['[]', 'JSON object'],
    ['{"locs":[]}', 'empty'],
    ['{"locs":7}', 'array of points'],
    ['{"locs":"not json"}', 'array of points'],
    ['{"locs":[[1,2,3]],"is_admin":true}', 'does not exist'],
    ['{"locs":[[1,2,3]],"batch_id":""}', 'batch_id'],
    ['{}', 'array of points'],
  ])('rejects %s with one clear reason', (body, reason) => {
    const parsed = parse(body);
    expect(parsed.outcome).toBe('malformed');
    if (parsed.outcome === 'malformed') expect(parsed.reason).toContain(reason);
  });

  it('rejects bytes that are not UTF-8', () => {
    expect(parseLocations(Uint8Array.of(0x7b, 0xff, 0xfe), 'application/json', undefined, now).outcome).toBe(
      'malformed',
    );
  });
});
