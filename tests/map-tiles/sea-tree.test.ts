import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWorld } from '#map-tiles/build/features/world.js';
import { SeaTree } from '#map-tiles/build/sea/sea-tree.js';
import { tileAt, xOf, yOf } from '#map-tiles/format/web-mercator.js';

const zoomMax = 12;
const box = Int32Array.of(
  ...[140_000_000, 350_000_000, 150_000_000, 350_000_000],
  ...[150_000_000, 360_000_000, 140_000_000, 360_000_000, 140_000_000, 350_000_000],
);

/** Whether a point is inside the rings, by counting crossings. */
function isWithin(x: number, y: number, rings: readonly ArrayLike<number>[]): boolean {
  let inside = false;
  for (const ring of rings)
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!];
      if (ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) inside = !inside;
    }
  return inside;
}

/** An irregular island in the middle of the box. */
function island(radii: readonly number[]): Int32Array {
  const points = radii.flatMap((radius, i) => {
    const turn = (2 * Math.PI * i) / radii.length;
    return [145e6 + radius * Math.cos(turn), 355e6 + radius * Math.sin(turn)].map(Math.round);
  });
  return Int32Array.from([...points, points[0]!, points[1]!]);
}

describe('the sea as a quadtree', () => {
  it('is in a tile exactly where it is in the whole', () => {
    const radii = fc.array(fc.integer({ min: 500_000, max: 4_500_000 }), { minLength: 3, maxLength: 40 });
    const places = fc.array(
      fc.tuple(fc.double({ min: 13.9, max: 15.1 }), fc.double({ min: 34.9, max: 36.1 })),
      {
        minLength: 20,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(radii, places, (all, at) => {
        const shore = island(all);
        const tree = SeaTree.of([[box, shore]], zoomMax);
        for (const [lng, lat] of at) {
          const tile = tileAt(lat, lng, zoomMax);
          const rings =
            (tree.at(tile)?.feature as { geometry?: readonly Int32Array[] } | undefined)?.geometry ?? [];
          const x = (xOf(lng, zoomMax) - tile.x) * 4_096;
          const y = (yOf(lat, zoomMax) - tile.y) * 4_096;
          // Within a unit of a shore, rounding decides.
          const near = [-1, 1].flatMap((d) => [isWithin(x + d, y, rings), isWithin(x, y + d, rings)]);
          if (new Set(near).size > 1) continue;
          const project = (line: Int32Array): number[] =>
            Array.from(line, (value, i) => (i % 2 === 0 ? xOf : yOf)(value / 1e7, 0));
          const isSea = isWithin(xOf(lng, 0), yOf(lat, 0), [project(box), project(shore)]);
          expect(isWithin(x, y, rings)).toBe(isSea);
        }
      }),
      { numRuns: 60, seed: 11 },
    );
  });

  it('distinguishes open sea, shore and land, and ends where only one of them remains', () => {
    const tree = SeaTree.of([[box, island(Array.from({ length: 30 }, () => 3_000_000))]], 16);
    expect(tree.at(tileAt(35.5, 14.5, 14))).toBeUndefined();
    expect(tree.at(tileAt(35.9, 14.9, 14))?.isAll).toBe(true);
    expect(tree.at(tileAt(35.5, 14.8, 14))?.isAll).toBe(false);
    const rows = tree.rows(10);
    const open = rows.filter(({ isAll }) => isAll);
    expect(open.length).toBeGreaterThan(10);
    for (const { z, x, y } of open)
      expect(rows.some((row) => row.z > z && row.x >> (row.z - z) === x && row.y >> (row.z - z) === y)).toBe(
        false,
      );
  });

  it('shows the land of the world in place, also at the date line and around the pole', async () => {
    const world = await readWorld();
    const lands = {
      Kansas: [38, -98],
      Yukon: [63, -136],
      Greenland: [72, -40],
      Siberia: [62, 100],
      'south of Greenland': [63, -46],
      Borneo: [1.5, 114],
      Chukotka: [67, 178],
    };
    const others = {
      'beyond the date line': [67.3, -177.5],
      Antarctica: [-80, 60],
      Kazakhstan: [48, 68],
      Argentina: [-35, -65],
      Australia: [-25, 134],
    };
    const seas = {
      Atlantic: [30, -40],
      Pacific: [0, -150],
      'date line': [20, 180],
      Caspian: [42, 50.5],
      'south of Fiji': [-30, 178],
      'southern ocean': [-55, 60],
    };
    for (const zoom of [2, 5, 9]) {
      const tree = SeaTree.of(world.seaOf(zoom), 16);
      const isSea = ([lat, lng]: readonly number[]): boolean => {
        const tile = tileAt(lat!, lng!, zoom);
        const rings =
          (tree.at(tile)?.feature as { geometry?: readonly Int32Array[] } | undefined)?.geometry ?? [];
        return isWithin((xOf(lng!, zoom) - tile.x) * 4_096, (yOf(lat!, zoom) - tile.y) * 4_096, rings);
      };
      for (const [name, place] of Object.entries({ ...lands, ...others }))
        expect([zoom, name, isSea(place)]).toEqual([zoom, name, false]);
      for (const [name, place] of Object.entries(seas))
        expect([zoom, name, isSea(place)]).toEqual([zoom, name, true]);
    }
  });

  it('is the same in every tile except those that contain a change', () => {
    const radii = Array.from({ length: 60 }, (_, i) => 3_000_000 + (i % 7) * 100_000);
    const [before, after] = [radii, radii.with(15, 2_000_000)].map((all) =>
      SeaTree.of([[box, island(all)]], 16)
        .rows(10)
        .map(({ z, x, y, a, b }) => `${z}/${x}/${y} ${a} ${b}`),
    );
    const known = new Set(before);
    const changed = after!.filter((row) => !known.has(row)).length;
    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThan(after!.length / 3);
  });
});
