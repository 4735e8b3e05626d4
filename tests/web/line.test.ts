import mapboxPolyline from '@mapbox/polyline';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ahead,
  headingDeg,
  type LngLat,
  measure,
  metresBetween,
  nearestAlong,
  placeAlong,
} from '#web/geometry/line.js';
import { createMorph } from '#web/geometry/morph.js';
import { decodePolyline } from '#web/geometry/polyline.js';

/** An L of about 1,113 m north and 595 m east. */
const corner: LngLat[] = [
  [11.97, 57.7],
  [11.97, 57.71],
  [11.98, 57.71],
];

describe('a measured line', () => {
  const line = measure(corner);

  it('measures metres on the sphere', () => {
    expect(metresBetween([11.97, 57.7], [11.97, 57.71])).toBeCloseTo(1_111.95, 1);
    expect(line.lengthM).toBeCloseTo(1_111.95 + 594.1, 0);
  });

  it('finds the place at a distance in metres, and stays within its ends', () => {
    expect(placeAlong(line, 556).at[1]).toBeCloseTo(57.705, 4);
    expect(placeAlong(line, 556).headingDeg).toBeCloseTo(0, 5);
    expect(placeAlong(line, 1_300)).toMatchObject({ segment: 1, headingDeg: expect.closeTo(90, 5) });
    expect(placeAlong(line, -5).at).toEqual(corner[0]);
    expect(placeAlong(line, 1e9).at).toEqual(corner[2]);
  });

  it('finds the distance of a place next to it, which is the inverse of the place at a distance', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        const metres = share * line.lengthM;
        expect(nearestAlong(line, placeAlong(line, metres).at)).toBeCloseTo(metres, 1);
      }),
    );
    expect(nearestAlong(line, [11.975, 57.7101])).toBeCloseTo(1_111.95 + 297, 0);
  });

  it('keeps the part ahead', () => {
    expect(ahead(line, 1_200)).toHaveLength(2);
    expect(measure(ahead(line, 1_200)).lengthM).toBeCloseTo(line.lengthM - 1_200, 1);
  });

  it('points a heading clockwise from north', () => {
    expect(headingDeg([0, 0], [0, -1])).toBeCloseTo(180);
    expect(headingDeg([0, 0], [-1, 0])).toBeCloseTo(270);
  });
});

describe('decodePolyline', () => {
  it('reads the output of the reference encoder', () => {
    const place = fc.tuple(
      fc.integer({ min: -18_000_000, max: 18_000_000 }).map((e5) => e5 / 1e5),
      fc.integer({ min: -9_000_000, max: 9_000_000 }).map((e5) => e5 / 1e5),
    );
    fc.assert(
      fc.property(fc.array(place, { maxLength: 40 }), (points) => {
        const text = mapboxPolyline.encode(points.map(([lng, lat]) => [lat, lng]));
        decodePolyline(text).forEach((point, i) => {
          expect(point[0]).toBeCloseTo(points[i]![0], 5);
          expect(point[1]).toBeCloseTo(points[i]![1], 5);
        });
        expect(decodePolyline(text)).toHaveLength(points.length);
      }),
    );
  });

  it('returns the complete points of a truncated text', () => {
    const text = mapboxPolyline.encode(corner.map(([lng, lat]) => [lat, lng]));
    expect(decodePolyline(text.slice(0, -1))).toEqual(corner.slice(0, 2));
  });
});

describe('createMorph', () => {
  const other: LngLat[] = [
    [11.97, 57.7],
    [11.98, 57.71],
  ];

  it('starts as the old route and ends as exactly the new one', () => {
    const morph = createMorph(corner, other);
    expect(morph(0)[0]).toEqual(corner[0]);
    expect(measure(morph(0)).lengthM).toBeCloseTo(measure(corner).lengthM, -1);
    expect(morph(1)).toEqual(other);
    expect(measure(morph(0.5)).lengthM).toBeLessThan(measure(corner).lengthM);
  });

  it('shows the new route immediately if there was none', () => {
    expect(createMorph([], other)(0)).toEqual(other);
  });
});
