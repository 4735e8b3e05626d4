import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MetricFollower, MetricListener } from '#map-data/metric/metric-follower.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { Counts } from '#processors/counts.js';
import { ActiveNavigations } from '#processors/reroute/active-navigations.js';
import { decideReroute } from '#processors/reroute/decide-reroute.js';
import { Rerouter, rerouteOutcomes } from '#processors/reroute/rerouter.js';
import { rerouteDefaults } from '#processors/reroute/settings.js';
import { startReroute } from '#processors/reroute/start-reroute.js';
import type { Running } from '#processors/start-group.js';
import {
  applyChanges,
  type EdgeChange,
  freeFlowMetric,
  type Metric,
} from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { answerRouteTask } from '#routing-engine/tasks/route-task.js';
import { type MetricCustomized, type NavigationChanged, navigationState } from '#schemas/messages.js';
import { proves } from '#tools/acceptance/proves.js';
import { until } from '../../contracts/until.js';
import { gridNetwork } from '../grid-network.js';
import { groupDeps, type LocalPlatform, openLocalPlatform } from '../local-platform.js';

const grid = await gridNetwork(6, 5, 400, 30);
const { network } = grid;

/** A metric that the test changes. */
class HandMetric implements Pick<MetricFollower, 'current' | 'onChange'> {
  current: Metric = freeFlowMetric(network, 'driving');
  readonly #listeners = new Set<MetricListener>();

