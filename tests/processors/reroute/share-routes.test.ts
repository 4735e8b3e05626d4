import { describe, expect, it } from 'vitest';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { Counts } from '#processors/counts.js';
import { ActiveNavigations } from '#processors/reroute/active-navigations.js';
import { gainMinMs } from '#processors/reroute/decide-reroute.js';
import { Rerouter, rerouteOutcomes } from '#processors/reroute/rerouter.js';
import { routeAheadMs } from '#processors/reroute/route-cost.js';
import { rerouteDefaults } from '#processors/reroute/settings.js';
import { applyChanges, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { answerRouteTask } from '#routing-engine/tasks/route-task.js';
import { navigationState, type RouteChanged } from '#schemas/messages.js';
import { drawMap } from '../../routing-engine/ascii-map.js';

/**
 * Routes of about the same duration lead north and south of the road from B to C, and one far to the south.
 */
const map = await drawMap(
  `
     E-----------F
     |           |
     |           |
  A--B-----------C--D
     |           |
     |           |
     |           |
     G-----------H
     |           |
     |           |
     |           |
     |           |
     |           |
     I-----------J
`,
  { stepM: 60 },
);
const { network } = map;
const edges = (path: string): number[] =>
  path
    .split('')
    .slice(1)
    .map((to, i) => map.edge(path[i]!, to));
const free = freeFlowMetric(network, 'driving');
const closed = applyChanges(network, free, [{ edge: map.edge('B', 'C'), closed: true }], free.version + 1);
const millisecondsOf = (path: string): number =>
  routeAheadMs(network, closed, { edges: edges(path), at: 0, fromFraction: 0, toFraction: 0.5 });

/** The routes that this many drivers on A–B–C–D get when B–C closes, all at one instant. */
async function tell(drivers: number, apart = 0): Promise<readonly RouteChanged[]> {
  let current = free;
  const navigations = new ActiveNavigations(network);
  const way = edges('ABCD');
  const [lng, lat, endLng, endLat] = network.edgeGeometry(way.at(-1)!) as unknown as [
    number,
    number,
    number,
    number,
  ];
  const end = { lat: (lat + endLat) / 2, lng: (lng + endLng) / 2 };
  const rerouter = new Rerouter({
    network,
    metric: {
      get current() {
        return current;
      },
      onChange: () => () => undefined,
    },
    clock: () => 1_000_000,
    settings: rerouteDefaults,
    logger: silentLogger,
    counts: new Counts(createMetrics(), 'test_total', 'Test.', rerouteOutcomes),
    landmarks: () => undefined,
    gap: () => undefined,
    findRoute: async (task) => answerRouteTask(network, task),
  });
  rerouter.begin();
  await rerouter.look(0, navigations);
  for (let i = 0; i < drivers; i++)
    navigations.apply(
      {
        ...{ navigationId: `n${i}`, userId: `u${i}`, state: navigationState.started },
        ...{ tilesetId: network.tilesetId, edgeIds: way.map((edge) => network.edgeId(edge)), tiles: [] },
        destinationLatE7: Math.round(end.lat * 1e7),
        destinationLngE7: Math.round(end.lng * 1e7),
        ...{ durationS: 1, metricVersion: free.version, routeVersion: 1, avoid: [], changedMs: 0 },
      },
      0,
    );
  for (let i = 0; i < drivers; i++)
    navigations.move(`u${i}`, { at: 0, fraction: (i * apart) % 1, positionMs: 1 });
  current = closed;
  const told: RouteChanged[] = [];
  for (let more = await rerouter.look(0, navigations); more.length > 0; ) {
    told.push(...more);
    more = await rerouter.look(0, navigations);
  }
  // A later evaluation reverses no decision.
  expect(new Set(told.map(({ userId }) => userId)).size).toBe(told.length);
  return told;
}

const over = (changes: readonly RouteChanged[], a: string, b: string): number =>
  changes.filter(({ edgeIds }) => edgeIds.includes(network.edgeId(map.edge(a, b)))).length;

describe('many drivers around one closure', () => {
  it('M-062: few drivers all take the best route, many are distributed by expected delay', async () => {
    const few = await tell(5);
    expect(over(few, 'E', 'F')).toBe(5);
    const many = await tell(24);
    expect(many).toHaveLength(24);
    const [north, south] = [over(many, 'E', 'F'), over(many, 'G', 'H')];
    expect(north + south).toBe(24);
    // The last driver of either would wait about as long, including the longer route; drivers who arrive
    // within ten seconds arrive together.
    const apartMs = millisecondsOf('ABGHCD') - millisecondsOf('ABEFCD');
    expect(Math.abs((north - south) * 2_000 - apartMs)).toBeLessThanOrEqual(10_000);
    expect(south).toBeGreaterThan(4);
  });

  it('M-062: no driver gets a notably longer route, however many there are', async () => {
    const many = await tell(60);
    const best = millisecondsOf('ABEFCD');
    expect(over(many, 'I', 'J')).toBe(0);
    for (const { durationS } of many)
      expect(durationS * 1_000).toBeLessThan(best + gainMinMs(best, rerouteDefaults));
  });

  it('M-062: drivers who arrive one after another meet no queue, and all take the best route', async () => {
    // A–B takes about half a minute: three intervals of ten seconds, with four drivers each.
    expect(over(await tell(12, 1 / 12), 'E', 'F')).toBe(12);
  });

  it('M-062: the same drivers always get the same routes', async () => {
    const [first, second] = [await tell(24), await tell(24)];
    expect(second).toEqual(first);
  });
});
