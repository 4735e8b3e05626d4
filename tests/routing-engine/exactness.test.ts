import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { readMapSource } from '#osm/read/read-map-source.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex, type TravelMode, travelModes } from '#routing-engine/network/travel-mode.js';
import { usualTruck } from '#routing-engine/network/vehicle.js';
import {
  applyChanges,
  CLOSED,
  type EdgeChange,
  freeFlowMetric,
  type Metric,
} from '#routing-engine/overlay/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { findRoute, type RouteEnd } from '#routing-engine/route/find-route.js';
import { durationOf } from '#routing-engine/route/path-times.js';
import { proves } from '#tools/acceptance/proves.js';
import { LegalMoves } from '../tile-builder/legal-moves.js';
import { extractBeside, gothenburg, networkOf } from '../tile-builder/real-maps.js';

const areas = [
  { area: 'goteborg', source: gothenburg, sources: 3, targets: 40, routes: 1000 },
  { area: 'monaco', source: extractBeside('monaco'), sources: 3, targets: 30, routes: 200 },
  {
    area: 'heidelberg',
    country: 'DE',
    source: extractBeside('heidelberg'),
    sources: 3,
    targets: 30,
    routes: 200,
  },
];

/** Empty roads; trucks are of the usual size. */
const emptyFor = (network: RoadNetwork, mode: TravelMode): Metric => ({
  ...freeFlowMetric(network, mode),
  ...(mode === 'truck' ? { vehicle: usualTruck } : {}),
});

for (const { area, source, sources, targets, routes } of areas)
  describe.skipIf(source === undefined)(
    source === undefined ? `${area}: skipped, its extract is not beside the checkout` : area,
    () => {
      let network: RoadNetwork;
      const legal = new LegalMoves();

      beforeAll(async () => {
        network = await networkOf(source!);
        await readMapSource(source!, legal.sink);
      });

      /** Ends on roads that anyone may pass, so that one run of the oracle answers for many destinations. */
      const pick = (metric: Metric, random: () => number): RouteEnd => {
        const offset = modeIndex(metric.mode) * network.edgeCount;
        const { zone, copyOf } = network.arrays;
        for (;;) {
          const edge = Math.floor(random() * network.edgeCount);
          if (metric.costMs[edge] !== CLOSED && zone[offset + edge] === 0 && copyOf[edge] === edge)
            return { edge, fraction: Math.round(random() * 100) / 100 };
        }
      };

      it('M-022: every cost equals plain Dijkstra, before and after changes, with any avoidances', () => {
        const random = seeded(2026);
        let compared = 0;
        for (const mode of travelModes) {
          const empty = emptyFor(network, mode);
          const changes = Array.from({ length: 1000 }, (): EdgeChange => {
            const { edge } = pick(empty, random);
            return random() < 0.3
              ? { edge, closed: true }
              : { edge, speedKph: 1 + Math.floor(random() * 130) };
          });
          const live = applyChanges(network, empty, changes, 1);
          for (const [metric, avoid] of [
            [empty, 0],
            [live, 0],
            [live, 1 + Math.floor(random() * 15)],
          ] as const)
            for (let i = 0; i < sources / 3; i++) {
              const from = [pick(metric, random)];
              const oracle = dijkstra(network, metric, from, avoid);
              for (let j = 0; j < targets; j++) {
                const to = [pick(metric, random)];
                const outcome = findRoute(network, metric, { from, to, avoid });
                expect(outcome.status === 'ok' ? outcome.path.durationMs : undefined).toBe(oracle.costTo(to));
                if (outcome.status === 'ok')
                  expect(
                    Math.abs(durationOf(network, metric, outcome.path) - outcome.path.durationMs),
                  ).toBeLessThan(2);
                compared++;
              }
            }
        }
        expect(compared).toBeGreaterThan(3 * targets);
      });

      it('M-022: does not return a cached route from before a change', () => {
        const random = seeded(31);
        const empty = freeFlowMetric(network, 'driving');
        const queries = Array.from({ length: 60 }, () => ({
          from: [pick(empty, random)],
          to: [pick(empty, random)],
        }));
        let metric = empty;
        for (let round = 0; round < 3; round++) {
          // Everything in a part of the map becomes slower or faster, so the cheapest paths inside cells
          // change, not only weights.
          const changes = Array.from({ length: Math.floor(network.edgeCount / 4) }, (): EdgeChange => {
            const { edge } = pick(empty, random);
            return { edge, speedKph: 1 + Math.floor(random() * 130) };
          });
          for (const query of queries) {
            const outcome = findRoute(network, metric, query);
            if (outcome.status !== 'ok') continue;
            expect(
              Math.abs(durationOf(network, metric, outcome.path) - outcome.path.durationMs),
            ).toBeLessThan(2);
          }
          metric = applyChanges(network, metric, changes, round + 1);
        }
      });

      proves('M-022', {
        asked: '10,000 pairs equal Dijkstra; every step legal in the raw extract',
        shown: '3,000 routes of three modes legal in Gothenburg; 360 pairs equal Dijkstra above',
        scaled: '1 : 28 for pairs; `bench routing exactness` compares 10,000 and more',
      });
      it('M-022: every step of every route is legal in the raw extract', () => {
        const random = seeded(7);
        const wrongs: string[] = [];
        let judged = 0;
        for (const mode of travelModes) {
          const metric = emptyFor(network, mode);
          for (let i = 0; i < routes; i++) {
            const outcome = findRoute(network, metric, {
              from: [pick(metric, random)],
              to: [pick(metric, random)],
            });
            if (outcome.status !== 'ok') continue;
            judged++;
            wrongs.push(
              ...legal.judge(
                Array.from(outcome.path.edges, (edge) => network.edgeId(edge)),
                mode,
              ),
            );
          }
        }
        expect(wrongs).toEqual([]);
        expect(judged).toBeGreaterThan(2 * routes);
      });
    },
  );
