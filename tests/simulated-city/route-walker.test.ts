import { describe, expect, it } from 'vitest';
import { RouteWalker } from '#simulated-city/route-walker.js';

/** Two edges of about 111 m: north along the meridian, then east along the equator line. */
const shapes = [
  [0, 0, 0, 0.001],
  [0, 0.001, 0.001, 0.001],
];
const roads = { edgeLengthM: () => 111.195, edgeGeometry: (edge: number) => shapes[edge]! };
const tenMps = () => 10;

describe('RouteWalker', () => {
  it('moves along the shape with the speed it is given', () => {
    const walker = new RouteWalker(roads, [0, 1], 0);
    expect(walker.drive(5, tenMps, () => true)).toBe('driving');
    const { lat, lng, headingDeg } = walker.place();
    expect(lat).toBeCloseTo(0.001 * (50 / 111.195), 9);
    expect(lng).toBe(0);
    expect(headingDeg).toBe(0);
    expect(walker.drive(10, tenMps, () => true)).toBe('driving');
    expect(walker.edge).toBe(1);
    expect(walker.place().headingDeg).toBeCloseTo(90);
  });

  it('stops before an edge it may not enter and continues on another route', () => {
    const walker = new RouteWalker(roads, [0, 1], 0);
    expect(walker.drive(60, tenMps, (edge) => edge !== 1)).toBe('blocked');
    expect([walker.edge, walker.fraction]).toEqual([0, 1]);
    walker.replaceAhead([0]);
    expect(walker.drive(1, tenMps, () => true)).toBe('arrived');
  });

  it('spends the remaining time of one edge on the next', () => {
    const oneStep = new RouteWalker(roads, [0, 1], 0);
    const manySteps = new RouteWalker(roads, [0, 1], 0);
    oneStep.drive(15, tenMps, () => true);
    for (let i = 0; i < 150; i++) manySteps.drive(0.1, tenMps, () => true);
    expect(manySteps.fraction).toBeCloseTo(oneStep.fraction, 6);
  });
});
