/** Points of a closed line as [x, y, …]; the last one is not repeated. */
export type Ring = Float64Array;

export interface Grid {
  readonly width: number;
  readonly height: number;
  /** Row by row; those on the rim are Infinity. */
  readonly values: ArrayLike<number>;
}

/** Crossings keep this share of a side between them and its ends, so that no two lines touch. */
const RIM = 0.05;

/**
 * By side of a square: the next side of the line through it, plus 1. 2v goes east of v, 2v+1 north. All 0
 * between two calls.
 */
let next = new Int32Array(0);

/**
 * Lines around the vertices of a grid with at most this value, as rings with the area to their left:
 * counterclockwise around an area, clockwise around a hole. In steps of the grid, x to the east and y to the
 * north. Marching squares; vertices that meet at a corner alone belong to different areas.
 */
export function contourRings({ width, height, values }: Grid, limit: number): Ring[] {
  if (next.length < 2 * width * height) next = new Int32Array(2 * width * height);
  const begins: number[] = [];
  for (let row = 0; row < height - 1; row++) {
    const first = row * width;
    let west = (values[first] <= limit ? 1 : 0) | (values[first + width] <= limit ? 8 : 0);
    for (let vertex = first; vertex < first + width - 1; vertex++) {
      const southEast = values[vertex + 1] <= limit;
      const northEast = values[vertex + width + 1] <= limit;
      const kind = west | (southEast ? 2 : 0) | (northEast ? 4 : 0);
      west = (southEast ? 1 : 0) | (northEast ? 8 : 0);
      if (kind === 0 || kind === 15) continue;
      for (const [from, to] of lines[kind]) {
        const side = sideOf(vertex, from, width);
        next[side] = sideOf(vertex, to, width) + 1;
        begins.push(side);
      }
    }
  }
  const rings: Ring[] = [];
  for (const side of begins) {
    if (next[side] === 0) continue;
    const points: number[] = [];
    for (let at = side; next[at] !== 0; ) {
      addCrossing(at, points);
      const after = next[at] - 1;
      next[at] = 0;
      at = after;
    }
    rings.push(new Float64Array(points));
  }
  return rings;

  function addCrossing(side: number, points: number[]): void {
    const vertex = side >> 1;
    const isEast = (side & 1) === 0;
    const other = isEast ? vertex + 1 : vertex + width;
    const [a, b] = [values[vertex], values[other]];
    const share =
      Number.isFinite(a) && Number.isFinite(b)
        ? Math.max(RIM, Math.min(1 - RIM, (limit - a) / (b - a)))
        : 0.5;
    const x = vertex % width;
    const y = Math.floor(vertex / width);
    if (isEast) points.push(x + share, y);
    else points.push(x, y + share);
  }
}

/** The side of the square north-east of a vertex: 0 south, 1 east, 2 north, 3 west. */
const sideOf = (vertex: number, side: number, width: number): number =>
  side === 0 ? 2 * vertex : side === 1 ? 2 * vertex + 3 : side === 2 ? 2 * (vertex + width) : 2 * vertex + 1;

/**
 * Lines through a square by its vertices in the area (1 south-west, 2 south-east, 4 north-east, 8
 * north-west), from side to side (0 south, 1 east, 2 north, 3 west), with the area to their left.
 */
const lines: readonly (readonly (readonly [from: number, to: number])[])[] = [
  [],
  [[0, 3]],
  [[1, 0]],
  [[1, 3]],
  [[2, 1]],
  [
    [0, 3],
    [2, 1],
  ],
  [[2, 0]],
  [[2, 3]],
  [[3, 2]],
  [[0, 2]],
  [
    [1, 0],
    [3, 2],
  ],
  [[1, 2]],
  [[3, 1]],
  [[0, 1]],
  [[3, 0]],
  [],
];
