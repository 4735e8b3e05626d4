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
  passagesPerMs,
  silenceToRejectMs,
} from '#processors/traffic/passage-rate.js';
import { trafficDefaults } from '#processors/traffic/settings.js';

const settings = trafficDefaults.closure;
const judge = new ClosureJudge(settings);
const t0 = 1_000_000_000;
const second = 1_000;

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
    const judgement = judge.hear(evidence, { driver, turnedAway, atMs }, undefined, atMs);
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

  it('needs more who turn away where some pass', () => {
    expect(hear([passed(9, 0), turned(1, 1), turned(2, 2), turned(3, 3), turned(4, 4)]).news).toEqual([]);
    const { news } = hear([passed(9, 0), ...[1, 2, 3, 4, 5].map((driver) => turned(driver, driver))]);
    expect(news[0]?.closure.text).toBe('5 guided drivers turned away and 1 passed in 4 s');
  });

  it('takes an open road for open after two passages, and begins again', () => {
    const { evidence } = hear([turned(1, 0), passed(2, 1), passed(3, 2), passed(4, 3)]);
    expect(evidence.witnesses.every(({ counts }) => !counts)).toBe(true);
    const three = [turned(5, 4), turned(6, 5), turned(7, 6)];
    expect(hear(three, evidence).news).toEqual([]);
    // A voice that was spent is not raised again.
    expect(hear([turned(1, 3), ...three], evidence).news).toEqual([]);
    expect(hear([turned(5, 4), turned(6, 5), turned(7, 6), turned(8, 7)], evidence).news).toHaveLength(1);
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
    expect(judge.lapse(renewed.evidence, undefined, expiresMs - 1).news).toBeUndefined();
    const over = judge.lapse(renewed.evidence, undefined, expiresMs);
    expect(over.news?.kind).toBe('reopened');
    expect(over.evidence).toEqual({ witnesses: [], probes: 1 });
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
  let rate = firstPassage(t0 - 200 * everyMs);
  for (let i = 199; i >= 0; i--) rate = addPassage(rate, t0 - i * everyMs, trafficDefaults.rateHalfLifeMs);

  it('learns how often a road is driven', () => {
    expect(passagesPerMs(rate) * everyMs).toBeCloseTo(1, 1);
    expect(silenceToRejectMs(rate, 1e-4) / (Math.log(1e4) * everyMs)).toBeCloseTo(1, 1);
  });

  it('with two drivers who turned away closes a road that is usually driven, exactly when it has lasted long enough', () => {
    const dueMs = t0 + Math.ceil(silenceToRejectMs(rate, settings.alpha));
    const { evidence } = hear([turned(1, 60), turned(2, 90)]);
    expect(judge.lapse(evidence, rate, dueMs - 2).news).toBeUndefined();
    const { news } = judge.lapse(evidence, rate, dueMs);
    expect(news).toMatchObject({ kind: 'closed' });
    expect(news?.closure.text).toMatch(/^nobody passed for 3 min where one in 20 s is usual, and 2 guided/);
  });

  it('alone closes nothing, nor with one driver, nor where too little is known', () => {
    const lateMs = t0 + 3_600 * second;
    expect(judge.lapse(noEvidence, rate, lateMs).news).toBeUndefined();
    const { evidence } = hear([turned(1, 60)]);
    expect(judge.lapse(evidence, rate, t0 + 300 * second).news).toBeUndefined();
    const two = hear([turned(1, 60), turned(2, 61)]).evidence;
    expect(judge.lapse(two, { ...rate, count: 19 }, t0 + 300 * second).news).toBeUndefined();
    expect(judge.lapse(two, undefined, t0 + 300 * second).news).toBeUndefined();
  });
});
