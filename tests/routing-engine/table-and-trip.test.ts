import { describe, expect, test } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { avoidMask } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { applyChanges, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import type { AskedStop } from '#routing-engine/snap/stop-places.js';
import { answerTableTask } from '#routing-engine/tasks/table-task.js';
import { answerThroughTask } from '#routing-engine/tasks/through-task.js';
import { answerTripTask } from '#routing-engine/tasks/trip-task.js';
import { drawMap } from './ascii-map.js';
import { any, randomTown } from './random-town.js';

/** A town with tolls, private roads and traffic: slow, closed and free roads. */
async function townInTraffic(random: () => number): Promise<{ network: RoadNetwork; metric: Metric }> {
  const tags = (): Record<string, string> => ({
    ...(random() < 0.1 ? { toll: 'yes' } : {}),
    ...(random() < 0.1 ? { access: 'private' } : {}),
  });
  const [drawing, rules] = randomTown(random, tags);
  const { network } = await drawMap(drawing, { ...rules, stepM: 40, cellNodesMax: [3, 8] });
  const changes = Array.from({ length: 6 }, () => {
    const edge = Math.floor(random() * network.edgeCount);
    return random() < 0.3 ? ({ edge, closed: true } as const) : { edge, speedKph: 3 + 60 * random() };
  });
  const metric = applyChanges(network, freeFlowMetric(network, any(travelModes, random)), changes, 1);
  return { network, metric };
}

/** At crossings, beside roads, in the wild; with what a query may require of their road. */
function randomStop(network: RoadNetwork, random: () => number): AskedStop {
  const { arrays, nodeCount, edgeCount } = network;
  const node = Math.floor(random() * nodeCount);
  const off = random() < 0.4 ? 0 : 0.001;
  return {
    point: {
      lat: arrays.nodeLatE7[node]! / 1e7 + off * (random() - 0.5),
      lng: arrays.nodeLngE7[node]! / 1e7 + off * (random() - 0.5),
    },
    maxMeters: 1_000,
    ...(random() < 0.15 ? { heading: { deg: Math.floor(360 * random()), rangeDeg: 90 } } : {}),
    ...(random() < 0.3 ? { approach: any(['curb', 'opposite'] as const, random) } : {}),
    ...(random() < 0.2 ? { hint: network.edgeId(Math.floor(edgeCount * random())) } : {}),
  };
}

const asked = { annotate: false, simplify: false, alternatives: 0, legEnds: [1], stopsOnFerries: false };

describe('a table of places', () => {
  test('every cell is what a route between its places takes, in any traffic', async () => {
    const random = seeded(5);
    const seen = { cells: 0, moved: 0, both: 0, empty: 0, ties: 0 };
    for (let round = 0; round < 40; round++) {
      const { network, metric } = await townInTraffic(random);
      const stops = Array.from({ length: 6 }, () => randomStop(network, random));
      const avoid = random() < 0.3 ? avoidMask(['tolls']) : 0;
      const sources = round % 2 === 0 ? [0, 1] : [0, 1, 2, 3, 4, 5];
      const destinations = round % 3 === 0 ? [5, 1, 0] : [0, 1, 2, 3, 4, 5];
      const places = { metric, stops, avoid, stopsOnFerries: false };
      const found = answerTableTask(network, { ...places, sources, destinations, withMetres: true });
      if (found.status !== 'ok') {
        expect(answerTripTask(network, { ...places, ...roundTrip }).status).toBe('no-snap');
        continue;
      }
      const moved = new Map(found.movedCells.map(({ row, column, ends }) => [`${row},${column}`, ends]));
      for (const [row, from] of sources.entries())
        for (const [column, to] of destinations.entries()) {
          const at = row * destinations.length + column;
          const pair = [stops[from]!, stops[to]!];
          const route = answerThroughTask(network, { ...places, ...asked, stops: pair });
          const where = JSON.stringify({ round, from, to });
          seen.cells++;
          if (route.status !== 'ok') {
            seen.empty++;
            expect(found.ms[at], where).toBe(Number.POSITIVE_INFINITY);
            expect(moved.get(`${row},${column}`), where).toBeUndefined();
            continue;
          }
          const [leg] = route.routes[0]!.legs;
          expect(found.ms[at]! / 1_000, where).toBe(leg!.durationS);
          if (Math.abs(found.metres[at]! - leg!.distanceM) > 0.02) seen.ties++;
          // What the table says about its places is true of the route.
          const ends = moved.get(`${row},${column}`) ?? { from: false, to: false };
          if (ends.from || ends.to) seen.moved++;
          if (ends.from && ends.to) seen.both++;
          for (const [end, stop] of [from, to].entries()) {
            const { distanceM, moved: other } = found.stops[stop]!;
            const isMoved = end === 0 ? ends.from : ends.to;
            expect(route.stops[end]!.isMoved, where).toBe(isMoved);
            const usedM = isMoved ? other!.distanceM : distanceM;
            expect(Math.abs(route.stops[end]!.distanceM - usedM), where).toBeLessThan(0.6);
          }
        }
    }
    expect(seen.ties).toBeLessThan(seen.cells / 100);
    expect(seen.cells).toBeGreaterThan(500);
    expect(seen.moved).toBeGreaterThan(10);
    expect(seen.both).toBeGreaterThan(0);
    expect(seen.empty).toBeGreaterThan(10);
  });
});

const roundTrip = {
  ...{ annotate: false, simplify: false, stopsOnFerries: false },
  ...{ roundtrip: true, fromFirst: false, toLast: false },
};

describe('a trip', () => {
  test('takes as long as the best order of its table, leg by leg', async () => {
    const random = seeded(6);
    let trips = 0;
    for (let round = 0; round < 60; round++) {
      const { network, metric } = await townInTraffic(random);
      const stops = Array.from({ length: 4 }, () => randomStop(network, random));
      const places = { metric, stops, avoid: 0, stopsOnFerries: false };
      const found = answerTripTask(network, { ...places, ...roundTrip });
      if (found.status !== 'ok') continue;
      const all = [0, 1, 2, 3];
      const table = answerTableTask(network, {
        ...{ ...places, sources: all, destinations: all, withMetres: false },
      });
      if (table.status !== 'ok' || found.stops.some(({ isMoved }) => isMoved)) continue;
      trips++;
      const ms = (from: number, to: number): number => table.ms[4 * from + to]!;
      const costOf = (order: readonly number[]): number =>
        order.reduce((sum, from, at) => sum + ms(from, order[(at + 1) % order.length]!), 0);
      const orders = [
        [0, 1, 2, 3],
        [0, 1, 3, 2],
        [0, 2, 1, 3],
        [0, 2, 3, 1],
        [0, 3, 1, 2],
        [0, 3, 2, 1],
      ];
      const legs = found.trip.legs.map(({ durationS }) => Math.round(1_000 * durationS));
      expect(legs).toEqual(
        found.order.map((from, at) => ms(from, found.order[(at + 1) % found.order.length]!)),
      );
      expect(legs.reduce((sum, each) => sum + each, 0)).toBe(Math.min(...orders.map(costOf)));
    }
    expect(trips).toBeGreaterThan(10);
  });
});
