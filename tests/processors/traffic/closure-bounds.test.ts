import { describe, expect, it } from 'vitest';
import {
  type ClosureEvidence,
  ClosureJudge,
  type EdgeUse,
  type Judgement,
  noEvidence,
} from '#processors/traffic/closure-evidence.js';
import type { PassageRate } from '#processors/traffic/passage-rate.js';
import { trafficDefaults } from '#processors/traffic/settings.js';

const settings = trafficDefaults.closure;
const judge = new ClosureJudge(settings);
const slot = 15_000;
const t0 = 100_000 * slot;
const use: EdgeUse = { rate: undefined, lengthM: 100, heardMs: t0, seenSlots: 0 };
const { windowMs, freshMs } = settings;

interface Came {
  readonly driver: number;
  readonly atMs: number;
  readonly passed?: boolean;
}
const hear = (
  evidence: ClosureEvidence,
  came: Came,
  nowMs = came.atMs,
  more: Partial<EdgeUse> = {},
): Judgement =>
  judge.hear(
    evidence,
    { driver: came.driver, turnedAway: came.passed !== true, stood: false, atMs: came.atMs },
    { ...use, ...more },
    nowMs,
  );
const all = (drivers: readonly Came[], from = noEvidence): ClosureEvidence =>
  drivers.reduce((evidence, came) => hear(evidence, came).evidence, from);
const at = (driver: number, ms: number): Came => ({ driver, atMs: t0 + ms });
const drivers = (evidence: ClosureEvidence): readonly number[] =>
  evidence.witnesses.map(({ driver }) => driver);
const report = (reporter: number, atMs: number, expiresMs = atMs + 600_000) => ({
  reporter,
  closed: true,
  atMs,
  expiresMs,
});

const three = all([at(1, 0), at(2, 1), at(3, 2)]);
const closed = all([at(1, 0), at(2, 1), at(3, 2), at(4, 3)]);

/**
 * An edge that every driver takes, one each quarter of a minute, until `lastMs`; then others who take another
 * exit in so many slots. With 4 and 5 of them their choices are 7.5 and 8.6 nats, with 16 and 17 of them 15.5
 * and 15.9; 15.6 nats close it.
 */
const silentRate = (missed: number, lastMs = t0): PassageRate => ({
  ...{ count: 100, exposureMs: 100 * slot, sinceMs: lastMs - 3_600_000, lastMs, tookMs: 1_000 },
  drivers: Array.from({ length: 16 }, (_, n) => 900 + n),
  missedBy: Array.from({ length: 16 }, (_, n) => 800 + n),
  approaches: [
    {
      ...{
        from: 'a',
        took: 100,
        left: 0,
        missed,
        tookSlot: lastMs / slot,
        missedSlot: lastMs / slot + missed,
      },
      ...{
        missedSlots: Array.from({ length: missed }, (_, n) => lastMs / slot + 1 + n),
        periods: 10,
        period: 1,
      },
      ...{ came: 80, firstMs: lastMs - 1e9, cameMs: lastMs, passedBy: missed },
    },
  ],
});
const later = t0 + 480_000;

describe('which drivers count', () => {
  it('after a closure only those who came after its first evidence', () => {
    expect(hear(closed, at(9, 0), t0 + 10).evidence).toBe(closed);
    expect(hear(closed, at(9, 1), t0 + 10).event?.kind).toBe('renewed');
  });

  it('those of the window, its first moment excluded', () => {
    expect(drivers(hear(all([at(1, 0)]), at(2, windowMs - 1)).evidence)).toEqual([1, 2]);
    expect(drivers(hear(all([at(1, 0)]), at(2, windowMs)).evidence)).toEqual([2]);
    const known = all([at(1, 5)]);
    expect(drivers(hear(known, at(2, 1), t0 + windowMs).evidence)).toEqual([2, 1]);
    expect(drivers(hear(known, at(2, 0), t0 + windowMs).evidence)).toEqual([1]);
    expect(drivers(hear(known, at(2, 0), t0 + windowMs + 5).evidence)).toEqual([]);
  });

  it('each once, by the latest that shows something else', () => {
    const once = all([at(1, 10)]);
    expect(hear(once, at(1, 20)).evidence.witnesses).toEqual(once.witnesses);
    for (const [ms, turnedAway] of [
      [9, true],
      [10, true],
      [11, false],
    ] as const)
      expect(hear(once, { ...at(1, ms), passed: true }, t0 + 20).evidence.witnesses).toMatchObject([
        { turnedAway },
      ]);
  });

  it('in the order of their times, of equal ones the first who was heard', () => {
    expect(drivers(all([at(1, 10), at(2, 20)]))).toEqual([1, 2]);
    expect(drivers(hear(all([at(1, 10), at(2, 20)]), at(3, 10), t0 + 20).evidence)).toEqual([1, 3, 2]);
    expect(drivers(hear(all([at(1, 10), at(2, 20)]), at(3, 9), t0 + 20).evidence)).toEqual([3, 1, 2]);
  });
});

