import { parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { arrivalErrors } from '#processors/analytics/arrival-errors.js';
import { closedRoads } from '#processors/analytics/closed-roads.js';
import { edgeSpeeds } from '#processors/analytics/edge-speeds.js';
import { startAnalytics } from '#processors/analytics/start-analytics.js';
import type { Running } from '#processors/start-group.js';
import {
  type ArrivalObserved,
  type EdgeObservations,
  type IncidentChanged,
  incidentKind,
  incidentSource,
  observationKind,
} from '#schemas/messages.js';
import { eventually } from '../../eventually.js';
import { gridNetwork } from '../grid-network.js';
import { groupDeps, type LocalPlatform, openLocalPlatform } from '../local-platform.js';

const grid = await gridNetwork(5, 4, 300);
const { network } = grid;
const { tilesetId } = network;
const t0 = Date.UTC(2026, 10, 16, 8);
const minute = 60_000;
const [busy, lonely] = grid.ids(grid.way([0, 0], [1, 0], [2, 0])) as [string, string];

/** Drivers who pass an edge at this many minutes past eight, each for 30 s; reported at `toldMin`. */
function passages(edgeId: string, atMin: number, drivers: readonly number[], toldMin = 0): EdgeObservations {
  const leftMs = t0 + atMin * minute;
  return {
    ...{ tilesetId, cell: 1 },
    observations: drivers.map((driver) => ({
      ...{ edgeId, kind: observationKind.passed, driver, leftMs, enteredMs: leftMs - 30_000 },
      receivedMs: leftMs + toldMin * minute,
    })),
  };
}
const nobody = (atMin: number): EdgeObservations => ({
  ...passages(busy, atMin, [1]),
  observations: [{ ...passages(busy, atMin, [1]).observations[0]!, kind: observationKind.turnedAway }],
});

describe('tables for analysts', () => {
  let platform: LocalPlatform;
  let running: Running | undefined;
  beforeEach(async () => {
    platform = await openLocalPlatform();
  });
  afterEach(async () => {
    await running?.close();
    running = undefined;
    await platform.close();
  });

  const day: readonly EdgeObservations[] = [
    passages(busy, 1, [1, 2, 3]),
    passages(busy, 9, [3, 4, 5, 6]),
    passages(lonely, 5, [1, 2, 3, 4]),
    passages(busy, 17, [1, 2, 3, 4, 5]),
    nobody(70),
    // An hour and a half late: a separate row, if enough of them arrived.
    passages(busy, 3, [21, 22, 23], 90),
    passages(busy, 4, [24, 25], 91),
    nobody(130),
    nobody(300),
  ];
  const tell = async (records: readonly EdgeObservations[]): Promise<void> => {
    for (const record of records)
      await platform.append(platform.codecs.trafficEdgeObserved, String(record.cell), record);
  };
  const start = async (objects: ObjectStore = platform.objects): Promise<Running> => {
    running = await startAnalytics({ ...groupDeps(platform), objects, network, driversMin: 5 });
    await running.ready;
    return running;
  };
  const stop = async (): Promise<void> => {
    await running?.close();
    running = undefined;
  };
  async function files(prefix: string): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    for await (const key of platform.objects.list(prefix)) found.set(key, (await platform.objects.get(key))!);
    return found;
  }
  async function rows(table: string): Promise<Record<string, unknown>[]> {
    const all: Record<string, unknown>[] = [];
    for (const bytes of (await files(`analytics/${table}/`)).values()) {
      const { buffer } = Uint8Array.from(bytes);
      all.push(...(await parquetReadObjects({ file: buffer })));
    }
    return all;
  }

  it('F10: tables show edges by quarter hour, with enough drivers; late data adds rows', async () => {
    await tell(day);
    const { stats } = await start();
    await eventually(() => expect(stats()).toMatchObject({ ranges: 3, withheld: 1 }));
    const speeds = await rows('edge-speeds');
    const lengthM = network.edgeLengthM(network.edgeByStableId(busy)!);
    const row = (atMin: number, passed: number) => ({
      ...{ quarter_start: new Date(t0 + atMin * minute), day: '2026-11-16', edge_id: busy },
      ...{
        passages: passed,
        duration_s: 30 * passed,
        length_m: lengthM,
        area: expect.stringMatching(/^u.{3}$/),
      },
      speed_kph: expect.closeTo((3.6 * lengthM) / 30, 6),
      free_flow_kph: network.freeFlowKph(network.edgeByStableId(busy)!, 'driving'),
    });
    expect(speeds).toEqual([row(0, 6), row(15, 5), row(0, 5)]);
    expect(JSON.stringify(speeds)).not.toContain(lonely);
    for (const key of (await files('analytics/edge-speeds/')).keys())
      expect(key).toMatch(/^analytics\/edge-speeds\/2026-11-16\/u\w{3}\/0000\d-\d{15}-\d{15}\.parquet$/);
  });

  it('F10: writes rows once in effect: without a snapshot, without a note, on a failing store', async () => {
    await tell(day);
    await start();
    await eventually(() => expect(running!.stats()).toMatchObject({ ranges: 3 }));
    const calm = await files('analytics/');
    await stop();

    // A group that has lost its state reads everything again and writes nothing.
    for await (const key of platform.objects.list('state/analytics')) await platform.objects.delete(key);
    await start();
    await eventually(() => expect(running!.stats()).toMatchObject({ counted: day.length, ranges: 0 }));
    expect(await files('analytics/')).toEqual(calm);
    await stop();

    // Killed between the last files and the note that they are stored, with a store that fails every second
    // time.
    for await (const key of platform.objects.list('state/analytics')) await platform.objects.delete(key);
    const notes = [...calm.keys()].filter((key) => key.startsWith('analytics/ranges/'));
    await platform.objects.delete(notes.at(-1)!);
    let puts = 0;
    const failing: ObjectStore = {
      get: (key) => platform.objects.get(key),
      put: (key, bytes) =>
        key.startsWith('analytics/') && puts++ % 2 === 0
          ? Promise.reject(new Error('the store is unavailable'))
          : platform.objects.put(key, bytes),
      putIfAbsent: (key, bytes) => platform.objects.putIfAbsent(key, bytes),
      list: (prefix) => platform.objects.list(prefix),
      delete: (key) => platform.objects.delete(key),
      check: () => platform.objects.check(),
      close: () => platform.objects.close(),
    };
    await start(failing);
    await eventually(() => expect(running!.stats()).toMatchObject({ ranges: 1 }));
    expect(puts).toBeGreaterThan(1);
    expect(await files('analytics/')).toEqual(calm);
  });
});

