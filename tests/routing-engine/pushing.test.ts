import { describe, expect, it } from 'vitest';
import { guide } from '#routing-engine/guidance/guide.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { type DrawnMap, drawMap } from './ascii-map.js';

function stepsOf(map: DrawnMap, path: string, mode: TravelMode = 'bicycling'): string[] {
  const metric = map.metric(mode);
  const outcome = map.route(path.slice(0, 2), path.slice(-2), metric);
  if (outcome.status !== 'ok') return [outcome.reason];
  expect(map.lettersOf(outcome.path.edges)).toBe(path);
  const steps = guide(map.network, metric, outcome.path, pathGeometry(map.network, outcome.path), {});
  return steps.map(({ maneuver: { type }, mode: by, name }) => `${type}, ${by} on ${name}`);
}

/** Metres per second on the way. */
const kphOn = (map: DrawnMap, way: string): number =>
  map.network.freeFlowKph(map.edge(way[0]!, way[1]!), 'bicycling');

describe('a bicycle is pushed where riding is forbidden', () => {
  const street = 'A----B----C----D----E';

  it('along a footway, at walking speed, with a step where the cyclist gets off and on', async () => {
    const map = await drawMap(street, { ways: { BC: { highway: 'footway' }, CD: { highway: 'steps' } } });
    expect([kphOn(map, 'BC'), kphOn(map, 'CD'), kphOn(map, 'AB')]).toEqual([4, 2, 17]);
    expect(stepsOf(map, 'ABCDE')).toEqual([
      'depart, cycling on AB',
      'new name, pushing bike on BC',
      'new name, pushing bike on CD',
      'new name, cycling on DE',
      'arrive, cycling on DE',
    ]);
    expect(stepsOf(map, 'ABCDE', 'walking').every((step) => / walking /.test(step))).toBe(true);
    expect(stepsOf(map, 'ABCDE', 'driving')).toEqual(['unreachable']);
  });

  it('is said also where the road goes on with its name', async () => {
    const same = { name: 'Long Street' };
    const map = await drawMap(street, {
      ways: { AB: same, BC: { ...same, bicycle: 'dismount' }, CD: same, DE: same },
    });
    expect(stepsOf(map, 'ABCDE')).toEqual([
      'depart, cycling on Long Street',
      'notification, pushing bike on Long Street',
      'notification, cycling on Long Street',
      'arrive, cycling on Long Street',
    ]);
    expect(stepsOf(map, 'ABCDE', 'driving')).toHaveLength(2);
  });

  it('is said on stretches whose names are too short to be said', async () => {
    const map = await drawMap(street, { stepM: 10, ways: { CD: { highway: 'footway' } } });
    expect(stepsOf(map, 'BCDE')).toEqual([
      'depart, cycling on BC',
      'new name, pushing bike on CD',
      'new name, cycling on DE',
      'arrive, cycling on DE',
    ]);
  });

  it('against a one-way street, and not against a roundabout or where a tag closes the way', async () => {
    const against = async (tags: Record<string, string>): Promise<string[]> =>
      stepsOf(await drawMap(street, { ways: { CD: tags } }), 'EDCBA');
    expect(await against({ oneway: 'yes' })).toContainEqual(expect.stringMatching(/pushing bike on CD/));
    expect(await against({ junction: 'roundabout' })).toEqual(['unreachable']);
    expect(await against({ oneway: 'yes', bicycle: 'no' })).toEqual(['unreachable']);
  });

  it('two turns at once stay two where the cyclist gets off between them', async () => {
    const staggered = `
A----------B
           C----------D`.replace('B\n', 'B\n           |\n');
    const name = { name: 'Oak Street' };
    const ways = (across: object) => ({ AB: name, CD: name, BC: { name: 'Mill', ...across } });
    const ridden = await drawMap(staggered, { stepM: 8, ways: ways({}) });
    const pushed = await drawMap(staggered, { stepM: 8, ways: ways({ highway: 'footway' }) });
    expect(stepsOf(pushed, 'ABCD').length).toBeGreaterThanOrEqual(stepsOf(ridden, 'ABCD').length);
    expect(stepsOf(pushed, 'ABCD')[1]).toMatch(/pushing bike on Mill/);
  });
});
