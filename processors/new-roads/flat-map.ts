/** A local flat projection around a place, accurate within some ten kilometres. */
export interface FlatMap {
  readonly lngE7: number;
  readonly latE7: number;
  /** Metres per 1e-7 degrees. */
  readonly perLng: number;
  readonly perLat: number;
}

/** Metres east and north of the place of the map. */
export type FlatPlace = readonly [x: number, y: number];

const metresPerE7 = 111_195 / 1e7;

export const flatMapAt = (lngE7: number, latE7: number): FlatMap => ({
  lngE7,
  latE7,
  perLng: metresPerE7 * Math.cos((latE7 * Math.PI) / 180e7),
  perLat: metresPerE7,
});

export const toFlat = (map: FlatMap, lngE7: number, latE7: number): FlatPlace => [
  (lngE7 - map.lngE7) * map.perLng,
  (latE7 - map.latE7) * map.perLat,
];

export const fromFlat = (map: FlatMap, [x, y]: FlatPlace): { lngE7: number; latE7: number } => ({
  lngE7: Math.round(map.lngE7 + x / map.perLng),
  latE7: Math.round(map.latE7 + y / map.perLat),
});
