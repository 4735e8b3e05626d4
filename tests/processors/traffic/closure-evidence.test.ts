import { describe, expect, it } from 'vitest';
import {
  type ClosureEvidence,
  ClosureJudge,
  type ClosureNews,
  noEvidence,
} from '#processors/traffic/closure-evidence.js';
import {
  addPassage,
  firstPassage,
  missPassage,
  type PassageRate,
  passagesPerMs,
  silenceText,
} from '#processors/traffic/passage-rate.js';
import { trafficDefaults } from '#processors/traffic/settings.js';

const settings = trafficDefaults.closure;
const judge = new ClosureJudge(settings);
const t0 = 1_000_000_000;
const second = 1_000;

const quiet = { rate: undefined, lengthM: 100, heardMs: 0 };

type Visit = readonly [driver: number, turnedAway: boolean, atS: number];
const turned = (driver: number, atS: number): Visit => [driver, true, atS];
const passed = (driver: number, atS: number): Visit => [driver, false, atS];

function hear(
  visits: readonly Visit[],
  from: ClosureEvidence = noEvidence,
): { evidence: ClosureEvidence; news: ClosureNews[] } {
  let evidence = from;
  const news: ClosureNews[] = [];
  for (const [driver, turnedAway, atS] of visits) {
    const atMs = t0 + atS * second;
    const judgement = judge.hear(
      evidence,
      { driver, turnedAway, stood: false, atMs },
      { ...quiet, heardMs: atMs },
      atMs,
    );
    evidence = judgement.evidence;
    if (judgement.news !== undefined) news.push(judgement.news);
  }
  return { evidence, news };
}
const closedBy = (...drivers: number[]): ClosureEvidence =>
  hear(drivers.map((driver, i) => turned(driver, i))).evidence;

describe('evidence of a closure', () => {
  it('M-064: closes a road when the fourth guided driver turned away, and says what was seen', () => {
    const three = hear([turned(1, 0), turned(2, 10), turned(3, 20)]);
    expect(three.news).toEqual([]);
    const { news } = hear([turned(4, 38)], three.evidence);
    expect(news).toHaveLength(1);
    expect(news[0]).toMatchObject({
      kind: 'closed',
      closure: { firstMs: t0, lastMs: t0 + 38 * second, text: '4 of 4 guided drivers turned away in 38 s' },
    });
  });

  it('gives one driver one voice, however often he turns away', () => {
    const spoof = Array.from({ length: 50 }, (_, i) => turned(7, i));
    expect(hear(spoof).news).toEqual([]);
    expect(hear([...spoof, turned(1, 60), turned(2, 61)]).news).toEqual([]);
    expect(hear([...spoof, turned(1, 60), turned(2, 61), turned(3, 62)]).news).toHaveLength(1);
  });

  it('needs more who turn away where some pass among them, and none more for who passed before', () => {
    expect(hear([turned(1, 1), passed(9, 2), turned(2, 3), turned(3, 4), turned(4, 5)]).news).toEqual([]);
    const { news } = hear([
      turned(1, 1),
      turned(2, 2),
      passed(9, 3),
      ...[4, 5, 6].map((each) => turned(each, each)),
    ]);
    expect(news[0]?.closure.text).toBe('5 guided drivers turned away and 1 passed in 5 s');
    expect(
      hear([passed(8, 0), passed(9, 0), ...[1, 2, 3, 4].map((each) => turned(each, each))]).news,
    ).toHaveLength(1);
  });

  it('hears drivers who stand in one queue as one voice: a platoon that crawls closes no road', () => {
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
      expect(judgement.news).toBeUndefined();
      evidence = judgement.evidence;
    }
    expect(hear([turned(21, 30), turned(22, 31), turned(23, 32)], evidence).news).toHaveLength(1);
  });

  it('lets a driver who passed before say later that the road is closed now', () => {
    const { evidence } = hear([passed(1, 0), passed(2, 1)]);
    expect(
      hear(
        [1, 2, 3, 4].map((driver) => turned(driver, 100 + driver)),
        evidence,
      ).news,
    ).toHaveLength(1);
  });

  it('forgets evidence that is older than its window', () => {
    const { evidence } = hear([turned(1, 0), turned(2, 1), turned(3, 2)]);
    const laterS = settings.windowMs / second + 3;
    expect(hear([turned(4, laterS)], evidence).news).toEqual([]);
  });

  it('reopens when two drivers passed, not one', () => {
    const closed = closedBy(1, 2, 3, 4);
    const one = hear([passed(10, 60)], closed);
    expect(one.news).toEqual([]);
    const two = hear([passed(11, 61)], one.evidence);
    expect(two.news).toEqual([
      expect.objectContaining({
        kind: 'reopened',
        closure: expect.objectContaining({ text: '2 drivers passed again' }),
      }),
    ]);
    expect(two.evidence.closure).toBeUndefined();
  });

  it('does not reopen for a passage from before the closure that came late', () => {
    const closed = closedBy(1, 2, 3, 4);
    expect(hear([passed(10, -20), passed(11, -10)], closed).news).toEqual([]);
  });

  it('is renewed by new drivers who turn away, and expires without them: then evidence begins from nothing', () => {
    const closed = closedBy(1, 2, 3, 4);
    const renewed = hear([turned(5, 600)], closed);
    expect(renewed.news[0]?.kind).toBe('renewed');
    const expiresMs = t0 + 600 * second + settings.holdMs;
    expect(renewed.evidence.closure?.expiresMs).toBe(expiresMs);
    expect(judge.lapse(renewed.evidence, quiet, expiresMs - 1).news).toBeUndefined();
    const over = judge.lapse(renewed.evidence, quiet, expiresMs);
    expect(over.news?.kind).toBe('reopened');
    expect(over.evidence).toEqual({ witnesses: [], probes: 1, silence: { atMs: expiresMs, missed: 0 } });
  });

  it('holds a road that was found closed again for twice as long, up to a bound', () => {
    const holdS = (probes: number): number => {
      const { evidence } = hear(
        [1, 2, 3, 4].map((driver) => turned(driver, 0)),
        { witnesses: [], probes },
      );
      return evidence.closure!.expiresMs - t0;
    };
    expect(holdS(0)).toBe(settings.holdMs);
    expect(holdS(1)).toBe(2 * settings.holdMs);
    expect(holdS(10)).toBe(settings.holdMaxMs);
  });
});

