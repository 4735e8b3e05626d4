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

/** Each mode has three metrics, with a third of the sources each. Only the extracts have restrictions. */
const areas = [
  { area: 'goteborg', source: gothenburg, sources: 9, targets: 280 },
  { area: 'monaco', source: extractBeside('monaco'), sources: 3, targets: 30 },
  {
    area: 'heidelberg',
    country: 'DE',
    source: extractBeside('heidelberg'),
    sources: 3,
    targets: 30,
  },
];

/** Empty roads; trucks are of the usual size. */
const emptyFor = (network: RoadNetwork, mode: TravelMode): Metric => ({
  ...freeFlowMetric(network, mode),
  ...(mode === 'truck' ? { vehicle: usualTruck } : {}),
});

for (const { area, source, sources, targets } of areas)
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

      proves('M-022', {
        asked: '10,000 pairs equal plain Dijkstra; every step of every route is legal in the raw extract',
        shown: '10,080 pairs in Gothenburg; 720 where turns are restricted; each step of each route is legal',
        settings: [
          'Heidelberg and Monaco are skipped where their extracts are not beside the checkout',
          'the checker of steps shares with the builder the reader of extracts and the borders of countries',
          'Gothenburg is open data of roads without turn restrictions and barriers; these: 720 pairs, towns',
          'trips begin and end on public roads',
        ],
        control: {
          in: 'osm/profiles/driving.ts',
          change: '  onewayBinds: true,\n',
          to: '  onewayBinds: false,\n',
        },
      });
      it('M-022: every cost equals plain Dijkstra, with traffic and avoidances; every step is legal', {
        timeout: 600_000,
      }, () => {
        const random = seeded(2026);
        const wrongs: string[] = [];
        let compared = 0;
        let judged = 0;
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
                compared++;
                if (outcome.status !== 'ok') continue;
                expect(
                  Math.abs(durationOf(network, metric, outcome.path) - outcome.path.durationMs),
                ).toBeLessThan(2);
                const ids = Array.from(outcome.path.edges, (edge) => network.edgeId(edge));
                wrongs.push(...legal.judge(ids, mode));
                judged++;
              }
            }
        }
        expect(compared).toBe(travelModes.length * sources * targets);
        expect(wrongs).toEqual([]);
        expect(judged).toBeGreaterThan(compared / 2);
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
    },
  );
