export type WorldBox = readonly [left: number, top: number, right: number, bottom: number];

/**
 * Rings of the sea are [x, y, x, y, …], shares of the square world with y downward; the last point is the
 * first.
 */
type WorldRing = Float64Array;

/** Positive when it runs clockwise on a screen. */
export function signedArea(ring: ArrayLike<number>): number {
  // Relative to the first point, for precision of small rings far from the origin.
  const x0 = ring[0]!;
  const y0 = ring[1]!;
  let sum = 0;
  for (let i = 2; i + 3 < ring.length; i += 2)
    sum += (ring[i]! - x0) * (ring[i + 3]! - y0) - (ring[i + 2]! - x0) * (ring[i + 1]! - y0);
  return sum / 2;
}

/**
 * The ring clipped to the box, by Sutherland and Hodgman, starting at its least point. Undefined if nothing
 * is inside.
 */
export function clipRing(ring: WorldRing, box: WorldBox): WorldRing | undefined {
  let [left, top, right, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i]!;
    const y = ring[i + 1]!;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  if (left >= box[2] || right <= box[0] || top >= box[3] || bottom <= box[1]) return undefined;
  let points: ArrayLike<number> = ring;
  if (left < box[0]) points = clipSide(points, 0, box[0], 1);
  if (right > box[2]) points = clipSide(points, 0, box[2], -1);
  if (top < box[1]) points = clipSide(points, 1, box[1], 1);
  if (bottom > box[3]) points = clipSide(points, 1, box[3], -1);
  if (points === ring) return ring;
  return points.length < 8 ? undefined : fromLeast(points);
}

/** Keeps the part on the side of `limit` given by `sign`. */
function clipSide(points: ArrayLike<number>, axis: 0 | 1, limit: number, sign: 1 | -1): number[] {
  const kept: number[] = [];
  const other = 1 - axis;
  for (let i = 0; i + 3 < points.length; i += 2) {
    const a = points[i + axis]!;
    const b = points[i + 2 + axis]!;
    const isIn = (a - limit) * sign >= 0;
    const willBeIn = (b - limit) * sign >= 0;
    if (isIn) kept.push(points[i]!, points[i + 1]!);
    if (isIn === willBeIn || a === limit || b === limit) continue;
    const c = points[i + other]!;
    const crossing = c + ((points[i + 2 + other]! - c) * (limit - a)) / (b - a);
    if (axis === 0) kept.push(limit, crossing);
    else kept.push(crossing, limit);
  }
  if (kept.length > 0) kept.push(kept[0]!, kept[1]!);
  return kept;
}

/** The ring rotated to its least point, so that a coast with another start is equal. */
function fromLeast(points: ArrayLike<number>): WorldRing {
  const count = points.length / 2 - 1;
  let least = 0;
  for (let i = 1; i < count; i++) {
    const dx = points[2 * i]! - points[2 * least]!;
    if (dx < 0 || (dx === 0 && points[2 * i + 1]! < points[2 * least + 1]!)) least = i;
  }
  const ring = new Float64Array(points.length);
  for (let i = 0; i <= count; i++) {
    const from = 2 * ((least + i) % count);
    ring[2 * i] = points[from]!;
    ring[2 * i + 1] = points[from + 1]!;
  }
  return ring;
}

const isOnEdge = (x: number, y: number, box: WorldBox): boolean =>
  x === box[0] || x === box[2] || y === box[1] || y === box[3];

/** Whether every step of the ring runs along an edge of the box. */
export function liesAlong(ring: WorldRing, box: WorldBox): boolean {
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [x, y, nextX, nextY] = [ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!];
    const isAlong =
      (x === nextX && (x === box[0] || x === box[2])) || (y === nextY && (y === box[1] || y === box[3]));
    if (!isAlong) return false;
  }
  return true;
}

/**
 * The ring without points that lie nearer than `step` to the line between those that stay, by Douglas and
 * Peucker. Points on the edge of the box stay, so that the adjacent tile shows the same shore. Undefined if
 * the ring is smaller than that.
 */
export function simplifiedRing(ring: WorldRing, step: number, box: WorldBox): WorldRing | undefined {
  if (Math.sqrt(Math.abs(signedArea(ring))) < step) return undefined;
  const last = ring.length / 2 - 1;
  const stays = new Uint8Array(last + 1);
  const fixed: number[] = [0];
  for (let i = 1; i < last; i++) if (isOnEdge(ring[2 * i]!, ring[2 * i + 1]!, box)) fixed.push(i);
  if (fixed.length === 1) fixed.push(farthestFromFirst(ring));
  fixed.push(last);
  for (const point of fixed) stays[point] = 1;
  for (let i = 1; i < fixed.length; i++) markKept(ring, fixed[i - 1]!, fixed[i]!, step * step, stays);
  const kept: number[] = [];
  for (let i = 0; i <= last; i++) if (stays[i] === 1) kept.push(ring[2 * i]!, ring[2 * i + 1]!);
  return kept.length < 8 ? undefined : Float64Array.from(kept);
}

function farthestFromFirst(ring: WorldRing): number {
  let farthest = 1;
  let most = -1;
  for (let i = 1; i < ring.length / 2 - 1; i++) {
    const distance = (ring[2 * i]! - ring[0]!) ** 2 + (ring[2 * i + 1]! - ring[1]!) ** 2;
    if (distance > most) [farthest, most] = [i, distance];
  }
  return farthest;
}

function markKept(ring: WorldRing, from: number, to: number, sqStep: number, stays: Uint8Array): void {
  const open: number[] = [from, to];
  while (open.length > 0) {
    const last = open.pop()!;
    const first = open.pop()!;
    let [farthest, most] = [-1, sqStep];
    for (let i = first + 1; i < last; i++) {
      const distance = sqDistance(ring, i, first, last);
      if (distance > most) [farthest, most] = [i, distance];
    }
    if (farthest < 0) continue;
    stays[farthest] = 1;
    open.push(first, farthest, farthest, last);
  }
}

/** The distance of a point from the segment between two others. */
function sqDistance(ring: WorldRing, point: number, from: number, to: number): number {
  let x = ring[2 * from]!;
  let y = ring[2 * from + 1]!;
  const dx = ring[2 * to]! - x;
  const dy = ring[2 * to + 1]! - y;
  const [px, py] = [ring[2 * point]!, ring[2 * point + 1]!];
  if (dx !== 0 || dy !== 0) {
    const along = Math.min(1, Math.max(0, ((px - x) * dx + (py - y) * dy) / (dx * dx + dy * dy)));
    x += dx * along;
    y += dy * along;
  }
  return (px - x) ** 2 + (py - y) ** 2;
}
