import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex } from '#routing-engine/network/travel-mode.js';
import { customizeAll } from '#routing-engine/overlay/customize.js';
import { limitSpeed } from '#routing-engine/overlay/limit-speed.js';
import { applyChanges, CLOSED, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { findAlternatives } from '#routing-engine/route/find-alternatives.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { durationOf, freeFlowOf } from '#routing-engine/route/path-times.js';
import { runs } from '../property-runs.js';
import { drawMap } from './ascii-map.js';
import { matrixBesideDijkstra } from './matrix-beside-dijkstra.js';
import { any, randomTown } from './random-town.js';

/** A town of fast and slow roads, ferries and restrictions over ways, with jams and closures. */
async function townOfSpeeds(random: () => number): Promise<{ network: RoadNetwork; metric: Metric }> {
  const tags = (): Record<string, string> => ({
    ...any<Record<string, string>>(
      [{ maxspeed: '120' }, { maxspeed: '90' }, { maxspeed: '50' }, { maxspeed: '30' }, {}],
      random,
    ),
    ...(random() < 0.1 ? { access: 'private' } : {}),
    ...(random() < 0.1 ? { highway: '', route: 'ferry', duration: '00:00:05' } : {}),
  });
  const [drawing, rules] = randomTown(random, tags, 0.1);
  const { network } = await drawMap(drawing, { ...rules, stepM: 100, cellNodesMax: [3, 8] });
  const changes = Array.from({ length: 5 }, () => {
    const edge = Math.floor(random() * network.edgeCount);
    return random() < 0.3 ? ({ edge, closed: true } as const) : { edge, speedKph: 5 + 100 * random() };
  });
  const mode = random() < 0.7 ? 'driving' : 'truck';
  return { network, metric: applyChanges(network, freeFlowMetric(network, mode), changes, 1) };
}

/** By the definition: length over the top speed, if that is longer. */
const limitedCosts = (network: RoadNetwork, { costMs }: Metric, kph: number): Int32Array =>
  costMs.map((ms, edge) =>
    ms === CLOSED || (network.arrays.flags[edge]! & edgeFlag.ferry) !== 0
      ? ms
      : Math.max(ms, Math.round((network.arrays.lengthCm[edge]! * 36) / kph)),
  );

describe('a top speed', () => {
  it('every cost equals plain Dijkstra over roads on which nothing is faster', async () => {
    const random = seeded(77);
    const seen = { found: 0, slower: 0, elsewhere: 0, none: 0, alternatives: 0 };
    for (let round = 0; round < runs(60); round++) {
      const { network, metric } = await townOfSpeeds(random);
      const { speedKph, zone, copyOf } = network.arrays;
      const kph = any([10, 25, 40, 60, 80, 130], random);
      const empty = limitSpeed(network, freeFlowMetric(network, metric.mode), kph);
      const before = metric.costMs.slice();
      const limited = limitSpeed(network, metric, kph);
      expect(metric.costMs).toEqual(before);
      const oracle: Metric = { ...metric, costMs: limitedCosts(network, metric, kph), topSpeedKph: kph };
      expect(limited.weightsMs).toEqual(customizeAll(network, metric.mode, oracle));
      const row = modeIndex(metric.mode) * network.edgeCount;
      const roads = [...Array(network.edgeCount).keys()].filter((edge) => speedKph[row + edge]! > 0);
      const draw = () => ({ edge: copyOf[any(roads, random)]!, fraction: Math.round(10 * random()) / 10 });
      for (let i = 0; i < 20; i++) {
        const [from, to] = [[draw()], [draw()]];
        const open = zone[row + to[0]!.edge] === 0 ? [] : to;
        const expected = dijkstra(network, oracle, from, 0, open).costTo(to);
        const found = findRoute(network, limited, { from, to, avoid: 0 });
        const ms = found.status === 'ok' ? found.path.durationMs : undefined;
        expect([round, i, ms]).toEqual([round, i, expected]);
        if (found.status !== 'ok') {
          seen.none++;
          continue;
        }
        seen.found++;
        const usual = findRoute(network, metric, { from, to, avoid: 0 });
        if (usual.status !== 'ok') throw new Error('a slower vehicle has a route that others do not have');
        expect(usual.path.durationMs).toBeLessThanOrEqual(ms!);
        if (usual.path.durationMs < ms!) seen.slower++;
        if (`${usual.path.edges}` !== `${found.path.edges}`) seen.elsewhere++;
        expect(freeFlowOf(network, limited, found.path)).toBe(durationOf(network, empty, found.path));
        const others = findAlternatives(network, limited, { from, to, avoid: 0 }, { count: 3 });
        if (others.status !== 'ok') throw new Error('there was a route');
        for (const path of others.paths) {
          seen.alternatives++;
          expect(path.durationMs).toBe(durationOf(network, oracle, path));
        }
      }
    }
    for (const [kind, count] of Object.entries(seen))
      expect([kind, count > runs(15) ? 'enough' : count]).toEqual([kind, 'enough']);
  });

  it('every cell of a matrix equals plain Dijkstra', async () => {
    const random = seeded(78);
    let compared = 0;
    for (let round = 0; round < runs(15); round++) {
      const { network, metric } = await townOfSpeeds(random);
      const kph = any([10, 40, 80], random);
      const limited = limitSpeed(network, metric, kph);
      const oracle: Metric = { ...metric, costMs: limitedCosts(network, metric, kph), topSpeedKph: kph };
      for (const { from, to, ms, expectedMs } of matrixBesideDijkstra(network, limited, {
        size: 5,
        random,
        oracle,
      })) {
        expect([round, from, to, ms]).toEqual([round, from, to, expectedMs]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(runs(300));
  });

  it('above all roads changes no cost; one that is none is an error', async () => {
    const { network, metric } = await townOfSpeeds(seeded(79));
    const limited = limitSpeed(network, metric, 252);
    expect(limited.costMs).toEqual(metric.costMs);
    expect(limited.weightsMs).toEqual(metric.weightsMs);
    for (const kph of [0, -1, Number.NaN]) expect(() => limitSpeed(network, metric, kph)).toThrow(RangeError);
  });
});
