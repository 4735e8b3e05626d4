import { farthestPoints } from '../route/farthest-points.js';
import type { Ring } from './contour-rings.js';

/**
 * Leaves out points that lie within `aside` of the rest. Undefined if fewer than
 * three points stay.
 */
export function generalizeRing(ring: Ring, aside: number): Ring | undefined {
  const count = ring.length / 2;
  if (count < 3) return undefined;
  const opposite = farthestFrom(ring, 0);
  const kept = farthestPoints(
    ring,
    [
      [0, opposite],
      [opposite, count],
    ],
    aside,
  );
  const left = new Float64Array(2 * count);
  let length = 0;
  for (let point = 0; point < count; point++) {
    if (kept[point] === 0) continue;
    left[length++] = ring[2 * point];
    left[length++] = ring[2 * point + 1];
  }
  return length < 6 ? undefined : left.slice(0, length);
}

function farthestFrom(ring: Ring, from: number): number {
  let [farthest, most] = [1, -1];
  for (let point = 1; point < ring.length / 2; point++) {
    const square = (ring[2 * point] - ring[2 * from]) ** 2 + (ring[2 * point + 1] - ring[2 * from + 1]) ** 2;
    if (square > most) [farthest, most] = [point, square];
  }
  return farthest;
}
