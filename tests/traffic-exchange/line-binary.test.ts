import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeLine,
  decodeLineBase64,
  encodeLine,
  encodeLineBase64,
  InvalidOpenlr,
} from '#traffic-exchange/openlr/line-binary.js';
import { formsOfWay, type LineReference, legMetresMax } from '#traffic-exchange/openlr/line-reference.js';
import { runs } from '../property-runs.js';

/**
 * Lines of the public test suite of tomtom-international/openlr-python (Apache-2.0): the text, and of each
 * point its longitude, latitude, class, form, bearing, lowest class and distance to the next one.
 */
type KnownPoint = readonly [number, number, number, string, number, number?, number?];
const known: readonly (readonly [
  text: string,
  points: readonly KnownPoint[],
  positive: number,
  negative: number,
])[] = [
  [
    'CwRbWyNG9RpsCQCb/jsbtAT/6/+jK1lE',
    [
      [6.1268198, 49.6085178, 3, 'multipleCarriageway', 141, 3, 557],
      [6.1283698, 49.6039878, 3, 'singleCarriageway', 231, 5, 264],
      [6.1281598, 49.6030578, 5, 'singleCarriageway', 287],
    ],
    0.26757812,
    0,
  ],
  [
    'CwB67CGukRxiCACyAbwaMXU=',
    [
      [0.6752192, 47.3651611, 3, 'roundabout', 28, 3, 498],
      [0.6769992, 47.3696011, 3, 'multipleCarriageway', 197],
    ],
    0,
    0.45898438,
  ],
  [
    'CwcX6CItqAs6AQAAAAALGg==',
    [
      [9.9750602, 48.0632865, 1, 'singleCarriageway', 298, 1, 88],
      [9.9750602, 48.0632865, 1, 'singleCarriageway', 298],
    ],
    0,
    0,
  ],
  [
    'CwRbWyNG9BpgAACa/jsboAD/6/+kKwA=',
    [
      [6.1268198, 49.6084964, 3, 'multipleCarriageway', 6, 3, 29],
      [6.1283598, 49.6039664, 3, 'singleCarriageway', 6, 5, 29],
      [6.1281498, 49.6030464, 5, 'singleCarriageway', 6],
    ],
    0,
    0,
  ],
];

const lines: fc.Arbitrary<LineReference> = fc
  .record({
    lat: fc.double({ min: -80, max: 80, noNaN: true }),
    lng: fc.double({ min: -175, max: 175, noNaN: true }),
    steps: fc.array(
      fc.record({
        lat: fc.double({ min: -0.13, max: 0.13, noNaN: true }),
        lng: fc.double({ min: -0.13, max: 0.13, noNaN: true }),
        frc: fc.integer({ min: 0, max: 7 }),
        fow: fc.constantFrom(...formsOfWay),
        bearingDeg: fc.double({ min: 0, max: 359.99, noNaN: true }),
        lowestFrc: fc.integer({ min: 0, max: 7 }),
        distanceM: fc.double({ min: 0, max: legMetresMax - 1, noNaN: true }),
      }),
      { minLength: 2, maxLength: 12 },
    ),
    positiveOffset: fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 0.99, noNaN: true })),
    negativeOffset: fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 0.99, noNaN: true })),
  })
  .map(({ lat, lng, steps, positiveOffset, negativeOffset }) => {
    let place = { lat, lng };
    const points = steps.map((step, i) => {
      place = { lat: place.lat + (i === 0 ? 0 : step.lat), lng: place.lng + (i === 0 ? 0 : step.lng) };
      const { frc, fow, bearingDeg, lowestFrc, distanceM } = step;
      const point = { ...place, frc, fow, bearingDeg };
      return i === steps.length - 1 ? point : { ...point, toNext: { lowestFrc, distanceM } };
    });
    return { points, positiveOffset, negativeOffset };
  });

