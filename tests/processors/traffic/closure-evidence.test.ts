import { describe, expect, it } from 'vitest';
import {
  type ClosureEvent,
  type ClosureEvidence,
  ClosureJudge,
  type EdgeUse,
  noEvidence,
} from '#processors/traffic/closure-evidence.js';
import {
  addPassage,
  firstPassage,
  missPassage,
  type PassageRate,
  passagesPerMs,
} from '#processors/traffic/passage-rate.js';
import { trafficDefaults } from '#processors/traffic/settings.js';
import { proves } from '#tools/acceptance/proves.js';

const settings = trafficDefaults.closure;
const judge = new ClosureJudge(settings);
const t0 = 1_000_000_000;
const second = 1_000;

const quiet = { rate: undefined, lengthM: 100, heardMs: 0, seenSlots: 0 };

type Visit = readonly [driver: number, turnedAway: boolean, atS: number, keptPrevious?: boolean];
const turned = (driver: number, atS: number): Visit => [driver, true, atS];
const passed = (driver: number, atS: number): Visit => [driver, false, atS];

function hear(
  visits: readonly Visit[],
  from: ClosureEvidence = noEvidence,
  use: Partial<EdgeUse> = {},
): { evidence: ClosureEvidence; events: ClosureEvent[] } {
  let evidence = from;
  const events: ClosureEvent[] = [];
  for (const [driver, turnedAway, atS, keptPrevious = false] of visits) {
    const atMs = t0 + atS * second;
    const judgement = judge.hear(
      evidence,
      { driver, turnedAway, stood: false, keptPrevious, atMs },
      { ...quiet, heardMs: atMs, ...use },
      atMs,
    );
    evidence = judgement.evidence;
    if (judgement.event !== undefined) events.push(judgement.event);
  }
  return { evidence, events };
}
/** The rate of an edge that is passed at this interval. */
function every(gapMs: number): PassageRate {
  const at = (i: number) => ({
    driver: i,
    enteredMs: t0 + (i - 40) * gapMs - second,
    leftMs: t0 + (i - 40) * gapMs,
  });
  return Array.from({ length: 40 }, (_, i) => at(i)).reduce<PassageRate>(
    (rate, passage) => addPassage(rate, passage, trafficDefaults.ratePassages),
    firstPassage(at(0)),
  );
}
const closedBy = (...drivers: number[]): ClosureEvidence =>
  hear(drivers.map((driver, i) => turned(driver, i))).evidence;

