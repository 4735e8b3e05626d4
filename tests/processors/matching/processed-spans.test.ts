import { describe, expect, it } from 'vitest';
import { isProcessed, type Span, withProcessed } from '#processors/matching/processed-spans.js';

const seconds = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => (from + i * step) * 1_000);

describe('the spans of time with points', () => {
  it('consecutive batches are one span, and a missing batch separates two', () => {
    const following = withProcessed(withProcessed([], seconds(0, 19)), seconds(20, 39));
    expect(following).toEqual([[0, 39_000]]);
    const around = withProcessed(withProcessed([], seconds(0, 19)), seconds(40, 59));
    expect(around.map((span) => isProcessed([span], 30_000))).toEqual([false, false]);
    expect(isProcessed(around, 10_000)).toBe(true);
    expect(withProcessed(around, seconds(20, 39))).toHaveLength(2);
    expect(isProcessed(withProcessed(around, seconds(20, 39)), 30_000)).toBe(true);
  });

  it('a span has a gap where a batch has one', () => {
    const taken = withProcessed([], [...seconds(0, 10), ...seconds(60, 70)]);
    expect([5, 30, 65].map((at) => isProcessed(taken, at * 1_000))).toEqual([true, false, true]);
  });

  it('the number of spans is bounded: the oldest are evicted', () => {
    let taken: readonly Span[] = [];
    for (let i = 0; i < 50; i++) taken = withProcessed(taken, seconds(100 * i, 100 * i + 10));
    expect(taken).toHaveLength(8);
    expect(isProcessed(taken, 4_905_000)).toBe(true);
  });
});
