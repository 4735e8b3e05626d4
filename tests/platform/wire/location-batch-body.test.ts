import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locationBatchBody } from '#platform/wire/location-batch-body.js';
import { parseProto, protoText } from '#platform/wire/proto-files.js';
import { UndecodableRecord } from '#platform/wire/topic-codec.js';
import type { LocationBatch } from '#schemas/location.js';
import type { UserId } from '#schemas/units.js';

const type = parseProto(protoText('location.proto')).lookupType('meridian.location.v1.LocationBatch');

const maybe = (value: fc.Arbitrary<number>): fc.Arbitrary<number> => fc.option(value, { nil: Number.NaN });
const point = fc.record({
  lat: fc.oneof(
    fc.integer({ min: -900_000_000, max: 900_000_000 }),
    fc.constantFrom(-(2 ** 31), 2 ** 31 - 1),
  ),
  lng: fc.oneof(
    fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
    fc.constantFrom(-(2 ** 31), 2 ** 31 - 1),
  ),
  time: fc.oneof(fc.integer({ min: 1.6e12, max: 1.9e12 }), fc.constantFrom(0, -1, 2 ** 50, -(2 ** 50))),
  accuracy: maybe(fc.integer({ min: 0, max: 100_000 }).map((dm) => Math.fround(dm / 10))),
  speed: maybe(fc.integer({ min: 0, max: 20_000 }).map((cm) => Math.fround(cm / 100))),
  heading: maybe(fc.integer({ min: 0, max: 3_599 }).map((dd) => Math.fround(dd / 10))),
  mode: maybe(fc.integer({ min: 0, max: 2 })),
});
const id = fc.string({ minLength: 1, maxLength: 128, unit: 'binary' });

const batches: fc.Arbitrary<LocationBatch> = fc
  .tuple(
    id,
    id,
    fc.integer({ min: 0, max: 2 ** 50 }),
    fc.array(point, { minLength: 1, maxLength: 60 }),
    fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
  )
  .map(([userId, batchId, receivedMs, points, [accuracy, speed, heading, mode]]) => ({
    userId: userId as UserId,
    batchId,
    receivedMs,
    points: {
      count: points.length,
      latE7: Int32Array.from(points, (p) => p.lat),
      lngE7: Int32Array.from(points, (p) => p.lng),
      timeMs: Float64Array.from(points, (p) => p.time),
      ...(accuracy &&
        known(
          points.map((p) => p.accuracy),
          'accuracyM',
        )),
      ...(speed &&
        known(
          points.map((p) => p.speed),
          'speedMps',
        )),
      ...(heading &&
        known(
          points.map((p) => p.heading),
          'headingDeg',
        )),
      ...(mode &&
        known(
          points.map((p) => p.mode),
          'modeIndex',
        )),
    },
  }));

/** The rule of the type: a column without values is absent. */
function known(values: number[], name: string): Record<string, Float32Array> {
  return values.every(Number.isNaN) ? {} : { [name]: Float32Array.from(values) };
}

const encode = (batch: LocationBatch): Uint8Array => locationBatchBody.encode(batch, new Uint8Array(0));

