import { describe, expect, it } from 'vitest';
import { createGlide, type Fix, placeOn } from '#web/live/glide.js';

const fix = (lng: number, timestamp: number, id = 'd1'): Fix => ({
  id,
  at: [lng, 57.7],
  headingDeg: 90,
  navigating: false,
  timestamp,
});

/** Where the first driver is drawn. */
const placeAt = (glide: ReturnType<typeof createGlide>, now: number) => placeOn(glide.tracks()[0]!, now);

describe('createGlide', () => {
  it('shows a new driver at their position, and nobody moving', () => {
    const glide = createGlide();
    glide.update([fix(11.97, 1_000)], 0);
    expect(glide.tracks()).toMatchObject([{ headingDeg: 90, navigating: false }]);
    expect(placeAt(glide, 10)).toEqual([11.97, 57.7]);
    expect(glide.moving(500)).toBe(false);
  });

  it('glides to the next fix in the time between the two, and stops there', () => {
    const glide = createGlide();
    glide.update([fix(11.97, 1_000)], 0);
    glide.update([fix(11.972, 3_000)], 1_000);
    expect(placeAt(glide, 1_000)[0]).toBeCloseTo(11.97, 9);
    expect(placeAt(glide, 2_000)[0]).toBeCloseTo(11.971, 9);
    expect(glide.moving(2_999)).toBe(true);
    expect(placeAt(glide, 9_000)[0]).toBeCloseTo(11.972, 9);
    expect(glide.moving(3_000)).toBe(false);
  });

  it('continues from the drawn position when a fix arrives early, without a step back', () => {
    const glide = createGlide();
    glide.update([fix(11.97, 1_000)], 0);
    glide.update([fix(11.972, 3_000)], 1_000);
    const before = placeAt(glide, 2_000);
    glide.update([fix(11.974, 5_000)], 2_000);
    expect(placeAt(glide, 2_000)).toEqual(before);
  });

  it('ignores the same fix again and an older one', () => {
    const glide = createGlide();
    glide.update([fix(11.97, 3_000)], 0);
    glide.update([fix(11.98, 3_000)], 1_000);
    glide.update([fix(11.98, 2_000)], 2_000);
    expect(placeAt(glide, 9_000)[0]).toBe(11.97);
  });

  it('moves a driver from far away to the new position immediately', () => {
    const glide = createGlide();
    glide.update([fix(11.97, 1_000)], 0);
    glide.update([fix(12.07, 2_000)], 1_000);
    expect(placeAt(glide, 1_000)[0]).toBe(12.07);
  });

  it('removes drivers that are no longer in the response', () => {
    const glide = createGlide();
    glide.update([fix(11.97, 1_000), fix(11.98, 1_000, 'd2')], 0);
    glide.update([fix(11.98, 2_000, 'd2')], 1_000);
    expect(glide.tracks().map(({ to }) => to[0])).toEqual([11.98]);
  });
});
