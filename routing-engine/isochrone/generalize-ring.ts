import type { Ring } from './contour-rings.js';

/**
 * Leaves out points that lie within `aside` of the rest (Douglas and Peucker 1973). Undefined if fewer than
 * three points stay.
 */
export function generalizeRing(ring: Ring, aside: number): Ring | undefined {
  const count = ring.length / 2;
  if (count < 3) return undefined;
  const kept = new Uint8Array(count);
  const opposite = farthestFrom(ring, 0);
  kept[0] = 1;
  kept[opposite] = 1;
  const open: [from: number, to: number][] = [
    [0, opposite],
    [opposite, count],
  ];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const [from, to] = range;
    let farthest = -1;
    let most = aside * aside;
    for (let point = from + 1; point < to; point++) {
      const square = squareAside(ring, point, from, to % count);
      if (square <= most) continue;
      most = square;
      farthest = point;
    }
    if (farthest < 0) continue;
    kept[farthest] = 1;
    open.push([from, farthest], [farthest, to]);
  }
  const left = ring.filter((_, at) => kept[at >> 1] === 1);
  return left.length < 6 ? undefined : left;
}

function farthestFrom(ring: Ring, from: number): number {
  let [farthest, most] = [1, -1];
  for (let point = 1; point < ring.length / 2; point++) {
    const square = (ring[2 * point] - ring[2 * from]) ** 2 + (ring[2 * point + 1] - ring[2 * from + 1]) ** 2;
    if (square > most) [farthest, most] = [point, square];
  }
  return farthest;
}

/** Squared distance of a point from the line between two others. */
function squareAside(ring: Ring, point: number, from: number, to: number): number {
  const dx = ring[2 * to] - ring[2 * from];
  const dy = ring[2 * to + 1] - ring[2 * from + 1];
  const px = ring[2 * point] - ring[2 * from];
  const py = ring[2 * point + 1] - ring[2 * from + 1];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length));
  return (px - share * dx) ** 2 + (py - share * dy) ** 2;
}
