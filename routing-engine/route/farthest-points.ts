/**
 * Which points of a line stay so that the others lie within `aside` of it (Douglas and Peucker 1973): 1 for
 * those that stay. `points` are x, y, … on a plane. The ends of `ranges` stay; an end equal to the number of
 * points is the first one again, as in a ring.
 */
export function farthestPoints(
  points: ArrayLike<number>,
  ranges: readonly (readonly [from: number, to: number])[],
  aside: number,
): Uint8Array {
  const count = points.length / 2;
  const kept = new Uint8Array(count);
  for (const [from, to] of ranges) {
    kept[from] = 1;
    kept[to % count] = 1;
  }
  const open = [...ranges];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const [from, to] = range;
    let farthest = -1;
    let most = aside * aside;
    for (let point = from + 1; point < to; point++) {
      const square = squareAside(points, point, from, to % count);
      if (square <= most) continue;
      most = square;
      farthest = point;
    }
    if (farthest < 0) continue;
    kept[farthest] = 1;
    open.push([from, farthest], [farthest, to]);
  }
  return kept;
}

/** Squared distance of a point from the straight line between two others. */
function squareAside(points: ArrayLike<number>, point: number, from: number, to: number): number {
  const dx = points[2 * to] - points[2 * from];
  const dy = points[2 * to + 1] - points[2 * from + 1];
  const px = points[2 * point] - points[2 * from];
  const py = points[2 * point + 1] - points[2 * from + 1];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length));
  return (px - share * dx) ** 2 + (py - share * dy) ** 2;
}
