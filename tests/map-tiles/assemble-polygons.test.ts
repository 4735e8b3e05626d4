import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemblePolygons, type MemberLine } from '#osm/polygons/assemble-polygons.js';
import { doubleArea } from '#osm/polygons/ring-geometry.js';

type Corner = readonly [number, number];
const idOf = ([x, y]: Corner): number => 1_000_000 * (x + 5_000) + y + 5_000;

const member = (corners: readonly Corner[], inner = false): MemberLine => ({
  lngLatE7: Int32Array.from(corners.flat()),
  ends: [idOf(corners[0]!), idOf(corners.at(-1)!)],
  inner,
});
const square = (x: number, y: number, size: number): Corner[] => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
  [x, y],
];

/** The covered area: outer rings less their holes. */
const covered = (polygons: readonly (readonly Int32Array[])[]): number =>
  polygons.reduce((sum, [outer, ...holes]) => {
    const size = (ring: Int32Array): number => Math.abs(doubleArea(ring)) / 2;
    return sum + size(outer!) - holes.reduce((holeSum, hole) => holeSum + size(hole), 0);
  }, 0);

describe('multipolygons from ways', () => {
  it('joins ways to a ring, in any direction', () => {
    const { polygons, broken } = assemblePolygons([
      member([
        [0, 0],
        [10, 0],
        [10, 10],
      ]),
      member([
        [0, 0],
        [0, 10],
        [10, 10],
      ]),
    ]);
    expect(broken).toBe(0);
    expect(polygons).toHaveLength(1);
    expect(covered(polygons)).toBe(100);
  });

  it('finds holes, islands in holes and lakes on them by position, not by role', () => {
    const { polygons, broken } = assemblePolygons([
      member(square(3, 3, 4), false),
      member(square(0, 0, 10)),
      member(square(4, 4, 2), true),
      member(square(20, 0, 5)),
    ]);
    expect(broken).toBe(0);
    expect(polygons.map((rings) => rings.length).toSorted()).toEqual([1, 1, 2]);
    expect(covered(polygons)).toBe(100 - 16 + 4 + 25);
  });

  it('recognizes a hole that touches its outer ring in a corner', () => {
    const { polygons } = assemblePolygons([member(square(0, 0, 10)), member(square(0, 0, 4), true)]);
    expect(covered(polygons)).toBe(84);
  });

  it('leaves out and counts rings that do not close, have no area, or are holes in nothing', () => {
    const { polygons, broken } = assemblePolygons([
      member([
        [0, 0],
        [10, 0],
        [10, 10],
      ]),
      member([
        [50, 50],
        [60, 50],
        [50, 50],
      ]),
      member(square(100, 100, 10), true),
      member(square(200, 200, 10)),
    ]);
    expect(broken).toBe(3);
    expect(covered(polygons)).toBe(100);
  });

  it('covers the same area with any pieces of the rings in any order', () => {
    const nested = fc
      .integer({ min: 1, max: 6 })
      .map((depth) => Array.from({ length: depth }, (_, i) => square(10 * i, 10 * i, 200 - 20 * i)));
    fc.assert(
      fc.property(nested, fc.infiniteStream(fc.nat({ max: 3 })), fc.gen(), (rings, cuts, random) => {
        const pieces = rings.flatMap((ring) => {
          const at = cuts.next().value!;
          if (at === 0) return [member(ring)];
          const [head, tail] = [ring.slice(0, at + 1), ring.slice(at)];
          return [member(head), member(cuts.next().value! % 2 === 0 ? tail : tail.toReversed())];
        });
        const shuffled = random(() => fc.shuffledSubarray(pieces, { minLength: pieces.length }));
        const { polygons, broken } = assemblePolygons(shuffled);
        const expected = rings.reduce(
          (sum, ring, i) => sum + (i % 2 === 0 ? 1 : -1) * (ring[1]![0] - ring[0]![0]) ** 2,
          0,
        );
        expect(broken).toBe(0);
        expect(covered(polygons)).toBe(expected);
      }),
    );
  });
});
