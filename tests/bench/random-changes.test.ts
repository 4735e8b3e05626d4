import { beforeAll, expect, it } from 'vitest';
import { changeSet, tripsAlong } from '#bench/routing/change-set.js';
import { checkTimes } from '#bench/routing/check-times.js';
import { compareWithDijkstra } from '#bench/routing/compare-with-dijkstra.js';
import { ourEngine } from '#bench/routing/our-engine.js';
import { randomPairs } from '#bench/routing/pairs.js';
import { seeded } from '#bench/routing/seeded.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { gothenburg, networkOf } from '../tile-builder/real-maps.js';

let network: RoadNetwork;
beforeAll(async () => {
  network = await networkOf(gothenburg);
});

it('changes the requested share of roads: around incidents, or scattered', () => {
  const cellsOf = (edges: Iterable<number>): number =>
    new Set([...edges].map((edge) => network.edgeCell(edge))).size;
  const clustered = changeSet(network, 0.01, 'clustered', seeded(1));
  const strewn = changeSet(network, 0.01, 'random', seeded(1));
  expect(clustered.size).toBe(strewn.size);
  expect(cellsOf(clustered.keys())).toBeLessThan(cellsOf(strewn.keys()) / 4);
  for (const [edge, kph] of strewn) {
    expect(kph).toBeGreaterThanOrEqual(1);
    expect(kph).toBeLessThanOrEqual(Math.max(1, network.freeFlowKph(edge, 'driving') - 1));
  }
  const [trip] = tripsAlong(network, strewn, 1);
  expect(trip!.meters).toBeGreaterThan(50);
});

it('draws the same pairs for the same seed, and each has a route that agrees with Dijkstra', async () => {
  const pairs = randomPairs(network, 20, 7);
  expect(randomPairs(network, 20, 7)).toEqual(pairs);
  const { answers, cpuS } = await ourEngine(network).round(pairs, 'full', 1);
  expect(cpuS).toBeGreaterThan(0);
  expect(answers).not.toContain(null);
  const metric = freeFlowMetric(network, 'driving');
  expect(checkTimes(network, metric, pairs, answers)).toBeGreaterThan(5);
  const wrong = answers.map((answer, i) =>
    i === 0 && answer ? ([answer[0], answer[1] + 0.001] as const) : answer,
  );
  expect(() => checkTimes(network, metric, pairs, wrong)).toThrow('void');
});

it('the comparison finds a metric that the overlay does not contain', async () => {
  const metric = freeFlowMetric(network, 'driving');
  const random = seeded(3);
  const same = await compareWithDijkstra(network, metric, 150, random, () => undefined);
  expect(same.differences).toEqual([]);
  expect(same.compared).toBeGreaterThanOrEqual(150);
  const costMs = metric.costMs.map((ms) => (ms < 2 ** 30 ? 3 * ms : ms)) as Int32Array;
  const torn = await compareWithDijkstra(network, { ...metric, costMs }, 150, random, () => undefined);
  expect(torn.differences.length).toBeGreaterThan(100);
});
