import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { avoidMask } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex } from '#routing-engine/network/travel-mode.js';
import type { Vehicle } from '#routing-engine/network/vehicle.js';
import { applyChanges, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { findAlternatives } from '#routing-engine/route/find-alternatives.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { drawMap } from './ascii-map.js';
import { matrixBesideDijkstra } from './matrix-beside-dijkstra.js';
import { any, randomTown } from './random-town.js';

const randomVehicle = (random: () => number): Vehicle => ({
  heightMm: any([2_500, 3_500, 4_000, 4_500], random),
  widthMm: any([2_000, 2_550, 3_000], random),
  lengthMm: any([7_000, 12_000, 16_500, 25_000], random),
  weightKg: any([3_500, 7_500, 40_000, 60_000], random),
  axleLoadKg: any([2_000, 8_000, 11_500], random),
  hazmat: random() < 0.3,
});

/** A town with limits, barriers, tolls, private roads and closures, and a truck in it. */
async function townOfLimits(random: () => number): Promise<{ network: RoadNetwork; metric: Metric }> {
  const limits = [
    { maxheight: '3.8' },
    { maxheight: '3' },
    { maxwidth: '2.3' },
    { maxlength: '12' },
    { maxweight: '7.5' },
    { maxweight: '30' },
    { maxaxleload: '8' },
    { hazmat: 'no' },
    { 'maxweight:forward': '12' },
    { hgv: 'destination' },
  ];
  const tags = (): Record<string, string> => ({
    ...(random() < 0.1 ? { 'toll:hgv': 'yes' } : {}),
    ...(random() < 0.1 ? { access: 'private' } : {}),
    ...(random() < 0.3 ? any(limits, random) : {}),
  });
  const [drawing, rules] = randomTown(random, tags, 0.03);
  const nodes: Record<string, Record<string, string>> = {};
  for (const letter of 'ABCDEFGHIJKLMNOPQRST')
    if (random() < 0.1) nodes[letter] = { barrier: 'gate', maxheight: any(['2.8', '3.8'], random) };
  const { network } = await drawMap(drawing, { ...rules, nodes, stepM: 100, cellNodesMax: [3, 8] });
  const changes = Array.from({ length: 5 }, () => {
    const edge = Math.floor(random() * network.edgeCount);
    return random() < 0.2 ? ({ edge, closed: true } as const) : { edge, speedKph: 5 + 60 * random() };
  });
  const live = applyChanges(network, freeFlowMetric(network, 'truck'), changes, 1);
  return { network, metric: { ...live, vehicle: randomVehicle(random) } };
}

describe('a truck among limits', () => {
  it('M-022: every cost equals plain Dijkstra over the roads that admit it', async () => {
    const random = seeded(41);
    const seen = { found: 0, longer: 0, none: 0, alternatives: 0 };
    for (let round = 0; round < 100; round++) {
      const { network, metric } = await townOfLimits(random);
      const { speedKph, zone } = network.arrays;
      const row = modeIndex('truck') * network.edgeCount;
      const avoid = random() < 0.3 ? avoidMask(['tolls'], 'truck') : 0;
      const roads = [...Array(network.edgeCount).keys()].filter((edge) => speedKph[row + edge]! > 0);
      const draw = () => ({ edge: any(roads, random), fraction: Math.round(10 * random()) / 10 });
      const small: Metric = { ...metric };
      delete (small as { vehicle?: Vehicle }).vehicle;
      for (let i = 0; i < 20; i++) {
        const [from, to] = [[draw()], [draw()]];
        const open = zone[row + to[0]!.edge] === 0 ? [] : to;
        const expected = dijkstra(network, metric, from, avoid, open).costTo(to);
        const found = findRoute(network, metric, { from, to, avoid });
        const ms = found.status === 'ok' ? found.path.durationMs : undefined;
        expect([round, i, ms]).toEqual([round, i, expected]);
        if (found.status !== 'ok') {
          seen.none++;
          continue;
        }
        seen.found++;
        const ofAll = findRoute(network, small, { from, to, avoid });
        if (ofAll.status === 'ok' && ofAll.path.durationMs < ms!) seen.longer++;
        const others = findAlternatives(network, metric, { from, to, avoid }, { count: 3 });
        if (others.status !== 'ok') throw new Error('there was a route');
        for (const { edges } of others.paths) {
          seen.alternatives++;
          const barred = network.meta.limits.filter((limit) => tooMuch(metric.vehicle!, limit));
          for (const { edges: of, atTail } of barred)
            expect(of.some((edge) => (atTail ? edges.slice(1) : edges).includes(edge))).toBe(false);
        }
      }
    }
    for (const [kind, count] of Object.entries(seen))
      expect([kind, count > 50 ? 'enough' : count]).toEqual([kind, 'enough']);
  });

  it('M-027: every cell of a matrix equals plain Dijkstra', async () => {
    const random = seeded(43);
    let compared = 0;
    for (let round = 0; round < 25; round++) {
      const { network, metric } = await townOfLimits(random);
      for (const { from, to, ms, expectedMs } of matrixBesideDijkstra(network, metric, { size: 6, random })) {
        expect([round, from, to, ms]).toEqual([round, from, to, expectedMs]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(800);
  });
});

/** Written out once more: the search must not judge itself. */
const tooMuch = (of: Vehicle, { most, hazmat }: RoadNetwork['meta']['limits'][number]): boolean =>
  (hazmat && of.hazmat) ||
  (Object.keys(most) as (keyof typeof most)[]).some((each) => of[each] > most[each]!);
