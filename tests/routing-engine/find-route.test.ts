import { describe, expect, it } from 'vitest';
import { MetricMismatch } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { proves } from '#tools/acceptance/proves.js';
import { drawMap } from './ascii-map.js';

const oneway = { oneway: 'yes' };

const block = `
  A----B----C----D
       |    |
       E----F
       |    |
       G----H
`;

describe('findRoute on drawn maps', () => {
  it('takes the short route', async () => {
    const map = await drawMap(block);
    map.expectPath('ABCD');
    map.expectPath('ABEG');
  });

  it('M-021: a one-way street is driven one way and walked both ways', async () => {
    const map = await drawMap(block, { ways: { BC: { oneway: 'yes' } } });
    map.expectPath('ABCD');
    map.expectPath('DCFEBA');
    map.expectPath('DCBA', { metric: map.metric('walking') });
  });

  it('M-021: a motorway is never walked, stairs are never driven', async () => {
    const map = await drawMap(block, {
      ways: { BC: { highway: 'motorway', oneway: 'no' }, EF: { highway: 'steps' } },
    });
    map.expectPath('ABEFCD', { metric: map.metric('walking') });
    const closed = map.metric('driving', [{ edge: map.edge('B', 'C'), closed: true }]);
    map.expectPath('ABEGHFCD', { metric: closed });
  });

  it('M-024: follows current traffic, and returns to the first route when it is cleared', async () => {
    const map = await drawMap(block);
    const bc = map.edge('B', 'C');
    map.expectPath('ABEFCD', { metric: map.metric('driving', [{ edge: bc, speedKph: 1 }]) });
    map.expectPath('ABEFCD', { metric: map.metric('driving', [{ edge: bc, closed: true }]) });
    map.expectPath('ABCD', {
      metric: map.metric('driving', [
        { edge: bc, closed: true },
        { edge: bc, cleared: true },
      ]),
    });
  });

  it('obeys restrictions at a crossing', async () => {
    const map = await drawMap(block, { restrictions: [['no_straight_on', 'AB', 'B', 'BC']] });
    map.expectPath('ABEFCD');
    map.expectPath('ABCD', { metric: map.metric('walking') });
    const only = await drawMap(block, { restrictions: [['only_right_turn', 'AB', 'B', 'BE']] });
    only.expectPath('ABEFCD');
  });

  it('except=bicycle exempts only bicycles', async () => {
    const map = await drawMap(block, {
      restrictions: [['no_straight_on', 'AB', 'B', 'BC', { except: 'bicycle' }]],
    });
    map.expectPath('ABEFCD');
    map.expectPath('ABCD', { metric: map.metric('bicycling') });
  });

  it('obeys restrictions over a way between', async () => {
    const map = await drawMap(block, { restrictions: [['no_u_turn', 'AB', 'BE', 'EF']] });
    // From A through B and E to F is forbidden, so the route goes around by G.
    const noStraight = map.metric('driving', [{ edge: map.edge('B', 'C'), closed: true }]);
    map.expectPath('ABEGHFCD', { metric: noStraight });
    // A route from C may.
    const noShort = map.metric('driving', [{ edge: map.edge('C', 'F'), closed: true }]);
    map.expectPath('DCBEFH', { metric: noShort });
  });

  it('only_* over a way between leaves a single continuation', async () => {
    const map = await drawMap(block, { restrictions: [['only_straight_on', 'AB', 'BE', 'EG']] });
    const noStraight = map.metric('driving', [{ edge: map.edge('B', 'C'), closed: true }]);
    map.expectPath('ABEGHFCD', { metric: noStraight });
  });

  it('two restrictions over the same way do not hide each other', async () => {
    const map = await drawMap(block, {
      restrictions: [
        ['no_left_turn', 'AB', 'BE', 'EF'],
        ['no_left_turn', 'BE', 'EG', 'GH'],
      ],
    });
    const noStraight = map.metric('driving', [{ edge: map.edge('B', 'C'), closed: true }]);
    const outcome = map.route('AB', 'CD', noStraight);
    // Both routes around are forbidden; the rest turns around in a dead end.
    expect(outcome.status === 'ok' && map.lettersOf(outcome.path.edges)).not.toMatch(/ABEF|BEGH/);
  });

  it('a restriction that closes a loop leaves the rest of the map reachable', async () => {
    const map = await drawMap(
      `
      A----B----C
           |    |
           E----F
    `,
      {
        restrictions: [
          ['no_left_turn', 'AB', 'B', 'BC'],
          ['no_straight_on', 'AB', 'B', 'BE'],
          ['no_right_turn', 'AB', 'B', 'BE'],
        ],
      },
    );
    expect(map.route('AB', 'CF')).toEqual({ status: 'no-route', reason: 'unreachable' });
    map.expectPath('FEBA');
  });

  it('a barrier stops cars and lets walkers pass', async () => {
    const map = await drawMap('A----B----C', { nodes: { B: { barrier: 'bollard' } } });
    expect(map.route('AB', 'BC')).toMatchObject({ status: 'no-route' });
    map.expectPath('ABC', { metric: map.metric('walking') });
    map.expectPath('ABC', { metric: map.metric('bicycling') });
  });

  it('a private road is used only by routes that start or end there, never through', async () => {
    const map = await drawMap(block, { ways: { BC: { access: 'private' } } });
    map.expectPath('ABEFCD');
    map.expectPath('ABC');
    map.expectPath('BCD');
  });

  proves('M-025', {
    asked: 'avoid: no such edge if a route without exists, else an explicit status',
    shown: 'the way without tolls, and without gravel too; without motorways as well none: `avoided`',
    control: {
      in: 'routing-engine/network/edge-flags.ts',
      change: 'ferries: 4, unpaved: 8',
      to: 'ferries: 4, unpaved: 4',
    },
  });
  it('M-025: avoids exactly what is requested, and reports when no route is left', async () => {
    const map = await drawMap(block, {
      ways: {
        BC: { toll: 'yes' },
        EF: { surface: 'gravel' },
        GH: { highway: 'motorway', oneway: 'no', maxspeed: '30' },
      },
    });
    map.expectPath('ABCD');
    map.expectPath('ABEFCD', { avoid: ['tolls'] });
    map.expectPath('ABEGHFCD', { avoid: ['tolls', 'unpaved'] });
    expect(map.route('AB', 'CD', map.metric(), 1 | 2 | 8)).toEqual({ status: 'no-route', reason: 'avoided' });
  });

  proves('M-025', {
    asked: 'avoid=ferries: none where a way without exists, else an explicit status',
    shown: 'the way around a ferry, and `avoided` where only a ferry leads there',
    control: {
      in: 'routing-engine/network/edge-flags.ts',
      change: 'ferries: 4, unpaved: 8',
      to: 'ferries: 8, unpaved: 8',
    },
  });
  it('M-025: avoids ferries, and reports when only a ferry leads there', async () => {
    const ferry = { highway: '', route: 'ferry', motor_vehicle: 'yes', maxspeed: '60' };
    const map = await drawMap(block, { ways: { BC: ferry } });
    map.expectPath('ABCD');
    map.expectPath('ABEFCD', { avoid: ['ferries'] });
    const strait = await drawMap('A----B----C----D', { ways: { BC: ferry } });
    strait.expectPath('ABCD');
    expect(strait.route('AB', 'CD', strait.metric(), 4)).toEqual({ status: 'no-route', reason: 'avoided' });
  });

  it('starts on and ends at a closed road, and reports it', async () => {
    const map = await drawMap(block);
    const closed = map.metric('driving', [
      { edge: map.edge('A', 'B'), closed: true },
      { edge: map.edge('C', 'D'), closed: true },
    ]);
    const outcome = map.route('AB', 'CD', closed);
    expect(outcome.status === 'ok' && map.lettersOf(outcome.path.edges)).toBe('ABCD');
    expect(outcome).toMatchObject({ path: { closedAtStart: true, closedAtDestination: true } });
  });

  it('a start can equal the end, or be ahead of it on a one-way loop', async () => {
    const map = await drawMap('A----B\n|    |\nC----D', {
      ways: { AB: oneway, BD: oneway, DC: oneway, CA: oneway },
    });
    const edge = map.edge('A', 'B');
    const metric = map.metric();
    const same = findRoute(map.network, metric, {
      from: [{ edge, fraction: 0.5 }],
      to: [{ edge, fraction: 0.5 }],
    });
    expect(same).toMatchObject({ status: 'ok', path: { durationMs: 0, lengthM: 0 } });
    const behind = findRoute(map.network, metric, {
      from: [{ edge, fraction: 0.6 }],
      to: [{ edge, fraction: 0.4 }],
    });
    expect(behind.status === 'ok' && map.lettersOf(behind.path.edges)).toBe('ABDCAB');
  });

  it('islands are unreachable, no snap is no route, and another metric is rejected', async () => {
    const map = await drawMap('A----B\n\nC----D');
    expect(map.route('AB', 'CD')).toEqual({ status: 'no-route', reason: 'unreachable' });
    expect(findRoute(map.network, map.metric(), { from: [], to: [] })).toEqual({
      status: 'no-route',
      reason: 'no-snap',
    });
    const other = await drawMap('A----B');
    expect(() => map.route('AB', 'CD', other.metric())).toThrow(MetricMismatch);
  });
});
