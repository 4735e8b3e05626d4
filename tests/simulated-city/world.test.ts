import { describe, expect, it } from 'vitest';
import { seededRandom } from '#platform/random/random.js';
import { cityTruth } from '#simulated-city/city-truth.js';
import { RouteWalker } from '#simulated-city/route-walker.js';
import { TripLog } from '#simulated-city/trip-log.js';
import { World } from '#simulated-city/world.js';
import { gridRoads } from './grid-roads.js';

const minuteMs = 60_000;
const roads = gridRoads(4);
const settings = { closureEveryMs: 0, closureLastsMs: 6 * minuteMs, traffic: 'free' } as const;
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
    for (const edge of [street, back, 4]) world.turnBack(edge);
    expect(world.closures[0]!.turnedBack).toBe(2);
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
    const [before, after] = [[8, 4], [8]].map((edges) => ({ edges, durationS: world.durationS(edges) }));
    trips.reroute({ driver: 'driver-4', atMs: 6.5 * minuteMs, before: before!, after: after! });
    const truth = cityTruth(roads, { world, trips }, { seed: 7, drivers: 40 }, 7 * minuteMs);
    expect(truth).toMatchObject({ now_ms: 7 * minuteMs, seed: 7, drivers: 40, scenario: 'usual' });
    expect(truth.closures.map(({ edges }) => edges)).toEqual([
      [roads.edgeId(street), roads.edgeId(back)],
      [roads.edgeId(4), roads.edgeId(roads.reverseOf(4)!)],
    ]);
    expect(truth.closures[0]).toMatchObject({ from_ms: 0, until_ms: 6 * minuteMs, passages_per_minute: 0 });
    expect(truth.closures[0]).toMatchObject({ turned_back: 0 });
    expect(truth.trips).toEqual([
      { ...{ id: 'driver-1@60000', from: home, to: home }, departed_ms: minuteMs, arrived_ms: 2 * minuteMs },
    ]);
    expect(truth.barriers).toEqual([{ driver: 'driver-3', edge: roads.edgeId(4), at_ms: 6 * minuteMs }]);
    expect(truth.reroutes).toEqual([
      {
        ...{ driver: 'driver-4', at_ms: 6.5 * minuteMs },
        before: { edges: [roads.edgeId(8), roads.edgeId(4)], duration_s: null },
        after: { edges: [roads.edgeId(8)], duration_s: 10 },
      },
    ]);
    const [lng, lat] = Array.from(roads.edgeGeometry(street));
    expect(truth.closures[0]!.lines[0]![0]).toEqual([lat, lng]);
  });

  it('has signals and the speeds of the week, and the truth is what drivers experience', () => {
    const monday = 1_794_787_200_000;
    const onward = (edge: number): number => edge + 4;
    const eastwards = [0, 16, 32, 48].flatMap((row) => [row, row + 4]);
    const seen = new Set<string>();
    for (const edge of eastwards) {
      const city = new World(roads, seededRandom(3), { ...settings, traffic: 'weekly' }, monday);
      let [trips, tookS, toldS, stoodS] = [0, 0, 0, 0];
      // Starts that no cycle of a signal divides.
      for (let startMs = monday + 8 * 3_600_000; trips < 200; startMs += 97_000) {
        let nowMs = startMs;
        city.advance(nowMs, () => []);
        const walker = new RouteWalker(roads, [edge, onward(edge)], 0);
        toldS += (3.6 * roads.edgeLengthM(edge)) / city.meanKph(edge);
        while (walker.edge === edge) {
          const state = walker.drive(
            1,
            (on) => city.speedMps(on),
            () => true,
            (on) => city.isRed(on),
          );
          nowMs += 1_000;
          city.advance(nowMs, () => []);
          if (state === 'standing') stoodS++;
        }
        trips++;
        tookS += (nowMs - startMs) / 1_000;
      }
      // A step is a second.
      expect(Math.abs(tookS - toldS - trips / 2) / toldS).toBeLessThan(0.1);
      seen.add(stoodS > 0 ? 'signal' : 'none');
    }
    expect(seen).toEqual(new Set(['signal', 'none']));
  });
});
