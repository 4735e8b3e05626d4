import { describe, expect, it } from 'vitest';
import { isProcessed, type Span, withProcessed } from '#processors/matching/processed-spans.js';

const seconds = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => (from + i * step) * 1_000);

interface Case {
  readonly what: string;
  readonly before: readonly Span[];
  readonly times: readonly number[];
  readonly spans: readonly Span[];
}

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

  it('first and last time belong to a span, and the milliseconds beside them do not', () => {
    const times = [9_999, 10_000, 12_000, 12_001];
    expect(times.map((at) => isProcessed([[10_000, 12_000]], at))).toEqual([false, true, true, false]);
  });

  it('a batch without points changes nothing, and one point is a span', () => {
    const spans: readonly Span[] = [[1_000, 2_000]];
    expect(withProcessed(spans, [])).toBe(spans);
    expect(withProcessed([], [7_000])).toEqual([[7_000, 7_000]]);
  });

  it.each<Case>([
    { what: 'half a minute within a batch', before: [], times: [0, 30_000], spans: [[0, 30_000]] },
    {
      what: 'more than that',
      before: [],
      times: [0, 30_001],
      spans: [
        [0, 0],
        [30_001, 30_001],
      ],
    },
    { what: 'a second to a single point', before: [[0, 5_000]], times: [6_000], spans: [[0, 6_000]] },
    {
      what: 'more than that',
      before: [[0, 5_000]],
      times: [6_001],
      spans: [
        [0, 5_000],
        [6_001, 6_001],
      ],
    },
    {
      what: 'one and a half steps of a batch with two points',
      ...{ before: [[0, 5_000]], times: [20_000, 30_000], spans: [[0, 30_000]] },
    },
    {
      what: 'more than that',
      ...{
        before: [[0, 5_000]],
        times: [20_001, 30_001],
        spans: [
          [0, 5_000],
          [20_001, 30_001],
        ],
      },
    },
    {
      what: 'one and a half steps of a batch with three points',
      ...{ before: [[0, 5_000]], times: [8_000, 10_000, 12_000], spans: [[0, 12_000]] },
    },
    {
      what: 'more than that',
      ...{
        before: [[0, 5_000]],
        times: [8_001, 10_001, 12_001],
        spans: [
          [0, 5_000],
          [8_001, 12_001],
        ],
      },
    },
    { what: 'the end of a span', before: [[0, 5_000]], times: [5_000, 6_000], spans: [[0, 6_000]] },
    {
      what: 'an earlier time, although it is near',
      ...{
        before: [[5_000, 9_000]],
        times: [4_000, 4_500],
        spans: [
          [4_000, 4_500],
          [5_000, 9_000],
        ],
      },
    },
  ])('$what: $before and $times are $spans', ({ before, times, spans }) => {
    expect(withProcessed(before, times)).toEqual(spans);
  });

  it('the number of spans is bounded: the oldest are evicted', () => {
    let taken: readonly Span[] = [];
    for (let i = 0; i < 50; i++) taken = withProcessed(taken, seconds(100 * i, 100 * i + 10));
    expect(taken).toHaveLength(8);
    expect(isProcessed(taken, 4_905_000)).toBe(true);
  });
});
