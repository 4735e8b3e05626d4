import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MetricFollower } from '#map-data/metric/metric-follower.js';
import { metricKeys } from '#map-data/metric/metric-manifest.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { Counts } from '#processors/counts.js';
import { applyIncident, noRoads } from '#processors/customization/live-roads.js';
import { customizationOutcomes, MetricWriter } from '#processors/customization/metric-writer.js';
import {
  MetricConflict,
  MetricPublisher,
  MetricSuperseded,
} from '#processors/customization/publish-metric.js';
import { startCustomization } from '#processors/customization/start-customization.js';
import type { Running } from '#processors/start-group.js';
import { CLOSED, freeFlowMetric, freeFlowMs } from '#routing-engine/overlay/metric.js';
import type { IncidentChanged } from '#schemas/messages.js';
import { proves } from '#tools/acceptance/proves.js';
import { until } from '../../contracts/until.js';
import { gridNetwork } from '../grid-network.js';
import { groupDeps, type LocalPlatform, openLocalPlatform } from '../local-platform.js';
import { operatorClosure } from '../operator-closure.js';

const grid = await gridNetwork(5, 4);
const { network } = grid;
const { tilesetId } = network;
const edge = grid.edge([1, 1], [2, 1]);

const closure = (incidentId: string, at = edge, more: Partial<IncidentChanged> = {}): IncidentChanged =>
  operatorClosure(network, incidentId, at, more);