describe('evidence of a closure', () => {
  proves('M-064', {
    asked: 'closes without an operator',
    shown: 'three guided drivers who turn away close nothing; the fourth closes the road, with its evidence',
    control: {
      in: 'processors/traffic/closure-evidence.ts',
      change: 'if (nats + opposite + silent.nats + reported.nats < threshold) return { evidence };',
      to: 'if (nats + opposite + silent.nats + reported.nats < 2 * threshold) return { evidence };',
    },
  });
  it('M-064: closes a road when the fourth guided driver deviates, and reports the evidence', () => {
    const three = hear([turned(1, 0), turned(2, 10), turned(3, 20)]);
    expect(three.events).toEqual([]);
    const { events } = hear([turned(4, 38)], three.evidence);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      kind: 'closed',
      closure: { firstMs: t0, lastMs: t0 + 38 * second, text: '4 of 4 guided drivers turned away in 38 s' },
    });
  });

  it('closes a piece of a crossing only if drivers were seen to pass it before', () => {
    const drivers = Array.from({ length: 12 }, (_, i) => turned(i, i));
    const piece = { lengthM: settings.pieceM };
    const closes = (use: Partial<EdgeUse>) => hear(drivers, noEvidence, use).events[0]?.kind === 'closed';
    expect(closes(piece)).toBe(false);
    expect(closes({ ...piece, seenSlots: settings.piecePassagesMin - 1 })).toBe(false);
    expect(closes({ ...piece, seenSlots: settings.piecePassagesMin })).toBe(true);
    expect(closes({ lengthM: settings.pieceM + 1 })).toBe(true);
  });

  it('M-064: ignores deviations from a piece before any driver was seen to pass it', () => {
    const piece = { lengthM: settings.pieceM };
    const unseen = hear(
      Array.from({ length: 44 }, (_, i) => turned(i, i)),
      noEvidence,
      piece,
    );
    const seen = { ...piece, seenSlots: settings.piecePassagesMin };
    const opened = hear([passed(100, 300), turned(101, 301)], unseen.evidence, seen);
    expect(opened.events).toEqual([]);
    const again = [102, 103, 104].map((driver) => turned(driver, 302));
    expect(hear(again, opened.evidence, seen).events).toHaveLength(1);
  });

  it('M-064: a passage does not close the road, even if it lowers the threshold', () => {
    const often = { rate: every(15 * second), heardMs: t0 };
    const seldom = { ...often, rate: every(1_200 * second) };
    const drivers = [1, 2, 3, 4, 5].map((driver) => turned(driver, driver));
    const tried = hear(drivers, noEvidence, often);
    expect(tried.events).toEqual([]);
    // Enough now, without the passages.
    expect(
      hear([turned(6, 10)], hear(drivers.slice(1), noEvidence, often).evidence, seldom).events,
    ).toHaveLength(1);
    const open = hear([passed(6, 10)], tried.evidence, seldom);
    expect(open.events).toEqual([]);
    const atMs = t0 + 20 * second;
    expect(judge.lapse(open.evidence, { ...quiet, ...seldom, heardMs: atMs }, atMs).event).toBeUndefined();
    // The next deviation counts.
    expect(hear([turned(7, 21)], open.evidence, seldom).events).toHaveLength(1);
  });

  it('M-064: a passage of a piece counts, though drivers are seldom seen to pass it', () => {
    const piece = { lengthM: settings.pieceM, heardMs: t0 };
    const often = { ...piece, rate: every(15 * second), seenSlots: settings.piecePassagesMin };
    const seldom = { ...piece, rate: every(1_200 * second), seenSlots: 1 };
    const tried = hear([turned(1, 1), turned(2, 2), turned(3, 3), turned(4, 4)], noEvidence, often);
    expect(tried.events).toEqual([]);
    expect(hear([passed(5, 300)], tried.evidence, seldom).events).toEqual([]);
  });

  it('counts a driver once, however often they deviate', () => {
    const spoof = Array.from({ length: 50 }, (_, i) => turned(7, i));
    expect(hear(spoof).events).toEqual([]);
    expect(hear([...spoof, turned(1, 60), turned(2, 61)]).events).toEqual([]);
    expect(hear([...spoof, turned(1, 60), turned(2, 61), turned(3, 62)]).events).toHaveLength(1);
  });

  it('M-064: gives less weight to drivers who stay on the previous route', () => {
    const kept = (count: number, sixthPasses = false): Visit[] =>
      Array.from({ length: count }, (_, i) =>
        sixthPasses && i % 6 === 5 ? passed(i, i) : [i, true, i, true],
      );
    expect(hear(kept(15)).events).toEqual([]);
    expect(hear(kept(16)).events).toHaveLength(1);
    expect(hear(kept(60, true)).events).toEqual([]);
    const others = [turned(101, 20), turned(102, 20), turned(103, 20)];
    expect(hear([...kept(2), ...others]).events).toEqual([]);
    expect(hear([...kept(4), ...others]).events).toHaveLength(1);
  });

  it('needs more deviations if some drivers pass among them, but not for earlier passages', () => {
    expect(hear([turned(1, 1), passed(9, 2), turned(2, 3), turned(3, 4), turned(4, 5)]).events).toEqual([]);
    const { events } = hear([
      turned(1, 1),
      turned(2, 2),
      passed(9, 3),
      ...[4, 5, 6].map((each) => turned(each, each)),
    ]);
    expect(events[0]?.closure.text).toBe('5 guided drivers turned away and 1 passed in 5 s');
    expect(
      hear([passed(8, 0), passed(9, 0), ...[1, 2, 3, 4].map((each) => turned(each, each))]).events,
    ).toHaveLength(1);
  });

  it('counts drivers in one queue once: a slow platoon closes no road', () => {
    const stood = (driver: number, atS: number) => ({
      driver,
      turnedAway: true,
      stood: true,
      atMs: t0 + atS * second,
    });
    let evidence: ClosureEvidence = noEvidence;
    for (let driver = 1; driver <= 20; driver++) {
      const judgement = judge.hear(
        evidence,
        stood(driver, driver),
        { ...quiet, heardMs: t0 },
        t0 + driver * second,
      );
      expect(judgement.event).toBeUndefined();
      evidence = judgement.evidence;
    }
    expect(hear([turned(21, 30), turned(22, 31), turned(23, 32)], evidence).events).toHaveLength(1);
  });

  it('accepts a deviation of a driver who passed before', () => {
    const { evidence } = hear([passed(1, 0), passed(2, 1)]);
    expect(
      hear(
        [1, 2, 3, 4].map((driver) => turned(driver, 100 + driver)),
        evidence,
      ).events,
    ).toHaveLength(1);
  });

  it('drops evidence that is older than its window', () => {
    const { evidence } = hear([turned(1, 0), turned(2, 1), turned(3, 2)]);
    const laterS = settings.windowMs / second + 3;
    expect(hear([turned(4, laterS)], evidence).events).toEqual([]);
  });

  proves('M-064', {
    asked: 'closes without an operator',
    shown: 'passages from before the closure that are received after it subtract nothing',
    control: {
      in: 'processors/traffic/closure-evidence.ts',
      change: 'others.toSpliced(later, 0,',
      to: 'others.toSpliced(others.length, 0,',
    },
  });
  it('M-064: weighs drivers in the order in which they came, not in which their phones sent', () => {
    const visits = [turned(1, 10), passed(20, 1), turned(2, 12), passed(21, 2), turned(3, 14)];
    expect(hear([...visits, passed(22, 3), turned(4, 16)]).events).toHaveLength(1);
    // A passage after three of them is evidence, also if it was received first.
    expect(hear([passed(23, 15), ...visits, turned(4, 16)]).events).toEqual([]);
  });

  proves('M-064', {
    asked: 'no false closure',
    shown: 'five drivers whose phones send late close a road only when a sixth turns away now',
    control: {
      in: 'processors/traffic/closure-evidence.ts',
      change: 'if (!isFresh) return { evidence };',
      to: '',
    },
  });
  it('M-064: does not close a road that may be open again: the phones sent late', () => {
    const nowMs = t0 + 7 * 60 * second;
    const later = (from: ClosureEvidence, driver: number, atMs: number) =>
      judge.hear(from, { driver, turnedAway: true, stood: false, atMs }, { ...quiet, heardMs: nowMs }, nowMs);
    let evidence = noEvidence;
    for (const driver of [1, 2, 3, 4, 5]) {
      const judgement = later(evidence, driver, t0 + driver * second);
      expect(judgement.event).toBeUndefined();
      evidence = judgement.evidence;
    }
    expect(judge.lapse(evidence, { ...quiet, heardMs: nowMs }, nowMs).event).toBeUndefined();
    expect(later(evidence, 6, nowMs - settings.freshMs).event).toBeUndefined();
    expect(later(evidence, 6, nowMs - settings.freshMs + second).event?.closure.text).toMatch(/^6 of 6 /);
  });

  it('reopens after passages of two drivers, not of one', () => {
    const closed = closedBy(1, 2, 3, 4);
    const one = hear([passed(10, 60)], closed);
    expect(one.events).toEqual([]);
    const two = hear([passed(11, 61)], one.evidence);
    expect(two.events).toEqual([
      expect.objectContaining({
        kind: 'reopened',
        closure: expect.objectContaining({ text: '2 drivers passed again' }),
      }),
    ]);
    expect(two.evidence.closure).toBeUndefined();
  });

  it('does not reopen for a late passage from before the closure', () => {
    const closed = closedBy(1, 2, 3, 4);
    expect(hear([passed(10, -20), passed(11, -10)], closed).events).toEqual([]);
  });

  it('is renewed by new deviations, expires without them, and then starts from nothing', () => {
    const closed = closedBy(1, 2, 3, 4);
    const renewed = hear([turned(5, 600)], closed);
    expect(renewed.events[0]?.kind).toBe('renewed');
    const expiresMs = t0 + 600 * second + settings.holdShare * 600 * second;
    expect(renewed.evidence.closure?.expiresMs).toBe(expiresMs);
    expect(judge.lapse(renewed.evidence, quiet, expiresMs - 1).event).toBeUndefined();
    const over = judge.lapse(renewed.evidence, quiet, expiresMs);
    expect(over.event?.kind).toBe('reopened');
    expect(over.evidence).toEqual({ witnesses: [], beganMs: t0, silence: { atMs: expiresMs } });
  });

  it('holds a closure for half its age, within bounds', () => {
    const heldMs = (ageMs: number): number => {
      const { evidence } = hear(
        [1, 2, 3, 4].map((driver) => turned(driver, 0)),
        { witnesses: [], beganMs: t0 - ageMs },
      );
      return evidence.closure!.expiresMs - t0;
    };
    expect(heldMs(0)).toBe(settings.holdMinMs);
    expect(heldMs(2_000 * second)).toBe(1_000 * second);
    expect(heldMs(100 * 3_600 * second)).toBe(settings.holdMaxMs);
  });

  it('holds a closure longer that was found slowly, or that drivers without guidance would open', () => {
    const found = (everyS: number, rate?: PassageRate): number => {
      const { evidence } = hear(
        [0, 1, 2, 3, 4, 5].map((at) => turned(at, at * everyS)),
        undefined,
        { ...quiet, rate },
      );
      const { firstMs, lastMs, expiresMs } = evidence.closure!;
      expect(lastMs - firstMs).toBeGreaterThan(2 * everyS * second);
      return expiresMs - lastMs;
    };
    expect(found(1)).toBe(settings.holdMinMs);
    // Four drivers in 90 s.
    expect(found(30)).toBe(settings.foundTimes * 90 * second);
    const passing = (due: number): PassageRate => ({
      ...firstPassage({ driver: 9, enteredMs: t0 - 20 * second, leftMs: t0 - 10 * second }),
      ...{ count: due, exposureMs: settings.holdMs },
    });
    expect(found(1, passing(2 * settings.passersMin))).toBe(settings.holdMs);
    expect(found(1, passing(settings.passersMin / 2))).toBe(settings.holdMinMs);
  });

  it('counts the age from the first of the closures that expired, until a driver passes', () => {
    const first = closedBy(1, 2, 3, 4);
    const over = judge.lapse(first, quiet, first.closure!.expiresMs).evidence;
    const again = hear(
      [5, 6, 7, 8].map((driver) => turned(driver, 900)),
      over,
    );
    expect(again.evidence.closure).toMatchObject({
      firstMs: t0 + 900 * second,
      beganMs: first.closure!.firstMs,
      expiresMs: t0 + 900 * second + settings.holdShare * 900 * second,
    });
    const opened = hear([passed(9, 890), ...[5, 6, 7, 8].map((driver) => turned(driver, 900))], over);
    expect(opened.evidence.closure).not.toHaveProperty('beganMs');
    expect(opened.evidence.closure!.expiresMs).toBe(t0 + 900 * second + settings.holdMinMs);
  });
});

