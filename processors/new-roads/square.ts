import { type FlatMap, flatMapAt } from './flat-map.js';

/** Side in 1e-7 degrees: 5.6 km from south to north. */
const sideE7 = 500_000;

/**
 * The part of the map whose drives are compared with each other. A run belongs to the square in which it
 * starts.
 */
export interface Square {
  readonly key: string;
  readonly map: FlatMap;
}

export function squareOf(lngE7: number, latE7: number): Square {
  const [column, row] = [Math.floor(lngE7 / sideE7), Math.floor(latE7 / sideE7)];
  return { key: `${column}:${row}`, map: flatMapAt(column * sideE7, row * sideE7) };
}
