/**
 * Index of the first of ascending numbers, from `from` on, that is not less than `wanted`; their length if
 * all are less.
 */
export function lowerBound(
  ascending: Float64Array | Int32Array | Uint32Array,
  wanted: number,
  from = 0,
): number {
  let low = from;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
