import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import type { RouteEnd } from '#routing-engine/route/find-route.js';
import { findRouteThrough } from '#routing-engine/route/find-route-through.js';
import { snap } from '#routing-engine/snap/snap.js';
import { drawMap } from './ascii-map.js';

describe('a route through waypoints', () => {
  const street = `
A---B---C---D
    |   |
    E---F`;

  it('continues in the direction of arrival, unless it may turn around at stops', async () => {
    const map = await drawMap(street, { cellNodesMax: [2, 4] });
    const { network } = map;
    const between = (from: string, to: string): RouteEnd[] => [
      { edge: map.edge(from, to), fraction: 0.5 },
      { edge: map.edge(to, from), fraction: 0.5 },
    ];
    const stops = [between('A', 'B'), between('B', 'C'), between('A', 'B')];
    const straight = findRouteThrough(network, map.metric(), { stops });
    const turning = findRouteThrough(network, map.metric(), {
      stops,
      turns: { at: new Set([1]), when: 'quicker' },
    });
    if (straight.status !== 'ok' || turning.status !== 'ok') throw new Error('no route');
    expect(map.lettersOf(turning.legs[0]!.edges)).toBe('ABC');
    expect(map.lettersOf(turning.legs[1]!.edges)).toBe('CBA');
    // It drives around the block: it turns around neither in the middle of the road nor at a crossing.
    expect(straight.legs.map(({ edges }) => map.lettersOf(edges))).toEqual(['ABC', 'BCFEBA']);
    expect(straight.durationMs).toBeGreaterThan(turning.durationMs);
    expect(straight.durationMs).toBe(straight.legs.reduce((sum, leg) => sum + leg.durationMs, 0));
  });

  it('turns around at as few stops as possible if turns are only for need', async () => {
    // No road leads out of CD: no vehicle turns around at D.
    const map = await drawMap(street, { restrictions: [['no_u_turn', 'CD', 'D', 'CD']] });
    const { network } = map;
    const at = (from: string, to: string, fraction = 0.5): RouteEnd[] => [
      { edge: map.edge(from, to), fraction },
      { edge: map.edge(to, from), fraction: 1 - fraction },
    ];
    const stops = [at('A', 'B'), at('B', 'E'), at('C', 'D', 0.8), at('C', 'D', 0.2)];
    const legs = (when: 'quicker' | 'needed', ...places: number[]): string[] | string => {
      const turns = { at: new Set(places), when };
      const found = findRouteThrough(network, map.metric(), { stops, turns });
      return found.status === 'ok' ? found.legs.map(({ edges }) => map.lettersOf(edges)) : `${found.leg}`;
    };
    expect(legs('quicker', 1, 2)).toEqual(['ABE', 'EBCD', 'DC']);
    expect(legs('needed', 1, 2)).toEqual(['ABE', 'BEFCD', 'DC']);
    expect(legs('needed', 1)).toBe('2');
    // A turn here is not needed, although it is faster.
    stops.splice(1, 3, at('B', 'C'), at('A', 'B'));
    expect(legs('quicker', 1)).toEqual(['ABC', 'CBA']);
    expect(legs('needed', 1)).toEqual(['ABC', 'BCFEBA']);
  });

  it('obeys a heading at a waypoint', async () => {
    const map = await drawMap(street, { stepM: 100 });
    const [lng, lat] = map.network.edgeGeometry(map.edge('B', 'C'));
    const point = { lat: lat!, lng: lng! + 0.0015 };
    const west = snap(map.network, point, { mode: 'driving', maxMeters: 50, headingDeg: 270 });
    expect(west.map(({ edge }) => edge)).toEqual([map.edge('C', 'B')]);
    const found = findRouteThrough(map.network, map.metric(), {
      stops: [[{ edge: map.edge('A', 'B'), fraction: 0 }], west, [{ edge: map.edge('C', 'D'), fraction: 1 }]],
    });
    if (found.status !== 'ok') throw new Error(found.reason);
    expect(map.lettersOf(found.legs[0]!.edges)).toBe('ABEFCB');
  });

  it('M-022: equals the best choice among all places of all stops, by plain Dijkstra', async () => {
    const map = await drawMap(
      `
A---B---C---D
|   |   |   |
E---F---G---H
|   |   |   |
I---J---K---L`,
      { cellNodesMax: [3, 6], ways: { AE: { oneway: 'yes' }, GK: { oneway: 'yes' }, FG: { oneway: '-1' } } },
    );
    const { network } = map;
    const metric = map.metric();
    const random = seeded(5);
    const end = (): RouteEnd => ({
      edge: Math.floor(random() * network.edgeCount),
      fraction: Math.floor(random() * 5) / 4,
    });
    const cost = (from: RouteEnd, to: RouteEnd): number =>
      dijkstra(network, metric, [from], 0, [to]).costTo([to]) ?? Number.POSITIVE_INFINITY;
    for (let i = 0; i < 60; i++) {
      const stops = Array.from({ length: 2 + (i % 3) }, () => [end(), end()]);
      let reached = stops[0]!.map((place) => ({ place, ms: 0 }));
      for (const next of stops.slice(1))
        reached = next.map((place) => ({
          place,
          ms: Math.min(...reached.map((before) => before.ms + cost(before.place, place))),
        }));
      const found = findRouteThrough(network, metric, { stops });
      expect(found.status === 'ok' ? found.durationMs : Number.POSITIVE_INFINITY).toBe(
        Math.min(...reached.map(({ ms }) => ms)),
      );
    }
  });

  it('keeps a restriction over ways although it stops in their middle', async () => {
    const map = await drawMap(
      `
A---B---C---D
    |   |
    E---F`,
      { restrictions: [['no_straight_on', 'AB', 'BC', 'CD']] },
    );
    const stop = (from: string, to: string): RouteEnd => ({ edge: map.edge(from, to), fraction: 0.5 });
    const through = (...between: RouteEnd[]): string[] => {
      const stops = [stop('A', 'B'), ...between, stop('C', 'D')].map((place) => [place]);
      const found = findRouteThrough(map.network, map.metric(), { stops });
      if (found.status !== 'ok') throw new Error(found.reason);
      return found.legs.map(({ edges }) => map.lettersOf(edges));
    };
    const [first, second] = [stop('B', 'C'), { ...stop('B', 'C'), fraction: 0.6 }];
    const [straightOn, round] = ['BCD', expect.stringMatching(/^BCF/)];
    expect(through()).toEqual(['ABEFCD']);
    expect(through(first)).toEqual(['ABC', round]);
    // The leg between the two stops is within one edge.
    expect(through(first, second)).toEqual(['ABC', 'BC', round]);
    // A route that starts on the road has not come from the previous one.
    const [from, to] = [[first], [stop('C', 'D')]];
    const found = findRouteThrough(map.network, map.metric(), { stops: [from, to] });
    expect(found.status === 'ok' && map.lettersOf(found.legs[0]!.edges)).toBe(straightOn);
  });

  it('names the leg without a route, and rejects too many stops', async () => {
    const map = await drawMap(`A---B   C---D`);
    const stops = [
      [{ edge: map.edge('A', 'B'), fraction: 0 }],
      [{ edge: map.edge('A', 'B'), fraction: 1 }],
      [{ edge: map.edge('C', 'D'), fraction: 1 }],
    ];
    expect(findRouteThrough(map.network, map.metric(), { stops })).toEqual({
      status: 'no-route',
      reason: 'unreachable',
      leg: 1,
    });
    expect(() => findRouteThrough(map.network, map.metric(), { stops: stops.slice(0, 1) })).toThrow(
      RangeError,
    );
    expect(() => findRouteThrough(map.network, map.metric(), { stops: Array(101).fill(stops[0]) })).toThrow(
      RangeError,
    );
  });
});
