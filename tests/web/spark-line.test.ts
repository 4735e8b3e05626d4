import { describe, expect, it } from 'vitest';
import { lineThrough } from '#web/live/line-through.js';

const heights = (line: string) => line.split(' ').map((point) => Number(point.split(',')[1]));

describe('the line of a figure', () => {
  it('ends at the right edge, with its greatest value above and zero below', () => {
    const line = lineThrough([0, 5, 10], true);
    expect(heights(line)).toEqual([23, 13, 3]);
    expect(line).toMatch(/ 92\.0,3\.0$/);
  });

  it('of a count that only grows begins at its lowest value', () => {
    expect(heights(lineThrough([1_000, 1_010], false))).toEqual([23, 3]);
  });

  it('leaves out what is not known, and is empty without any value', () => {
    expect(heights(lineThrough([null, 2, null, 4], true))).toEqual([13, 3]);
    expect(lineThrough([null, null], true)).toBe('');
    expect(lineThrough([], false)).toBe('');
  });

  it('of a figure that stays the same is drawn at the bottom', () => {
    expect(heights(lineThrough([7, 7], false))).toEqual([23, 23]);
  });
});
