/**
 * Rows in the order of their keys, equal ones in row order. The first `placeCount` rows, places, are in this
 * order already.
 */
export function rowsByKey(key: Float64Array, placeCount: number): Uint32Array {
  const houses = Uint32Array.from({ length: key.length - placeCount }, (_, i) => placeCount + i).sort(
    (a, b) => key[a] - key[b] || a - b,
  );
  const rows = new Uint32Array(key.length);
  let place = 0;
  let house = 0;
  for (let at = 0; at < rows.length; at++)
    rows[at] =
      house === houses.length || (place < placeCount && key[place] <= key[houses[house]])
        ? place++
        : houses[house++];
  return rows;
}
