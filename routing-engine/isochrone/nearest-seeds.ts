/** Places on a grid, at most one for each vertex, in steps of the grid. */
export interface Seeds {
  readonly width: number;
  readonly height: number;
  /** By vertex, row by row: 1 where it has a place. Its nearest vertex is this one. */
  readonly has: Uint8Array;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly value: Float64Array;
}

/**
 * The value of the place nearest to each vertex, or Infinity where none is within `reach` steps: columns
 * first, then the lower envelope of the parabolas of each row (Felzenszwalb and Huttenlocher 2012). Of the
 * places in a column, the one with the least difference of rows counts, so the place that is taken may be up
 * to a step farther away than the nearest.
 */
export function nearestValues({ width, height, has, x, y, value }: Seeds, reach: number): Float64Array {
  const near = nearestInColumns({ width, height, has, y });
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

/** By vertex: the vertex of its column that has the place nearest by row; −1 if none has one. */
function nearestInColumns({ width, height, has, y }: Omit<Seeds, 'x' | 'value'>): Int32Array {
  const near = new Int32Array(width * height);
  for (let vertex = 0; vertex < near.length; vertex++)
    near[vertex] = has[vertex] === 1 ? vertex : vertex < width ? -1 : near[vertex - width];
  for (let row = height - 2; row >= 0; row--)
    for (let vertex = row * width; vertex < (row + 1) * width; vertex++) {
      const above = near[vertex + width];
      if (has[vertex] === 1 || above < 0) continue;
      const below = near[vertex];
      if (below < 0 || y[above] - row < row - y[below]) near[vertex] = above;
    }
  return near;
}
