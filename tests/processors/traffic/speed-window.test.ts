import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addToWindow,
  type Passage,
  type SpeedWindow,
  speedFigure,
  type WindowSettings,
} from '#processors/traffic/speed-window.js';

const settings: WindowSettings = {
  windowMs: 300_000,
  ageHalfLifeMs: 120_000,
  passagesMax: 64,
  driversMin: 2,
  deviationsMax: 4,
  typicalPassages: 4,
  unusualRatio: 0.25,
};
const now = 1_000_000;

const passage = (driver: number, ageMs: number, kph: number): Passage => ({
  driver,
  enteredMs: now - ageMs - 10_000,
  leftMs: now - ageMs,
  metresPerMs: kph / 3_600,
});
const windowOf = (passages: readonly Passage[], use = settings): SpeedWindow =>
  passages.reduce<SpeedWindow>((window, each) => addToWindow(window, each, use) ?? window, []);

/** The recount: from all passages, by the definitions of a weighted median and a winsorised mean. */
function recount(passages: readonly Passage[]): number | undefined {
  const latest = new Map<number, Passage>();
  for (const each of passages)
    if ((latest.get(each.driver)?.leftMs ?? -1) < each.leftMs) latest.set(each.driver, each);
  const fresh = [...latest.values()].filter(({ leftMs }) => leftMs > now - settings.windowMs);
  if (fresh.length < settings.driversMin) return undefined;
  const weights = fresh.map(({ leftMs }) => 2 ** (-(now - leftMs) / settings.ageHalfLifeMs));
  const total = weights.reduce((sum, each) => sum + each, 0);
  const half = (values: readonly number[], kept: (value: number) => boolean): number =>
    values.reduce((sum, each, i) => sum + (kept(each) ? weights[i]! : 0), 0);
  const median = (values: readonly number[]): number => {
    const middle = values
      .filter(
        (value) =>
          half(values, (v) => v < value) <= total / 2 + 1e-9 &&
          half(values, (v) => v > value) <= total / 2 + 1e-9,
      )
      .sort((a, b) => a - b);
    return (middle[0]! + middle.at(-1)!) / 2;
  };
  const paces = fresh.map(({ metresPerMs }) => 1 / metresPerMs);
  const middle = median(paces);
  const spread = 1.4826 * median(paces.map((pace) => Math.abs(pace - middle)));
  const reach = settings.deviationsMax * Math.max(spread, 0.1 * middle);
  const within = (pace: number): number => Math.min(middle + reach, Math.max(middle - reach, pace));
  return (3_600 * total) / paces.reduce((sum, pace, i) => sum + weights[i]! * within(pace), 0);
}

describe('the window of speeds', () => {
  const anyPassage = fc
    .tuple(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 0, max: 400_000 }),
      fc.integer({ min: 3, max: 130 }),
    )
    .map(([driver, ageMs, kph]) => passage(driver, ageMs, kph));

  it('F11: equals a recount of all passages, in any order and with any repetitions', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyPassage, {
          maxLength: 30,
          selector: ({ driver, leftMs }) => `${driver}/${leftMs}`,
        }),
        fc.array(fc.nat(29), { maxLength: 10 }),
        fc.infiniteStream(fc.nat(1_000)),
        (passages, repeats, order) => {
          const all = [...passages, ...repeats.flatMap((i) => passages[i] ?? [])];
          const shuffled = all
            .map((each) => ({ each, rank: order.next().value as number }))
            .sort((a, b) => a.rank - b.rank)
            .map(({ each }) => each);
          const figure = speedFigure(windowOf(shuffled), now, settings);
          const expected = recount(passages);
          if (expected === undefined) expect(figure).toBeUndefined();
          else expect(figure!.kph).toBeCloseTo(expected, 6);
        },
      ),
      { seed: 11, numRuns: 500 },
    );
  });

  it('publishes nothing below k drivers, however often one of them passes', () => {
    const one = windowOf([passage(1, 1_000, 20), passage(1, 2_000, 20), passage(1, 3_000, 20)]);
    expect(speedFigure(one, now, settings)).toBeUndefined();
    expect(speedFigure(windowOf([...one, passage(2, 500, 20)]), now, settings)?.probes).toBe(2);
  });

  it('a minority that lies or stands moves it no further than a slow driver would', () => {
    const honest = Array.from({ length: 8 }, (_, i) => passage(i, (i + 1) * 1_000, 50 + i));
    const truth = speedFigure(windowOf(honest), now, settings)!.kph;
    const moved = (...speeds: number[]): number =>
      speedFigure(
        windowOf([...honest, ...speeds.map((kph, i) => passage(100 + i, 100, kph))]),
        now,
        settings,
      )!.kph;
    expect(moved(0.1)).toBeCloseTo(moved(0.001), 6);
    expect(moved(0.1) / truth).toBeGreaterThan(0.92);
    expect(moved(0.1, 0.1) / truth).toBeGreaterThan(0.85);
  });

  it('is the harmonic mean of speeds that agree: the length over the mean of the times', () => {
    const figure = speedFigure(windowOf([passage(1, 0, 40), passage(2, 0, 60)]), now, settings)!;
    expect(figure.kph).toBeCloseTo(48, 6);
  });

  it('with few drivers, leans on the typical speed of the hour unless they agree on a difference', () => {
    const kph = (drivers: number, each: number, typical: number) =>
      speedFigure(
        windowOf(Array.from({ length: drivers }, (_, i) => passage(i, 0, each))),
        now,
        settings,
        typical,
      )!.kph;
    expect(kph(2, 40, 50)).toBeCloseTo(4 / (2 / 40 + 2 / 50), 6);
    expect(kph(40, 40, 50)).toBeLessThan(40.6);
    expect(kph(2, 50, 50)).toBeCloseTo(50, 6);
    expect(kph(5, 10, 50)).toBeLessThan(10.2);
  });

  it('drops passages older than the window, and stores no more than its bound', () => {
    const old = windowOf([passage(1, 299_999, 20), passage(2, 300_000, 20)]);
    expect(speedFigure(old, now, settings)).toBeUndefined();
    const many = Array.from({ length: 50 }, (_, i) => passage(i, 50_000 - i, 30));
    const kept = windowOf(many, { ...settings, passagesMax: 10 });
    expect(kept.map(({ driver }) => driver)).toEqual([40, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
  });
});
