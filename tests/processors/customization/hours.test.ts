import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MetricFollower } from '#map-data/metric/metric-follower.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { startCustomization } from '#processors/customization/start-customization.js';
import { metricDifference } from '#processors/reroute/affected-navigations.js';
import { makeLandmarks } from '#processors/reroute/landmarks.js';
import { openEdges } from '#routing-engine/hours/open-edges.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { applyHours } from '#routing-engine/overlay/apply-hours.js';
import { CLOSED, freeFlowMetric, freeFlowMs } from '#routing-engine/overlay/metric.js';
import { until } from '../../contracts/until.js';
import { drawMap } from '../../routing-engine/ascii-map.js';
import { groupDeps, type LocalPlatform, openLocalPlatform } from '../local-platform.js';
import { operatorClosure } from '../operator-closure.js';

/** From AB one may turn left onto BD at some hours, and BC is open at others; the clock is that of Malabo. */
const map = await drawMap(
  `
       D
       |
  A----B----C
`,
  {
    ways: { BC: { 'motor_vehicle:conditional': 'no @ (07:00-09:00)' } },
    restrictions: [
      [
        '',
        'AB',
        'B',
        'BD',
        { restriction: '', 'restriction:conditional': 'no_left_turn @ (Mo-Fr 16:00-18:00)' },
      ],
    ],
  },
);
const network: RoadNetwork = map.network;
const at = (time: string): number => Date.parse(`2026-05-04T${time}:00+01:00`);

describe('customization of roads with hours', () => {
  let platform: LocalPlatform;
  let nowMs = 0;
  const open: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    platform = await openLocalPlatform();
  });
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
    await platform.close();
  });
  const start = async (): Promise<MetricFollower> => {
    const { log, codecs, objects } = platform;
    const running = await startCustomization({ ...groupDeps(platform), network, clock: () => nowMs });
    open.push(running);
    await running.ready;
    const follower = await MetricFollower.open({
      ...{ network, objects, log, instanceId: `f${open.length}`, logger: silentLogger },
      codec: codecs.roadMetricCustomized,
    });
    open.push(follower);
    return follower;
  };

  it('M-024: roads and turns open and shut with the clock, under closures and after a restart', async () => {
    nowMs = at('06:00');
    const follower = await start();
    const road = map.edge('B', 'C');
    const turn = network.copiesOf(map.edge('B', 'D')).find((edge) => edge !== map.edge('B', 'D'))!;
    const costs = (): readonly number[] => [road, turn].map((edge) => follower.current.costMs[edge]!);
    const free = [road, map.edge('B', 'D')].map((edge) => freeFlowMs(network, edge, 'driving'));
    const become = (what: string, wanted: readonly number[]): Promise<void> =>
      until(what, () => costs().join() === wanted.join());
    expect(turn).toBeDefined();
    await become('both open', free);
    nowMs = at('07:00');
    await become('the road shut', [CLOSED, free[1]!]);
    const incident = operatorClosure(network, 'i1', map.edge('B', 'D'), {});
    const { codecs } = platform;
    await platform.append(codecs.trafficIncidentChanged, 'i1', incident);
    await become('the turn onto a closed road', [CLOSED, CLOSED]);
    nowMs = at('09:00');
    await become('the road open again', [free[0]!, CLOSED]);
    nowMs = at('16:00');
    await platform.append(codecs.trafficIncidentChanged, 'i1', { ...incident, active: false });
    await until('the closure ended', () => follower.current.costMs[map.edge('B', 'D')] !== CLOSED);
    expect(costs()).toEqual([free[0], CLOSED]);
    nowMs = at('18:00');
    await become('the turn open again', free);
    const newest = (await platform.read(codecs.roadMetricCustomized)).at(-1)!;
    expect(newest.edgeIds).toEqual([network.edgeId(map.edge('B', 'D'))]);
    for (const each of open.splice(0).reverse()) await each.close();
    nowMs = at('08:00');
    const next = await start();
    await until('the state of the new hour', () => next.current.costMs[road] === CLOSED);
    expect(next.current.costMs[turn]).toBe(free[1]);
    const announced = await platform.read(codecs.roadMetricCustomized);
    for (const { edgeIds } of announced) expect(edgeIds.length).toBeGreaterThan(0);
  });

  it('a road that opens makes no road faster than the bounds of reroutes', () => {
    const before = freeFlowMetric(network, 'driving');
    const after = applyHours(network, before, openEdges(network, 'driving', at('12:00')));
    const { worse, better } = metricDifference(network, before, after);
    expect(worse).toEqual([]);
    expect(better.edges).toContain(map.edge('B', 'C'));
    expect(better.fasterMs).toBe(0);
    // Every time from and to a landmark is at most what it takes while the road is open.
    const { ms, count } = makeLandmarks(network, 1);
    const [from, to] = [map.edge('A', 'B'), map.edge('B', 'C')];
    const apart = Math.max(
      ...[0, 1].map((side) => {
        const sign = side === 0 ? 1 : -1;
        return sign * (ms[to * 2 * count + side]! - ms[from * 2 * count + side]!);
      }),
    );
    expect(apart).toBeLessThanOrEqual(after.costMs[to]! + 60_000);
  });
});
