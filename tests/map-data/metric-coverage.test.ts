import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MetricCoverage } from '#map-data/metric/metric-coverage.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { applyChanges, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import { type IncidentChanged, incidentKind } from '#schemas/messages.js';
import { until } from '../contracts/until.js';
import { gridNetwork } from '../processors/grid-network.js';
import { type LocalPlatform, openLocalPlatform } from '../processors/local-platform.js';
import { operatorClosure } from '../processors/operator-closure.js';

const grid = await gridNetwork(5, 4);
const { network } = grid;
const one = grid.edge([1, 1], [2, 1]);
const other = grid.edge([2, 2], [3, 2]);
const freeFlow = freeFlowMetric(network, 'driving');
const withOne = applyChanges(network, freeFlow, [{ edge: one, closed: true }], 1);
const withBoth = applyChanges(network, withOne, [{ edge: other, closed: true }], 2);

describe('whether a metric has every active incident', () => {
  let platform: LocalPlatform;
  let opened = 0;
  const open: MetricCoverage[] = [];
  let now: { wallMs: number; passedMs: number };
  let metric: { current: Metric; publishedMs: number | undefined; damage: string | undefined };
  beforeEach(async () => {
    platform = await openLocalPlatform();
    now = { wallMs: 1_000_000, passedMs: 70_000 };
    metric = { current: freeFlow, publishedMs: 1, damage: undefined };
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
    await platform.close();
  });
  const report = (id: string, edge: number, more: Partial<IncidentChanged> = {}): Promise<void> =>
    platform.append(platform.codecs.trafficIncidentChanged, id, operatorClosure(network, id, edge, more));
  const start = async (): Promise<MetricCoverage> => {
    const coverage = await MetricCoverage.open({
      ...{ network, log: platform.log, metric, logger: silentLogger, instanceId: `${++opened}` },
      codec: platform.codecs.trafficIncidentChanged,
      clock: () => now.wallMs,
      monotonic: () => now.passedMs,
    });
    open.push(coverage);
    return coverage;
  };
  const missing = (id: string) => `The driving metric does not have the incident ${id} yet.`;
  const slow = (speedKph: number) => ({ kind: incidentKind.slow, speedKph });

  /** Whether an incident is read and would be due later; a closure for cars only blocks nothing. */
  const isDueLater = (coverage: MetricCoverage): boolean => {
    now.passedMs += 10_000;
    const due = coverage.gap() !== undefined;
    now.passedMs -= 10_000;
    return due;
  };

  it('an incident that was there before the start must be in the metric at once', async () => {
    await report('a', one);
    const coverage = await start();
    expect(coverage.gap()).toBe(missing('a'));
    metric.current = withOne;
    expect(coverage.gap()).toBeUndefined();
    metric.current = freeFlow;
    expect(coverage.gap()).toBe(missing('a'));
  });

  it('of several each must be, and the one that is not is named', async () => {
    await report('a', one);
    await report('b', other);
    metric.current = withOne;
    const coverage = await start();
    expect(coverage.gap()).toBe(missing('b'));
    metric.current = withBoth;
    expect(coverage.gap()).toBeUndefined();
    await report('both', one, { edgeIds: [one, other].map((edge) => network.edgeId(edge)) });
    metric.current = withOne;
    // The second edge of an incident counts like the first.
    expect((await start()).gap()).toBe(missing('b'));
    await report('b', other, { active: false });
    expect((await start()).gap()).toBe(missing('both'));
  });

  it('a new one has five seconds, and the same record again does not extend them', async () => {
    metric.current = withOne;
    const coverage = await start();
    await report('a', one);
    await report('b', other);
    await until('both were read', () => isDueLater(coverage));
    now.passedMs += 4_999;
    expect(coverage.gap()).toBeUndefined();
    await report('b', other);
    await report('c', one, { kind: incidentKind.blocked });
    await until('the second record was read', () => coverage.blocked().includes(one));
    now.passedMs += 1;
    expect(coverage.gap()).toBe(missing('b'));
    // Another end makes it a new incident, with five seconds of its own.
    await report('b', other, { expiresMs: 2_000_000 });
    await until('the changed record was read', () => coverage.gap() === undefined);
    now.passedMs += 5_000;
    expect(coverage.gap()).toBe(missing('b'));
  });
  it('one that ended, or whose time is over, is not missed', async () => {
    await report('a', one, { expiresMs: 1_000_001 });
    const coverage = await start();
    expect(coverage.gap()).toBe(missing('a'));
    now.wallMs = 1_000_001;
    expect(coverage.gap()).toBeUndefined();
    await report('a', one, { active: false });
    now.wallMs = 0;
    expect((await start()).gap()).toBeUndefined();
  });

  it('a slow road must have the cost of its speed at least; without a speed it says nothing', async () => {
    await report('a', one, slow(10));
    const coverage = await start();
    expect(coverage.gap()).toBe(missing('a'));
    const at = (speedKph: number) => applyChanges(network, freeFlow, [{ edge: one, speedKph }], 1);
    for (const [kph, gap] of [
      [10.2, missing('a')],
      [10, undefined],
      [5, undefined],
    ] as const) {
      metric.current = at(kph);
      expect(coverage.gap()).toBe(gap);
    }
    metric.current = freeFlow;
    await report('a', one, slow(0));
    expect((await start()).gap()).toBeUndefined();
  });

  it('a damaged metric is refused while an incident is active, at once', async () => {
    const coverage = await start();
    metric.damage = 'a bit is wrong';
    expect(coverage.gap()).toBeUndefined();
    await report('a', one);
    await until('it is refused', () => coverage.gap() === 'a bit is wrong');
    metric.current = withOne;
    expect(coverage.gap()).toBeUndefined();
    metric.publishedMs = undefined;
    expect(coverage.gap()).toBe('a bit is wrong');
    metric.damage = undefined;
    expect(coverage.gap()).toBeUndefined();
  });

  it('blocked roads are those of every mode, until they end or their time is over', async () => {
    const blocked = { kind: incidentKind.blocked };
    await report('cars', other);
    await report('a', one, { ...blocked, expiresMs: 1_000_005 });
    await report('b', other, { ...blocked, expiresMs: 1_000_009 });
    const coverage = await start();
    const first = coverage.blocked();
    expect([...first].toSorted()).toEqual([one, other].toSorted());
    now.wallMs = 1_000_004;
    expect(coverage.blocked()).toBe(first);
    now.wallMs = 1_000_005;
    expect(coverage.blocked()).toEqual([other]);
    now.wallMs = 1_000_009;
    expect(coverage.blocked()).toEqual([]);
    await report('c', one, blocked);
    await until('the new one is blocked', () => coverage.blocked().length === 1);
    expect(coverage.blocked()).toEqual([one]);
    now.wallMs = 9e15;
    expect(coverage.blocked()).toEqual([one]);
    await report('c', one, { ...blocked, active: false });
    await until('it ended', () => coverage.blocked().length === 0);
  });
});
