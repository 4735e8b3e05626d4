/** A closed line [x, y, x, y, …] whose last point is its first, in 1e-7 degrees. */
export type Ring = Int32Array;

/**
 * Twice the enclosed area in (1e-7 degrees)²; positive when it runs counter-clockwise on a map with north up.
 */
export function doubleArea(ring: Ring): number {
  // Relative to the first point: products of absolute coordinates would not fit a double.
  const x0 = ring[0]!;
  const y0 = ring[1]!;
  let sum = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    sum += (ring[i]! - x0) * (ring[i + 3]! - y0) - (ring[i + 2]! - x0) * (ring[i + 1]! - y0);
  }
  return sum;
}

/** West, south, east, north. */
export type Box = readonly [number, number, number, number];

export function boxOf(line: Int32Array): Box {
  let west = Number.POSITIVE_INFINITY;
  let south = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < line.length; i += 2) {
    const x = line[i]!;
    const y = line[i + 1]!;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return [west, south, east, north];
}

const boxWithin = (inner: Box, outer: Box): boolean =>
  inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];

export interface BoxedRing {
  readonly ring: Ring;
  readonly box: Box;
}

/** Whether one ring is inside the other; they may touch. For rings that cross, the result is arbitrary. */
export function ringWithin(inner: BoxedRing, outer: BoxedRing): boolean {
  if (!boxWithin(inner.box, outer.box)) return false;
  for (let i = 0; i < inner.ring.length - 2; i += 2) {
    const side = sideOf(inner.ring[i]!, inner.ring[i + 1]!, outer.ring);
    if (side !== 0) return side > 0;
  }
  return false;
}

/** 1 inside, −1 outside, 0 on the ring itself. */
function sideOf(x: number, y: number, ring: Ring): 1 | -1 | 0 {
  let inside = false;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const ax = ring[i]! - x;
    const ay = ring[i + 1]! - y;
    const bx = ring[i + 2]! - x;
    const by = ring[i + 3]! - y;
    const cross = ax * by - bx * ay;
    if (cross === 0 && ax * bx <= 0 && ay * by <= 0) return 0;
    if (ay > 0 !== by > 0 && cross > 0 === by > ay) inside = !inside;
  }
  return inside ? 1 : -1;
}

/** The centroid, which may be outside of a concave ring. */
export function middleOf(ring: Ring): Int32Array {
  const x0 = ring[0]!;
  const y0 = ring[1]!;
  let sum = 0;
  let x = 0;
  let y = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    const ax = ring[i]! - x0;
    const ay = ring[i + 1]! - y0;
    const bx = ring[i + 2]! - x0;
    const by = ring[i + 3]! - y0;
    const cross = ax * by - bx * ay;
    sum += cross;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
  }
  if (sum === 0) return Int32Array.of(x0, y0);
  return Int32Array.of(Math.round(x0 + x / (3 * sum)), Math.round(y0 + y / (3 * sum)));
}