describe('OpenLR, binary format, version 3', () => {
  it.each(known)(
    'decodes the published line %s and writes the same text again',
    (text, points, ...offsets) => {
      const line = decodeLineBase64(text);
      expect(line.points).toHaveLength(points.length);
      points.forEach(([lng, lat, frc, fow, bearing, lowestFrc, distance], i) => {
        const point = line.points[i]!;
        expect(point.lng).toBeCloseTo(lng, 5);
        expect(point.lat).toBeCloseTo(lat, 5);
        expect([point.frc, point.fow, point.toNext?.lowestFrc]).toEqual([frc, fow, lowestFrc]);
        expect(Math.abs(point.bearingDeg - bearing)).toBeLessThanOrEqual(0.5);
        expect(Math.abs((point.toNext?.distanceM ?? 0) - (distance ?? 0))).toBeLessThanOrEqual(0.5);
      });
      expect(line.positiveOffset).toBeCloseTo(offsets[0], 6);
      expect(line.negativeOffset).toBeCloseTo(offsets[1], 6);
      expect(encodeLineBase64(line)).toBe(text);
    },
  );

  it('keeps every line within the steps of the format', () => {
    fc.assert(
      fc.property(lines, (line) => {
        const read = decodeLine(encodeLine(line));
        expect(read.points).toHaveLength(line.points.length);
        line.points.forEach((point, i) => {
          const other = read.points[i]!;
          const step = i === 0 ? 2.2e-5 : 0.6e-5;
          expect(Math.abs(other.lat - point.lat)).toBeLessThan(step);
          expect(Math.abs(other.lng - point.lng)).toBeLessThan(step);
          expect([other.frc, other.fow]).toEqual([point.frc, point.fow]);
          expect(Math.abs(other.bearingDeg - point.bearingDeg)).toBeLessThanOrEqual(5.625);
          expect(other.toNext?.lowestFrc).toBe(point.toNext?.lowestFrc);
          expect(
            Math.abs((other.toNext?.distanceM ?? 0) - (point.toNext?.distanceM ?? 0)),
          ).toBeLessThanOrEqual(legMetresMax / 512);
        });
        for (const side of ['positiveOffset', 'negativeOffset'] as const) {
          expect(read[side] === 0).toBe(line[side] === 0);
          expect(Math.abs(read[side] - line[side])).toBeLessThanOrEqual(1 / 512);
        }
        expect(encodeLine(read)).toEqual(encodeLine(line));
      }),
      { numRuns: runs(2_000), seed: 23 },
    );
  });

  it('decodes any bytes or refuses them, and never fails otherwise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, isLine) => {
        if (isLine && bytes.length > 0) bytes[0] = 0x0b;
        try {
          const { points } = decodeLine(bytes);
          expect(points.every(({ lat, lng }) => Math.abs(lat) <= 90 && Math.abs(lng) <= 180)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidOpenlr);
        }
      }),
      { numRuns: runs(2_000), seed: 5 },
    );
  });

  it.each([
    ['version 2 of the format', 'CgRbWyNG9BpsCQCb/jsbtAT/6/+jK1kC', /version 2/],
    ['a point along a line', 'K/6P+SKSuBJGGAUn/1gSUyM=', /not a line/],
    ['a circle', 'AwOgxCUNmwEs', /not a line/],
    ['a line that is cut off', 'CwRbWyNG9RpsCQCb/jsb', /bytes/],
    ['a line without the offset that it announces', 'CwRbWyNG9RpsCQCb/jsbtAT/6/+jK1k=', /offsets/],
    ['a latitude of 180', 'CwRbW3///xpsCQCb/jsbtAT/6/+jK1lE', /not on the earth/],
    ['other text', 'not base64!', /base64/],
    ['nothing', '', /base64/],
  ])('refuses %s', (_what, text, reason) => {
    expect(() => decodeLineBase64(text)).toThrow(InvalidOpenlr);
    expect(() => decodeLineBase64(text)).toThrow(reason);
  });

  it('refuses lines that the format cannot hold', () => {
    const point = { lat: 0, lng: 0, frc: 0, fow: 'motorway', bearingDeg: 0 } as const;
    const toNext = { lowestFrc: 0, distanceM: 1 };
    const none = { positiveOffset: 0, negativeOffset: 0 };
    expect(() => encodeLine({ points: [point], ...none })).toThrow(InvalidOpenlr);
    expect(() => encodeLine({ points: [point, point], ...none })).toThrow(InvalidOpenlr);
    expect(() =>
      encodeLine({
        points: [
          { ...point, toNext },
          { ...point, lat: 1 },
        ],
        ...none,
      }),
    ).toThrow(/0.32 degrees/);
    const many = Array.from({ length: 70 }, (_, i) => (i === 69 ? point : { ...point, toNext }));
    expect(() => encodeLine({ points: many, ...none })).toThrow(InvalidOpenlr);
  });
});