describe('what closes an open edge', () => {
  const event = (judgement: Judgement) => judgement.event?.closure.text;

  it('the fourth driver, if the last one came within the last minute', () => {
    expect(hear(three, at(4, 9), t0 + 9 + freshMs - 1).event?.kind).toBe('closed');
    expect(hear(three, at(4, 9), t0 + 9 + freshMs).event).toBeUndefined();
  });

  it('fewer, if drivers turned away in the other direction, but at least one', () => {
    const two = all([at(1, 0)]);
    expect(event(hear(two, at(2, 1), t0 + 1, { oppositeNats: 5 }))).toBe(
      '2 of 2 guided drivers turned away in 0 s, and drivers turned away in the other direction, too',
    );
    expect(event(hear(two, at(2, 1), t0 + 1, { oppositeNats: 4 }))).toBeUndefined();
    expect(judge.lapse(noEvidence, { ...use, oppositeNats: 100 }, t0).event).toBeUndefined();
    expect(event(hear(three, at(4, 9)))).toBe('4 of 4 guided drivers turned away in 0 s');
  });

  it('three and two reports of users who did not drive there, since the last passage', () => {
    const reported = (
      reporters: readonly number[],
      from = three,
      more: Partial<EdgeUse> = {},
    ): string | undefined => {
      let judgement: Judgement = { evidence: from };
      for (const reporter of reporters)
        judgement = judge.report(judgement.evidence, report(reporter, t0 + 10), { ...use, ...more }, t0 + 20);
      return event(judgement);
    };
    const two = [50, 51];
    expect(reported(two)).toBe('3 of 3 guided drivers turned away in 0 s, and 2 users reported it closed');
    expect([[50], [50, 1], [1, 2, 3]].map((reporters) => reported(reporters))).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    expect(reported(two, noEvidence)).toBeUndefined();
    // A driver who turned away later does not make the reports older, one who passed does.
    expect(reported(two, hear(all([at(1, 0), at(2, 1)]), at(3, 15)).evidence)).toContain('2 users');
    const passedLater = hear(three, { ...at(8, 15), passed: true }).evidence;
    expect(reported([50, 51, 52, 53, 54], passedLater)).toBeUndefined();
    const seldom = { ...silentRate(0), exposureMs: 1e12 };
    expect(reported(two, three, { rate: { ...seldom, lastMs: t0 + 10 } })).toBeUndefined();
    expect(reported(two, three, { rate: { ...seldom, lastMs: t0 + 9 } })).toContain('2 users');
  });

  it('a report that has expired, or of a closed edge, changes nothing', () => {
    expect(judge.report(closed, report(50, t0 + 10), use, t0 + 10).evidence).toBe(closed);
    expect(judge.report(three, report(50, t0, t0 + 10), use, t0 + 10).evidence).toBe(three);
    expect(judge.report(noEvidence, report(50, t0, t0 + 11), use, t0 + 10).evidence.reports).toHaveLength(1);
  });

  it('a silence alone, where a scan says that it counts', () => {
    const lapse = (missed: number, more: Partial<EdgeUse> = {}) =>
      judge.lapse(
        noEvidence,
        { ...use, rate: silentRate(missed), heardMs: later, silenceCounts: true, ...more },
        later,
      );
    expect(lapse(16).event).toBeUndefined();
    expect(lapse(17).event).toMatchObject({
      kind: 'closed',
      closure: {
        ...{ firstMs: t0, lastMs: later },
        text: 'nobody passed for 8 min while 17 took another exit, where 100 % usually go here',
      },
    });
    expect(lapse(17, { silenceCounts: false }).event).toBeUndefined();
    // It begins no earlier than evidence is kept.
    const old = judge.lapse(
      noEvidence,
      { ...use, rate: silentRate(17, t0 - 600 * slot), heardMs: later, silenceCounts: true },
      later,
    );
    expect(old.event?.closure.firstMs).toBe(later - windowMs);
  });

  it('a silence and drivers who turned away, two of them at least', () => {
    // Seldom passed: 10.4 nats close it, and half of them may come from a silence.
    const seldom: PassageRate = { ...silentRate(17, t0 - 1_600 * slot), exposureMs: (100 * 86_400_000) / 34 };
    const quiet = { rate: seldom, heardMs: t0 + 9 };
    const one = all([at(1, 0)]);
    expect(event(hear(one, at(2, 1), t0 + 9, quiet))).toContain(
      '2 of 2 guided drivers turned away in 0 s, and nobody',
    );
    expect(hear(noEvidence, at(1, 0), t0 + 9, { ...quiet, oppositeNats: 3 }).event).toBeUndefined();
    expect(
      hear(one, at(2, 1), t0 + 9, { ...quiet, rate: { ...seldom, approaches: [] } }).event,
    ).toBeUndefined();
  });
});

