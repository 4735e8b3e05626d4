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
  const boxes = outers.map(boxOf);
  const holes = new Map<Ring, Ring[]>();
  for (const ring of rings) {
    if (doubleArea(ring) > 0) continue;
    // The smallest ring around it: areas within a hole come later in the list.
    const around = outers.findLastIndex(
      (outer, at) => isInBox(boxes[at], ring[0], ring[1]) && isInside(outer, ring[0], ring[1]),
    );
    const list = holes.get(outers[around]);
    if (list === undefined) holes.set(outers[around], [ring]);
    else list.push(ring);
  }
  return kept.flatMap((ring) => {
    const outer = generalizeRing(ring, aside);
    if (outer === undefined) return [];
    const inner = (holes.get(ring) ?? []).flatMap((hole) => generalizeRing(hole, aside) ?? []);
    return [[outer, ...inner] as const];
  });
}

type Box = readonly [west: number, south: number, east: number, north: number];

function boxOf(ring: Ring): Box {
  let [west, south, east, north] = [ring[0], ring[1], ring[0], ring[1]];
  for (let at = 2; at < ring.length; at += 2) {
    west = Math.min(west, ring[at]);
    east = Math.max(east, ring[at]);
    south = Math.min(south, ring[at + 1]);
    north = Math.max(north, ring[at + 1]);
  }
  return [west, south, east, north];
}

const isInBox = ([west, south, east, north]: Box, x: number, y: number): boolean =>
  x >= west && x <= east && y >= south && y <= north;

export function isInside(ring: ArrayLike<number>, x: number, y: number): boolean {
  let inside = false;
  for (let at = 0, before = ring.length - 2; at < ring.length; before = at, at += 2) {
    const [ax, ay, bx, by] = [ring[at], ring[at + 1], ring[before], ring[before + 1]];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
