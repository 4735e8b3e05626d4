import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { openTileset } from '#map-data/open-tileset.js';
import { travelMatrix } from '#routing-engine/matrix/travel-matrix.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { customizeAll } from '#routing-engine/overlay/customize.js';
import { applyChanges, type EdgeChange, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { findRoute, type RouteEnd } from '#routing-engine/route/find-route.js';
import { durationOf } from '#routing-engine/route/path-times.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { proves } from '#tools/acceptance/proves.js';
import { runs } from '../property-runs.js';
import { LegalMoves } from '../tile-builder/legal-moves.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import { type FixtureRelation, type FixtureWay, playFixture } from '../tile-builder/osm-fixture.js';

/**
 * A town of random streets: gaps, one-ways, private roads, tolls, tracks, barriers, signals, restrictions of
 * all kinds.
 */
async function randomTown(seed: number): Promise<{ network: RoadNetwork; legal: LegalMoves }> {
  const random = seeded(seed);
  const size = 5 + Math.floor(random() * 4);
  const node = (x: number, y: number): number => 1 + y * size + x;
  const nodes = Array.from({ length: size * size }, (_, i) => ({
    id: i + 1,
    lng: 10 + ((i % size) + random() * 0.5) * 0.002,
    lat: 50 + (Math.floor(i / size) + random() * 0.5) * 0.0013,
    ...(random() < 0.04
      ? { tags: { barrier: 'bollard' } }
      : random() < 0.1
        ? { tags: { highway: 'traffic_signals' } }
        : {}),
  }));
  const ways: FixtureWay[] = [];
  const street = (a: number, b: number): void => {
    if (random() < 0.12) return;
    const tags: Record<string, string> = { highway: random() < 0.1 ? 'track' : 'residential' };
    if (random() < 0.25) tags['oneway'] = random() < 0.5 ? 'yes' : '-1';
    if (random() < 0.08) tags['access'] = 'private';
    if (random() < 0.1) tags['toll'] = 'yes';
    if (random() < 0.1) tags['motor_vehicle'] = 'yes';
    ways.push({ id: 100 + ways.length, refs: [a, b], tags });
  };
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      if (x + 1 < size) street(node(x, y), node(x + 1, y));
      if (y + 1 < size) street(node(x, y), node(x, y + 1));
    }
  const touching = (at: number): FixtureWay[] => ways.filter(({ refs }) => refs.includes(at));
  const other = (way: FixtureWay, at: number): number => (way.refs[0] === at ? way.refs[1]! : way.refs[0]!);
  const any = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const relations: FixtureRelation[] = [];
  for (let i = 0; i < size * 3; i++) {
    const start = 1 + Math.floor(random() * size * size);
    const from = any(touching(start));
    if (from === undefined) continue;
    let at = other(from, start);
    let last = from;
    const vias: FixtureWay[] = [];
    const steps = Math.floor(random() * 4);
    for (let step = 0; step < steps; step++) {
      const via = any(touching(at).filter((way) => way !== last));
      if (via === undefined) break;
      vias.push(via);
      at = other(via, at);
      last = via;
    }
    const to = any(touching(at).filter((way) => way !== last || vias.length > 0));
    if (to === undefined) continue;
    relations.push({
      id: i,
      members: [
        { type: 'way', id: from.id, role: 'from' },
        ...(vias.length === 0
          ? [{ type: 'node' as const, id: at, role: 'via' }]
          : vias.map(({ id }) => ({ type: 'way' as const, id, role: 'via' }))),
        { type: 'way', id: to.id, role: 'to' },
      ],
      tags: { type: 'restriction', restriction: random() < 0.3 ? 'only_straight_on' : 'no_left_turn' },
    });
  }
  const objects = new MemoryObjectStore();
  const source = {
    kind: 'elements',
    read: (sink: Parameters<typeof playFixture>[1]) => playFixture({ nodes, ways, relations }, sink),
  } as const;
  await buildTileset(source, objects, { cellNodesMax: [4, 12, 30] });
  const legal = new LegalMoves();
  source.read(legal.sink);
  return { network: await openTileset(objects), legal };
}

