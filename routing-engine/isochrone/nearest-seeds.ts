/**
 * Places on a grid, at most one for each vertex, in steps of the grid. Its arrays are by vertex, row by row,
 * and are kept from grid to grid: allocating them was a tenth of the time of a small area.
 */
export class Seeds {
  width = 0;
  height = 0;
  /** Squared steps from the vertex to its place, whose nearest vertex it is; Infinity where it has none. */
  square = new Float32Array(0);
  x = new Float32Array(0);
  y = new Float32Array(0);
  value = new Float64Array(0);
  /** The vertex of the same column that has the place nearest by row; −1 if none has one. */
  near = new Int32Array(0);

  /** No places, on a grid of this size. */
  clear(width: number, height: number): void {
    const vertices = width * height;
    if (this.square.length < vertices) {
      this.square = new Float32Array(vertices);
      this.x = new Float32Array(vertices);
      this.y = new Float32Array(vertices);
      this.value = new Float64Array(vertices);
      this.near = new Int32Array(vertices);
    }
    this.square.fill(Number.POSITIVE_INFINITY, 0, vertices);
    this.width = width;
    this.height = height;
  }
}

/**
 * The value of the place nearest to each vertex, or Infinity where none is within `reach` steps: columns
 * first, then the lower envelope of the parabolas of each row (Felzenszwalb and Huttenlocher 2012). Of the
 * places in a column, the one with the least difference of rows counts, so the place that is taken may be up
 * to a step farther away than the nearest.
 */
export function nearestValues(seeds: Seeds, reach: number): Float64Array {
  const { width, height, x, y, value, near } = seeds;
  findNearestInColumns(seeds);
  const values = new Float64Array(width * height).fill(Number.POSITIVE_INFINITY);
  const most = reach * reach;
  /** Of the envelope: places, where their parabolas begin, and how high and where they are lowest. */
  const place = new Int32Array(width);
  const begin = new Float64Array(width);
  const low = new Float64Array(width);
  const center = new Float64Array(width);
  for (let row = 0; row < height; row++) {
    const first = row * width;
    let count = 0;
    for (let column = 0; column < width; column++) {
      const seed = near[first + column];
      if (seed < 0) continue;
      const at = x[seed];
      const above = (y[seed] - row) * (y[seed] - row);
      if (above > most) continue;
      let from = Number.NEGATIVE_INFINITY;
      while (count > 0) {
        const last = count - 1;
        from = (at * at + above - center[last] * center[last] - low[last]) / (2 * (at - center[last]));
        if (from > begin[last]) break;
        from = Number.NEGATIVE_INFINITY;
        count--;
      }
      place[count] = seed;
      begin[count] = from;
      center[count] = at;
      low[count++] = above;
    }
    if (count === 0) continue;
    for (let column = 0, at = 0; column < width; column++) {
      while (at + 1 < count && begin[at + 1] <= column) at++;
      const aside = column - center[at];
      if (aside * aside + low[at] <= most) values[first + column] = value[place[at]];
    }
  }
  return values;
}

function findNearestInColumns({ width, height, square, y, near }: Seeds): void {
  for (let vertex = 0; vertex < width * height; vertex++)
    near[vertex] =
      square[vertex] < Number.POSITIVE_INFINITY ? vertex : vertex < width ? -1 : near[vertex - width];
  for (let row = height - 2; row >= 0; row--)
    for (let vertex = row * width; vertex < (row + 1) * width; vertex++) {
      const above = near[vertex + width];
      const below = near[vertex];
      if (below === vertex || above < 0) continue;
      if (below < 0 || y[above] - row < row - y[below]) near[vertex] = above;
    }
}
