import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TypicalWeeks, typicalWeekKey } from '#map-data/learned/typical-weeks.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { EdgeWeek } from '#processors/typical-week/edge-week.js';
import { resolveWeeks } from '#processors/typical-week/resolve-weeks.js';
import { startTypicalWeek } from '#processors/typical-week/start-typical-week.js';
import { learnWeek, type TypicalWeekState } from '#processors/typical-week/typical-week-step.js';
import { binOfWeek, TypicalWeek } from '#routing-engine/network/typical-week.js';
import { type EdgeObservation, observationKind } from '#schemas/messages.js';
import { eventually } from '../../eventually.js';
import { type Grid, gridNetwork } from '../grid-network.js';
import { groupDeps, type LocalPlatform, openLocalPlatform } from '../local-platform.js';

const monday = Date.UTC(2026, 10, 16);
const hour = 3_600_000;
const day = 24 * hour;

const teach = (week: EdgeWeek, atMs: number, ratio: number, drivers = 6): void => {
  for (let driver = 1; driver <= drivers; driver++) week.add(driver, atMs + driver * 1_000, ratio);
};

describe('a typical week', () => {
  it('learns rush hours from a few weeks, and reproduces them', () => {
    const week = new EdgeWeek();
    for (let d = 0; d < 21; d++)
      for (let h = 6; h < 20; h++) teach(week, monday + d * day + h * hour, d % 7 < 5 && h === 8 ? 3 : 1.2);
    week.close();
    const [resolved] = resolveWeeks(new Map([['e1', week]]), 5);
    const ratioAt = (d: number, h: number): number =>
      2 ** (resolved!.ratios[binOfWeek(monday + d * day + h * hour)]! / 32 - 2);
    expect(ratioAt(2, 8)).toBeGreaterThan(2.3);
    expect(ratioAt(2, 12)).toBeLessThan(1.4);
    expect(ratioAt(5, 8)).toBeLessThan(1.5);
  });

  it('is not affected by one phone that stands, nor by one driver who circles', () => {
    const [honest, disturbed] = [new EdgeWeek(), new EdgeWeek()];
    for (const week of [honest, disturbed])
      for (let i = 0; i < 9; i++) week.add(i, monday + i * 60_000, 1 + i / 50);
    disturbed.add(99, monday + 600_000, 15);
    for (let i = 0; i < 50; i++) disturbed.add(98, monday + 700_000 + i, 15);
    for (const week of [honest, disturbed]) week.close();
    const bin = binOfWeek(monday);
    expect(disturbed.mean(bin) / honest.mean(bin)).toBeLessThan(1.15);
  });

  it('M-007: treats data that is hours late as a correction of its own half hour', () => {
    const state: TypicalWeekState = { edges: new Map(), streamMs: monday + 12 * hour };
    const facts = () => ({ lengthM: 500, freeFlowKph: 50 });
    const pass = (driver: number, leftMs: number, kph: number): EdgeObservation => ({
      ...{ edgeId: 'e1', kind: observationKind.passed, driver, leftMs, receivedMs: monday + 12 * hour },
      enteredMs: leftMs - (500 * 3_600) / kph,
    });
    expect(learnWeek(state, pass(1, monday + 12 * hour, 50), facts, 10)).toBe('learnt');
    expect(learnWeek(state, pass(2, monday + 8 * hour, 10), facts, 10)).toBe('late');
    const week = state.edges.get('e1')!;
    // A driver corrects a half hour once, however often they send it.
    for (let i = 0; i < 20; i++) learnWeek(state, pass(2, monday + 8 * hour + i, 2), facts, 10);
    expect(week.mean(binOfWeek(monday + 8 * hour))).toBeCloseTo(5, 1);
    expect(learnWeek(state, pass(3, monday - 9 * day, 10), facts, 10)).toBe('implausible');
    expect(learnWeek(state, pass(3, monday, 900), facts, 10)).toBe('implausible');
    expect(learnWeek(state, { ...pass(4, monday, 50), edgeId: 'e2' }, facts, 1)).toBe('full');
  });

  it('leaves out edges that never had enough drivers on a day, over any number of days', () => {
    const lonely = new EdgeWeek();
    for (let d = 0; d < 30; d++)
      for (let driver = 0; driver < 4; driver++) lonely.add(d * 100 + driver, monday + d * day, 1.5);
    const busy = new EdgeWeek();
    teach(busy, monday, 1.5);
    const weeks = new Map([
      ['lonely', lonely],
      ['busy', busy],
    ]);
    for (const week of weeks.values()) week.close();
    expect(resolveWeeks(weeks, 5).map(({ edgeId }) => edgeId)).toEqual(['busy']);
  });

  it('F10: is the same after it was stored and read back in the middle of a half hour', () => {
    const whole = new EdgeWeek();
    let parts = new EdgeWeek();
    for (let i = 0; i < 200; i++) {
      for (const week of [whole, parts]) week.add(i % 7, monday + i * 400_000, 1 + (i % 10) / 5);
      parts = EdgeWeek.fromPlain(
        JSON.parse(JSON.stringify(parts.toPlain())) as ReturnType<EdgeWeek['toPlain']>,
      );
    }
    expect(parts.toPlain()).toEqual(whole.toPlain());
  });
});

