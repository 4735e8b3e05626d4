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

/** The recount: from all passages ever made, by the definition of a weighted median. */
function recount(passages: readonly Passage[]): number | undefined {
  const latest = new Map<number, Passage>();
  for (const each of passages)
    if ((latest.get(each.driver)?.leftMs ?? -1) < each.leftMs) latest.set(each.driver, each);
  const fresh = [...latest.values()].filter(({ leftMs }) => leftMs > now - settings.windowMs);
  if (fresh.length < settings.driversMin) return undefined;
  const weight = ({ leftMs }: Passage): number => 2 ** (-(now - leftMs) / settings.ageHalfLifeMs);
  const total = fresh.reduce((sum, each) => sum + weight(each), 0);
  const half = (kept: (pace: number) => boolean): number =>
    fresh.filter((each) => kept(1 / each.metresPerMs)).reduce((sum, each) => sum + weight(each), 0);
  const medians = fresh
    .map((each) => 1 / each.metresPerMs)
    .filter((pace) => half((p) => p < pace) <= total / 2 + 1e-9 && half((p) => p > pace) <= total / 2 + 1e-9)
    .sort((a, b) => a - b);
  return 3_600 / ((medians[0]! + medians.at(-1)!) / 2);
}

describe('the window of speeds', () => {
  const anyPassage = fc
    .tuple(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 0, max: 400_000 }),
      fc.integer({ min: 3, max: 130 }),
    )
    .map(([driver, ageMs, kph]) => passage(driver, ageMs, kph));

  it('F11: equals a recount of all passages, in whatever order and however often they came', () => {
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

  it('says nothing below k drivers, however often one of them passes', () => {
    const one = windowOf([passage(1, 1_000, 20), passage(1, 2_000, 20), passage(1, 3_000, 20)]);
    expect(speedFigure(one, now, settings)).toBeUndefined();
    expect(speedFigure(windowOf([...one, passage(2, 500, 20)]), now, settings)?.probes).toBe(2);
  });

  it('is not moved by a minority who lies', () => {
    const honest = [1, 2, 3, 4, 5].map((driver) => passage(driver, driver * 1_000, 50 + driver));
    const liars = [11, 12].map((driver) => passage(driver, 100, 2));
    const figure = speedFigure(windowOf([...honest, ...liars]), now, settings)!;
    expect(figure.kph).toBeGreaterThan(50);
  });

  it('forgets what is older than the window, and keeps no more than its bound', () => {
    const old = windowOf([passage(1, 299_999, 20), passage(2, 300_000, 20)]);
    expect(speedFigure(old, now, settings)).toBeUndefined();
    const many = Array.from({ length: 50 }, (_, i) => passage(i, 50_000 - i, 30));
    const kept = windowOf(many, { ...settings, passagesMax: 10 });
    expect(kept.map(({ driver }) => driver)).toEqual([40, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
  });
});
