import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MatchingStep } from '#processors/matching/matching-step.js';
import { driverPseudonym } from '#processors/matching/pseudonym.js';
import { matchingDefaults } from '#processors/matching/settings.js';
import type { UserTrack } from '#processors/matching/user-track.js';
import type { LocationBatch } from '#schemas/location.js';
import {
  type EdgeObservation,
  type NavigationChanged,
  navigationState,
  observationKind,
} from '#schemas/messages.js';
import { proves } from '#tools/acceptance/proves.js';
import { batchOf, driveAlong, type Fix } from '../drivers.js';
import { gridNetwork } from '../grid-network.js';

const grid = await gridNetwork(6, 4, 200);
const { network } = grid;
const step = new MatchingStep({ network, settings: matchingDefaults, pseudonymKey: 'test key' });
const t0 = 1_795_000_000_000;
const way = grid.way([0, 1], [1, 1], [2, 1], [3, 1], [3, 2], [3, 3]);

function run(batches: readonly LocationBatch[], from?: UserTrack) {
  let track = from;
  const observations: EdgeObservation[] = [];
  const counts: Record<string, number> = {};
  for (const batch of batches) {
    const result = step.applyBatch(track, batch);
    track = result.track;
    for (const message of result.observations) {
      for (const each of message.observations)
        expect(network.edgeCell(network.edgeByStableId(each.edgeId)!)).toBe(message.cell);
      observations.push(...message.observations);
    }
    for (const [name, count] of Object.entries(result.counts)) counts[name] = (counts[name] ?? 0) + count;
  }
  return { track: track!, observations, counts };
}
function inBatches(fixes: readonly Fix[], size: number): LocationBatch[] {
  const batches: LocationBatch[] = [];
  for (let i = 0; i < fixes.length; i += size) batches.push(batchOf('u', `b${i}`, fixes.slice(i, i + size)));
  return batches;
}
const fixes = driveAlong(grid, way, { startMs: t0, mps: 12, fromFraction: 0.3, toFraction: 0.8 });
const bySeconds = (observations: readonly EdgeObservation[]) =>
  observations.map(({ edgeId, enteredMs, leftMs }) => [edgeId, Math.round((leftMs - enteredMs) / 1_000)]);

const guided = (edges: readonly number[], more: Partial<NavigationChanged> = {}): NavigationChanged => ({
  navigationId: 'n1',
  userId: 'u',
  state: navigationState.started,
  tilesetId: network.tilesetId,
  destinationLatE7: 0,
  destinationLngE7: 0,
  edgeIds: grid.ids(edges),
  tiles: [],
  durationS: 1,
  metricVersion: 0,
  routeVersion: 1,
  avoid: [],
  changedMs: t0 - 1_000,
  ...more,
});

