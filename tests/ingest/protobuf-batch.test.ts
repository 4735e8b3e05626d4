import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { parseLocations } from '#ingest/parse-locations.js';
import { pointsPerBatchMax } from '#schemas/http/locations.js';

const now = Date.UTC(2026, 10, 21, 12);
/** An independent writer. */
const LocationUpload = protobuf
  .loadSync('schemas/proto/location.proto')
  .lookupType('meridian.location.v1.LocationUpload');

const deltas = (values: readonly number[], wrap: boolean) =>
  values.map((value, i) => (wrap ? (value - (values[i - 1] ?? 0)) | 0 : value - (values[i - 1] ?? 0)));

function upload(points: ReadonlyArray<readonly number[]>, more: object = {}): Uint8Array {
  const column = (index: number) => points.map((point) => point[index]!);
  return LocationUpload.encode({
    latE7Delta: deltas(column(0), true),
    lngE7Delta: deltas(column(1), true),
    timeMsDelta: deltas(column(2), false),
    ...more,
  }).finish();
}

const parse = (body: Uint8Array) => parseLocations(body, 'application/x-protobuf', undefined, now);

function rows(body: Uint8Array) {
  const parsed = parse(body);
  if (parsed.outcome !== 'ok') throw new Error(JSON.stringify(parsed));
  const { count, latE7, lngE7, timeMs } = parsed.points;
  return Array.from({ length: count }, (_, i) => [latE7[i], lngE7[i], timeMs[i]]);
}

const point = fc.tuple(
  fc.integer({ min: -900_000_000, max: 900_000_000 }),
  fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
  fc.integer({ min: Date.UTC(2000, 0, 1), max: now }),
);

describe('a batch as Protobuf', () => {
  it('M-001: reads what another Protobuf library wrote', () => {
    fc.assert(
      fc.property(fc.uniqueArray(point, { minLength: 1, maxLength: 40, selector: (p) => p[2] }), (points) => {
        expect(rows(upload(points))).toEqual(points);
      }),
    );
  });

  it('agrees with the JSON reader about duplicate and bad points', () => {
    const near = fc.tuple(
      fc.integer({ min: -950_000_000, max: 950_000_000 }),
      fc.integer({ min: -1_900_000_000, max: 1_900_000_000 }),
      fc.oneof(fc.integer({ min: now - 4, max: now + 4 }), fc.constantFrom(5, now + 1e7)),
    );
    fc.assert(
      fc.property(fc.array(near, { minLength: 1, maxLength: 12 }), (points) => {
        const locs = points.map(([lat, lng, time]) => [lat / 1e7, lng / 1e7, time]);
        const asJson = parseLocations(
          Buffer.from(JSON.stringify({ locs })),
          'application/json',
          undefined,
          now,
        );
        if (asJson.outcome !== 'ok') throw new Error('not read');
        const kept = Array.from({ length: asJson.points.count }, (_, i) => asJson.points.timeMs[i]);
        const { duplicate, rejected } = asJson;
        const asProtobuf = parse(upload(points));
        expect(asProtobuf).toMatchObject({ outcome: 'ok', duplicate, rejected });
        expect(rows(upload(points)).map((row) => row[2])).toEqual(kept);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads the optional columns and the batch id', () => {
    const parsed = parse(
      upload(
        [
          [1, 2, now],
          [3, 4, now - 1],
        ],
        {
          batchId: 'b-7',
          accuracyDmPlusOne: [51, 0],
          speedCmpsPlusOne: [0, 1_251],
          headingDdegPlusOne: [3_601, 0],
          modeIndexPlusOne: [0, 2],
        },
      ),
    );
    if (parsed.outcome !== 'ok') throw new Error('not read');
    expect(parsed.batchId).toBe('b-7');
    expect([...parsed.points.accuracyM!.subarray(0, 2)]).toEqual([5, Number.NaN]);
    expect([...parsed.points.speedMps!.subarray(0, 2)]).toEqual([Number.NaN, 12.5]);
    expect([...parsed.points.headingDeg!.subarray(0, 2)]).toEqual([0, Number.NaN]);
    expect([...parsed.points.modeIndex!.subarray(0, 2)]).toEqual([Number.NaN, 1]);
    expect(parse(upload([[1, 2, now]], { modeIndexPlusOne: [4] }))).toMatchObject({
      rejected: [{ index: 0, reason: 'mode must be one of driving, walking, bicycling.' }],
    });
  });

  it('M-004: accepts the documented maximum and rejects one more', () => {
    const many = (count: number) => upload(Array.from({ length: count }, (_, i) => [1, 2, now - i]));
    expect(rows(many(pointsPerBatchMax))).toHaveLength(pointsPerBatchMax);
    expect(parse(many(pointsPerBatchMax + 1))).toEqual({ outcome: 'too-many', count: pointsPerBatchMax + 1 });
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'empty'],
    [
      'a body cut off',
      Buffer.from(
        upload([
          [1, 2, now],
          [3, 4, now - 1],
        ]),
      ).subarray(0, -1),
      'truncated',
    ],
    ['columns of two lengths', upload([[1, 2, now]], { timeMsDelta: [now, 1] }), 'length'],
    ['a missing column', upload([[1, 2, now]], { timeMsDelta: [] }), 'has no column'],
    ['a field that is none', Buffer.concat([upload([[1, 2, now]]), Buffer.of(0x7a, 0)]), 'does not belong'],
    ['a column twice', Buffer.concat([upload([[1, 2, now]]), Buffer.of(0x22, 1, 2)]), 'twice'],
    ['a batch id that is too long', upload([[1, 2, now]], { batchId: 'x'.repeat(65) }), 'batch_id'],
  ])('rejects %s with one clear reason', (_what, body, reason) => {
    const parsed = parse(body);
    expect(parsed.outcome).toBe('malformed');
    if (parsed.outcome === 'malformed') expect(parsed.reason).toContain(reason);
  });
});
