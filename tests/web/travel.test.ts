import mapboxPolyline from '@mapbox/polyline';
import { describe, expect, it } from 'vitest';
import { createTravel } from '#web/navigation/travel.js';

const north = [
  [57.7, 11.97],
  [57.71, 11.97],
] as [number, number][];
const route = (points: [number, number][], distance_m: number) => ({
  polyline: mapboxPolyline.encode(points),
  distance_m,
  duration_s: 100,
  metric_version: 1,
  edge_ids: [],
});

describe('createTravel', () => {
  it('drives at the speed that the route expects and stops at its end', () => {
    const travel = createTravel();
    travel.follow(route(north, 1_112), 0);
    expect(travel.advance(50_000)?.at[1]).toBeCloseTo(57.705, 4);
    const end = travel.advance(200_000);
    expect(end?.drivenM).toBe(end?.lengthM);
  });

  it('continues from its position when another route arrives, wherever that route starts', () => {
    const travel = createTravel();
    travel.follow(route(north, 1_112), 0);
    travel.advance(50_000);
    travel.follow(route([...north, [57.71, 11.98]], 1_700), 50_000);
    expect(travel.advance(50_000)?.at[1]).toBeCloseTo(57.705, 4);
  });

  it('starts the next journey at its start', () => {
    const travel = createTravel();
    travel.follow(route(north, 1_112), 0);
    travel.advance(50_000);
    travel.clear();
    expect(travel.advance(60_000)).toBeNull();
    travel.follow(route(north, 1_112), 60_000);
    expect(travel.advance(60_000)?.drivenM).toBe(0);
  });
});
