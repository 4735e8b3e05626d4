import { describe, expect, it } from 'vitest';
import { guide } from '#routing-engine/guidance/guide.js';
import { lanesAlong } from '#routing-engine/guidance/lanes-along.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { type DrawnMap, drawMap } from './ascii-map.js';

/** The lanes before each crossing of a path, by the letter of the crossing: `B: left straight*`. */
function lanes(map: DrawnMap, path: string): string[] {
  const metric = map.metric();
  const outcome = map.route(path.slice(0, 2), path.slice(-2), metric);
  if (outcome.status !== 'ok') throw new Error(outcome.reason);
  const { edges } = outcome.path;
  expect(map.lettersOf(edges)).toBe(path);
  const steps = guide(map.network, metric, outcome.path, pathGeometry(map.network, outcome.path), {});
  return Array.from(lanesAlong(map.network, 'driving', edges, steps), ([at, found]) => {
    const letter = map.lettersOf(edges.subarray(at))[0];
    return `${letter}: ${found
      .map(({ indications, valid }) => indications.join(';') + (valid ? '*' : ''))
      .join(' ')}`;
  });
}

const cross = `
     N
     |
     |
W----X----E
     |
     |
     S`;

const crossing = (tags: Readonly<Record<string, string>>): Promise<DrawnMap> =>
  drawMap(cross, { ways: { WX: { highway: 'primary', ...tags } } });

describe('lanes', () => {
  it('those that lead to where the route goes are valid', async () => {
    const map = await crossing({ 'turn:lanes:forward': 'left|through;right' });
    expect(lanes(map, 'WXN')).toEqual(['X: left* straight;right']);
    expect(lanes(map, 'WXE')).toEqual(['X: left straight;right*']);
    expect(lanes(map, 'WXS')).toEqual(['X: left straight;right*']);
    // Those of the other direction.
    expect(lanes(map, 'EXW')).toEqual([]);
  });

  it('a lane without a sign leads where no other does', async () => {
    const map = await crossing({ 'turn:lanes:forward': '||right' });
    expect(lanes(map, 'WXE')).toEqual(['X: none* none* right']);
    expect(lanes(map, 'WXN')).toEqual(['X: none* none right']);
    expect(lanes(map, 'WXS')).toEqual(['X: none none right*']);
  });

  it('tags without a direction count on one-way roads', async () => {
    const tags = { 'turn:lanes': 'left|through|right' };
    expect(lanes(await crossing(tags), 'WXE')).toEqual([]);
    expect(lanes(await crossing({ ...tags, oneway: 'yes' }), 'WXE')).toEqual(['X: left straight* right']);
  });

  it('lanes that a car may not use are left out', async () => {
    const forward = { 'turn:lanes:forward': 'through|through|right' };
    const closed = await crossing({ ...forward, 'vehicle:lanes:forward': 'yes|no|yes' });
    expect(lanes(closed, 'WXE')).toEqual(['X: straight* right']);
    const opened = await crossing({
      ...forward,
      'vehicle:lanes:forward': 'yes|no|yes',
      'motor_vehicle:lanes:forward': 'yes|yes|yes',
    });
    expect(lanes(opened, 'WXE')).toHaveLength(1);
    const bus = await crossing({ 'turn:lanes:forward': 'through|right|', 'lanes:psv:forward': '1' });
    expect(lanes(bus, 'WXE')).toEqual(['X: straight* right']);
  });

  it('values that are not known, or more lanes than any road has, give no lanes', async () => {
    for (const value of ['up|through', '|'.repeat(40), '||', 'left|throughout'])
      expect(lanes(await crossing({ 'turn:lanes:forward': value }), 'WXE')).toEqual([]);
  });

  it('fewer lanes are valid where the next crossing is near', async () => {
    const drawing = `
     N    M
     |    |
W----X----Y----E
     |    |
     S    T`;
    const map = (stepM: number): Promise<DrawnMap> =>
      drawMap(drawing, {
        stepM,
        ways: {
          WX: { highway: 'primary', 'turn:lanes:forward': 'left|through|through|right' },
          XY: { highway: 'primary', 'turn:lanes:forward': 'left|right' },
        },
      });
    expect(lanes(await map(10), 'WXYM')[0]).toBe('X: left straight* straight right');
    expect(lanes(await map(10), 'WXYT')[0]).toBe('X: left straight straight* right');
    expect(lanes(await map(400), 'WXYM')[0]).toBe('X: left straight* straight* right');
  });

  it('the crossing may be a little behind the end of the lanes', async () => {
    const drawing = `
W----V-X----E
       |
       S`;
    const at = (stepM: number): Promise<DrawnMap> =>
      drawMap(drawing, {
        stepM,
        ways: {
          WV: { highway: 'primary', 'turn:lanes:forward': 'through|right' },
          VX: { highway: 'primary' },
        },
        nodes: { V: { highway: 'traffic_signals' } },
      });
    expect(lanes(await at(10), 'WVXS')).toContain('X: straight right*');
    expect(lanes(await at(100), 'WVXS')).toEqual([]);
  });

  it('arrows for the next crossing are valid already at the one before it', async () => {
    const map = await drawMap(
      `
     P   N
     |   |
W----B---C----E
         |
         S`,
      {
        stepM: 10,
        ways: { PB: { oneway: 'yes' }, WB: { highway: 'primary', 'turn:lanes:forward': 'left|through' } },
      },
    );
    expect(lanes(map, 'WBCN').toSorted()).toEqual(['B: left* straight', 'C: left* straight']);
    expect(lanes(map, 'WBCE').toSorted()).toEqual(['B: left straight*', 'C: left straight*']);
  });

  it('lanes from which the next turn is near are chosen ahead', async () => {
    const at = (stepM: number): Promise<DrawnMap> =>
      drawMap(
        `
W----B----X
     |
     |
Y----C----Z`,
        {
          stepM,
          ways: {
            WB: { highway: 'primary', 'turn:lanes:forward': 'through|right|right' },
            BC: { highway: 'primary', 'turn:lanes:forward': 'left|right' },
          },
        },
      );
    expect(lanes(await at(10), 'WBCY')).toEqual(['B: straight right right*', 'C: left right*']);
    expect(lanes(await at(10), 'WBCZ')).toEqual(['B: straight right* right', 'C: left* right']);
    expect(lanes(await at(150), 'WBCY')).toEqual(['B: straight right* right*', 'C: left right*']);
  });

  it('there are none on foot, and none where no way has them', async () => {
    const map = await crossing({ 'turn:lanes:forward': 'left|through' });
    const edges = Uint32Array.of(map.edge('W', 'X'), map.edge('X', 'E'));
    const step = { edgeFrom: 0, edgeBehind: 0, edgeTo: 2, maneuver: { type: 'depart' } } as const;
    expect(lanesAlong(map.network, 'walking', edges, [step]).size).toBe(0);
    expect(lanes(await crossing({}), 'WXE')).toEqual([]);
  });
});