describe('customization', () => {
  let platform: LocalPlatform;
  const open: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    platform = await openLocalPlatform();
  });
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
    await platform.close();
  });
  const start = async (): Promise<Running> => {
    const running = await startCustomization({ ...groupDeps(platform), network });
    open.push(running);
    await running.ready;
    return running;
  };
  const follow = async (
    instanceId: string,
    objects: ObjectStore = platform.objects,
  ): Promise<MetricFollower> => {
    const { log, codecs } = platform;
    const follower = await MetricFollower.open({
      ...{ network, objects, log, instanceId, logger: silentLogger },
      codec: codecs.roadMetricCustomized,
    });
    open.push(follower);
    return follower;
  };
  const report = (incident: IncidentChanged): Promise<void> =>
    platform.append(platform.codecs.trafficIncidentChanged, incident.incidentId, incident);
  const versions = () => platform.read(platform.codecs.roadMetricCustomized);

  proves('M-044', {
    asked: 'traffic is kept in routing tiles: metric beside topology, versioned',
    shown: 'a closure is version 1 of the weights of its cell, an object apart from roads; its end version 2',
    control: {
      in: 'processors/customization/publish-metric.ts',
      change: '    await objects.put(metricKeys.current(tilesetId), manifest);\n',
      to: '',
    },
  });
  it('M-024, M-044: a closure becomes a metric of the changed cells, which followers apply', async () => {
    await start();
    const follower = await follow('a');
    const changes: number[] = [];
    follower.onChange(({ before, after }) => changes.push(before.version, after.version));
    const other = await follow('b');
    expect(follower.current.version).toBe(0);
    const incident = closure('i1');
    await report(incident);
    await until('version 1', () => follower.current.version === 1 && other.current.version === 1);
    expect(follower.current.costMs[edge]).toBe(CLOSED);
    expect(changes).toEqual([0, 1]);
    const [announced] = await versions();
    expect(announced).toMatchObject({
      tilesetId,
      version: 1,
      cells: [network.edgeCell(edge)],
      edgeIds: incident.edgeIds,
      causedMs: incident.startedMs,
      reasons: ['Row 1 closed'],
    });
    const [key] = announced!.objectKeys;
    expect(key).toMatch(new RegExp(`^metrics/${tilesetId}/cells/${network.edgeCell(edge)}/1-`));
    const first = await platform.objects.get(key!);
    expect(first!.length).toBeGreaterThan(0);
    await report({ ...incident, active: false });
    await until('version 2', () => follower.current.version === 2);
    // A version is never written again, and nothing of the roads with it.
    expect(await platform.objects.get(key!)).toEqual(first);
    const written = [];
    for await (const each of platform.objects.list('')) written.push(each);
    expect(written.filter((each) => !/^(metrics|state)\//.test(each))).toEqual([]);
    expect([...follower.current.costMs]).toEqual([...freeFlowMetric(network, 'driving').costMs]);
    // A late reader gets it from the object store.
    expect((await follow('c')).current.version).toBe(2);
  });

  it('M-024: live speeds of several partitions are combined in one metric', async () => {
    await start();
    const follower = await follow('a');
    const edges = [grid.edge([0, 0], [1, 0]), grid.edge([0, 1], [1, 1]), grid.edge([0, 3], [1, 3])];
    for (const each of edges) {
      const cell = network.edgeCell(each);
      const segments = [
        { edgeId: network.edgeId(each), speedKph: 10, probes: 5, confidence: 1, cleared: false },
      ];
      const message = { tilesetId, cell, windowEndMs: Date.now(), segments };
      await platform.append(platform.codecs.trafficSegmentSpeed, String(cell), message);
    }
    const slow = (each: number): boolean =>
      follower.current.costMs[each]! > freeFlowMs(network, each, 'driving') * 2;
    await until('all three', () => edges.every(slow));
  });

  it('publishes nothing if nothing changed', async () => {
    await start();
    const follower = await follow('a');
    await report(closure('i1'));
    await report(closure('i2'));
    await report(closure('i1', edge, { active: false }));
    const last = grid.edge([3, 3], [4, 3]);
    await report(closure('i3', last));
    await until('the last one', () => follower.current.costMs[last] === CLOSED);
    expect(follower.current.costMs[edge]).toBe(CLOSED);
    for (const { edgeIds } of await versions()) expect(edgeIds.length).toBeGreaterThan(0);
  });

  it('ends an incident by the clock', async () => {
    await start();
    const follower = await follow('a');
    await report(closure('i1', edge, { expiresMs: Date.now() + 300 }));
    await until('closed', () => follower.current.costMs[edge] === CLOSED);
    await until('the opened road', () => follower.current.costMs[edge] !== CLOSED);
  });

  it('F10: continues after a stop with the next version, and reads what arrived meanwhile', async () => {
    const first = await start();
    await report(closure('i1'));
    const follower = await follow('a');
    await until('version 1', () => follower.current.version === 1);
    await first.close();
    const second = grid.edge([3, 2], [4, 2]);
    await report(closure('i2', second));
    await start();
    await until('version 2', () => follower.current.version === 2);
    expect(follower.current.costMs[edge]).toBe(CLOSED);
    expect(follower.current.costMs[second]).toBe(CLOSED);
  });

  it('F10: announces a version after a crash, and reuses one that is not current', async () => {
    const publisher = await MetricPublisher.open({
      network,
      objects: platform.objects,
      nowMs: Date.now,
      keepMs: 1_000,
      announcedVersion: async () => 0,
    });
    // The incident is in the log, as after a crash between a version and its announcement.
    await report(closure('i1'));
    await publisher.publish([{ edge, closed: true }], { causedMs: 5, reasons: ['Row 1 closed'] });
    await platform.objects.delete(metricKeys.current(tilesetId));
    const follower = await follow('a');
    expect(follower.current.version).toBe(0);
    await start();
    await until('version 1', () => follower.current.version === 1);
    expect(follower.current.costMs[edge]).toBe(CLOSED);
    expect((await versions()).map(({ version }) => version)).toEqual([1]);
  });

  it('F10: repairs a metric that does not follow from the state', async () => {
    const publisher = await MetricPublisher.open({
      network,
      objects: platform.objects,
      nowMs: Date.now,
      keepMs: 1_000,
      announcedVersion: async () => 0,
    });
    await publisher.publish([{ edge, closed: true }], { causedMs: 5, reasons: [] });
    const follower = await follow('a');
    expect(follower.current.costMs[edge]).toBe(CLOSED);
    await start();
    await until('version 2', () => follower.current.version === 2);
    expect(follower.current.costMs[edge]).not.toBe(CLOSED);
  });

  it('F10: publishes no version before the log is read, or it would open closed roads', async () => {
    const { objects } = platform;
    const publisher = await MetricPublisher.open(publisherOptions(objects));
    await publisher.publish([{ edge, closed: true }], { causedMs: 5, reasons: [] });
    const counts = new Counts(createMetrics(), 'test_total', 'Test.', customizationOutcomes);
    const writer = new MetricWriter({
      ...{ network, objects, clock: Date.now, logger: silentLogger, counts },
      announcedVersion: async () => 0,
    });
    const roads = noRoads();
    writer.meet(0, roads);
    expect(await writer.publish()).toEqual([]);
    writer.take(0, roads, applyIncident(roads, network, closure('i1'), Date.now()), 5);
    writer.begin();
    expect((await writer.publish()).map(({ version }) => version)).toEqual([1]);
    expect(await writer.publish()).toEqual([]);
  });

  const publisherOptions = (objects = platform.objects) => ({
    ...{ network, objects, nowMs: Date.now, keepMs: 1_000, announcedVersion: async () => 0 },
  });
  /** The store, except for the given methods. */
  const storeWith = (own: Partial<ObjectStore>): ObjectStore => {
    const { objects } = platform;
    return {
      get: (key) => objects.get(key),
      put: (key, bytes) => objects.put(key, bytes),
      putIfAbsent: (key, bytes) => objects.putIfAbsent(key, bytes),
      list: (prefix) => objects.list(prefix),
      delete: (key) => objects.delete(key),
      check: () => objects.check(),
      close: () => objects.close(),
      ...own,
    };
  };
  /** Once it sleeps it does not see what others wrote, like a process between its read and its write. */
  const sleeping = () => {
    const { objects } = platform;
    let sleeps = false;
    const store = storeWith({
      async *list(prefix) {
        if (!sleeps) yield* objects.list(prefix);
      },
    });
    return {
      store,
      sleep: () => {
        sleeps = true;
      },
    };
  };

  it('F10: a writer that was replaced by another writes nothing any more', async () => {
    const one = await MetricPublisher.open(publisherOptions());
    const two = await MetricPublisher.open(publisherOptions());
    const cause = { causedMs: 5, reasons: [] };
    await expect(one.publish([{ edge, closed: true }], cause)).rejects.toThrow(MetricSuperseded);
    expect(await two.publish([{ edge, speedKph: 7 }], cause)).toMatchObject({ version: 1 });
    const third = await MetricPublisher.open(publisherOptions());
    expect(third.metric.costMs[edge]).toBe(two.metric.costMs[edge]);
  });

  it('F10: of two writers of one version one succeeds, and the other is notified', async () => {
    const { store, sleep } = sleeping();
    const sleeper = await MetricPublisher.open(publisherOptions(store));
    const two = await MetricPublisher.open(publisherOptions());
    const cause = { causedMs: 5, reasons: [] };
    sleep();
    await sleeper.publish([{ edge, closed: true }], cause);
    await expect(two.publish([{ edge, speedKph: 7 }], cause)).rejects.toThrow(MetricConflict);
    const third = await MetricPublisher.open(publisherOptions());
    expect(third.metric.version).toBe(1);
    expect(third.metric.costMs[edge]).toBe(CLOSED);
  });

  it('stores a bounded number of objects, including those of writers that were killed', async () => {
    let nowMs = 1_000_000;
    const options = { ...publisherOptions(), nowMs: () => nowMs };
    const cause = { causedMs: 5, reasons: [] };
    for (let writer = 0; writer < 4; writer++) {
      const publisher = await MetricPublisher.open(options);
      for (let i = 0; i < 5; i++) await publisher.publish([{ edge, speedKph: 5 + writer + 10 * i }], cause);
    }
    nowMs += 10;
    const last = await MetricPublisher.open(options);
    nowMs += 1_000;
    await last.deleteReplaced();
    const keys: string[] = [];
    for await (const key of platform.objects.list(metricKeys.folder(tilesetId))) keys.push(key);
    // Weights of one cell, its version, `current`, and the epoch of the writer.
    expect(keys).toHaveLength(4);
    expect((await MetricPublisher.open(options)).metric.costMs[edge]).toBe(last.metric.costMs[edge]);
  });

  it('F10: announces a version despite other failures, and loses no event meanwhile', async () => {
    const { objects } = platform;
    let nowMs = 1_000_000;
    let isAway = false;
    const deleting = storeWith({
      delete: (key) => (isAway ? Promise.reject(new Error('unavailable')) : objects.delete(key)),
    });
    const counts = new Counts(createMetrics(), 'test_total', 'Test.', customizationOutcomes);
    const writer = new MetricWriter({
      ...{ network, objects: deleting, clock: () => nowMs, logger: silentLogger, counts },
      announcedVersion: async () => 0,
    });
    const roads = noRoads();
    writer.begin();
    const learn = (incident: IncidentChanged) =>
      writer.take(0, roads, applyIncident(roads, network, incident, nowMs), nowMs);
    for (const at of [edge, network.reverseOf(edge)!]) {
      learn(closure(`i${at}`, at));
      expect(await writer.publish()).toHaveLength(1);
    }
    nowMs += 11 * 60_000;
    isAway = true;
    const last = grid.edge([3, 3], [4, 3]);
    learn(closure('last', last));
    await expect(writer.publish()).rejects.toThrow('unavailable');
    isAway = false;
    expect(await writer.publish()).toMatchObject([{ version: 3, edgeIds: [network.edgeId(last)] }]);
  });

  it('F10: weights of a killed writer stay while the current version uses them', async () => {
    let nowMs = 1_000_000;
    const options = { ...publisherOptions(), nowMs: () => nowMs };
    const cause = { causedMs: 5, reasons: [] };
    const { objects } = platform;
    const dying = storeWith({
      putIfAbsent: (key, bytes) =>
        key.includes('/versions/') ? Promise.reject(new Error('killed')) : objects.putIfAbsent(key, bytes),
    });
    const first = await MetricPublisher.open({ ...options, objects: dying });
    await expect(first.publish([{ edge, closed: true }], cause)).rejects.toThrow('killed');
    const second = await MetricPublisher.open(options);
    await second.publish([{ edge, closed: true }], cause);
    nowMs += 10_000;
    await second.deleteReplaced();
    const follower = await follow('a');
    expect(follower.current.costMs[edge]).toBe(CLOSED);
    expect(follower.refused).toBe(0);
  });

  it('F10: a second process waits, takes over from the first, and makes the next version', async () => {
    const first = await start();
    const second = await start();
    const follower = await follow('a');
    await report(closure('i1'));
    await until('version 1', () => follower.current.version === 1);
    expect(first.stats()['versions']! + second.stats()['versions']!).toBe(1);
    const [leader, other] = first.stats()['versions'] === 1 ? [first, second] : [second, first];
    await leader.close();
    const later = grid.edge([3, 2], [4, 2]);
    await report(closure('i2', later));
    await until('version 2', () => follower.current.version === 2);
    expect(other.stats()['versions']).toBe(1);
    expect(follower.current.costMs[edge]).toBe(CLOSED);
    expect(follower.current.costMs[later]).toBe(CLOSED);
    // A new writer announces the previous version once more: a crash may have prevented it.
    expect(new Set((await versions()).map(({ version }) => version))).toEqual(new Set([1, 2]));
  });

  it('F31: a follower rejects corrupt weights, keeps its version, then applies the next one', async () => {
    const corrupting: ObjectStore = Object.create(platform.objects, {
      get: {
        value: async (key: string) => {
          const bytes = await platform.objects.get(key);
          if (bytes !== undefined && /cells\/\d+\/1-/.test(key)) bytes[bytes.length >> 1]! ^= 1;
          return bytes;
        },
      },
    });
    await start();
    const follower = await follow('a', corrupting);
    await report(closure('i1'));
    await until('a refusal', () => follower.refused > 0);
    expect(follower.current.version).toBe(0);
    // The same cell again, in a version with good bytes: the follower reads all of it from the manifest.
    await report(closure('i2', grid.edge([1, 1], [1, 2])));
    await until('version 2', () => follower.current.version === 2);
    expect(follower.current.costMs[edge]).toBe(CLOSED);
  });

  it('F31: a follower rejects the metric of another tileset', async () => {
    const follower = await follow('a');
    const foreign = { tilesetId: 'other', version: 1, cells: [], objectKeys: [], edgeIds: [] };
    await platform.append(platform.codecs.roadMetricCustomized, 'other', {
      ...foreign,
      ...{ causedMs: 1, publishedMs: 1, reasons: [], whole: false },
    });
    await until('a refusal', () => follower.refused > 0);
    expect(follower.current.version).toBe(0);
  });
});
