/**
 * Branded ids: the compiler refuses a user id where a cell id is expected. A brand costs nothing at run time;
 * `as` belongs only where a value enters the process and was checked.
 */
declare const brand: unique symbol;
export type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** The owner of a location, a navigation or a booking: the `sub` of the bearer token. 1–128 characters. */
export type UserId = Branded<string, 'UserId'>;
/**
 * Stable name of a directed road edge that survives a rebuild: `way:fromNode-toNode` with a sign, see
 * `docs/formats/routing-tile.md`.
 */
export type EdgeId = Branded<string, 'EdgeId'>;
/** Number of a cell of the partition, within one tileset. */
export type CellId = Branded<number, 'CellId'>;

/** Degrees, WGS 84. */
export interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

/**
 * Coordinates are sent and stored as integers of 1e-7 degrees (11 mm at the equator), OpenStreetMap's own
 * resolution.
 */
export const E7 = 1e7;