describe('matching a user', () => {
  it('M-064: finds each edge that was driven from end to end, once, with its time', () => {
    const { observations, counts } = run(inBatches(fixes, 5));
    const seconds = 200 / 12;
    expect(observations.map(({ edgeId }) => edgeId)).toEqual(grid.ids(way.slice(1, -1)));
    for (const { enteredMs, leftMs, kind } of observations) {
      expect(kind).toBe(observationKind.passed);
      expect(Math.abs((leftMs - enteredMs) / 1_000 - seconds)).toBeLessThan(2);
    }
    expect(counts).toMatchObject({ matched: fixes.length, late: 0, unmatched: 0 });
  });

  proves('M-064', {
    asked: 'speeds from the stream',
    shown: 'a walk and a bicycle ride say nothing about cars; a drive with its mode says the same as without',
    control: {
      in: 'processors/matching/driven-traces.ts',
      change: 'if (modeIndex !== undefined && modeIndex[i]! > 0) continue;',
      to: '',
    },
  });
  it.each([
    ['driving', 0, fixes.length],
    ['walking', 1, 0],
    ['bicycling', 2, 0],
    ['not known', Number.NaN, fixes.length],
  ])('M-064: points with the mode %s are those of a car, or say nothing', (_, mode, matched) => {
    const { observations, counts } = run(
      inBatches(fixes, 5).map((batch) => ({
        ...batch,
        points: { ...batch.points, modeIndex: new Float32Array(batch.points.count).fill(mode) },
      })),
    );
    expect(counts).toMatchObject({ matched, undriven: fixes.length - matched });
    expect(observations).toEqual(matched === 0 ? [] : run(inBatches(fixes, 5)).observations);
  });

  it('finds the edges between points that are far apart', () => {
    const sparse = driveAlong(grid, way, {
      startMs: t0,
      mps: 12,
      fromFraction: 0.3,
      toFraction: 0.8,
      everyMs: 14_000,
    });
    const { track, observations } = run(inBatches(sparse, 2));
    // No later point shows whether the driver finally turned around: silence decides.
    const silent = track.receivedMs + matchingDefaults.gapMaxMs;
    expect(step.settle('u', track, silent).observations).toEqual([]);
    observations.push(
      ...step.settle('u', track, silent + 1).observations.flatMap((each) => each.observations),
    );
    expect(observations.map(({ edgeId }) => edgeId)).toEqual(grid.ids(way.slice(1, -1)));
  });

  it('assumes nothing about a gap', () => {
    const gap = fixes.map((fix, i) => (i < 30 ? fix : { ...fix, timeMs: fix.timeMs + 300_000 }));
    const { observations } = run(inBatches(gap, 5));
    for (const { enteredMs, leftMs } of observations) expect(leftMs - enteredMs).toBeLessThan(60_000);
  });

  proves('F11', {
    asked: 'copies, disorder, late an hour, future, 0, 2^53, negative',
    shown: '40 ways to split and repeat a drive have the same result; late and odd times in the tests below',
  });
  it('F11: has the same result for any split into batches, and for repeated batches', () => {
    const whole = run([batchOf('u', 'all', fixes)]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.boolean(), (size, twice) => {
        const batches = inBatches(fixes, size);
        const sent = twice
          ? batches.flatMap((batch, i) => [batch, batch, ...batches.slice(Math.max(0, i - 1), i)])
          : batches;
        const { observations, counts } = run(sent);
        expect(bySeconds(observations)).toEqual(bySeconds(whole.observations));
        expect(counts['matched']).toBe(fixes.length);
        if (twice) expect(counts['repeated']! + counts['late']!).toBeGreaterThan(0);
      }),
      { seed: 4, numRuns: 40 },
    );
  });

  it('F11: recognizes a redelivered batch by its id', () => {
    const batch = batchOf('u', 'b', fixes);
    const { counts } = run([batch, batch]);
    expect(counts).toMatchObject({ matched: fixes.length, repeated: fixes.length, late: 0 });
  });

  it('F11: sorts the points of a batch, counts late ones, and rejects future ones', () => {
    const shuffled = fixes.toSorted((a, b) => (a.timeMs % 7_000) - (b.timeMs % 7_000));
    const { observations, track } = run([batchOf('u', 'x', shuffled, fixes.at(-1)!.timeMs)]);
    expect(observations.map(({ edgeId }) => edgeId)).toEqual(grid.ids(way.slice(1, -1)));
    const late = run([batchOf('u', 'y', fixes.slice(0, 10))], track);
    expect(late.counts['late']).toBe(10);
    expect(late.observations).toEqual([]);
    const odd = [0, -5, 2 ** 53, t0 + 3_600_000].map((timeMs) => ({ ...fixes[0]!, timeMs }));
    const strange = run([batchOf('u', 'z', odd, t0 + 200_000)], track);
    expect(strange.counts).toMatchObject({ late: 2, future: 2 });
    expect(strange.track.newestMs).toBe(track.newestMs);
  });

  proves('M-007', {
    asked: 'late points reach the processors with their event time',
    shown: 'a drive three hours late, behind newer points: its passages have the times of the drive, once',
    control: {
      in: 'processors/matching/matching-step.ts',
      change: '        enteredMs,\n        leftMs,\n        guided,\n',
      to: '        enteredMs: receivedMs - (leftMs - enteredMs),\n        leftMs: receivedMs,\n        guided,\n',
    },
  });
  it('M-007: reports a drive that arrives hours late, behind newer points, once with its own times', () => {
    const present = run(inBatches(fixes, 20)).track;
    const hoursMs = 3 * 3_600_000;
    const old = fixes.map((fix) => ({ ...fix, timeMs: fix.timeMs - hoursMs }));
    const late = run([batchOf('u', 'late', old, fixes.at(-1)!.timeMs + 1_000)], present);
    expect(late.counts).toMatchObject({ corrected: old.length, late: 0, matched: 0 });
    expect(late.observations.map(({ edgeId }) => edgeId)).toEqual(grid.ids(way.slice(1, -1)));
    const inTime = run([batchOf('v', 'in time', fixes)]).observations;
    for (const [i, { enteredMs, leftMs }] of late.observations.entries()) {
      expect(Math.abs(enteredMs + hoursMs - inTime[i]!.enteredMs)).toBeLessThan(1_000);
      expect(Math.abs(leftMs + hoursMs - inTime[i]!.leftMs)).toBeLessThan(1_000);
    }
    expect(late.track.newestMs).toBe(present.newestMs);
    const again = run([batchOf('u', 'once more', old, fixes.at(-1)!.timeMs + 2_000)], late.track);
    expect(again.counts).toMatchObject({ corrected: 0, late: old.length });
    expect(again.observations).toEqual([]);
  });

  it('M-007: a lost batch fills its gap when it arrives behind the next ones', () => {
    const batches = inBatches(fixes, 24);
    expect(batches.length).toBeGreaterThan(3);
    const [first, lost, ...rest] = batches as [LocationBatch, LocationBatch, ...LocationBatch[]];
    const behind = run([first, ...rest]);
    const filled = run([lost], behind.track);
    expect(filled.counts).toMatchObject({ corrected: lost.points.count, late: 0 });
    expect(filled.observations.length).toBeGreaterThan(0);
    expect(run([{ ...first, batchId: 'x' }], behind.track).counts).toMatchObject({ corrected: 0 });
    // A driver who continues afterwards is matched without regard to the gap.
    const next = driveAlong(grid, grid.way([5, 3], [4, 3]), {
      startMs: fixes.at(-1)!.timeMs + 400_000,
      mps: 12,
    });
    expect(run([batchOf('u', 'n', next)], filled.track).counts).toEqual(
      run([batchOf('u', 'n', next)], behind.track).counts,
    );
  });

  it('rejects a phone that jumps across the town', () => {
    const far = driveAlong(grid, grid.way([5, 3], [4, 3]), { startMs: t0 + 30_000, mps: 12 }).slice(0, 3);
    const jumping = [...fixes.slice(0, 30), ...far];
    const { observations } = run([batchOf('u', 'x', jumping)]);
    for (const { edgeId } of observations) expect(grid.ids(way)).toContain(edgeId);
  });

  it('gives the driver a pseudonym that cannot be linked over days, nor reversed without the key', () => {
    const day = 86_400_000;
    const name = driverPseudonym('k', 'u', t0);
    expect(driverPseudonym('k', 'u', t0 + 60_000)).toBe(name);
    expect(driverPseudonym('k', 'u', t0 + day)).not.toBe(name);
    expect(driverPseudonym('k', 'v', t0)).not.toBe(name);
    expect(driverPseudonym('l', 'u', t0)).not.toBe(name);
    expect(Number.isSafeInteger(name) && name >= 0).toBe(true);
  });

  it('evicts idle drivers', () => {
    const { track } = run([batchOf('u', 'x', fixes)]);
    const { idleMs, navigatingIdleMs } = matchingDefaults;
    expect(step.isIdle(track, track.receivedMs + idleMs)).toBe(false);
    expect(step.isIdle(track, track.receivedMs + idleMs + 1)).toBe(true);
    const navigating = step.applyNavigation(track, guided(way)).track;
    expect(step.isIdle(navigating, track.receivedMs + idleMs + 1)).toBe(false);
    expect(step.isIdle(navigating, track.receivedMs + navigatingIdleMs + 1)).toBe(true);
    // One who ended the navigation and sends no more points is not navigating.
    const change = { ...guided(way), state: navigationState.ended, changedMs: track.receivedMs };
    const { track: ended } = step.applyNavigation(navigating, change);
    expect(ended.guidances).toHaveLength(1);
    expect(step.isIdle(ended, ended.receivedMs + idleMs)).toBe(false);
    expect(step.isIdle(ended, ended.receivedMs + idleMs + 1)).toBe(true);
  });
});