const { codecs } = await openLocalPlatform().then(async (platform) => {
  await platform.close();
  return platform;
});

describe('a table row', () => {
  it("a row of a closure has start and end, or expiry; operators' notes stay private", () => {
    const { fresh, add, finished, forget } = closedRoads(codecs.trafficIncidentChanged, network);
    const known = fresh();
    const incident = (incidentId: string, more: Partial<IncidentChanged>): IncidentChanged => ({
      ...{ incidentId, tilesetId, kind: incidentKind.closed, source: incidentSource.detected, active: true },
      ...{ edgeIds: [busy], speedKph: 0, startedMs: t0 + 1_234, expiresMs: t0 + 60 * minute },
      ...{ evidence: '4 of 4 turned away', lastEvidenceMs: t0, ...more },
    });
    add(known, incident('a', {}), t0);
    add(known, incident('b', { source: incidentSource.operator, evidence: 'call Olga', expiresMs: 0 }), t0);
    add(known, incident('c', { edgeIds: [busy, lonely] }), t0);
    expect(add(known, incident('d', { tilesetId: 'old' }), t0)).toBe('foreign');
    expect(finished(known, t0 + 30 * minute)).toEqual([]);
    add(known, incident('a', { active: false }), t0 + 20 * minute);
    const ended = finished(known, t0 + 120 * minute);
    expect(ended.map((row) => [row.incidentId, row.edgeId, (row.endedMs - row.startedMs) / minute])).toEqual([
      ['a', busy, 20],
      ['c', busy, 60],
      ['c', lonely, 60],
    ]);
    forget(known, t0 + 120 * minute);
    add(known, incident('c', { active: false }), t0 + 130 * minute);
    add(known, incident('b', { active: false, evidence: 'call Olga' }), t0 + 130 * minute);
    expect(finished(known, t0 + 180 * minute)).toMatchObject([
      { incidentId: 'b', evidence: '', source: 'operator' },
    ]);
  });

  it('a row of arrival times has the errors of a corridor, from enough distinct drivers', () => {
    const { fresh, add, finished, forget } = arrivalErrors(codecs.navArrivalObserved, tilesetId, 5);
    const hours = fresh();
    const trip = (driver: number, more: Partial<ArrivalObserved> = {}): ArrivalObserved => ({
      ...{ tilesetId, corridor: '1>2', departedMs: t0, actualS: 100, metricS: 50, physicalS: 90 },
      ...{ features: [], saidS: 110, lowS: 90, highS: 120, modelVersion: 1, driver, ...more },
    });
    for (let driver = 1; driver <= 4; driver++) add(hours, trip(driver), t0);
    for (let i = 0; i < 9; i++) add(hours, trip(4), t0);
    add(hours, trip(9, { saidS: 0 }), t0);
    expect(finished(hours, t0 + 200 * minute)).toEqual([]);
    add(hours, trip(5, { actualS: 200 }), t0);
    add(hours, trip(1, { corridor: '3>4' }), t0);
    expect(add(hours, trip(1, { corridor: '../x' }), t0)).toBe('implausible');
    expect(finished(hours, t0 + 100 * minute)).toEqual([]);
    const [row, ...others] = finished(hours, t0 + 200 * minute);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ corridor: '1>2', trips: 5, covered: 0.8, actualS: 120 });
    expect(row!.error).toBeCloseTo((4 * 0.1 + 0.45) / 5, 6);
    expect(row!.bias).toBeCloseTo((4 * 0.1 - 0.45) / 5, 6);
    expect(forget(hours, t0 + 200 * minute)).toEqual({ withheld: 1 });
    expect(hours.size).toBe(0);
  });

  it('a row of an edge waits two hours for its drivers, and the number of rows is bounded', () => {
    const { fresh, add, finished, forget, toPlain, fromPlain } = edgeSpeeds({
      ...{ codec: codecs.trafficEdgeObserved, network, driversMin: 2, quartersMax: 1 },
    });
    const quarters = fresh();
    add(quarters, passages(busy, 1, [1, 1, 1]), t0);
    expect(add(quarters, passages(lonely, 1, [1]), t0)).toBe('full');
    expect(add(quarters, { ...passages(busy, 1, [1]), tilesetId: 'old' }, t0)).toBe('foreign');
    expect(forget(quarters, t0 + 60 * minute)).toEqual({ withheld: 0 });
    const again = fromPlain(JSON.parse(JSON.stringify(toPlain(quarters))));
    expect(again).toEqual(quarters);
    add(again, passages(busy, 2, [2]), t0 + 61 * minute);
    expect(finished(again, t0 + 120 * minute)).toMatchObject([{ passages: 2, durationS: 60 }]);
    expect(forget(quarters, t0 + 121 * minute)).toEqual({ withheld: 1 });
    expect(quarters.size).toBe(0);
  });
});
