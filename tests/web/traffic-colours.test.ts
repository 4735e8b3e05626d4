import { expect, it } from 'vitest';
import { paletteFor } from '#web/map/palette.js';

/** Machado, Oliveira and Fernandes 2009, severity 1: linear sRGB as it is seen. */
const sights = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
type Three = [number, number, number];

const linear = (hex: string): Three =>
  [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Three;
const times = (m: readonly number[], [r, g, b]: Three): Three =>
  [0, 3, 6].map((i) => m[i]! * r + m[i + 1]! * g + m[i + 2]! * b) as Three;
const toXyz = [
  0.4124564, 0.3575761, 0.1804375, 0.2126729, 0.7151522, 0.072175, 0.0193339, 0.119192, 0.9503041,
];

function lab(seen: Three): Three {
  const [x, y, z] = times(toXyz, seen.map((value) => Math.min(1, Math.max(0, value))) as Three).map(
    (value, i) => {
      const share = value / [0.95047, 1, 1.08883][i]!;
      return share > 0.008856 ? Math.cbrt(share) : 7.787 * share + 16 / 116;
    },
  ) as Three;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIE 1976: 2.3 is just noticeable; 15 is seen without a comparison side by side. */
const apart = 15;

it.each(Object.entries(sights))('colours of traffic are told apart with %s', (_, matrix) => {
  for (const isDark of [false, true]) {
    const { low, moderate, heavy, severe, closed } = paletteFor(isDark);
    const seen = Object.entries({ low, moderate, heavy, severe, closed });
    for (const [i, [a, first]] of seen.entries())
      for (const [b, second] of seen.slice(i + 1)) {
        const [p, q] = [first, second].map((hex) => lab(times(matrix, linear(hex)))) as [Three, Three];
        const distance = Math.hypot(...p.map((value, at) => value - q[at]!));
        expect(distance, `${a} and ${b}, ${isDark ? 'dark' : 'light'}`).toBeGreaterThan(apart);
      }
  }
});