describe('silence', () => {
  const everyMs = 30 * second;
  const minute = 60 * second;
  const from = t0 - 400 * everyMs;
  const over = (driver: number, leftMs: number, cameFrom = 'west', guided = false) => ({
    ...{ driver, enteredMs: leftMs - 8 * second, leftMs, cameFrom, guided },
  });
  /** One passage after each gap. Before every fortieth, one driver from the same road takes another exit. */
  const learn = (
    gapsMs: readonly number[],
    {
      drivers = 24,
      others = true,
      guided = false,
    }: { drivers?: number; others?: boolean; guided?: boolean } = {},
  ): PassageRate => {
    let atMs = from;
    let rate = firstPassage(over(0, atMs));
    for (const [i, gapMs] of gapsMs.entries()) {
      if (others && i % 40 === 0) rate = missPassage(rate, over(1_000 + i, atMs + gapMs / 2));
      atMs += gapMs;
      rate = addPassage(rate, over(i % drivers, atMs, 'west', guided), trafficDefaults.ratePassages);
    }
    return rate;
  };
  const evenly = Array.from({ length: 400 }, () => everyMs);
  const steady = learn(evenly);
  /** This many drivers from a road take another exit, half a minute apart. */
  const missing = (rate: PassageRate, missed: number, cameFrom = 'west'): PassageRate =>
    Array.from({ length: missed }).reduce<PassageRate>(
      (each, _, i) => missPassage(each, over(5_000 + i, rate.lastMs + (i + 1) * everyMs, cameFrom)),
      rate,
    );
  const lapse = (rate: PassageRate, atMs: number, evidence = noEvidence, use = {}) =>
    judge.lapse(evidence, { ...quiet, rate, heardMs: atMs, silenceCounts: true, ...use }, atMs);
  /** A driver comes every 15 s, and one in so many takes the edge. */
  const oneIn = (drivers: number): PassageRate => {
    let rate = firstPassage(over(0, from));
    for (let i = 1; i <= 400 * drivers; i++) {
      const atMs = from + i * 15 * second;
      rate =
        i % drivers === 0
          ? addPassage(rate, over((i / drivers) % 24, atMs), trafficDefaults.ratePassages)
          : missPassage(rate, over(1_000 + i, atMs));
    }
    return rate;
  };
  const long = steady.lastMs + 60 * minute;
  const closes = (rate: PassageRate, atMs = rate.lastMs + 60 * minute, use = {}) =>
    lapse(rate, atMs, noEvidence, use).event?.kind === 'closed';

  it('learns how often a road is driven, a platoon counting once', () => {
    expect(passagesPerMs(steady) * everyMs).toBeCloseTo(1, 1);
    const platoons = learn(
      Array.from({ length: 400 }, (_, i) => (i % 4 === 0 ? 4 * everyMs : second)),
      { others: false },
    );
    expect(passagesPerMs(platoons) * 4 * everyMs).toBeCloseTo(1, 0);
  });

  proves('M-064', {
    asked: 'closes by silence',
    shown: '40 drivers of a road that 98 % take go elsewhere, nobody for 60 min: closed; of six drivers not',
    control: {
      in: 'processors/traffic/closure-evidence.ts',
      change: 'use.silenceCounts === true ? silenceEvidence',
      to: 'use.silenceCounts === false ? silenceEvidence',
    },
  });
  it('M-064: closes a road when its usual drivers all take another exit, and reports this', () => {
    const { event, evidence } = lapse(missing(steady, 40), long);
    expect(event).toMatchObject({ kind: 'closed', closure: { firstMs: expect.any(Number) } });
    expect(event?.closure.text).toBe(
      'nobody passed for 60 min while 40 took another exit, where 98 % usually go here',
    );
    expect(closes(missing(steady, 6))).toBe(false);
    // After the hold it is evaluated again, from nothing.
    const afterMs = event!.closure.expiresMs;
    const ended = lapse(steady, afterMs, evidence);
    expect(ended.event?.kind).toBe('reopened');
    expect(lapse(steady, afterMs + 60 * minute, ended.evidence).event).toBeUndefined();
    expect(lapse(missing(steady, 40), afterMs + 60 * minute, ended.evidence).event?.kind).toBe('closed');
  });

  it('proves nothing if exits vary: thirty drivers in a row who drive elsewhere are no closure', () => {
    // Half of them drove here for hours, and a jam further on changes that for an hour.
    expect(closes(missing(oneIn(2), 40))).toBe(false);
    expect(closes(missing(oneIn(2), 120))).toBe(false);
  });

  it('counts only deviating drivers from roads with significance', () => {
    // From the east some take the edge, and most do not.
    let rate = steady;
    for (let i = 1; i <= 10; i++) {
      const atMs = steady.lastMs + i * everyMs;
      for (const missed of [1, 2])
        rate = missPassage(rate, over(8_000 + i, atMs + missed * 5 * second, 'east'));
      rate = addPassage(rate, over(i % 24, atMs + everyMs / 2, 'east'), trafficDefaults.ratePassages);
    }
    const both = missing(missing(rate, 40), 60, 'east');
    expect(lapse(both, both.lastMs + 60 * minute).event?.closure.text).toBe(
      'nobody passed for 60 min while 40 took another exit, where 98 % usually go here',
    );
  });

  it('proves nothing without drivers who could take the road: a fleet at rest closes nothing', () => {
    expect(closes(steady, steady.lastMs + 24 * 60 * minute)).toBe(false);
    expect(closes(missing(steady, 3), steady.lastMs + 24 * 60 * minute)).toBe(false);
    const lonely = learn(evenly, { others: false });
    expect(closes(lonely, lonely.lastMs + 24 * 60 * minute)).toBe(false);
  });

  it('proves nothing with drivers from another road, who never took this one', () => {
    expect(closes(missing(steady, 400, 'east'))).toBe(false);
    expect(closes(missing(steady, 40, 'west'))).toBe(true);
  });

  it('proves nothing with many drivers at once: they count once in a quarter of a minute', () => {
    const crowd = Array.from({ length: 500 }).reduce<PassageRate>(
      (each, _, i) => missPassage(each, over(5_000 + i, steady.lastMs + everyMs + i)),
      steady,
    );
    expect(closes(crowd)).toBe(false);
  });

  it('proves nothing before enough time has passed, or if no points arrive at all', () => {
    const soon = steady.lastMs + 2 * everyMs;
    expect(closes(missing(steady, 40), soon)).toBe(false);
    expect(closes(missing(steady, 40), long, { heardMs: steady.lastMs })).toBe(false);
    expect(closes(missing(steady, 40), long)).toBe(true);
  });

  it('needs a history: a burst, few passages, few drivers or guided ones make none', () => {
    const enough = learn(evenly.slice(0, 60));
    expect(closes(missing(enough, 40))).toBe(true);
    // Twenty minutes of history are required, and these are fifteen.
    expect(closes(missing(learn(evenly.slice(0, 30)), 400))).toBe(false);
    const rare = learn(Array.from({ length: 12 }, () => 5 * minute));
    expect(closes(missing(rare, 400), rare.lastMs + 24 * 60 * minute)).toBe(false);
    expect(closes(missing(learn(evenly, { drivers: 4 }), 400))).toBe(false);
    expect(closes(missing(learn(evenly, { guided: true }), 400))).toBe(false);
  });

  it('proves nothing if the share rests on a few minutes: a detour teaches it as well', () => {
    const detour = Array.from({ length: 48 }, () => 15 * second);
    expect(closes(missing(learn([...detour, 20 * minute]), 40))).toBe(false);
    const often = [0, 1, 2].flatMap(() => [...detour.slice(0, 16), 20 * minute]);
    expect(closes(missing(learn(often), 40))).toBe(true);
  });

  it('proves nothing with an unusual stream of drivers: they are on a detour', () => {
    const atMs = steady.lastMs + 20 * minute;
    const stream = (everyS: number): PassageRate =>
      Array.from({ length: (20 * 60) / everyS }).reduce<PassageRate>(
        (each, _, i) => missPassage(each, over(5_000 + i, steady.lastMs + (i + 1) * everyS * second)),
        steady,
      );
    expect(closes(stream(30), atMs)).toBe(true);
    expect(closes(stream(20), atMs)).toBe(true);
    expect(closes(stream(10), atMs)).toBe(false);
  });

  it('counts no more choices than the expected drivers from the same road', () => {
    // One from the east in five minutes, and one from the west in half a minute.
    let rate = steady;
    for (let i = 1; i <= 400; i++) {
      const atMs = steady.lastMs + i * everyMs;
      if (i % 10 === 0) rate = addPassage(rate, over(900 + (i % 70), atMs - 9 * second, 'east'), 50);
      rate = addPassage(rate, over(i % 24, atMs), 50);
    }
    const fromEast = missing(rate, 24, 'east');
    expect(closes(fromEast, rate.lastMs + 52 * minute)).toBe(false);
    expect(closes(fromEast, rate.lastMs + 150 * minute)).toBe(true);
  });

  it('ends with a passage of any driver, even a guided one', () => {
    const missed = missing(steady, 40);
    const guided = addPassage(missed, over(9, missed.lastMs + 20 * minute, 'west', true), 50);
    expect(closes(guided)).toBe(false);
    expect(guided.count).toBe(steady.count);
  });

  it('counts only in a periodic scan that finds few silent edges', () => {
    expect(closes(missing(steady, 40), long, { silenceCounts: false })).toBe(false);
    expect(judge.isSilent(noEvidence, { rate: missing(steady, 40), lengthM: 100, heardMs: long })).toBe(true);
    expect(judge.isSilent(noEvidence, { rate: steady, lengthM: 100, heardMs: long })).toBe(false);
  });

  it('must last longer than the crawl of the last driver', () => {
    const crawling = { ...missing(steady, 40), tookMs: 20 * minute };
    expect(closes(crawling)).toBe(false);
    expect(closes(crawling, crawling.lastMs + 24 * 60 * minute)).toBe(true);
  });

  it('adds up with deviations of guided drivers', () => {
    const rate = missing(steady, 8);
    const atMs = rate.lastMs + 12 * minute;
    expect(lapse(rate, atMs).event).toBeUndefined();
    const visits = [1, 2, 3, 4].map((driver) => ({
      driver,
      turnedAway: true,
      stood: false,
      atMs: atMs - driver * second,
      counts: true,
    }));
    expect(lapse(steady, atMs, { witnesses: visits }).event).toBeUndefined();
    const { event } = lapse(rate, atMs, { witnesses: visits });
    expect(event?.closure.text).toMatch(
      /^4 of 4 guided drivers turned away in 3 s, and nobody passed for 12 min/,
    );
  });

  const deviating = (drivers: number, atMs: number): ClosureEvidence => ({
    witnesses: Array.from({ length: drivers }, (_, i) => ({
      ...{ driver: i, turnedAway: true, stood: false, counts: true },
      atMs: atMs - i * second,
    })),
  });
  const needed = (rate: PassageRate, atMs: number, use = {}): number =>
    Array.from({ length: 10 }, (_, i) => i).find(
      (drivers) => lapse(rate, atMs, deviating(drivers, atMs), use).event !== undefined,
    )!;

  proves('M-064', {
    asked: 'closes without an operator',
    shown: 'four guided drivers suffice instead of six where the others, of whom half go here, go elsewhere',
    control: {
      in: 'processors/traffic/closure-evidence.ts',
      change: 'if (added > best.nats)',
      to: 'if (added < best.nats)',
    },
  });
  it('M-064: adds to what guided drivers show on a road that half of the others take', () => {
    const rate = oneIn(2);
    const atMs = rate.lastMs + 6 * minute;
    expect(needed(rate, atMs)).toBe(6);
    expect(needed(missing(rate, 12), atMs)).toBe(4);
    const { event } = lapse(missing(rate, 12), atMs, deviating(4, atMs));
    expect(event?.closure.text).toBe(
      '4 of 4 guided drivers turned away in 3 s, ' +
        'and nobody passed for 6 min while 12 took another exit, where 51 % usually go here',
    );
  });

  proves('M-064', {
    asked: 'no open road is closed',
    shown: 'four drivers who turned away before the last minute close nothing by a silence since',
    control: {
      in: 'processors/traffic/closure-evidence.ts',
      change: 'turned.reduce((last, { atMs }) => Math.max(last, atMs), missedMs);',
      to: 'turned.reduce((last, { atMs }) => Math.max(last, atMs), nowMs);',
    },
  });
  it('M-064: a silence does not renew what guided drivers met a while ago', () => {
    const rate = missing(oneIn(2), 12);
    const atMs = rate.lastMs + 6 * minute;
    const laterMs = atMs + settings.freshMs + 15 * second;
    expect(lapse(rate, laterMs, deviating(4, atMs)).event).toBeUndefined();
    expect(lapse(rate, laterMs, deviating(4, laterMs)).event?.kind).toBe('closed');
  });

  proves('M-064', {
    asked: 'five accounts cannot close a road that others pass',
    shown: 'five that turn away together in a gap of six usual intervals close nothing',
    control: { in: 'processors/traffic/settings.ts', change: 'dueMin: 8', to: 'dueMin: 2' },
  });
  it('M-064: five accounts close nothing in a gap between the passages of others', () => {
    const rate = oneIn(2);
    for (let gap = 1; gap <= 6; gap++)
      expect(needed(missing(rate, gap), rate.lastMs + gap * everyMs + minute)).toBe(6);
  });

  proves('M-064', {
    asked: 'five accounts cannot close a road that others pass',
    shown: 'six other drivers who took another exit count before eight passages are due, and five do not',
    control: { in: 'processors/traffic/settings.ts', change: 'strangersMin: 6', to: 'strangersMin: 5' },
  });
  it('M-064: counts sooner on a road that nearly all take, once six others went elsewhere', () => {
    const atMs = steady.lastMs + 7 * everyMs;
    const beside = (others: number): number => needed(missing(steady, others), atMs);
    expect([beside(0), beside(5), beside(6)]).toEqual([6, 6, 3]);
    const half = oneIn(2);
    expect(needed(missing(half, 6), half.lastMs + 7 * everyMs)).toBe(6);
    // The same driver six times is one driver, and a guided one who turned away is no other.
    const again = (driver: (i: number) => number): PassageRate =>
      Array.from({ length: 6 }).reduce<PassageRate>(
        (rate, _, i) => missPassage(rate, over(driver(i), steady.lastMs + (i + 1) * everyMs)),
        steady,
      );
    expect(
      needed(
        again(() => 5_000),
        atMs,
      ),
    ).toBe(6);
    expect(
      needed(
        again((i) => (i < 5 ? 5_000 + i : 1)),
        atMs,
      ),
    ).toBe(6);
  });

  it('M-064: counts a choice once a driver who went the usual way at that time would have been seen', () => {
    // After half an hour in which nobody came, many come and go elsewhere.
    const cameMs = steady.lastMs + 30 * minute;
    const rate = Array.from({ length: 24 }).reduce<PassageRate>(
      (each, _, i) => missPassage(each, over(5_000 + i, cameMs + i * 15 * second)),
      steady,
    );
    const soon = cameMs + 6 * minute;
    // Two kilometres take 24 minutes at the pace of a jam.
    const longRoad = { lengthM: 2_000 };
    expect(closes(rate, soon + minute)).toBe(true);
    expect(closes(rate, soon + minute, longRoad)).toBe(false);
    expect(closes(rate, soon + 24 * minute, longRoad)).toBe(true);
  });

  it('M-064: a passage from before the choices, received after them, leaves them as they are', () => {
    const rate = missing(steady, 40);
    const late = (leftMs: number) => addPassage(rate, over(3, leftMs), trafficDefaults.ratePassages);
    const sent = late(steady.lastMs + everyMs / 2);
    expect(closes(sent, long)).toBe(true);
    expect(sent.missedBy).toHaveLength(rate.missedBy!.length);
    // Half of the choices were made while the road was open.
    const half = late(steady.lastMs + 20.5 * everyMs);
    expect(half.approaches[0]!.missed).toBe(20);
    expect(closes(late(steady.lastMs + 40.5 * everyMs), long)).toBe(false);
  });

  it('M-064: adds no more than half of what is needed, however long it lasts', () => {
    const rate = missing(oneIn(2), 120);
    expect(needed(rate, rate.lastMs + 60 * minute)).toBe(3);
  });

  it('M-064: adds nothing to one guided driver, to a passage, or where few usually go here', () => {
    const quietRoad = { ...missing(oneIn(2), 120), count: 21, exposureMs: 12 * 60 * minute };
    const atMs = quietRoad.lastMs + 360 * minute;
    expect(needed(quietRoad, atMs)).toBe(2);
    const [fifth, third] = [oneIn(5), oneIn(3)];
    expect(needed(missing(third, 40), third.lastMs + 20 * minute)).toBe(3);
    expect(needed(missing(fifth, 40), fifth.lastMs + 20 * minute)).toBe(5);
    const half = missing(oneIn(2), 12);
    const passedMs = half.lastMs + 6 * minute;
    const passage = addPassage(half, over(9, passedMs, 'west', true), 50);
    // The longer gap lowers the threshold a little.
    expect(needed(passage, passedMs + 6 * minute)).toBe(5);
  });
});
