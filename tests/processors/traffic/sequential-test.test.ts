import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { sequentialTest, verdict } from '#processors/traffic/sequential-test.js';

const risks = { p0: 0.05, p1: 0.95, alpha: 1e-4, beta: 1e-2 };

describe('the sequential probability ratio test', () => {
  it("has Wald's bounds and steps", () => {
    const test = sequentialTest(risks);
    expect(test.upper).toBeCloseTo(Math.log(0.99 / 0.0001), 12);
    expect(test.lower).toBeCloseTo(Math.log(0.01 / 0.9999), 12);
    expect(test.hit).toBeCloseTo(Math.log(19), 12);
    expect(test.miss).toBeCloseTo(-Math.log(19), 12);
  });

  it('needs four deviations, not three, to close a road at these risks', () => {
    const test = sequentialTest(risks);
    expect([1, 2, 3, 4].map((hits) => verdict(test, hits, 0))).toEqual([
      'undecided',
      'undecided',
      'undecided',
      'h1',
    ]);
    expect(verdict(test, 0, 1)).toBe('undecided');
    expect(verdict(test, 0, 2)).toBe('h0');
  });

  it('is the ratio of the two likelihoods, for any figures', () => {
    const figure = fc.double({ min: 0.001, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(figure, figure, fc.nat(30), fc.nat(30), (a, b, hits, misses) => {
        fc.pre(Math.abs(a - b) > 1e-6);
        const [p0, p1] = [Math.min(a, b), Math.max(a, b)];
        const test = sequentialTest({ p0, p1, alpha: 0.01, beta: 0.01 });
        const likelihood = (p: number): number => hits * Math.log(p) + misses * Math.log(1 - p);
        const ratio = likelihood(p1) - likelihood(p0);
        fc.pre(Math.abs(ratio - test.upper) > 1e-6 && Math.abs(ratio - test.lower) > 1e-6);
        const expected = ratio >= Math.log(99) ? 'h1' : ratio <= -Math.log(99) ? 'h0' : 'undecided';
        expect(verdict(test, hits, misses)).toBe(expected);
      }),
      { seed: 7 },
    );
  });

  it('keeps its rate of false alarms, counted over many open roads', () => {
    const test = sequentialTest({ p0: 0.2, p1: 0.6, alpha: 0.01, beta: 0.01 });
    const next = seeded(42);
    let alarms = 0;
    const runs = 20_000;
    for (let run = 0; run < runs; run++) {
      let [hits, misses] = [0, 0];
      while (verdict(test, hits, misses) === 'undecided') {
        if (next() < 0.2) hits++;
        else misses++;
      }
      if (verdict(test, hits, misses) === 'h1') alarms++;
    }
    expect(alarms / runs).toBeLessThan(0.01);
    expect(alarms).toBeGreaterThan(0);
  });

  it('accepts a hypothesis on its bound', () => {
    const test = { hit: 1, miss: -1, upper: 3, lower: -2 };
    expect([2, 3].map((hits) => verdict(test, hits, 0))).toEqual(['undecided', 'h1']);
    expect([1, 2].map((misses) => verdict(test, 0, misses))).toEqual(['undecided', 'h0']);
  });

  it('rejects figures that define no test', () => {
    const equal = [{ p1: risks.p0 }, { beta: 0 }, { alpha: 0.5, beta: 0.5 }];
    for (const bad of [
      ...[{ p0: 0 }, { p1: 1 }, { p0: 0.95, p1: 0.05 }, { alpha: 0 }, { alpha: 0.7, beta: 0.7 }],
      ...equal,
    ])
      expect(() => sequentialTest({ ...risks, ...bad })).toThrow(RangeError);
  });
});
