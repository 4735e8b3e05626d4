import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { avoidMask } from '#routing-engine/network/edge-flags.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { findNear, type NearOutcome } from '#routing-engine/route/find-near.js';
import { type Snap, snap } from '#routing-engine/snap/snap.js';
import { answerRouteTask, type RouteTaskOutcome } from '#routing-engine/tasks/route-task.js';
import { type DrawnMap, drawMap } from './ascii-map.js';
import { randomTown } from './random-town.js';

/** Metres east and south of the first character of the drawing. */
type Place = readonly [east: number, south: number];
const degree = 111_195;
const at = ([east, south]: Place) => ({ lng: east / degree, lat: -south / degree });

const near = (
  { network }: DrawnMap,
  metric: Metric,
  from: Place,
  to: Place,
  { avoid = 0, maxMeters = 1_000, count = 1 } = {},
): NearOutcome =>
  findNear(network, metric, { from: { point: at(from) }, to: { point: at(to) }, avoid, maxMeters, count });

function ok(outcome: NearOutcome): Extract<NearOutcome, { readonly status: 'ok' }> {
  if (outcome.status !== 'ok') throw new Error(outcome.status);
  return outcome;
}

const ask = (map: DrawnMap, from: Place, to: Place, metric = map.metric(), avoid = 0): RouteTaskOutcome =>
  answerRouteTask(map.network, {
    ...{ metric, avoid, alternatives: 0 },
    from: { point: at(from) },
    to: { point: at(to) },
  });
const warnings = (outcome: RouteTaskOutcome): readonly string[] =>
  outcome.status === 'ok' ? outcome.warnings : [outcome.status];

describe('the nearest roads of two places', () => {
  it('uses the nearest roads although no road leads back to them', async () => {
    const map = await drawMap(
      `
A--B--C--D
|  |  |
E--F--G
   |
   H`,
      { ways: { HF: { oneway: 'yes' }, CD: { oneway: 'yes' } } },
    );
    const outcome = ok(near(map, map.metric(), [125, 180], [300, 45]));
    expect(map.lettersOf(outcome.paths[0]!.edges)).toMatch(/^HF.*CD$/);
    expect([outcome.from.isMoved, outcome.to.isMoved]).toEqual([false, false]);
    expect(outcome.from.distanceM).toBeCloseTo(5, 0);
    expect(warnings(ask(map, [125, 180], [300, 45]))).toEqual([]);
  });

  it('uses all roads that meet at a crossing: the route needs no turn at its ends', async () => {
    const map = await drawMap(
      `
A--B--C
   |
D--E--F`,
      { ways: { BE: { oneway: 'yes' } } },
    );
    const outcome = ok(near(map, map.metric(), [120, 40], [120, 120]));
    expect(map.lettersOf(outcome.paths[0]!.edges)).toBe('BE');
    expect(outcome.paths[0]!.lengthM).toBeCloseTo(80, 0);
  });

  it('uses open roads, and a closed one if there is no other', async () => {
    const map = await drawMap(`
A--B--C
|  |  |
D--E--F`);
    const id = (pair: string) => map.edge(pair[0]!, pair[1]!);
    // Between two places of one closed road no open road is as near.
    const both = map.metric('driving', [
      { edge: id('AB'), closed: true },
      { edge: id('BA'), closed: true },
    ]);
    const onClosed = ok(near(map, both, [60, 42], [240, 80]));
    expect(onClosed.from).toMatchObject({ isMoved: false, edge: id('AB') });
    expect(onClosed.paths[0]!.closedAtStart).toBe(true);
    // The other direction of the road is open: it leads around the block.
    const one = map.metric('driving', [{ edge: id('AB'), closed: true }]);
    const round = ok(near(map, one, [60, 42], [240, 80]));
    expect(map.lettersOf(round.paths[0]!.edges)).toMatch(/^BAD/);
    expect(round.paths[0]!.closedAtStart).toBe(false);
    // At a crossing the closed arm is never used, neither to leave nor to arrive.
    for (const [from, to] of [
      [
        [120, 40],
        [0, 40],
      ],
      [
        [0, 40],
        [120, 40],
      ],
    ] as const) {
      const outcome = ok(near(map, both, from, to));
      expect(map.lettersOf(outcome.paths[0]!.edges)).toMatch(/^BEDA$|^ADEB$/);
      expect([outcome.paths[0]!.closedAtStart, outcome.paths[0]!.closedAtDestination]).toEqual([
        false,
        false,
      ]);
    }
  });

  it('does not replace the nearest roads by others because of a closure', async () => {
    const map = await drawMap('A--B--C--D');
    const closed = map.metric('driving', [
      { edge: map.edge('B', 'C'), closed: true },
      { edge: map.edge('C', 'B'), closed: true },
    ]);
    expect(near(map, closed, [60, 2], [300, 2])).toMatchObject({ status: 'no-route', reason: 'unreachable' });
  });
});

