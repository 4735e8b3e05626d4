import { describe, expect, it } from 'vitest';
import {
  addPassage,
  type CountedPassage,
  durationText,
  firstPassage,
  forgetMissed,
  missPassage,
  type PassageRate,
  passagesPerMs,
  resumePassages,
  silenceEvidence,
  silenceText,
} from '#processors/traffic/passage-rate.js';

/** Drivers within it are one platoon. */
const slot = 15_000;
const memory = 4;
const passage = (driver: number, leftMs: number, more: Partial<CountedPassage> = {}): CountedPassage => ({
  ...{ driver, enteredMs: leftMs - 1_000, leftMs, cameFrom: 'a' },
  ...more,
});
const first = firstPassage(passage(1, slot));
const add = (rate: PassageRate, ...passages: readonly CountedPassage[]): PassageRate =>
  passages.reduce((before, one) => addPassage(before, one, memory), rate);
const miss = (rate: PassageRate, ...passages: readonly CountedPassage[]): PassageRate =>
  passages.reduce(missPassage, rate);

describe('the rate of an edge', () => {
  it('begins with its first passage, which counts for nothing', () => {
    expect(first).toEqual({
      ...{ count: 0, exposureMs: 0, sinceMs: slot, lastMs: slot, tookMs: 1_000 },
      ...{ drivers: [1], approaches: [] },
    });
  });

  it('counts a platoon once, and those before fade', () => {
    const rates = [2 * slot, 2 * slot + 1, 3 * slot - 1, 3 * slot].map((leftMs, n) => passage(2 + n, leftMs));
    const [one, same, last, next] = rates.map((_, n) => add(first, ...rates.slice(0, n + 1)));
    expect([one, same, last].map((rate) => rate!.count)).toEqual([1, 1, 1]);
    expect(one!.exposureMs).toBe(slot);
    expect(last!.exposureMs).toBe(2 * slot - 1);
    expect(next!.count).toBe(1.75);
    expect(next!.exposureMs).toBe(0.75 * (2 * slot - 1) + 1);
  });

  it('a late passage moves no clock, and its time is not the newest', () => {
    const rate = add(first, passage(2, 4 * slot), passage(3, 3 * slot, { enteredMs: 3 * slot - 7_000 }));
    expect([rate.lastMs, rate.tookMs, rate.exposureMs, rate.count]).toEqual([4 * slot, 1_000, 3 * slot, 1]);
    // One at the same time is the newest.
    const same = add(rate, passage(4, 4 * slot, { enteredMs: 4 * slot - 5_000 }));
    expect([same.lastMs, same.tookMs]).toEqual([4 * slot, 5_000]);
  });

  it('guided drivers count neither as passages nor as drivers, and show that the edge is open', () => {
    const rate = add(first, passage(9, 5 * slot, { guided: true, enteredMs: 5 * slot - 3_000 }));
    expect([rate.count, rate.drivers, rate.lastMs, rate.tookMs]).toEqual([0, [1], 5 * slot, 3_000]);
    expect(rate.exposureMs).toBe(4 * slot);
    expect(rate.approaches).toEqual([]);
  });

  it('knows the last sixteen drivers, each once', () => {
    const many = add(first, ...Array.from({ length: 20 }, (_, n) => passage(1 + n, (2 + n) * slot)));
    expect(many.drivers).toEqual(Array.from({ length: 16 }, (_, n) => 5 + n));
    expect(add(many, passage(20, 40 * slot)).drivers).toEqual(many.drivers);
  });

  it('drivers whose road is not known are of one approach', () => {
    const rate = add(first, passage(2, 2 * slot, { cameFrom: undefined }));
    expect(rate.approaches.map(({ from }) => from)).toEqual(['']);
    const missed = missPassage(rate, passage(3, 3 * slot, { cameFrom: undefined }));
    expect(missed.approaches).toMatchObject([{ from: '', missed: 1 }]);
  });

  it('is unknown while it has no time', () => {
    expect(passagesPerMs({ count: 3, exposureMs: 0 })).toBe(0);
    expect(passagesPerMs({ count: 3, exposureMs: 0.5 })).toBe(6);
    expect(passagesPerMs({ count: 3, exposureMs: 6_000 })).toBe(0.0005);
  });
});

describe('drivers who took another exit', () => {
  const used = add(first, passage(2, 2 * slot));

  it('are counted once each, sixteen at most', () => {
    const missed = miss(used, ...Array.from({ length: 20 }, (_, n) => passage(50 + n, (3 + n) * slot)));
    expect(missed.missedBy).toEqual(Array.from({ length: 16 }, (_, n) => 50 + n));
    expect(miss(used, passage(7, 3 * slot), passage(7, 4 * slot)).missedBy).toEqual([7]);
    expect(missed.approaches).toMatchObject([{ from: 'a', missed: 20, passedBy: 20 }]);
  });

  it('from a road for which there is no place change nothing', () => {
    const roads = Array.from({ length: 6 }, (_, n) => passage(10 + n, (3 + n) * slot, { cameFrom: `r${n}` }));
    const full = add(first, ...roads);
    expect(missPassage(full, passage(7, 20 * slot, { cameFrom: 'other' }))).toBe(full);
  });

  it('are forgotten when a driver takes the edge after them, and not when one took it before', () => {
    const missed = miss(used, passage(7, 4 * slot), passage(8, 5 * slot + 2_000));
    expect(add(missed, passage(9, 6 * slot)).missedBy).toEqual([]);
    expect(add(missed, passage(9, 3 * slot)).missedBy).toEqual([7, 8]);
    const between = add(missed, passage(9, 4 * slot + 5_000));
    expect([between.missedBy, between.approaches[0]!.passedBy]).toEqual([[8], 1]);
  });

  it.each([
    ['a closure that ended', (rate: PassageRate) => forgetMissed(rate), 2 * slot],
    [
      'the first passage after one',
      (rate: PassageRate) => resumePassages(rate, passage(9, 9 * slot)),
      9 * slot,
    ],
  ] as const)('%s forgets them without learning', (_, forget, lastMs) => {
    const rate = forget(miss(used, passage(7, 4 * slot)));
    expect(rate.missedBy).toEqual([]);
    expect(rate.approaches).toMatchObject([{ from: 'a', missed: 0, left: 0, passedBy: 0 }]);
    expect([rate.count, rate.exposureMs, rate.lastMs]).toEqual([used.count, used.exposureMs, lastMs]);
  });
});

