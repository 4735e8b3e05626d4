import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MetricFollower } from '#map-data/metric/metric-follower.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { startCustomization } from '#processors/customization/start-customization.js';
import { startMatching } from '#processors/matching/start-matching.js';
import { startReroute } from '#processors/reroute/start-reroute.js';
import { startTraffic } from '#processors/traffic/start-traffic.js';
import { CLOSED } from '#routing-engine/overlay/metric.js';
import { answerRouteTask, type RouteTask } from '#routing-engine/tasks/route-task.js';
import { type NavigationChanged, navigationState } from '#schemas/messages.js';
import { proves } from '#tools/acceptance/proves.js';
import { consumerLag } from '../consumer-lag.js';
import { until } from '../contracts/until.js';
import { batchOf, driveAlong } from './drivers.js';
import { gridNetwork } from './grid-network.js';
import { groupDeps, type LocalPlatform, openLocalPlatform } from './local-platform.js';

const grid = await gridNetwork(7, 5, 200, 50);
const { network } = grid;
const route = grid.way([0, 2], [1, 2], [2, 2], [3, 2], [4, 2], [5, 2], [6, 2]);
const closed = grid.edge([3, 2], [4, 2]);
const around = grid.way([0, 2], [1, 2], [2, 2], [3, 2], [3, 3], [4, 3], [4, 2]);
const closedId = network.edgeId(closed);