describe('location batch body', () => {
  it('decodes exactly what was encoded', () => {
    fc.assert(
      fc.property(batches, (batch) => {
        expect(locationBatchBody.decode(encode(batch), true)).toEqual(batch);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('writes bytes that any Protobuf reader understands', () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const decoded = type.toObject(type.decode(encode(batch)), {
          longs: Number,
          arrays: true,
          defaults: true,
        });
        expect(decoded).toMatchObject({
          userId: batch.userId,
          batchId: batch.batchId,
          receivedMs: batch.receivedMs,
        });
        const { points } = batch;
        expect(sums32(decoded['latE7Delta'])).toEqual([...points.latE7]);
        expect(sums32(decoded['lngE7Delta'])).toEqual([...points.lngE7]);
        expect(sums(decoded['timeMsDelta'])).toEqual([...points.timeMs]);
        expect(decoded['accuracyDmPlusOne']).toEqual(plusOne(points.accuracyM, 10));
        expect(decoded['speedCmpsPlusOne']).toEqual(plusOne(points.speedMps, 100));
        expect(decoded['headingDdegPlusOne']).toEqual(plusOne(points.headingDeg, 10));
        expect(decoded['modeIndexPlusOne']).toEqual(plusOne(points.modeIndex, 1));
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  it('reads the bytes that protobufjs writes', () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const message = type.toObject(type.decode(encode(batch)), {
          longs: Number,
          arrays: true,
          defaults: true,
        });
        expect(locationBatchBody.decode(type.encode(message).finish(), true)).toEqual(batch);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  it('uses 150 bytes or less for twenty points of a drive', () => {
    const points = Array.from({ length: 20 }, (_, i) => ({
      lat: 577_000_000 + i * 1_290,
      lng: 119_700_000 + i * 2_110,
    }));
    const batch: LocationBatch = {
      userId: 'user-000123' as UserId,
      batchId: '8b1ff2a0-7a0e-4f44-9a1c-0d3f6c2b7e55',
      receivedMs: 1_790_000_000_000,
      points: {
        count: 20,
        latE7: Int32Array.from(points, (p) => p.lat),
        lngE7: Int32Array.from(points, (p) => p.lng),
        timeMs: Float64Array.from(points, (_, i) => 1_790_000_000_000 - (20 - i) * 1_000),
      },
    };
    expect(encode(batch).length - batch.batchId.length - batch.userId.length).toBeLessThanOrEqual(150);
  });

  it('F12: rejects every truncation and never reads past the end', () => {
    fc.assert(
      fc.property(batches, fc.double({ min: 0, max: 1, noNaN: true }), (batch, share) => {
        const bytes = encode(batch);
        const cut = bytes.subarray(0, Math.floor(share * bytes.length));
        try {
          // A cut between two fields leaves a shorter message that Protobuf cannot tell from a whole one.
          expect(locationBatchBody.decode(cut, true).points.count).toBeLessThanOrEqual(batch.points.count);
        } catch (error) {
          expect(error).toBeInstanceOf(UndecodableRecord);
        }
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  it('F12: decodes any bytes to a batch or to UndecodableRecord', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          locationBatchBody.decode(bytes, true);
        } catch (error) {
          expect(error).toBeInstanceOf(UndecodableRecord);
        }
      }),
      { seed: 5, numRuns: 2_000 },
    );
  });

  it('skips fields of a newer writer, and rejects them from our own version', () => {
    const [batch] = fc.sample(batches, { seed: 6, numRuns: 1 });
    const newer = Buffer.concat([encode(batch!), Buffer.from([0x5a, 0x02, 0x01, 0x02])]);
    expect(locationBatchBody.decode(newer, false)).toEqual(batch);
    expect(() => locationBatchBody.decode(newer, true)).toThrow(UndecodableRecord);
  });

  it('rejects columns of different lengths', () => {
    const message = { userId: 'u', latE7Delta: [1, 2], lngE7Delta: [1, 2], timeMsDelta: [1] };
    expect(() => locationBatchBody.decode(type.encode(message).finish(), true)).toThrow(/2 and 1 entries/);
  });
});

function sums(deltas: readonly number[]): number[] {
  let sum = 0;
  return deltas.map((delta) => {
    sum += delta;
    return sum;
  });
}

function sums32(deltas: readonly number[]): number[] {
  let sum = 0;
  return deltas.map((delta) => {
    sum = (sum + delta) | 0;
    return sum;
  });
}

function plusOne(column: Float32Array | undefined, scale: number): number[] {
  return [...(column ?? [])].map((value) => (Number.isNaN(value) ? 0 : Math.round(value * scale) + 1));
}
