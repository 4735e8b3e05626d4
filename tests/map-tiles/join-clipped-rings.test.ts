import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinClippedRings } from '#map-tiles/build/geometry/join-clipped-rings.js';
import { signedArea } from '#map-tiles/build/geometry/sea-ring.js';
import { SeaTree } from '#map-tiles/build/sea/sea-tree.js';
import { tileAt } from '#map-tiles/format/web-mercator.js';

const square = [0, 0, 10, 0, 10, 10, 0, 10, 0, 0];
const [least, most] = [0, 10];

/** Whether two steps run along the same piece of an edge. */
function overlapOnEdges(rings: readonly ArrayLike<number>[], low: number, high: number): boolean {
  const pieces = new Map<string, [from: number, to: number][]>();
  for (const ring of rings)
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!];
      const isEdge = (a: number, b: number): boolean => a === b && (a === low || a === high);
      if (!isEdge(ax, bx) && !isEdge(ay, by)) continue;
      const [edge, from, to] = isEdge(ax, bx) ? [`x${ax}`, ay, by] : [`y${ay}`, ax, bx];
      const known = pieces.get(edge) ?? [];
      pieces.set(edge, [...known, [Math.min(from, to), Math.max(from, to)]]);
    }
  return [...pieces.values()].some((all) =>
    all.sort(([a], [b]) => a - b).some(([from], i) => i > 0 && from < all[i - 1]![1]),
  );
}

describe('rings of a tile that meet its edge', () => {
  it('a hole along the edge is cut out of the outer ring', () => {
    const land = [0, 2, 0, 5, 4, 5, 4, 2, 0, 2];
    const rings = joinClippedRings([square, land], least, most);
    expect(rings.map((ring) => [ring.length / 2 - 1, signedArea(ring)])).toEqual([[8, 88]]);
    expect(overlapOnEdges(rings, least, most)).toBe(false);
  });

  it('a clipped ring with bridges along the edge becomes several rings without them', () => {
    // Land from the left edge to the right one, and a cape below it: clipped as one ring.
    const land = [0, 2, 0, 4, 10, 4, 10, 2, 0, 2];
    const cape = [0, 7, 0, 9, 3, 9, 3, 7, 0, 7];
    const bridged = [...land.slice(0, 4), ...cape.slice(0, 8), 0, 7, 0, 4, ...land.slice(4)];
    const rings = joinClippedRings([square, bridged], least, most);
    expect(rings.map(signedArea).toSorted((a, b) => a - b)).toEqual([20, 54]);
    expect(overlapOnEdges(rings, least, most)).toBe(false);
  });

  it('an island stays a hole, after the outer ring that it lies in', () => {
    const strait = [0, 4, 0, 6, 10, 6, 10, 4, 0, 4];
    const island = [2, 8, 2, 9, 3, 9, 3, 8, 2, 8];
    const rings = joinClippedRings([square, strait, island], least, most);
    expect(rings.map(signedArea)).toEqual(signedArea(rings[1]!) < 0 ? [40, -1, 40] : [40, 40, -1]);
    const outer = rings[rings.findIndex((ring) => signedArea(ring) < 0) - 1]!;
    expect(Math.max(...outer.filter((_, i) => i % 2 === 1))).toBe(10);
  });

  it('nothing but land leaves nothing', () => {
    expect(
      joinClippedRings([square, square.toReversed().map((_, i, all) => all[i ^ 1]!)], least, most),
    ).toEqual([]);
  });

  it('no two rings run along the same piece of the edge of a tile, whatever the coast', () => {
    const box = Int32Array.of(
      ...[140_000_000, 350_000_000, 150_000_000, 350_000_000],
      ...[150_000_000, 360_000_000, 140_000_000, 360_000_000, 140_000_000, 350_000_000],
    );
    const radii = fc.array(fc.integer({ min: 500_000, max: 4_500_000 }), { minLength: 8, maxLength: 60 });
    let shores = 0;
    fc.assert(
      fc.property(radii, (all) => {
        const points = all.flatMap((radius, i) => {
          const turn = (2 * Math.PI * i) / all.length;
          return [145e6 + radius * Math.cos(turn), 355e6 + radius * Math.sin(turn)].map(Math.round);
        });
        const tree = SeaTree.of([[box, Int32Array.from([...points, points[0]!, points[1]!])]], 12);
        for (let lng = 14.05; lng < 15; lng += 0.1)
          for (let lat = 35.05; lat < 36; lat += 0.1) {
            const found = tree.at(tileAt(lat, lng, 9));
            if (found === undefined || found.isAll) continue;
            const { geometry } = found.feature as unknown as { geometry: readonly Int32Array[] };
            shores += 1;
            expect(overlapOnEdges(geometry, -64, 4_160)).toBe(false);
            for (const [i, ring] of geometry.entries())
              expect(i === 0 ? signedArea(ring) > 0 : signedArea(ring) !== 0).toBe(true);
          }
      }),
      { numRuns: 4, seed: 7 },
    );
    expect(shores).toBeGreaterThan(20);
  });
});