  onChange(listener: MetricListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change(changes: readonly EdgeChange[], reasons: readonly string[] = [], causedMs = 7): void {
    const before = this.current;
    const version = before.version + 1;
    this.current = applyChanges(network, before, changes, version);
    const announcement: MetricCustomized = {
      ...{ tilesetId: network.tilesetId, version, cells: [], objectKeys: [], edgeIds: [] },
      ...{ causedMs, publishedMs: causedMs, reasons, whole: false },
    };
    for (const listener of this.#listeners) listener({ before, after: this.current, announcement });
  }
}

/** On the best route under the current metric. */
function navigation(userId: string, from: number, to: number, metric: Metric): NavigationChanged {
  const outcome = findRoute(network, metric, {
    from: [{ edge: from, fraction: 0 }],
    to: [{ edge: to, fraction: 0.5 }],
  });
  if (outcome.status !== 'ok') throw new Error('no route');
  const at = grid.place(to, 0.5);
  return {
    navigationId: `nav-${userId}`,
    userId,
    state: navigationState.started,
    tilesetId: network.tilesetId,
    destinationLatE7: Math.round(at.lat * 1e7),
    destinationLngE7: Math.round(at.lng * 1e7),
    edgeIds: grid.ids([...outcome.path.edges]),
    tiles: [],
    durationS: outcome.path.durationMs / 1_000,
    metricVersion: metric.version,
    routeVersion: 1,
    avoid: [],
    changedMs: Date.now(),
  };
}

describe('the decision', () => {
  proves('M-062', {
    asked: 'a push only if it saves enough',
    shown: 'both sides of 30 s where 5 % are less, and of 5 % where that is more',
    control: {
      in: 'processors/reroute/decide-reroute.ts',
      change: 'oldMs - newMs >= gainMinMs(oldMs, threshold)',
      to: 'oldMs - newMs >= gainMinMs(oldMs, threshold) / 2',
    },
  });
  it('M-062: always reports a closed route, a faster one only if it saves enough by both measures', () => {
    const decide = (oldS: number, newS: number) => decideReroute(oldS * 1_000, newS * 1_000, rerouteDefaults);
    expect(decide(Number.POSITIVE_INFINITY, 9_999)).toBe('closed');
    expect(decide(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe('keep');
    expect(decide(600, 570)).toBe('faster');
    expect(decide(600, 570.1)).toBe('keep');
    // Of 300 s 5 % are less than 30 s, of an hour they are more.
    expect(decide(300, 270)).toBe('faster');
    expect(decide(300, 270.1)).toBe('keep');
    expect(decide(3_600, 3_421)).toBe('keep');
    expect(decide(3_600, 3_420)).toBe('faster');
    expect(decide(600, 700)).toBe('keep');
  });

  it('offers a faster route than the chosen one only if it saves more than was declined', () => {
    expect(decideReroute(600_000, 480_100, rerouteDefaults, 90_000)).toBe('keep');
    expect(decideReroute(600_000, 480_000, rerouteDefaults, 90_000)).toBe('faster');
    expect(decideReroute(Number.POSITIVE_INFINITY, 480_000, rerouteDefaults, 90_000)).toBe('closed');
  });
});

describe('evaluating a new metric', () => {
  it('F10, I7: waits for earlier decisions and every incident, and continues after a failure', async () => {
    const metric = new HandMetric();
    const navigations = new ActiveNavigations(network);
    const way = grid.way([0, 2], [1, 2], [2, 2], [3, 2], [4, 2], [5, 2]);
    navigations.apply(navigation('a', way[0]!, way.at(-1)!, metric.current), 0);
    const blocked = navigations.of('a')!.edges[2]!;
    let failures = 1;
    let gap: string | undefined;
    const rerouter = new Rerouter({
      gap: () => gap,
      ...{ network, metric, clock: Date.now, settings: rerouteDefaults, logger: silentLogger },
      counts: new Counts(createMetrics(), 'test_total', 'Test.', rerouteOutcomes),
      landmarks: () => undefined,
      findRoute: async (task) => {
        if (failures-- > 0) throw new Error('the pool is full');
        return answerRouteTask(network, task);
      },
    });
    metric.change([{ edge: blocked, closed: true }]);
    expect(await rerouter.look(0, navigations)).toEqual([]);
    expect(failures).toBe(1);
    rerouter.begin();
    gap = 'The driving metric does not have the incident i1 yet.';
    expect(await rerouter.look(0, navigations)).toEqual([]);
    expect(failures).toBe(1);
    gap = undefined;
    expect(await rerouter.look(0, navigations)).toEqual([]);
    expect(await rerouter.look(0, navigations)).toMatchObject([{ userId: 'a', routeVersion: 2 }]);
    expect(navigations.of('a')).toMatchObject({ routeVersion: 2 });
    expect(await rerouter.look(0, navigations)).toEqual([]);
  });
});

describe('rerouting', () => {
  let platform: LocalPlatform;
  let metric: HandMetric;
  const open: Running[] = [];
  beforeEach(async () => {
    platform = await openLocalPlatform();
    metric = new HandMetric();
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
    await platform.close();
  });
  const start = async (): Promise<Running> => {
    const findRouteHere = async (task: Parameters<typeof answerRouteTask>[1]) =>
      answerRouteTask(network, task);
    const running = await startReroute({ ...groupDeps(platform), network, metric, findRoute: findRouteHere });
    open.push(running);
    await running.ready;
    return running;
  };
  const announce = (record: NavigationChanged): Promise<void> =>
    platform.append(platform.codecs.navSessionChanged, record.userId, record);
  const pushed = () => platform.read(platform.codecs.navRouteChanged);
  const west = grid.edge([0, 2], [1, 2]);
  const east = grid.edge([4, 2], [5, 2]);
  const middle = grid.edge([2, 2], [3, 2]);
  /** All three routes through the middle. */
  const walls: EdgeChange[] = [{ edge: middle, closed: true }];

  proves('M-062', {
    asked: 'their routes are re-planned; a push goes out, with the reason',
    shown: 'one push around the closed road, with reason and evidence; on the socket in api/nav-stream',
  });
  proves('M-063', {
    asked: 'no push to other drivers',
    shown: 'one push, none to the other driver',
  });
  it('M-062, M-063: a closure ahead makes one push to that driver, with reason and evidence', async () => {
    const running = await start();
    await announce(navigation('a', west, east, metric.current));
    await announce(navigation('b', grid.edge([0, 0], [1, 0]), grid.edge([3, 0], [4, 0]), metric.current));
    await until('both navigations', () => known(2));
    metric.change(walls, ['Row 2 closed: 4 of 4 guided drivers turned away in 38 s'], 1_234);
    await until('a push', async () => (await pushed()).length > 0);
    metric.change([{ edge: grid.edge([5, 4], [4, 4]), speedKph: 5 }]);
    await until('another search', () => (running.stats()['searched'] ?? 0) >= 1);
    const changes = await pushed();
    expect(changes).toHaveLength(1);
    const [change] = changes;
    expect(change).toMatchObject({
      userId: 'a',
      navigationId: 'nav-a',
      routeVersion: 2,
      metricVersion: 1,
      oldDurationS: Number.POSITIVE_INFINITY,
      reason: 'Row 2 is closed',
      evidence: 'Row 2 closed: 4 of 4 guided drivers turned away in 38 s',
      causedMs: 1_234,
    });
    expect(change!.edgeIds).not.toContain(network.edgeId(middle));
    expect(change!.polyline.length).toBeGreaterThan(4);
    expect(running.stats()['pushed']).toBe(1);
  });

  describe('an unreachable destination', () => {
    /** Every street from west to east, between the same two columns. */
    const wall = [0, 1, 2, 3, 4].map((row) => grid.edge([2, row], [3, row]));
    const cutOff = async (): Promise<Running> => {
      const running = await start();
      await announce(navigation('a', west, east, metric.current));
      await announce(navigation('b', grid.edge([3, 0], [4, 0]), grid.edge([4, 4], [5, 4]), metric.current));
      await until('both navigations', () => known(2));
      metric.change(
        wall.map((edge) => ({ edge, closed: true })),
        ['Row 2 closed: flood'],
        1_234,
      );
      await until('a push', async () => (await pushed()).length > 0);
      return running;
    };
    const told = {
      ...{ userId: 'a', navigationId: 'nav-a', routeVersion: 2, metricVersion: 1, unreachable: true },
      ...{ edgeIds: [], polyline: '', oldDurationS: Number.POSITIVE_INFINITY, causedMs: 1_234 },
      reason: 'Your destination cannot be reached right now: all roads to it are closed.',
      evidence: 'Row 2 closed: flood',
    };

    it('M-062: is reported to its driver once, and the route as soon as there is one', async () => {
      const running = await cutOff();
      // Another closure does not affect this driver.
      metric.change([{ edge: grid.edge([1, 2], [2, 2]), speedKph: 20 }]);
      await until('another search', () => (running.stats()['searched'] ?? 0) >= 2);
      expect(await pushed()).toEqual([expect.objectContaining(told)]);
      expect(running.stats()['unreachable']).toBe(1);
      metric.change([{ edge: wall[4]!, cleared: true }], ['Row 4 open again'], 5_678);
      await until('the way', async () => (await pushed()).length > 1);
      const [, change] = await pushed();
      expect(change).toMatchObject({
        ...{ userId: 'a', routeVersion: 3, unreachable: false },
        ...{ reason: 'Your destination can be reached again', oldDurationS: Number.POSITIVE_INFINITY },
      });
      const closedNow = grid.ids(wall.slice(0, 4));
      expect(change!.edgeIds).toContain(network.edgeId(wall[4]!));
      expect(change!.edgeIds.filter((id) => closedNow.includes(id))).toEqual([]);
      await until('the third search', async () => (running.stats()['searched'] ?? 0) >= 3);
      expect(await pushed()).toHaveLength(2);
    });

    it('F10: is not reported again after a restart, but the route is', async () => {
      const running = await cutOff();
      await running.close();
      open.splice(0);
      for await (const key of platform.objects.list('state/reroute/')) await platform.objects.delete(key);
      const again = await start();
      await until('a look', () => (again.stats()['searched'] ?? 0) >= 1);
      expect(await pushed()).toHaveLength(1);
      metric.change([{ edge: wall[0]!, cleared: true }]);
      await until('the way', async () => (await pushed()).length > 1);
      expect((await pushed()).at(-1)).toMatchObject({ userId: 'a', routeVersion: 3, unreachable: false });
    });

    it('M-062: a driver who reaches a road with a route gets it without a metric change', async () => {
      await cutOff();
      const there = grid.place(grid.edge([3, 3], [4, 3]), 0.3);
      await platform.append(platform.codecs.navProgress, 'a', {
        ...{ navigationId: 'nav-a', userId: 'a', timeMs: Date.now() },
        ...{ latE7: Math.round(there.lat * 1e7), lngE7: Math.round(there.lng * 1e7) },
      });
      await until('the way', async () => (await pushed()).length > 1);
      expect((await pushed()).at(-1)).toMatchObject({ userId: 'a', routeVersion: 3, unreachable: false });
    });
  });

  it("M-062: searches from the driver's position, and never for roads behind it", async () => {
    const running = await start();
    await announce(navigation('a', west, east, metric.current));
    await until('known', () => known(1));
    const at = grid.place(grid.edge([3, 2], [4, 2]), 0.4);
    await platform.append(platform.codecs.navProgress, 'a', {
      navigationId: 'nav-a',
      userId: 'a',
      latE7: Math.round(at.lat * 1e7),
      lngE7: Math.round(at.lng * 1e7),
      timeMs: Date.now(),
    });
    await until('moved', () => running.stats()['moved'] === 1);
    metric.change(walls);
    metric.change([{ edge: east, speedKph: 1 }]);
    await until('the affected navigations', () => (running.stats()['affected'] ?? 0) > 0);
    await until('done', () => running.stats()['searched'] === running.stats()['affected']);
    for (const change of await pushed())
      expect(change.edgeIds[0]).toBe(network.edgeId(grid.edge([3, 2], [4, 2])));
  });

  proves('M-062', {
    asked: 'a push goes out only if a faster route exists',
    shown: 'a route that saves over 30 s is pushed; after it one that saves less is searched and not pushed',
    control: {
      in: 'processors/reroute/decide-reroute.ts',
      change: 'oldMs - newMs >= gainMinMs(oldMs, threshold)',
      to: 'oldMs - newMs >= 0 * gainMinMs(oldMs, threshold)',
    },
  });
  it('M-062: a faster road is offered to drivers for whom it saves enough', async () => {
    const slow = grid.way([0, 2], [1, 2], [2, 2], [3, 2], [4, 2]).map((edge) => ({ edge, speedKph: 5 }));
    const fast = grid.way([1, 2], [1, 3], [2, 3], [3, 3], [4, 3], [4, 2]);
    metric.change([...slow, ...fast.map((edge) => ({ edge, speedKph: 4 }))]);
    const running = await start();
    await announce(navigation('a', west, east, metric.current));
    await until('known', () => known(1));
    metric.change(fast.map((edge) => ({ edge, speedKph: 60 })));
    await until('a push', async () => (await pushed()).length > 0);
    const [change] = await pushed();
    expect(change!.reason).toMatch(/faster/);
    expect(change!.durationS).toBeLessThan(change!.oldDurationS - 30);
    expect(running.stats()['pushed']).toBe(1);
    // Row 1 is quicker again, by 8 s of 248: searched, and not pushed. A closure is pushed next.
    const searched = running.stats()['searched']!;
    metric.change(fast.map((edge) => ({ edge, speedKph: 29 })));
    await until('another search', () => running.stats()['searched']! > searched);
    metric.change([{ edge: fast[2]!, closed: true }]);
    await until('another push', async () => (await pushed()).length > 1);
    const [, next, ...more] = await pushed();
    expect([next!.routeVersion, next!.reason, more]).toEqual([3, 'Row 3 is closed', []]);
  });

  it('M-062: a driver who chose a slower route keeps it, until more is saved than was declined', async () => {
    const slow = grid.way([0, 2], [1, 2], [2, 2], [3, 2], [4, 2]).map((edge) => ({ edge, speedKph: 5 }));
    const fast = grid.way([1, 2], [1, 3], [2, 3], [3, 3], [4, 3], [4, 2]);
    metric.change([...slow, ...fast.map((edge) => ({ edge, speedKph: 4 }))]);
    const running = await start();
    const chosen = navigation('a', west, east, metric.current);
    await announce({ ...chosen, declinedS: 10_000 });
    await announce(navigation('b', west, east, metric.current));
    await until('known', () => known(2));
    metric.change(fast.map((edge) => ({ edge, speedKph: 60 })));
    await until('a push', async () => (await pushed()).length > 0);
    expect((await pushed()).map(({ userId }) => userId)).toEqual(['b']);
    const own = network.edgeByStableId(chosen.edgeIds[2]!)!;
    metric.change([{ edge: own, closed: true }]);
    await until('the closure', async () => (await pushed()).some(({ userId }) => userId === 'a'));
    expect(running.stats()['pushed']).toBe(2);
  });

  it('F10: a restart does not repeat a decision that is in the log', async () => {
    const first = await start();
    await announce(navigation('a', west, east, metric.current));
    await until('known', () => known(1));
    metric.change(walls);
    await until('a push', async () => (await pushed()).length > 0);
    await first.close();
    // As after kill -9: the snapshot is lost, the decision is in the log.
    for await (const key of platform.objects.list('state/reroute/')) await platform.objects.delete(key);
    const second = await start();
    await until('looked', () => (second.stats()['searched'] ?? 0) > 0);
    expect(await pushed()).toHaveLength(1);
  });

  const known = (count: number): boolean => open.at(-1)!.stats()['sessions'] === count;
});