describe('from points to a better route', () => {
  let platform: LocalPlatform;
  const open: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    platform = await openLocalPlatform();
  });
  afterEach(async () => {
    await stop();
    await platform.close();
  });

  async function startAll(): Promise<MetricFollower> {
    const deps = { ...groupDeps(platform), network };
    const metric = await MetricFollower.open({
      ...{
        network,
        objects: deps.objects,
        log: deps.log,
        logger: silentLogger,
        instanceId: `test-${open.length}`,
      },
      codec: deps.codecs.roadMetricCustomized,
    });
    const findRoute = async (task: RouteTask) => answerRouteTask(network, task);
    const groups = [
      await startMatching({ ...deps, pseudonymKey: 'test key' }),
      await startTraffic(deps),
      await startCustomization(deps),
      await startReroute({ ...deps, metric, findRoute }),
    ];
    open.push(metric, ...groups);
    await Promise.all(groups.map(({ ready }) => ready));
    return metric;
  }
  async function stop(): Promise<void> {
    for (const each of open.splice(0).reverse()) await each.close();
  }

  const guide = (userId: string): Promise<void> => {
    const end = grid.place(route.at(-1)!, 0.5);
    const record: NavigationChanged = {
      navigationId: `nav-${userId}`,
      userId,
      state: navigationState.started,
      tilesetId: network.tilesetId,
      destinationLatE7: Math.round(end.lat * 1e7),
      destinationLngE7: Math.round(end.lng * 1e7),
      edgeIds: grid.ids(route),
      tiles: [],
      durationS: 80,
      metricVersion: 0,
      routeVersion: 1,
      avoid: [],
      changedMs: Date.now(),
    };
    return platform.append(platform.codecs.navSessionChanged, userId, record);
  };
  /** The whole drive of a driver who arrived a moment ago. */
  const send = (userId: string, edges: readonly number[], mps = 12): Promise<void> => {
    const seconds = Math.ceil((edges.length * 200) / mps);
    const fixes = driveAlong(grid, edges, {
      startMs: Date.now() - seconds * 1_000,
      mps,
      fromFraction: 0.2,
      toFraction: 0.6,
    });
    return platform.append(
      platform.codecs.locationBatchRecorded,
      userId,
      batchOf(userId, 'b', fixes, Date.now()),
    );
  };
  const pushed = () => platform.read(platform.codecs.navRouteChanged);
  const incidents = () => platform.read(platform.codecs.trafficIncidentChanged);

  proves('M-064', {
    asked: 'the traffic service derives speeds from the stream',
    shown: 'the points of five drivers at 20 km/h on a road for 50 give it 20 km/h, in topic and metric',
    control: {
      in: 'processors/traffic/speed-window.ts',
      change: 'return { kph: 3_600 / pace,',
      to: 'return { kph: 1_800 / pace,',
    },
  });
  it('M-064: a road has the speed of the drivers whose points were sent, once there are enough', async () => {
    const metric = await startAll();
    const slow = grid.edge([1, 1], [2, 1]);
    const speeds = async () =>
      (await platform.read(platform.codecs.trafficSegmentSpeed))
        .flatMap(({ segments }) => segments)
        .filter(({ edgeId }) => edgeId === network.edgeId(slow));
    const secondsOfMetric = () => metric.current.costMs[slow]! / 1_000;
    const usual = secondsOfMetric();
    const kph = 20;
    const drive = (user: string) => send(user, grid.way([0, 1], [1, 1], [2, 1], [3, 1]), kph / 3.6);
    for (const user of ['s1', 's2', 's3', 's4']) await drive(user);
    await until('four passages', async () => {
      const seen = await platform.read(platform.codecs.trafficEdgeObserved);
      const passages = seen.flatMap(({ observations }) => observations).filter(({ kind }) => kind === 1);
      return passages.filter(({ edgeId }) => edgeId === network.edgeId(slow)).length === 4;
    });
    await settled();
    expect(await speeds()).toEqual([]);
    expect(secondsOfMetric()).toBe(usual);

    await drive('s5');
    await until('the metric of the slow road', () => secondsOfMetric() !== usual);
    const [speed, ...others] = await speeds();
    expect(speed).toMatchObject({ probes: 5, cleared: false });
    expect(Math.abs(speed!.speedKph - kph)).toBeLessThan(0.5);
    expect(others).toEqual([]);
    const driven = network.edgeLengthM(slow) / (kph / 3.6);
    expect(Math.abs(secondsOfMetric() / driven - 1)).toBeLessThan(0.03);
    expect(usual).toBeLessThan(driven / 2);
  });

  proves('M-064', {
    asked: 'closed-road detection closes and reopens a road without any operator',
    shown: 'from the points of four guided drivers to a closed road and a detour; two passages open it',
    control: {
      in: 'processors/traffic/closure-evidence.ts',
      change: 'if (nats + opposite + silent.nats + reported.nats < threshold) return { evidence };',
      to: 'if (nats + opposite + silent.nats + reported.nats < 2 * threshold) return { evidence };',
    },
  });
  it('M-064, M-062: guided drivers deviate, the road closes, the next one gets a detour', async () => {
    const metric = await startAll();
    const turners = ['t1', 't2', 't3', 't4'];
    for (const user of [...turners, 'behind']) await guide(user);
    for (const user of turners.slice(0, 3)) await send(user, around);
    await until('the third deviation', async () => {
      const seen = await platform.read(platform.codecs.trafficEdgeObserved);
      return seen.flatMap(({ observations }) => observations).filter(({ kind }) => kind === 2).length === 3;
    });
    expect(metric.current.costMs[closed]).not.toBe(CLOSED);

    const sentMs = Date.now();
    await send(turners[3]!, around);
    await until('a push to the driver behind', async () =>
      (await pushed()).some(({ userId }) => userId === 'behind'),
    );
    const change = (await pushed()).find(({ userId }) => userId === 'behind')!;
    console.log(`cause to decision: ${change.decidedMs - sentMs} ms`);
    expect(change.causedMs).toBeGreaterThanOrEqual(sentMs - 1);
    expect(change.edgeIds).not.toContain(closedId);
    expect(change.reason).toBe('Row 2 is closed');
    expect(change.evidence).toMatch(/4 of 4 guided drivers turned away/);
    expect(await incidents()).toMatchObject([{ active: true, edgeIds: [closedId] }]);
    expect(metric.current.costMs[closed]).toBe(CLOSED);

    // Two drivers who pass it open it again.
    await send('free-1', route);
    await send('free-2', route);
    await until('the opened road', () => metric.current.costMs[closed] !== CLOSED);
    expect((await incidents()).at(-1)).toMatchObject({ active: false });
  });

  /** Batches one by one, each twice, with a stop after each that removes the snapshots of one group. */
  async function interrupted(batches: readonly (readonly [user: string, edges: readonly number[]])[]) {
    for (const [i, [user, edges]] of batches.entries()) {
      await startAll();
      await send(user, edges);
      await send(user, edges);
      await settled();
      await stop();
      // As after kill -9 before the last snapshot.
      const group = ['traffic', 'customization', 'reroute'][i % 3]!;
      for await (const key of platform.objects.list(`state/${group}/`)) await platform.objects.delete(key);
    }
    const metric = await startAll();
    await settled();
    return metric;
  }

  it('F10, F11: a closure is found once, with one id, through any restarts and duplicates', async () => {
    const users = ['t1', 't2', 't3', 't4', 'behind'];
    for (const user of users) await guide(user);
    const metric = await interrupted(users.slice(0, 4).map((user) => [user, around]));
    await until('closed', () => metric.current.costMs[closed] === CLOSED);
    const all = await incidents();
    expect(new Set(all.map(({ incidentId }) => incidentId)).size).toBe(1);
    expect(all.every(({ active }) => active)).toBe(true);
    await until('a push', async () => (await pushed()).some(({ userId }) => userId === 'behind'));
    const versions = (await pushed())
      .filter(({ userId }) => userId === 'behind')
      .map(({ routeVersion }) => routeVersion);
    expect(versions).toEqual([2]);
  });

  it('F10, F11: three drivers who passed outweigh five who deviated, through any restarts', async () => {
    const turners = ['t1', 't2', 't3', 't4', 't5'];
    for (const user of turners) await guide(user);
    const metric = await interrupted([
      ['t1', around],
      ['p1', route],
      ['t2', around],
      ['t3', around],
      ['p2', route],
      ['t4', around],
      ['p3', route],
      ['t5', around],
    ]);
    const seen = (await platform.read(platform.codecs.trafficEdgeObserved)).flatMap(
      ({ observations }) => observations,
    );
    const drivers = (kind: number): Set<number> =>
      new Set(
        seen.filter((each) => each.kind === kind && each.edgeId === closedId).map(({ driver }) => driver),
      );
    expect([drivers(2).size, drivers(1).size]).toEqual([5, 3]);
    expect(metric.current.costMs[closed]).not.toBe(CLOSED);
    expect(await incidents()).toEqual([]);
  });

  /** No group has consumer lag. */
  async function settled(): Promise<void> {
    const inputs: [group: string, topic: string][] = [
      ['matching', 'location.batch.recorded.v1'],
      ['traffic', 'traffic.edge.observed.v1'],
      ['customization', 'traffic.incident.changed.v1'],
    ];
    for (const [group, topic] of inputs)
      await until(
        `the end of the lag of ${group}`,
        async () => (await consumerLag(platform.log, group, topic)) === 0,
      );
  }
});
