import { describe, expect, it } from 'vitest';
import { seededRandom } from '#platform/random/random.js';
import { cityTruth } from '#simulated-city/city-truth.js';
import { TripLog } from '#simulated-city/trip-log.js';
import { World } from '#simulated-city/world.js';
import { gridRoads } from './grid-roads.js';

const minuteMs = 60_000;
const roads = gridRoads(4);
const settings = { closureEveryMs: 0, closureLastsMs: 6 * minuteMs, slowRoads: 0 };
const [street, back] = [0, roads.reverseOf(0)!];

function worldAt(nowMs: number): World {
  const world = new World(roads, seededRandom(1), settings, nowMs);
  world.advance(nowMs, () => []);
  return world;
}

describe('the simulated world', () => {
  it('no driver enters a closed road, in either direction, until it opens', () => {
    const world = worldAt(0);
    world.close(street, 0);
    expect([world.enter(street), world.enter(back), world.enter(4)]).toEqual([false, false, true]);
    world.advance(6 * minuteMs, () => []);
    expect(world.enter(street)).toBe(true);
    expect(world.pastClosures).toHaveLength(1);
  });

  it('knows how many drivers a minute used a road in the ten minutes before it closed', () => {
    const world = worldAt(0);
    for (let minute = 0; minute < 15; minute++) {
      world.advance(minute * minuteMs, () => []);
      for (let i = 0; i < 3; i++) world.enter(street);
      world.enter(back);
    }
    world.close(street, 14 * minuteMs);
    expect(world.closures[0]!.passagesPerMinute).toBe(4);
  });

  it('reports the truth with stable ids, shapes and times, including ended closures', () => {
    const world = worldAt(0);
    world.close(street, 0);
    world.advance(6 * minuteMs, () => []);
    world.close(4, 6 * minuteMs);
    const trips = new TripLog();
    const home = { lat: 1, lng: 2 };
    trips.arrive(trips.depart('driver-1', home, home, minuteMs), 2 * minuteMs);
    trips.abandon(trips.depart('driver-2', home, home, minuteMs));
    trips.meetBarrier({ driver: 'driver-3', edge: 4, atMs: 6 * minuteMs });
    const truth = cityTruth(roads, { world, trips }, { seed: 7, drivers: 40 }, 7 * minuteMs);
    expect(truth).toMatchObject({ now_ms: 7 * minuteMs, seed: 7, drivers: 40, scenario: 'usual' });
    expect(truth.closures.map(({ edges }) => edges)).toEqual([
      [roads.edgeId(street), roads.edgeId(back)],
      [roads.edgeId(4), roads.edgeId(roads.reverseOf(4)!)],
    ]);
    expect(truth.closures[0]).toMatchObject({ from_ms: 0, until_ms: 6 * minuteMs, passages_per_minute: 0 });
    expect(truth.trips).toEqual([
      { ...{ id: 'driver-1@60000', from: home, to: home }, departed_ms: minuteMs, arrived_ms: 2 * minuteMs },
    ]);
    expect(truth.barriers).toEqual([{ driver: 'driver-3', edge: roads.edgeId(4), at_ms: 6 * minuteMs }]);
    const [lng, lat] = Array.from(roads.edgeGeometry(street));
    expect(truth.closures[0]!.lines[0]![0]).toEqual([lat, lng]);
  });
});
