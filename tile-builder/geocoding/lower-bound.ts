/** Index of the first of ascending numbers that is no less than `wanted`; their length where all are less. */
export function lowerBound(ascending: Float64Array | Int32Array | Uint32Array, wanted: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