describe('the evidence of a silence', () => {
  const shares = { periodsMin: 2, shareMin: 0.5 };
  const settings = {
    ...{ passagesMin: 10, driversMin: 5, spanMinMs: 600_000, dueMin: 3, crawlKph: 6, shares },
    strangersMin: 2,
  };
  /** A driver every slot for half an hour, and from then on others who take another exit. */
  const taken = Array.from({ length: 120 }, (_, n) => passage(n, (2 + n) * slot));
  const busy = taken.reduce((rate, one) => addPassage(rate, one, 100), first);
  const since = busy.lastMs;
  const others = Array.from({ length: 8 }, (_, n) => passage(500 + n, since + (2 + n) * slot));
  const silent = miss(busy, ...others);
  /** 100 m at 6 km/h take a minute. */
  const at = (afterMs: number, lengthM = 100) => ({ lengthM, heardMs: since + afterMs });
  const late = at(600_000);

  it('is the choices of those who came, compared with earlier ones', () => {
    expect(silenceEvidence(silent, late, undefined, settings)).toBeGreaterThan(10);
    expect(silenceEvidence(busy, late, undefined, settings)).toBe(0);
    expect(silenceEvidence(undefined, late, undefined, settings)).toBe(0);
  });

  it.each([
    ['too few passages', { ...silent, count: 9.99 }, {}],
    ['too few drivers', { ...silent, drivers: [1, 2, 3, 4] }, {}],
    ['too short a time', { ...silent, sinceMs: since - 599_999 }, {}],
    ['too few passages due', silent, { dueMin: 60 }],
    ['too few strangers', silent, { strangersMin: 9 }],
  ] as const)('is nothing for %s', (_, rate, more) => {
    expect(silenceEvidence(rate, late, undefined, { ...settings, ...more })).toBe(0);
  });

  it.each([
    ['passages', { ...silent, count: 10, exposureMs: 10 * slot }, {}],
    ['drivers', { ...silent, drivers: [1, 2, 3, 4, 5] }, {}],
    ['time', { ...silent, sinceMs: since - 600_000 }, {}],
    ['strangers', silent, { strangersMin: 8 }],
  ] as const)('needs no more %s than are asked for', (_, rate, more) => {
    expect(silenceEvidence(rate, late, undefined, { ...settings, ...more })).toBeGreaterThan(0);
  });

  it('witnesses are no strangers', () => {
    const isWitness = (driver: number) => driver >= 501;
    expect(silenceEvidence(silent, late, undefined, settings, isWitness)).toBe(0);
    const { strangersMin: _, ...anybody } = settings;
    const all = () => true;
    expect(silenceEvidence(silent, late, undefined, anybody, all)).toBeGreaterThan(10);
    expect(silenceEvidence(silent, late, undefined, { ...anybody, strangersMin: 1 }, all)).toBe(0);
  });

  it('begins when those who crawl over the edge would have been seen', () => {
    const open = { ...settings, dueMin: 0 };
    const nats = (afterMs: number, lengthM = 100, rate = silent) =>
      silenceEvidence(rate, at(afterMs, lengthM), undefined, open);
    expect(nats(60_000)).toBe(0);
    expect(nats(600_000)).toBeGreaterThan(nats(180_000));
    // A kilometre takes ten minutes, and a driver may take three times as long as the last one.
    expect([nats(600_000, 1_000), nats(600_000, 100, { ...silent, tookMs: 200_000 })]).toEqual([0, 0]);
    expect(nats(600_000, 100, { ...silent, tookMs: 150_000 })).toBeGreaterThan(0);
    // The first who went elsewhere did so in a slot that ended half a minute after the last passage.
    expect([nats(89_999), nats(90_000) > 0]).toEqual([0, true]);
  });

  it('by the clock, exactly as many passages must be due', () => {
    const rate = { ...silent, count: 10, exposureMs: 100_000 };
    const dueIn = (ms: number) =>
      silenceEvidence(rate, at(60_000 + ms), undefined, { ...settings, dueMin: 6 });
    expect(dueIn(59_999)).toBe(0);
    expect(dueIn(60_000)).toBeGreaterThan(0);
  });

  it('begins anew when a closure was lifted to see', () => {
    const start = { atMs: since + 570_000 };
    expect(silenceEvidence(silent, late, start, settings)).toBe(0);
    const before = { atMs: since - 1 };
    const whole = silenceEvidence(silent, late, undefined, settings);
    expect(silenceEvidence(silent, late, before, settings)).toBe(whole);
  });

  it('is said in words', () => {
    expect(silenceText(silent, 600_000, settings)).toBe(
      'nobody passed for 10 min while 8 took another exit, where 100 % usually go here',
    );
    const half = { ...silent, approaches: silent.approaches.map((each) => ({ ...each, left: each.took })) };
    expect(silenceText(half, 600_000, settings)).toContain('where 50 % usually go here');
    expect([0, 499, 500, 119_499, 119_500, 150_000].map(durationText)).toEqual([
      ...['0 s', '0 s', '1 s', '119 s', '2 min', '3 min'],
    ]);
  });
});