describe('guided drivers', () => {
  const route = grid.way([0, 1], [1, 1], [2, 1], [3, 1], [4, 1], [5, 1]);
  const closed = grid.edge([3, 1], [4, 1]);
  const turnsOff = grid.way([0, 1], [1, 1], [2, 1], [3, 1], [3, 2], [4, 2]);
  const turned = (
    edges: readonly number[],
    change = guided(route),
    drive: Partial<Parameters<typeof driveAlong>[2]> = {},
  ) =>
    run(
      inBatches(
        driveAlong(grid, edges, { startMs: t0, mps: 12, fromFraction: 0.2, toFraction: 0.8, ...drive }),
        3,
      ),
      step.applyNavigation(undefined, change).track,
    ).observations.filter(({ kind }) => kind === observationKind.turnedAway);

  it('M-064: a driver who turns off before an edge of the route is reported once', () => {
    expect(turned(turnsOff).map(({ edgeId }) => edgeId)).toEqual([network.edgeId(closed)]);
    expect(turned(route)).toEqual([]);
  });

  proves('M-064', {
    asked: 'no open road is closed',
    shown: 'a drive that was sent late says nothing about a route that its driver was given after it',
    control: {
      in: 'processors/matching/match-batch.ts',
      change: 'if (beganMs !== undefined && timeMs <= beganMs - settings.beforeRouteMs) return { guidance };',
      to: '',
    },
  });
  it('M-064: a phone that sends late says nothing about a route that its driver did not have yet', () => {
    const drive = driveAlong(grid, turnsOff, { startMs: t0, mps: 12, fromFraction: 0.2, toFraction: 0.8 });
    const changedMs = drive.at(-1)!.timeMs + matchingDefaults.beforeRouteMs;
    expect(turned(turnsOff, guided(route, { changedMs }))).toEqual([]);
    const rerouted = guided(route, { changedMs, state: navigationState.rerouted });
    const { track } = step.applyNavigation(undefined, guided(turnsOff));
    const late = run(
      inBatches(drive, 3),
      step.applyNavigation(track, { ...rerouted, routeVersion: 2 }).track,
    );
    expect(late.observations.filter(({ kind }) => kind === observationKind.turnedAway)).toEqual([]);
  });

  it('M-064: a driver who reaches the edge and drives back is reported too', () => {
    const there = driveAlong(grid, route.slice(0, 3), {
      startMs: t0,
      mps: 12,
      fromFraction: 0.2,
      toFraction: 0.95,
    });
    const back = driveAlong(grid, grid.way([3, 1], [2, 1], [1, 1]), {
      startMs: there.at(-1)!.timeMs + 4_000,
      mps: 12,
      fromFraction: 0.1,
    });
    const { observations } = run(
      inBatches([...there, ...back], 4),
      step.applyNavigation(undefined, guided(route)).track,
    );
    const away = observations.filter(({ kind }) => kind === observationKind.turnedAway);
    expect(away.map(({ edgeId }) => edgeId)).toEqual([network.edgeId(closed)]);
  });

  it('reports for each passage the previous edge, and whether the driver was guided', () => {
    const drive = driveAlong(grid, route, { startMs: t0, mps: 12, fromFraction: 0.2, toFraction: 0.8 });
    const free = run([batchOf('u', 'free', drive)]).observations;
    expect(free.map(({ cameFrom }) => cameFrom)).toEqual(grid.ids(route).slice(0, free.length));
    expect(free.some((each) => each.guided)).toBe(false);
    const begun = step.applyNavigation(undefined, guided(route)).track;
    const led = run([batchOf('u', 'led', drive)], begun).observations;
    expect(led.length).toBe(free.length);
    expect(led.every((each) => each.guided)).toBe(true);
  });

  it('counts edges driven within five minutes of a navigation as guided', () => {
    const drivenAfter = (ms: number): readonly boolean[] => {
      const startMs = t0 + ms;
      const drive = driveAlong(grid, route, { startMs: t0, mps: 12, fromFraction: 0.2, toFraction: 0.8 });
      const led = run(
        [batchOf('u', 'led', drive)],
        step.applyNavigation(undefined, guided(route)).track,
      ).track;
      const changedMs = drive.at(-1)!.timeMs;
      const ended = step.applyNavigation(
        led,
        guided(route, { state: navigationState.ended, changedMs }),
      ).track;
      const next = driveAlong(grid, route, { startMs, mps: 12, fromFraction: 0.2, toFraction: 0.8 });
      return run([batchOf('u', 'next', next)], ended).observations.map((each) => each.guided === true);
    };
    expect(new Set(drivenAfter(4 * 60_000))).toEqual(new Set([true]));
    expect(new Set(drivenAfter(8 * 60_000))).toEqual(new Set([false]));
  });

  it('reports no deviation of a driver without guidance or with another route', () => {
    expect(turned(turnsOff, guided(turnsOff))).toEqual([]);
    expect(turned(turnsOff, guided(route, { tilesetId: 'old' }))).toEqual([]);
    const rerouted = step.applyNavigation(
      step.applyNavigation(undefined, guided(route)).track,
      guided(turnsOff, { state: navigationState.rerouted, routeVersion: 2 }),
    ).track;
    const drive = driveAlong(grid, turnsOff, { startMs: t0, mps: 12, fromFraction: 0.2, toFraction: 0.8 });
    const { observations } = run(inBatches(drive, 3), rerouted);
    expect(observations.every(({ kind }) => kind === observationKind.passed)).toBe(true);
  });

  it('marks the deviation of a driver who continues on the first route after a reroute', () => {
    const sent = step.applyNavigation(
      step.applyNavigation(undefined, guided(turnsOff)).track,
      guided(route, { state: navigationState.rerouted, routeVersion: 2 }),
    ).track;
    const drive = driveAlong(grid, turnsOff, { startMs: t0, mps: 12, fromFraction: 0.2, toFraction: 0.8 });
    const { observations } = run(inBatches(drive, 3), sent);
    const away = observations.filter(({ kind }) => kind === observationKind.turnedAway);
    expect(away.map(({ keptPrevious }) => keptPrevious)).toEqual([true]);
  });

  it('reports a driver who ends the navigation at the obstacle', () => {
    const drive = driveAlong(grid, turnsOff, { startMs: t0, mps: 12, fromFraction: 0.2, toFraction: 0.8 });
    const atCrossing = t0 + Math.round((560 / 12) * 1_000);
    const ended = guided(route, { state: navigationState.ended, changedMs: atCrossing });
    const before = inBatches(
      drive.filter(({ timeMs }) => timeMs < atCrossing - 3_000),
      3,
    );
    const after = inBatches(
      drive.filter(({ timeMs }) => timeMs >= atCrossing - 3_000),
      4,
    ).map((batch) => ({
      ...batch,
      batchId: `after ${batch.batchId}`,
    }));
    const first = run(before, step.applyNavigation(undefined, guided(route)).track);
    const { observations } = run(after, step.applyNavigation(first.track, ended).track);
    expect(observations.filter(({ kind }) => kind === observationKind.turnedAway)).toHaveLength(1);
  });

  it('reports a deviation also if the navigation record is read after the points', () => {
    const drive = driveAlong(grid, turnsOff, { startMs: t0, mps: 12, fromFraction: 0.2, toFraction: 0.8 });
    const { track } = run([batchOf('u', 'all', drive)]);
    const late = guided(route, { changedMs: track.receivedMs - 5 });
    const { observations } = step.applyNavigation(track, late);
    const driver = driverPseudonym('test key', 'u', track.receivedMs);
    expect(observations.flatMap((each) => each.observations)).toMatchObject([
      {
        edgeId: network.edgeId(closed),
        kind: observationKind.turnedAway,
        driver,
        receivedMs: track.receivedMs,
      },
    ]);
    // Points from before the navigation were not guided.
    const later = guided(route, { changedMs: track.receivedMs + 5 });
    expect(step.applyNavigation(track, later).observations).toEqual([]);
  });

  it('keeps the newer route when an older record is redelivered', () => {
    const two = step.applyNavigation(
      undefined,
      guided(turnsOff, { routeVersion: 2, state: navigationState.rerouted }),
    ).track;
    expect(step.applyNavigation(two, guided(route)).track).toBe(two);
  });

  it('F10: a track that was stored as JSON continues with the same result', () => {
    const drive = driveAlong(grid, turnsOff, { startMs: t0, mps: 12, fromFraction: 0.2, toFraction: 0.8 });
    const batches = inBatches(drive, 3);
    const begun = step.applyNavigation(undefined, guided(route)).track;
    const whole = run(batches, begun);
    for (let cut = 0; cut <= batches.length; cut++) {
      const first = run(batches.slice(0, cut), begun);
      const second = run(batches.slice(cut), JSON.parse(JSON.stringify(first.track)) as UserTrack);
      expect([...first.observations, ...second.observations]).toEqual(whole.observations);
    }
  });
});
