import type { Ring } from './contour-rings.js';
import { generalizeRing } from './generalize-ring.js';

/** An area: its outer line counterclockwise, then its holes clockwise. */
export type Area = readonly [outer: Ring, ...holes: Ring[]];

/** Twice the area within a ring; negative for a clockwise one. */
export function doubleArea(ring: Ring): number {
  let sum = 0;
  for (let at = 0, before = ring.length - 2; at < ring.length; before = at, at += 2)
    sum += ring[before] * ring[at + 1] - ring[at] * ring[before + 1];
  return sum;
}

/**
 * Areas with their holes, the largest first. `denoise`: only areas of at least this share of the largest.
 * `aside`: how far a point may be left out of a line; a line that is narrower than that disappears.
 */
export function areasOf(rings: readonly Ring[], denoise: number, aside: number): Area[] {
  const outers = rings.filter((ring) => doubleArea(ring) > 0).sort((a, b) => doubleArea(b) - doubleArea(a));
  if (outers.length === 0) return [];
  const least = denoise * doubleArea(outers[0]);
  const kept = outers.filter((ring) => doubleArea(ring) >= least);
  const holes = holesOf(outers, rings);
  return kept.flatMap((ring) => {
    const outer = generalizeRing(ring, aside);
    if (outer === undefined) return [];
    const inner = (holes.get(ring) ?? []).flatMap((hole) => generalizeRing(hole, aside) ?? []);
    return [[outer, ...inner] as const];
  });
}

/** By area: the holes whose smallest area it is. */
function holesOf(outers: readonly Ring[], rings: readonly Ring[]): Map<Ring, Ring[]> {
  let left = rings.filter((ring) => doubleArea(ring) <= 0).sort((a, b) => a[1] - b[1]);
  const holes = new Map<Ring, Ring[]>();
  // Areas within a hole come later in the list.
  for (let at = outers.length - 1; at >= 0 && left.length > 0; at--) {
    const inside = whichAreInside(outers[at], left);
    holes.set(
      outers[at],
      left.filter((_, hole) => inside[hole] === 1),
    );
    left = left.filter((_, hole) => inside[hole] === 0);
  }
  return holes;
}

/** 1 for each hole that begins within the ring; the holes ascend by y. Each side of the ring is read once. */
function whichAreInside(ring: Ring, holes: readonly Ring[]): Uint8Array {
  const inside = new Uint8Array(holes.length);
  for (let at = 0, before = ring.length - 2; at < ring.length; before = at, at += 2) {
    const [ax, ay, bx, by] = [ring[at], ring[at + 1], ring[before], ring[before + 1]];
    const top = Math.max(ay, by);
    for (let hole = firstFrom(holes, Math.min(ay, by)); hole < holes.length; hole++) {
      const [x, y] = holes[hole];
      if (y >= top) break;
      if (x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside[hole] ^= 1;
    }
  }
  return inside;
}

function firstFrom(holes: readonly Ring[], y: number): number {
  let low = 0;
  let high = holes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holes[middle][1] < y) low = middle + 1;
    else high = middle;
  }
  return low;
}