describe('what a judge says of other edges, and when time passes', () => {
  it('of the other direction: its drivers, or half of what closes it', () => {
    expect(judge.forOpposite(noEvidence, undefined)).toBe(0);
    expect(judge.forOpposite(all([at(1, 0), at(2, 1)]), undefined)).toBeCloseTo(2 * Math.log(0.97 / 0.05), 9);
    expect(judge.forOpposite(closed, undefined)).toBeCloseTo(Math.log(34 / 1e-3) / 2, 9);
  });

  it('silent is an open edge of whose closure half is shown', () => {
    const isSilent = (
      missed: number,
      evidence = noEvidence,
      rate: PassageRate | undefined = silentRate(missed),
    ) => judge.isSilent(evidence, { rate, lengthM: 100, heardMs: later });
    expect([4, 5].map((missed) => isSilent(missed))).toEqual([false, true]);
    expect(isSilent(17, closed)).toBe(false);
    expect(judge.isSilent(noEvidence, { rate: undefined, lengthM: 100, heardMs: later })).toBe(false);
  });

  it('a closure ends when it says so, and its first evidence is remembered', () => {
    const { closure } = closed;
    expect(judge.lapse(closed, use, closure!.expiresMs - 1).evidence).toBe(closed);
    const ended = judge.lapse(closed, use, closure!.expiresMs);
    expect(ended).toEqual({
      evidence: { witnesses: [], beganMs: t0, silence: { atMs: closure!.expiresMs } },
      event: { kind: 'reopened', closure },
    });
  });

  it('without a closure, what is old is dropped, and nothing else changes', () => {
    const known = judge.report(
      all([at(1, 0), at(2, 5)]),
      report(50, t0, t0 + windowMs + 100),
      use,
      t0 + 5,
    ).evidence;
    expect(judge.lapse(known, use, t0 + windowMs - 1).evidence).toBe(known);
    const [one, none] = [0, 5].map((ms) => judge.lapse(known, use, t0 + windowMs + ms).evidence);
    expect([drivers(one!), one!.reports?.length]).toEqual([[2], 1]);
    expect([drivers(none!), none!.reports?.length]).toEqual([[], 1]);
    expect(judge.lapse(known, use, t0 + windowMs + 100).evidence).toEqual({ witnesses: [] });
  });
});

describe('what reopens a closed edge', () => {
  it('two drivers who passed, also after two more who turned away', () => {
    const more = all([at(11, 10), at(12, 11)], closed);
    const first = hear(more, { ...at(21, 20), passed: true });
    expect(first.event).toBeUndefined();
    expect(hear(first.evidence, { ...at(22, 21), passed: true }).event).toMatchObject({
      kind: 'reopened',
      closure: { lastMs: t0 + 21, text: '2 drivers passed again' },
    });
  });

  it('one, where a false reopening may be that frequent', () => {
    const bold = new ClosureJudge({ ...settings, reopenAlpha: 0.1 });
    const witness = { driver: 21, turnedAway: false, stood: false, atMs: t0 + 20 };
    expect(bold.hear(closed, witness, use, t0 + 20).event?.closure.text).toBe('1 driver passed again');
  });
});
