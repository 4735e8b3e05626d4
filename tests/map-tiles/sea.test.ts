import { describe, expect, it } from 'vitest';
import { coastsOf, seaOf } from '#map-tiles/build/sea/sea.js';
import { doubleArea } from '#osm/polygons/ring-geometry.js';
import { DrawnCity } from './drawn-city.js';

const coastline = { natural: 'coastline' };
/** A box of one degree. */
const box = [0, 0, 10_000_000, 10_000_000] as const;

function sea(draw: (city: DrawnCity) => void) {
  const city = new DrawnCity();
  draw(city);
  const { polygons, broken } = seaOf(coastsOf(city.elements().ways), box);
  const share = polygons.reduce(
    (sum, rings) =>
      sum + rings.reduce((area, ring, i) => area + (i === 0 ? 1 : -1) * Math.abs(doubleArea(ring)), 0),
    0,
  );
  return { water: share / 2e14, broken, polygons: polygons.length };
}

describe('the sea, from coastlines with the water on their right', () => {
  it('is nowhere without a coast', () => {
    expect(
      sea((city) =>
        city.way(
          [
            [0.1, 0.1],
            [0.9, 0.9],
          ],
          { highway: 'primary' },
        ),
      ),
    ).toMatchObject({ water: 0 });
  });

  it('is everything except the islands', () => {
    const { water, broken } = sea((city) => {
      city.square([0.2, 0.2], 0.2, coastline);
      // In two ways.
      city.way(
        [
          [0.6, 0.6],
          [0.8, 0.6],
          [0.8, 0.8],
        ],
        coastline,
      );
      city.way(
        [
          [0.8, 0.8],
          [0.6, 0.8],
          [0.6, 0.6],
        ],
        coastline,
      );
    });
    expect(water).toBeCloseTo(1 - 0.04 - 0.04, 6);
    expect(broken).toBe(0);
  });

  it('is south of a coast that runs east, and north of one that runs west', () => {
    expect(
      sea((city) =>
        city.way(
          [
            [0, 0.3],
            [1, 0.3],
          ],
          coastline,
        ),
      ).water,
    ).toBeCloseTo(0.3, 6);
    expect(
      sea((city) =>
        city.way(
          [
            [1, 0.3],
            [0, 0.3],
          ],
          coastline,
        ),
      ).water,
    ).toBeCloseTo(0.7, 6);
  });

  it('is between two shores in any order, with an island in it', () => {
    const strait = sea((city) => {
      city.way(
        [
          [1, 0.2],
          [0, 0.2],
        ],
        coastline,
      );
      city.way(
        [
          [0, 0.6],
          [1, 0.6],
        ],
        coastline,
      );
      city.square([0.4, 0.3], 0.1, coastline);
    });
    expect(strait.water).toBeCloseTo(0.4 - 0.01, 6);
    expect(strait.polygons).toBe(1);
  });

  it('fills a bay that opens to one side, and continues around corners', () => {
    // From the middle of the north edge down to the middle of the west edge: the corner is on the right.
    expect(
      sea((city) =>
        city.way(
          [
            [0.5, 1],
            [0.5, 0.5],
            [0, 0.5],
          ],
          coastline,
        ),
      ).water,
    ).toBeCloseTo(0.25, 6);
    expect(
      sea((city) =>
        city.way(
          [
            [0, 0.5],
            [0.5, 0.5],
            [0.5, 1],
          ],
          coastline,
        ),
      ).water,
    ).toBeCloseTo(0.75, 6);
  });

  it('reaches the edge from a coast that ends before it', () => {
    expect(
      sea((city) =>
        city.way(
          [
            [0.05, 0.3],
            [0.95, 0.3],
          ],
          coastline,
        ),
      ).water,
    ).toBeCloseTo(0.3, 6);
  });

  it('counts an island that is in no sea', () => {
    const { broken } = sea((city) => {
      city.way(
        [
          [0, 0.3],
          [1, 0.3],
        ],
        coastline,
      );
      city.square([0.4, 0.5], 0.1, coastline);
    });
    expect(broken).toBe(1);
  });
});