describe('the consumer group typical-week', () => {
  let platform: LocalPlatform;
  let grid: Grid;
  beforeEach(async () => {
    platform = await openLocalPlatform();
    grid = await gridNetwork(3, 3);
  });
  afterEach(() => platform.close());

  it('M-064: publishes a version that readers find by its time, and skips a damaged one', async () => {
    const { network } = grid;
    const edge = grid.edge([0, 0], [1, 0]);
    const edgeId = network.edgeId(edge);
    const cell = network.edgeCell(edge);
    const tookMs = (3 * network.edgeLengthM(edge) * 3_600) / network.freeFlowKph(edge, 'driving');
    for (let i = 0; i < 40; i++) {
      const leftMs = monday + i * 20 * 60_000;
      const observations = [1, 2, 3].map((driver) => ({
        ...{ edgeId, kind: observationKind.passed, driver, receivedMs: leftMs + 1_000 },
        enteredMs: Math.round(leftMs - tookMs),
        leftMs: leftMs + driver,
      }));
      await platform.append(platform.codecs.trafficEdgeObserved, String(cell), {
        tilesetId: network.tilesetId,
        cell,
        observations,
      });
    }
    const running = await startTypicalWeek({ ...groupDeps(platform), network, driversMin: 3 });
    await running.ready;
    await eventually(() => expect(running.stats()['versions']).toBe(2));
    await running.close();
    const options = { objects: platform.objects, tilesetId: network.tilesetId, logger: silentLogger };
    const weeks = await TypicalWeeks.open(options);
    expect(weeks.ratio(edgeId, monday + 3 * hour)).toBeUndefined();
    const early = weeks.ratio(edgeId, monday + 8 * hour)!;
    expect(early).toBeGreaterThan(1.4);
    expect(weeks.ratio(edgeId, monday + 7 * day + 5 * hour)!).toBeGreaterThan(early * 0.9);
    weeks.close();
    const keys: string[] = [];
    for await (const key of platform.objects.list('typical-week/')) keys.push(key);
    expect(keys).toHaveLength(2);
    const bytes = Buffer.from((await platform.objects.get(keys[1]!))!);
    bytes[40]! ^= 1;
    await platform.objects.put(keys[1]!, bytes);
    const again = await TypicalWeeks.open(options);
    expect(again.ratio(edgeId, monday + 20 * hour)).toBeDefined();
    again.close();
    expect(() => TypicalWeek.from(bytes)).toThrow(/checksum/);
    expect(() => TypicalWeek.from(bytes.subarray(0, 30))).toThrow(/cut off/);
    expect(() => TypicalWeek.from(Buffer.from('nothing of the kind, only text'))).toThrow(/no typical week/);
    expect(keys[0]).toContain(typicalWeekKey(network.tilesetId, Number(keys[0]!.split('/')[2])));
  });
});
