import { describe, expect, it } from 'vitest';
import { applyChanges, MetricMismatch } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { answerRouteTask } from '#routing-engine/tasks/route-task.js';
import { drawMap } from './ascii-map.js';

describe('requests to a router without a good answer', () => {
  it('two islands are unreachable, and an end without a road is no-snap', async () => {
    const map = await drawMap(`A---B   C---D`);
    expect(map.route('AB', 'CD')).toEqual({ status: 'no-route', reason: 'unreachable' });
    const metric = map.metric();
    const sea = { lat: 60, lng: 30 };
    const point = { lat: 0, lng: 0 };
    const task = { metric, avoid: 0, alternatives: 2 };
    expect(answerRouteTask(map.network, { ...task, from: { point: sea }, to: { point } })).toMatchObject({
      status: 'no-snap',
      missing: 'origin',
    });
    expect(answerRouteTask(map.network, { ...task, from: { point }, to: { point: sea } })).toMatchObject({
      status: 'no-snap',
      missing: 'destination',
    });
  });

  it('a start that equals the destination is a route of length 0', async () => {
    const map = await drawMap(`A---B---C`);
    const there = { edge: map.edge('A', 'B'), fraction: 0.3 };
    const outcome = findRoute(map.network, map.metric(), { from: [there], to: [there] });
    expect(outcome).toMatchObject({ status: 'ok', path: { durationMs: 0, lengthM: 0 } });
    const point = { lat: 0, lng: 0.0005 };
    const task = { metric: map.metric(), avoid: 0, alternatives: 0, language: 'en' };
    const answer = answerRouteTask(map.network, { ...task, from: { point }, to: { point } });
    expect(answer).toMatchObject({ status: 'ok', routes: [{ path: { durationMs: 0 } }] });
  });

  it('a place just behind the start on a one-way street leads around the block', async () => {
    const map = await drawMap(
      `
A---B---C
|       |
D---E---F`,
      { ways: { AB: { oneway: 'yes' } }, cellNodesMax: [2, 4] },
    );
    const edge = map.edge('A', 'B');
    const outcome = findRoute(map.network, map.metric(), {
      from: [{ edge, fraction: 0.6 }],
      to: [{ edge, fraction: 0.4 }],
    });
    if (outcome.status !== 'ok') throw new Error(outcome.reason);
    expect(map.lettersOf(outcome.path.edges)).toBe('ABCFEDAB');
  });

  it('a restriction that closes a loop leaves other routes open and ends no search', async () => {
    const map = await drawMap(
      `
A---B---C
    |   |
    D---E`,
      {
        ways: { BC: { oneway: 'yes' }, CE: { oneway: 'yes' }, ED: { oneway: 'yes' }, DB: { oneway: 'yes' } },
        restrictions: [
          ['no_left_turn', 'DB', 'B', 'AB'],
          ['only_straight_on', 'BC', 'C', 'CE'],
        ],
      },
    );
    // A route inside the loop never leaves it.
    expect(map.route('BA', 'AB')).toMatchObject({ status: 'ok' });
    expect(map.route('AB', 'BA')).toEqual({ status: 'no-route', reason: 'unreachable' });
    expect(map.route('BC', 'BA')).toEqual({ status: 'no-route', reason: 'unreachable' });
    map.expectPath('ABCED');
  });

  it('rejects a metric of another tileset by name', async () => {
    const one = await drawMap(`A---B---C`);
    const other = await drawMap(`A---B---C---D`);
    const ends = { from: [{ edge: 0, fraction: 0 }], to: [{ edge: 0, fraction: 1 }] };
    expect(() => findRoute(one.network, other.metric(), ends)).toThrow(MetricMismatch);
    expect(() => applyChanges(one.network, other.metric(), [], 1)).toThrow(/fetch the metric again/);
  });

  it('rejects an end that is not on the network', async () => {
    const map = await drawMap(`A---B`);
    for (const end of [
      { edge: -1, fraction: 0 },
      { edge: 1.5, fraction: 0 },
      { edge: 99, fraction: 0 },
      { edge: 0, fraction: 1.01 },
      { edge: 0, fraction: Number.NaN },
    ])
      expect(() => findRoute(map.network, map.metric(), { from: [end], to: [end] })).toThrow(RangeError);
  });

  it('reports that everything should be avoided, unless no road led there anyway', async () => {
    const map = await drawMap(`A---B---C   D---E`, { ways: { AB: { toll: 'yes' }, BC: { toll: 'yes' } } });
    expect(map.route('AB', 'BC', map.metric(), 1)).toEqual({ status: 'no-route', reason: 'avoided' });
    expect(map.route('AB', 'DE', map.metric(), 1)).toEqual({ status: 'no-route', reason: 'unreachable' });
  });
});
