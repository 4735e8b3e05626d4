import { describe, expect, test } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { areasOf, doubleArea } from '#routing-engine/isochrone/areas.js';
import { contourRings } from '#routing-engine/isochrone/contour-rings.js';
import { nearestValues, Seeds } from '#routing-engine/isochrone/nearest-seeds.js';
import { AreaTooLarge, ReachSearch } from '#routing-engine/isochrone/reach-search.js';
import { RoadValues } from '#routing-engine/isochrone/road-values.js';
import { distanceM } from '#routing-engine/network/earth.js';
import { avoidMask } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex, travelModes } from '#routing-engine/network/travel-mode.js';
import { applyChanges, CLOSED, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { openEnds } from '#routing-engine/search/route-ends.js';
import { answerIsochroneTask, type FoundContour } from '#routing-engine/tasks/isochrone-task.js';
import { runs } from '../property-runs.js';
import { drawMap } from './ascii-map.js';
import { isInside } from './is-inside.js';
import { any, randomTown } from './random-town.js';

/** FG is not connected to the others. */
const cutOff = `
A-----B-----C
|           |
|           |
D-----E-----H

      F-G`;

/** A town with tolls, private roads and traffic: slow, closed and free roads. */
async function townInTraffic(
  random: () => number,
  stepM = 100,
): Promise<{ network: RoadNetwork; metric: Metric }> {
  const tags = (): Record<string, string> => ({
    ...(random() < 0.1 ? { toll: 'yes' } : {}),
    ...(random() < 0.12 ? { access: 'private' } : {}),
  });
  const [drawing, rules] = randomTown(random, tags);
  const { network } = await drawMap(drawing, { ...rules, stepM, cellNodesMax: [3, 8] });
  const changes = Array.from({ length: 6 }, () => {
    const edge = Math.floor(random() * network.edgeCount);
    return random() < 0.2 ? ({ edge, closed: true } as const) : { edge, speedKph: 5 + 60 * random() };
  });
  return {
    network,
    metric: applyChanges(network, freeFlowMetric(network, any(travelModes, random)), changes, 1),
  };
}

/** Places on all roads of the mode, in each direction in which one can go; `closed`: on closed ones. */
function placesOnRoads(
  { arrays, edgeCount }: RoadNetwork,
  { mode, costMs }: Metric,
  step: number,
  closed = false,
) {
  const places: { edge: number; fraction: number }[] = [];
  for (let edge = 0; edge < edgeCount; edge++)
    if (arrays.copyOf[edge] === edge && arrays.speedKph[modeIndex(mode) * edgeCount + edge]! > 0)
      if ((costMs[edge] === CLOSED) === closed)
        for (let fraction = step / 2; fraction < 1; fraction += step) places.push({ edge, fraction });
  return places;
}

type Place = ReturnType<typeof placesOnRoads>[number];

/** What the oracle gives for a place: milliseconds, or Infinity. A zone is open for its own places. */
function oracle(network: RoadNetwork, metric: Metric, start: Place, avoid: number): (to: Place) => number {
  const byZone = new Map<number, ReturnType<typeof dijkstra>>();
  return (to) => {
    const zone = network.arrays.zone[modeIndex(metric.mode) * network.edgeCount + to.edge]!;
    let found = byZone.get(zone);
    if (found === undefined) {
      found = dijkstra(network, metric, [start], avoid, zone === 0 ? [] : [to]);
      byZone.set(zone, found);
    }
    return found.costTo([to]) ?? Number.POSITIVE_INFINITY;
  };
}

describe('the search of an isochrone', () => {
  test('every place of every road takes what Dijkstra gives, up to the limit', async () => {
    const random = seeded(21);
    const seen = { within: 0, beyond: 0, unreached: 0, inZones: 0 };
    for (let round = 0; round < 60; round++) {
      const { network, metric } = await townInTraffic(random);
      const avoid = random() < 0.3 ? avoidMask(['tolls']) : 0;
      const places = placesOnRoads(network, metric, 0.25);
      const start = any(places, random);
      const starts = openEnds(network, metric, [start], avoid, false);
      const limit = 1_000 * Math.round(20 + 200 * random());
      const search = new ReachSearch(network);
      search.run(metric, starts, avoid, { ms: limit, cm: 0 });
      const values = new RoadValues(network, metric, search, starts, 'ms', limit);
      const costTo = oracle(network, metric, start, avoid);
      for (const place of places) {
        const { edge, fraction } = place;
        // A direction that is closed leads to no place.
        const reverse = network.reverseOf(edge);
        const back = reverse === undefined || metric.costMs[reverse] === CLOSED ? undefined : reverse;
        const expected = Math.min(
          costTo(place),
          // The oracle ends on closed roads too.
          back === undefined || metric.costMs[back] === CLOSED
            ? Number.POSITIVE_INFINITY
            : costTo({ edge: back, fraction: 1 - fraction }),
        );
        values.read(edge);
        const found = values.at(fraction);
        const where = JSON.stringify({ round, place, expected, found });
        if (expected <= limit) {
          seen.within++;
          if (network.arrays.zone[modeIndex(metric.mode) * network.edgeCount + edge] !== 0) seen.inZones++;
          expect(Math.abs(found - expected), where).toBeLessThanOrEqual(1);
        } else {
          seen[expected === Number.POSITIVE_INFINITY ? 'unreached' : 'beyond']++;
          expect(found, where).toBeGreaterThan(limit);
        }
      }
    }
    for (const [kind, count] of Object.entries(seen)) expect([kind, count > 100]).toEqual([kind, true]);
  });

  test('an area with more roads than the bound is refused', async () => {
    const { network } = await drawMap(cutOff, { stepM: 20 });
    const metric = freeFlowMetric(network, 'driving');
    const starts = openEnds(network, metric, [{ edge: 0, fraction: 0.5 }], 0, false);
    const whole = new ReachSearch(network);
    whole.run(metric, starts, 0, { ms: 10_000_000, cm: 0 });
    expect([whole.isExhausted, whole.tails.count > 3]).toEqual([true, true]);
    const bounded = new ReachSearch(network, 3);
    expect(() => bounded.run(metric, starts, 0, { ms: 10_000_000, cm: 0 })).toThrow(AreaTooLarge);
    // It can be used again.
    bounded.run(metric, starts, 0, { ms: 1, cm: 0 });
    expect(bounded.isExhausted).toBe(false);
  });

  test('distances are those of the quickest routes', async () => {
    const random = seeded(22);
    let compared = 0;
    let ties = 0;
    for (let round = 0; round < 60; round++) {
      const { network, metric } = await townInTraffic(random);
      const places = placesOnRoads(network, metric, 0.25);
      const start = any(places, random);
      const starts = openEnds(network, metric, [start], 0, false);
      const limitM = 300 + 1_500 * random();
      const search = new ReachSearch(network);
      search.run(metric, starts, 0, { ms: 0, cm: 100 * limitM });
      const values = new RoadValues(network, metric, search, starts, 'cm', 100 * limitM);
      for (const place of places) {
        const { edge, fraction } = place;
        // On a one-way street there is one way to a place.
        if (
          network.reverseOf(edge) !== undefined &&
          network.freeFlowKph(network.reverseOf(edge)!, metric.mode) > 0
        )
          continue;
        const route = findRoute(network, metric, { from: [start], to: [place] });
        const expectedM = route.status === 'ok' ? route.path.lengthM : Number.POSITIVE_INFINITY;
        values.read(edge);
        const foundM = values.at(fraction) / 100;
        compared++;
        if (expectedM <= limitM ? Math.abs(foundM - expectedM) > 0.1 : foundM <= limitM) ties++;
      }
    }
    expect(compared).toBeGreaterThan(500);
    expect(ties).toBeLessThan(compared / 100);
  });
});

const isWithin = ({ areas }: FoundContour, lng: number, lat: number): boolean =>
  areas.some(
    ([outer, ...holes]) => isInside(outer!, lng, lat) && !holes.some((hole) => isInside(hole, lng, lat)),
  );

describe('the areas of an isochrone', () => {
  test('inside, the nearest road is reached, outside it is not, up to the tolerance', async () => {
    const random = seeded(23);
    const seen = { inside: 0, outside: 0, holes: 0, areas: 0 };
    for (let round = 0; round < runs(40); round++) {
      const { network, metric } = await townInTraffic(random, 200);
      const roads = placesOnRoads(network, metric, 0.02);
      const start = any(roads, random);
      const at = (place: Place): { lng: number; lat: number } => {
        const line = network.edgeGeometry(place.edge);
        const [x, y, u, v] = [line[0]!, line[1]!, line.at(-2)!, line.at(-1)!];
        return { lng: x + place.fraction * (u - x), lat: y + place.fraction * (v - y) };
      };
      const limitMs = 1_000 * Math.round((metric.mode === 'walking' ? 200 : 60) * (1 + 6 * random()));
      const task = { metric, point: at(start), avoid: 0, denoise: 0 };
      const found = answerIsochroneTask(network, { ...task, contours: [{ kind: 'ms', limit: limitMs }] });
      if (found.status !== 'ok') throw new Error(found.status);
      // From a part of the map that is cut off, the area begins on the nearest road that is not.
      if (found.start.isMoved) continue;
      const [contour] = found.contours;
      seen.areas += contour!.areas.length;
      seen.holes += contour!.areas.reduce((all, [, ...holes]) => all + holes.length, 0);
      const starts = [start, ...reverseOf(network, metric, start)];
      const costs = starts.map((each) => oracle(network, metric, each, 0));
      const known = [
        ...roads.map((place) => ({
          ...at(place),
          ms: Math.min(...costs.map((costTo) => costTo(place))),
        })),
        ...placesOnRoads(network, metric, 0.02, true).map((place) => ({ ...at(place), ms: Infinity })),
      ];
      for (let tries = 0; tries < 120; tries++) {
        const road = any(known, random);
        const lng = road.lng + 0.006 * (random() - 0.5);
        const lat = road.lat + 0.006 * (random() - 0.5);
        let reachedM = Number.POSITIVE_INFINITY;
        let unreachedM = Number.POSITIVE_INFINITY;
        for (const road of known) {
          const metres = distanceM(lng, lat, road.lng, road.lat);
          if (road.ms <= limitMs) reachedM = Math.min(reachedM, metres);
          else unreachedM = Math.min(unreachedM, metres);
        }
        const nearestM = Math.min(reachedM, unreachedM);
        const { toleranceM } = contour!;
        const where = JSON.stringify({ round, lng, lat, reachedM, unreachedM, toleranceM });
        if (isWithin(contour!, lng, lat)) {
          seen.inside++;
          expect(reachedM, where).toBeLessThanOrEqual(nearestM + toleranceM);
          expect(nearestM, where).toBeLessThanOrEqual(150 + toleranceM);
        } else if (nearestM < 150 - toleranceM) {
          seen.outside++;
          expect(unreachedM, where).toBeLessThanOrEqual(nearestM + toleranceM);
        }
      }
    }
    expect(seen.inside).toBeGreaterThan(runs(300));
    expect(seen.outside).toBeGreaterThan(runs(300));
    // A few rounds may have none.
    if (runs(40) === 40) expect(seen.holes).toBeGreaterThan(2);
    expect(seen.areas).toBeGreaterThan(runs(25));
  });
});

/** Where the road is open in both directions, a route begins in either. */
function reverseOf(network: RoadNetwork, { costMs }: Metric, { edge, fraction }: Place): Place[] {
  const back = network.reverseOf(edge);
  return back === undefined || costMs[back] === CLOSED ? [] : [{ edge: back, fraction: 1 - fraction }];
}

test('from a road that is cut off, an area begins where a route would', async () => {
  const map = await drawMap(cutOff, { stepM: 20 });
  const { network } = map;
  const begin = (from: string, to: string) => {
    const [lng, lat] = network.edgeGeometry(map.edge(from, to));
    return { lng: lng!, lat: lat! };
  };
  const metric = freeFlowMetric(network, 'driving');
  const task = { metric, avoid: 0, denoise: 0, contours: [{ kind: 'ms', limit: 60_000 }] } as const;
  const ask = (from: string, to: string) => {
    const found = answerIsochroneTask(network, { ...task, point: begin(from, to) });
    if (found.status !== 'ok') throw new Error(found.status);
    return found;
  };
  const moved = ask('F', 'G');
  expect([moved.start.isMoved, Math.round(moved.start.distanceM)]).toEqual([true, 40]);
  expect(ask('B', 'C').start.isMoved).toBe(false);
  const { lng, lat } = begin('A', 'B');
  expect(isWithin(moved.contours[0]!, lng, lat)).toBe(true);
});

test('the value at a vertex is that of a place at most a step farther away than the nearest', () => {
  const random = seeded(24);
  // One grid after the other in the same memory, as in production.
  const seeds = new Seeds();
  let [taken, left] = [0, 0];
  for (let round = 0; round < 40; round++) {
    const [width, height] = [4 + Math.floor(20 * random()), 4 + Math.floor(20 * random())];
    const size = width * height;
    seeds.clear(width, height);
    const share = random() ** 2;
    const known: number[] = [];
    for (let vertex = 0; vertex < size; vertex++) {
      if (random() > share) continue;
      seeds.square[vertex] = 0;
      seeds.x[vertex] = (vertex % width) + 0.98 * (random() - 0.5);
      seeds.y[vertex] = Math.floor(vertex / width) + 0.98 * (random() - 0.5);
      seeds.value[vertex] = vertex;
      known.push(vertex);
    }
    const reach = 1 + 8 * random();
    const values = nearestValues(seeds, reach);
    for (const [vertex, value] of values.entries()) {
      const away = (place: number): number =>
        Math.hypot(seeds.x[place]! - (vertex % width), seeds.y[place]! - Math.floor(vertex / width));
      const nearest = Math.min(Number.POSITIVE_INFINITY, ...known.map(away));
      if (value === Number.POSITIVE_INFINITY) {
        left++;
        expect(nearest).toBeGreaterThan(reach - 1);
      } else {
        taken++;
        expect(away(value)).toBeLessThanOrEqual(Math.min(reach + 1e-6, nearest + 1));
      }
    }
  }
  expect([taken, left].map((count) => count > 500)).toEqual([true, true]);
});

describe('lines around an area', () => {
  const grid = (rows: readonly string[]) => ({
    width: rows[0]!.length,
    height: rows.length,
    values: rows
      .toReversed()
      .flatMap((row) => row.split('').map((each) => (each === '#' ? 1 : each === '+' ? 3 : Infinity))),
  });

  test('areas are counterclockwise, with their holes clockwise, and islands in holes are areas', () => {
    const rings = contourRings(
      grid([
        '...........',
        '.#########.',
        '.#.......#.',
        '.#.##.#..#.',
        '.#.......#.',
        '.#########.',
        '...........',
      ]),
      2,
    );
    const areas = areasOf(rings, 0, 0);
    expect(areas.map((area) => area.length)).toEqual([2, 1, 1]);
    expect(areas.map(([outer]) => doubleArea(outer) > 0)).toEqual([true, true, true]);
    expect(doubleArea(areas[0]![1]!)).toBeLessThan(0);
    expect(areasOf(rings, 1, 0)).toHaveLength(1);
    expect(areasOf(rings, 1, 0)[0]).toHaveLength(2);
  });

  test('a line lies between two vertices where the limit does', () => {
    const [ring] = contourRings(grid(['....', '.#+.', '....']), 2);
    expect(Math.max(...ring!.filter((_, at) => at % 2 === 0))).toBeCloseTo(1.5, 9);
    const [wide] = contourRings(grid(['....', '.#+.', '....']), 2.8);
    expect(Math.max(...wide!.filter((_, at) => at % 2 === 0))).toBeCloseTo(1.9, 9);
    expect(contourRings(grid(['....', '.#+.', '....']), 0.5)).toEqual([]);
  });
});