describe('the overlay', () => {
  proves('M-022', {
    asked: 'equal to plain Dijkstra; every step is a legal move: access, one-way, turn restriction',
    shown: '16 towns from seeds, with turn restrictions, in each mode, with traffic and avoidances: both',
    settings: ['cells of at most 4, 12 and 30 nodes, so that a small town has several levels'],
    control: {
      in: 'routing-engine/overlay/clique-search.ts',
      change: 'if (ms >= label[at]) continue;',
      to: 'if (label[at] !== UNREACHED) continue;',
    },
  });
  it('M-022: in any town, mode, traffic and avoidance, costs equal Dijkstra, steps are legal', async () => {
    let routes = 0;
    let cells = 0;
    let ties = 0;
    let levels = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const { network, legal } = await randomTown(seed);
        levels = Math.max(levels, network.levelCount);
        const random = seeded(seed + 1);
        const edge = (): number => Math.floor(random() * network.edgeCount);
        const end = (): RouteEnd => ({
          edge: network.arrays.copyOf[edge()]!,
          fraction: Math.floor(random() * 11) / 10,
        });
        for (const mode of travelModes) {
          let metric = freeFlowMetric(network, mode);
          for (let round = 0; round < 3; round++) {
            for (let i = 0; i < 12; i++) {
              const from = random() < 0.5 ? [end()] : [end(), end()];
              const to = random() < 0.5 ? [end()] : [end(), end()];
              const avoid = random() < 0.5 ? 0 : Math.floor(random() * 16);
              const outcome = findRoute(network, metric, { from, to, avoid });
              expect(outcome.status === 'ok' ? outcome.path.durationMs : undefined).toBe(
                least(to.map((goal) => dijkstra(network, metric, from, avoid, [goal]).costTo([goal]))),
              );
              if (outcome.status !== 'ok') continue;
              routes++;
              const ids = Array.from(outcome.path.edges, (each) => network.edgeId(each));
              expect(legal.judge(ids, mode)).toEqual([]);
              expect(
                Math.abs(durationOf(network, metric, outcome.path) - outcome.path.durationMs),
              ).toBeLessThan(2);
            }
            const places = Array.from({ length: 6 }, () => (random() < 0.5 ? [end()] : [end(), end()]));
            const avoid = Math.floor(random() * 16);
            // More destinations than origins, and fewer: searched from either side.
            for (const [from, to] of [
              [places.slice(0, 2), places],
              [places, places.slice(0, 3)],
            ] as const) {
              const ends = (of: readonly RouteEnd[][]) => of.map((each) => ({ ends: each }));
              const query = { from: ends(from), to: ends(to), avoid, withMetres: true };
              const { ms, metres } = travelMatrix(network, metric, query);
              for (const [i, origin] of from.entries())
                for (const [j, goal] of to.entries()) {
                  const outcome = findRoute(network, metric, { from: origin, to: goal, avoid });
                  const path = outcome.status === 'ok' ? outcome.path : undefined;
                  const at = i * to.length + j;
                  expect(ms[at]).toBe(path?.durationMs ?? Number.POSITIVE_INFINITY);
                  if (path !== undefined && Math.abs(metres[at]! - path.lengthM) > 0.01) ties++;
                  cells++;
                }
            }
            const changes = Array.from(
              { length: 6 },
              (): EdgeChange =>
                random() < 0.3
                  ? { edge: edge(), closed: true }
                  : random() < 0.3
                    ? { edge: edge(), cleared: true }
                    : { edge: edge(), speedKph: 1 + Math.floor(random() * 100) },
            );
            metric = applyChanges(network, metric, changes, round + 1);
            // The result of step-by-step updates equals a fresh customization.
            expect(metric.weightsMs).toEqual(customizeAll(network, mode, metric));
          }
        }
      }),
      { numRuns: runs(16), seed: 2026 },
    );
    expect(routes).toBeGreaterThan(runs(400));
    expect(levels).toBeGreaterThanOrEqual(3);
    // Of two paths that take the same time, a matrix may measure another one than the route.
    expect(ties).toBeLessThan(cells / 200);
  });
});

const least = (costs: readonly (number | undefined)[]): number | undefined =>
  costs.reduce(
    (best, cost) => (best === undefined || (cost !== undefined && cost < best) ? cost : best),
    undefined,
  );