describe('an end that no road nearby leads to', () => {
  const broken = `
A--B  C--D
      |  |
      E--F`;

  it('is moved to the nearest place that a road leads to, with its distance and a warning', async () => {
    const map = await drawMap(broken);
    const there = ok(near(map, map.metric(), [60, 42], [250, 45]));
    expect(there.to).toMatchObject({ isMoved: true, edge: map.edge('A', 'B'), fraction: 1 });
    expect(there.to.distanceM).toBeCloseTo(130, 0);
    expect(there.from.isMoved).toBe(false);
    expect(warnings(ask(map, [60, 42], [250, 45]))).toEqual([
      'Your route ends 130 m from your destination: no road for cars leads closer.',
    ]);
    // Here the origin is nearer to the roads of the destination.
    expect(warnings(ask(map, [115, 42], [350, 45], map.metric('walking')))).toEqual([
      'Your route begins 125 m from your starting point: no road for people on foot begins closer.',
    ]);
  });

  it('is not moved farther than the limit, nor farther than the distance of the places', async () => {
    const map = await drawMap(broken);
    expect(near(map, map.metric(), [60, 42], [250, 45], { maxMeters: 100 })).toMatchObject({
      ...{ status: 'no-route', reason: 'unreachable' },
      to: { isMoved: false },
    });
    const parallel = await drawMap(`
A--B
C--D`);
    expect(near(parallel, parallel.metric(), [60, 42], [60, 78]).status).toBe('no-route');
    const islands = await drawMap('A--B     C--D', { stepM: 300 });
    expect(near(islands, islands.metric(), [450, 4], [3_150, 4]).status).toBe('no-route');
  });

  it('a route with avoidances gives the remaining distance to the traveller', async () => {
    const map = await drawMap('A--B--C--D', { ways: { CD: { toll: 'yes' } } });
    const avoid = avoidMask(['tolls']);
    expect(warnings(ask(map, [10, 2], [330, 2], map.metric(), avoid))).toEqual([
      'Your route ends 90 m from your destination: no road for cars without tolls leads closer.',
    ]);
    expect(warnings(ask(map, [10, 2], [330, 2]))).toEqual([]);
  });

  it('reports an end that is far from every road', async () => {
    const map = await drawMap('A--B--C--D');
    expect(warnings(ask(map, [10, 99], [330, 60]))).toEqual([]);
    expect(warnings(ask(map, [10, 340], [330, 60]))).toEqual([
      'Your route begins 340 m from your starting point: no road for cars begins closer.',
    ]);
  });

  it('has alternatives from the same places', async () => {
    const map = await drawMap(
      `
A----B----C----D
|    |    |    |
E----F----G----H

I--J`,
      { stepM: 60 },
    );
    const outcome = ok(near(map, map.metric(), [5, 305], [900, 70], { count: 3 }));
    expect(outcome.from).toMatchObject({ isMoved: true });
    expect(outcome.from.point.lat).toBeCloseTo(-180 / degree, 5);
    expect(outcome.paths.length).toBeGreaterThan(1);
    for (const { edges } of outcome.paths)
      expect(outcome.starts.map(({ edge }) => edge)).toContain(edges[0]!);
  });
});

it('on any map: the nearest roads at the cost of Dijkstra, else the nearest connected pair', async () => {
  const random = seeded(12);
  let moved = 0;
  let found = 0;
  for (let round = 0; round < 25; round++) {
    const map = await drawMap(...randomTown(random));
    const { network } = map;
    const metric = map.metric();
    for (let i = 0; i < 12; i++) {
      const place = (): Place => [600 * random(), 40 + 360 * random()];
      const [from, to] = [place(), place()];
      const outcome = near(map, metric, from, to);
      const all = [from, to].map((each) =>
        snap(network, at(each), { mode: 'driving', maxMeters: 1_000, limit: 64 }),
      ) as [Snap[], Snap[]];
      const connects = (radiusM: number): number | undefined => {
        const [starts, goals] = all.map((places) =>
          places.filter(({ distanceM }) => distanceM <= Math.max(radiusM, places[0]!.distanceM + 0.5)),
        ) as [Snap[], Snap[]];
        return dijkstra(network, metric, starts, 0, goals).costTo(goals);
      };
      const straightM = Math.hypot(from[0] - to[0], from[1] - to[1]);
      const direct = connects(0);
      if (direct !== undefined) {
        found++;
        expect(ok(outcome).paths[0]!.durationMs).toBe(direct);
        expect([ok(outcome).from.isMoved, ok(outcome).to.isMoved]).toEqual([false, false]);
        continue;
      }
      const radii = all
        .flat()
        .map(({ distanceM }) => distanceM)
        .sort((a, b) => a - b);
      const least = radii.find((radiusM) => connects(radiusM) !== undefined);
      if (least === undefined || least > straightM - 1) continue;
      moved++;
      const { from: start, to: goal } = ok(outcome);
      expect(Math.max(start.distanceM, goal.distanceM)).toBeCloseTo(
        Math.max(least, all[0][0]!.distanceM, all[1][0]!.distanceM),
        0,
      );
    }
  }
  expect([found > 40, moved > 40]).toEqual([true, true]);
});
