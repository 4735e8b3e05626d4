import { encode } from '@mapbox/polyline';
import { describe, expect, it } from 'vitest';
import { chosenRoute } from '#api/push/chosen-route.js';

const line = (...points: [number, number][]) => ({ polyline: encode(points) });
const north = line([57.7, 11.96], [57.71, 11.96], [57.71, 11.98]);
const south = line([57.7, 11.96], [57.7, 11.98], [57.71, 11.98]);

describe('the route that a driver chose', () => {
  it('is the one that passes nearest to the points, of equal ones the first', () => {
    expect(chosenRoute([north, south], [{ lat: 57.7, lng: 11.97 }])).toBe(south);
    expect(chosenRoute([north, south], [{ lat: 57.709, lng: 11.961 }])).toBe(north);
    expect(chosenRoute([north, south], [{ lat: 57.71, lng: 11.98 }])).toBe(north);
    expect(chosenRoute([south, north], [{ lat: 57.7, lng: 11.96 }])).toBe(south);
  });

  it('is decided by all points, and by the middle of a long stretch as well as by its ends', () => {
    const points = [
      { lat: 57.7001, lng: 11.969 },
      { lat: 57.7, lng: 11.975 },
      { lat: 57.71, lng: 11.97 },
    ];
    expect(chosenRoute([north, south], points)).toBe(south);
  });
});
