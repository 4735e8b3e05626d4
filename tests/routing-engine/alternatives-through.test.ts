import { describe, expect, it } from 'vitest';
import { alternativesThrough } from '#routing-engine/route/alternatives-through.js';
import { findAlternatives } from '#routing-engine/route/find-alternatives.js';
import { findRouteThrough } from '#routing-engine/route/find-route-through.js';
import { type DrawnMap, drawMap } from './ascii-map.js';

/** From Y to B there are two ways, of which the one over A is slower. */
const drawing = `
Y------X
|      |
|      |
|      |
A------B------C
              |
              |
              D`;

const slow = { AB: { maxspeed: '25' } };

/** Letters of each route's paths from stop to stop: from Y over the middle of BC to D. */
function routesOf(map: DrawnMap, last: string, count: number): string[] {
  const metric = map.metric();
  const between = [
    { edge: map.edge('B', 'C'), fraction: 0.5 },
    { edge: map.edge('C', 'B'), fraction: 0.5 },
  ];
  const from = [
    { edge: map.edge('Y', 'X'), fraction: 0 },
    { edge: map.edge('Y', 'A'), fraction: 0 },
  ];
  const to = [{ edge: map.edge(last[0]!, last[1]!), fraction: 1 }];
  const best = findRouteThrough(map.network, metric, { stops: [from, between, to] });
  if (best.status !== 'ok') throw new Error(best.reason);
  const found = alternativesThrough(map.network, metric, { paths: best.legs, from, to, avoid: 0 }, count);
  return [best.legs, ...found].map((paths) => paths.map(({ edges }) => map.lettersOf(edges)).join());
}

describe('alternatives of a route through places', () => {
  it('take another way between two stops, one at a time', async () => {
    const map = await drawMap(drawing, { ways: slow });
    expect(routesOf(map, 'CD', 0)).toEqual(['YXBC,BCD']);
    expect(routesOf(map, 'CD', 3)).toEqual(['YXBC,BCD', 'YABC,BCD']);
    expect(routesOf(map, 'CD', 1)).toHaveLength(2);
  });

  it('are as legal as the whole route: a restriction over a stop stays in force', async () => {
    const map = await drawMap(drawing, {
      ways: slow,
      restrictions: [['no_right_turn', 'AB', 'BC', 'CD']],
    });
    expect(routesOf(map, 'CD', 3)).toEqual(['YXBC,BCD']);
  });
});

describe('alternatives between two places', () => {
  it('leave the other way round a block, also where both places are at the same two crossings', async () => {
    const block = `
A------B
|      |
C------D`;
    const ways = { AB: { maxspeed: '30' } };
    const map = await drawMap(block, { ways });
    const ends = (fraction: number, ...edges: readonly string[]) =>
      edges.map(([from, to]) => ({ edge: map.edge(from!, to!), fraction }));
    const query = { from: ends(0, 'AB', 'AC'), to: ends(1, 'AB', 'DB') };
    const found = findAlternatives(map.network, map.metric(), query, { count: 2, stretchMax: 4 });
    if (found.status !== 'ok') throw new Error(found.reason);
    expect(found.paths.map(({ edges }) => map.lettersOf(edges))).toEqual(['AB', 'ACDB']);
  });
});
