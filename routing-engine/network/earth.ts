const EARTH_RADIUS_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Great-circle metres between two places in degrees. */
export function distanceM(lng1: number, lat1: number, lng2: number, lat2: number): number {
  const sinLat = Math.sin(((lat2 - lat1) * RADIANS) / 2);
  const sinLng = Math.sin(((lng2 - lng1) * RADIANS) / 2);
  const h = sinLat * sinLat + Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * sinLng * sinLng;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/**
 * Metres per degree of latitude, and of longitude at a latitude: a flat projection that is accurate for a few
 * kilometres.
 */
export const metersPerDegree = EARTH_RADIUS_M * RADIANS;
export const metersPerLngDegree = (lat: number): number => metersPerDegree * Math.cos(lat * RADIANS);

/** Compass degrees, 0 to 360, from one place to another near it. */
export function bearingDeg(lng1: number, lat1: number, lng2: number, lat2: number): number {
  const east = (lng2 - lng1) * Math.cos(((lat1 + lat2) / 2) * RADIANS);
  const degrees = Math.atan2(east, lat2 - lat1) / RADIANS;
  return degrees < 0 ? degrees + 360 : degrees;
}

/** Smallest angle between two compass directions, 0 to 180. */
export function angleBetween(a: number, b: number): number {
  const difference = Math.abs(a - b) % 360;
  return difference > 180 ? 360 - difference : difference;
}
