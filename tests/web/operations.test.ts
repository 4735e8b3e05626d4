import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { squaresOf } from '#api/operations/squares.js';
import { latAt, lngAt, worldX, worldY } from '#web/geometry/mercator.js';
import { age, count, duration, latency, rate, share } from '#web/operations/figures.js';
import { drawnArea, levelOf, levels, pathOf } from '#web/operations/load-drawing.js';

describe('the map of load', () => {
  const bounds = fc
    .tuple(
      fc.double({ min: -170, max: 160, noNaN: true }),
      fc.double({ min: -75, max: 65, noNaN: true }),
      fc.double({ min: 0.001, max: 9, noNaN: true }),
      fc.double({ min: 0.001, max: 9, noNaN: true }),
    )
    .map(([west, south, wide, tall]) => [west, south, west + wide, south + tall] as const);

  it('draws each place in its square, and all of it within the picture', () => {
    fc.assert(
      fc.property(
        bounds,
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        ([west, south, east, north], u, v) => {
          const at = { lat: south + v * (north - south), lng: west + u * (east - west) };
          const { zoom, squares } = squaresOf([west, south, east, north], [at]);
          const area = drawnArea([west, south, east, north], zoom);
          const side = area.scale / 2 ** zoom;
          const [x, y] = [squares[0]!.x * side - area.left, squares[0]!.y * side - area.top];
          const dot = [worldX(at.lng) * area.scale - area.left, worldY(at.lat) * area.scale - area.top];
          const slack = 1e-6 * area.scale;
          expect(dot[0]! - x).toBeGreaterThanOrEqual(-slack);
          expect(dot[0]! - x).toBeLessThanOrEqual(side + slack);
          expect(dot[1]! - y).toBeGreaterThanOrEqual(-slack);
          expect(dot[1]! - y).toBeLessThanOrEqual(side + slack);
          for (const [from, length, all] of [
            [x, side, area.width],
            [y, side, area.height],
          ] as const) {
            expect(from).toBeGreaterThanOrEqual(-slack);
            expect(from + length).toBeLessThanOrEqual(all + slack);
          }
        },
      ),
      { seed: 1 },
    );
  });

  it('leads back from a square to its place', () => {
    for (const [lat, lng] of [
      [35.9, 14.5],
      [-33.9, 151.2],
      [0, 0],
    ] as const) {
      expect(latAt(worldY(lat))).toBeCloseTo(lat, 9);
      expect(lngAt(worldX(lng))).toBeCloseTo(lng, 9);
    }
  });

  it.each([1, 2, 3, 5, 7, 22, 1_000])(
    'says for a busiest square of %d which numbers a colour has',
    (most) => {
      const found = levels(most);
      for (let drivers = 1; drivers <= most; drivers++) {
        const of = found.filter(({ from, to }) => drivers >= from && drivers <= to);
        expect(of.map(({ level }) => level)).toEqual([levelOf(drivers, most)]);
      }
      expect(found.at(-1)).toMatchObject({ level: 5, to: most });
    },
  );

  it('draws lines of several points', () => {
    const area = { scale: 1_000, left: 500, top: 500, width: 100, height: 100 };
    expect(
      pathOf(
        [
          [0, 0, 18, 0],
          [36, 0],
        ],
        area,
      ),
    ).toBe('M0.0 0.0L50.0 0.0M100.0 0.0');
  });
});

describe('figures', () => {
  it.each([
    [() => rate(0), '0/s'],
    [() => rate(0.034), '0.03/s'],
    [() => rate(12.34), '12.3/s'],
    [() => rate(1_234.5), '1,235/s'],
    [() => share(0), '0%'],
    // Something is never shown as nothing.
    [() => share(0.000_01), '<0.01%'],
    [() => share(0.004_5), '0.45%'],
    [() => share(1), '100%'],
    [() => latency(0.42), '0.42 ms'],
    [() => latency(1_310), '1.31 s'],
    [() => count(12_480), '12,480'],
    [() => duration(-5), '0 s'],
    [() => duration(89_000), '89 s'],
    [() => duration(5 * 60_000), '5 min'],
    [() => duration(7_400_000), '2.1 h'],
    [() => duration(3 * 86_400_000), '3 d'],
    [() => age('2026-01-01T00:00:00Z', '2026-01-01T00:00:12Z'), '12 s ago'],
  ])('%# reads %s', (text, expected) => {
    expect(text()).toBe(expected);
  });
});