describe('silence', () => {
  const everyMs = 20 * second;
  const from = t0 - 400 * everyMs;
  const over = (driver: number, leftMs: number) => ({ driver, enteredMs: leftMs - 8 * second, leftMs });
  const learn = (gapsMs: readonly number[], drivers = 12, othersEach = 1): PassageRate => {
    let atMs = from;
    let rate = firstPassage(over(0, atMs));
    for (const [i, gapMs] of gapsMs.entries()) {
      for (let other = 0; other < othersEach; other++) rate = missPassage(rate);
      atMs += gapMs;
      rate = addPassage(rate, over(i % drivers, atMs), trafficDefaults.ratePassages);
    }
    return rate;
  };
  const steady = learn(Array.from({ length: 400 }, () => everyMs));
  const missing = (rate: PassageRate, missed: number): PassageRate =>
    Array.from({ length: missed }).reduce<PassageRate>((each) => missPassage(each), rate);
  const lapse = (rate: PassageRate, atMs: number, evidence = noEvidence, use = {}) =>
    judge.lapse(evidence, { rate, lengthM: 100, heardMs: atMs, ...use }, atMs);
  const crawlMs = (100 * 3_600 * second) / 1_000 / settings.silence.crawlKph;
  const perDay = 86_400_000 / everyMs;
  /** Of an ideal test that knows the rate: ln(1/alpha) / lambda at a false closure in a thousand days. */
  const boundMs = Math.log(perDay / settings.falsePerEdgeDay) * everyMs;

  it('learns how often a road is driven', () => {
    expect(passagesPerMs(steady) * everyMs).toBeCloseTo(1, 1);
  });

  it('says by which clock a silence is too long', () => {
    const lonely = learn(
      Array.from({ length: 400 }, () => everyMs),
      12,
      0,
    );
    const { news } = lapse(lonely, lonely.lastMs + 1.25 * boundMs + crawlMs);
    expect(news?.closure.text).toMatch(/^nobody passed for \d min where one in 20 s is usual$/);
    const start = { atMs: steady.lastMs, missed: 20 };
    expect(silenceText(missing(steady, 50), 60_000, start)).toBe(
      'nobody passed for 60 s while 30 took another way at its crossing, where 50 % usually go here',
    );
  });

  it('closes a road that is usually driven, little after an ideal test would, and says why', () => {
    const rate = missing(steady, 24);
    expect(lapse(missing(steady, 12), rate.lastMs + 0.7 * boundMs).news).toBeUndefined();
    const { news, evidence } = lapse(rate, rate.lastMs + 1.25 * boundMs + crawlMs);
    expect(news).toMatchObject({ kind: 'closed', closure: { firstMs: rate.lastMs } });
    expect(news?.closure.text).toMatch(
      /^nobody passed for \d min while 24 took another way at its crossing, where 50 % usually go here$/,
    );
    // After the hold it is tried again, from nothing.
    const afterMs = news!.closure.expiresMs;
    const over = lapse(rate, afterMs, evidence);
    expect(over.news?.kind).toBe('reopened');
    expect(lapse(rate, afterMs + 0.7 * boundMs, over.evidence).news).toBeUndefined();
    expect(lapse(missing(rate, 24), afterMs + 1.25 * boundMs + crawlMs, over.evidence).news?.kind).toBe(
      'closed',
    );
  });

  it('says nothing while the other exits are silent too, or no points arrive at all', () => {
    const late = steady.lastMs + 3_600 * second;
    expect(lapse(missing(steady, 3), late).news).toBeUndefined();
    expect(lapse(missing(steady, 60), late, noEvidence, { heardMs: steady.lastMs }).news).toBeUndefined();
    expect(lapse(missing(steady, 60), late).news).toBeDefined();
  });

  it('says less where traffic comes in platoons, and nothing where one phone or few passages made the rate', () => {
    const gaps = (each: (i: number) => number) =>
      learn(
        Array.from({ length: 400 }, (_, i) => each(i)),
        12,
        0,
      );
    const platoons = gaps((i) => (i % 8 === 7 ? 146 * second : 2 * second));
    const even = gaps(() => everyMs);
    expect(passagesPerMs(platoons) / passagesPerMs(even)).toBeCloseTo(1, 0);
    const dueMs = 1.25 * boundMs + crawlMs;
    expect(lapse(even, even.lastMs + dueMs).news).toBeDefined();
    expect(lapse(platoons, platoons.lastMs + dueMs).news).toBeUndefined();
    const alone = learn(
      Array.from({ length: 400 }, () => everyMs),
      1,
    );
    expect(lapse(missing(alone, 999), alone.lastMs + 20 * dueMs).news).toBeUndefined();
    const few = learn([everyMs, everyMs, everyMs, everyMs, everyMs, everyMs]);
    expect(lapse(missing(few, 999), few.lastMs + 20 * dueMs).news).toBeUndefined();
  });

  it('has to outlast the crawl that the last driver was in', () => {
    const crawling = missing({ ...steady, tookMs: 400 * second }, 60);
    const dueMs = steady.lastMs + 1.25 * boundMs + crawlMs;
    expect(lapse(missing(steady, 60), dueMs).news).toBeDefined();
    expect(lapse(crawling, dueMs).news).toBeUndefined();
    expect(lapse(crawling, dueMs + 4 * 400 * second).news).toBeDefined();
  });

  it('and guided drivers who turned away add up', () => {
    const rate = missing(steady, 8);
    const atMs = rate.lastMs + 6 * everyMs + crawlMs;
    expect(lapse(rate, atMs).news).toBeUndefined();
    const visits = [1, 2, 3, 4].map((driver) => ({
      driver,
      turnedAway: true,
      stood: false,
      atMs: atMs - driver * second,
      counts: true,
    }));
    const { news } = lapse(rate, atMs, { witnesses: visits, probes: 0 });
    expect(news?.closure.text).toMatch(
      /^4 of 4 guided drivers turned away in 3 s, and nobody passed for 3 min/,
    );
    expect(lapse(rate, atMs, { witnesses: visits.slice(2), probes: 0 }).news).toBeUndefined();
  });
});
