/** Zoom, column from the west, row from the north; the world is one tile at zoom 0. */
export interface TileId {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Where the square world ends, degrees: atan(sinh(π)). */
export const latMax = (Math.atan(Math.sinh(Math.PI)) * 180) / Math.PI;

/** West edge of a column, degrees; `x` may lie between columns. */
export const lngOf = (x: number, z: number): number => (x / 2 ** z) * 360 - 180;

/** North edge of a row, degrees; `y` may lie between rows. */
export const latOf = (y: number, z: number): number =>
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI;

/** Columns from the west, with a fraction. */
export const xOf = (lng: number, z: number): number => ((lng + 180) / 360) * 2 ** z;

/** Rows from the north, with a fraction. */
export const yOf = (lat: number, z: number): number =>
  (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** z;

/** The tile that contains a place; places beyond the square world are in the tile at its edge. */
export function tileAt(lat: number, lng: number, z: number): TileId {
  const last = 2 ** z - 1;
  const within = (value: number): number => Math.min(last, Math.max(0, Math.floor(value)));
  return { z, x: within(xOf(lng, z)), y: within(yOf(Math.min(latMax, Math.max(-latMax, lat)), z)) };
}
