import { expect, test } from 'vitest';
import { areaPolygons, pointsOfArea } from '#geocoding/index/area-polygons.js';
import { columnsOf } from '#geocoding/index-builder/extract/extract-boundaries.js';
import { assemblePolygons } from '#osm/polygons/assemble-polygons.js';

let nodes = 0;
/** A square in degrees, clockwise or not as a mapper may draw it. */
function square(west: number, south: number, side: number, inner = false) {
  const corners = [
    [west, south],
    [west, south + side],
    [west + side, south + side],
    [west + side, south],
    [west, south],
  ];
  nodes++;
  const points = nodes % 2 === 0 ? corners : corners.toReversed();
  const lngLatE7 = Int32Array.from(points.flat(), (each) => Math.round(each * 1e7));
  return { lngLatE7, ends: [nodes, nodes] as const, inner };
}

test('rings become polygons with their holes, whatever way they are drawn', () => {
  const mainland = square(0, 0, 10);
  const [lake, pond] = [square(1, 1, 4, true), square(7, 7, 1, true)];
  const [island, farIsland] = [square(2, 2, 2), square(20, 0, 3)];
  const well = square(2.5, 2.5, 0.5, true);
  const other = square(40, 0, 1);
  const rings = (lines: Parameters<typeof assemblePolygons>[0]) => assemblePolygons(lines).polygons.flat();
  const columns = columnsOf([rings([other]), rings([well, pond, mainland, island, lake, farIsland])]);
  const corner = (ring: readonly (readonly number[])[]): number[] => [
    Math.min(...ring.map(([lng]) => lng!)),
    Math.min(...ring.map(([, lat]) => lat!)),
  ];
  const polygons = areaPolygons(columns, 1);
  expect(polygons.map((each) => each.map(corner))).toEqual([
    [
      [0, 0],
      [1, 1],
      [7, 7],
    ],
    [[20, 0]],
    [
      [2, 2],
      [2.5, 2.5],
    ],
  ]);
  for (const [outer, ...holes] of polygons)
    for (const [ring, sign] of [[outer!, 1], ...holes.map((hole) => [hole, -1] as const)] as const) {
      expect(ring[0]).toEqual(ring.at(-1));
      const area = ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i]![0] * y - x * ring[i]![1], 0);
      expect(Math.sign(area)).toBe(sign);
    }
  expect(pointsOfArea(columns, 1)).toBe(6 * 5);
  expect(areaPolygons(columns, 0)).toHaveLength(1);
});
