import type { Position } from '../events/road-event.js';

/** A zone of UTM, on ETRS89 or WGS 84, which agree within a metre. */
export interface UtmZone {
  /** 1 to 60. */
  readonly zone: number;
  readonly isSouth: boolean;
}

/** The zone that an EPSG code names; undefined for other systems. */
export function utmZoneOf(code: number): UtmZone | undefined {
  if (code >= 25_828 && code <= 25_838) return { zone: code - 25_800, isSouth: false };
  if (code >= 32_601 && code <= 32_660) return { zone: code - 32_600, isSouth: false };
  if (code >= 32_701 && code <= 32_760) return { zone: code - 32_700, isSouth: true };
  return undefined;
}

const equatorM = 6_378_137;
const flattening = 1 / 298.257222101;
const n = flattening / (2 - flattening);
const scale = 0.9996;
const eastingM = 500_000;
const southM = 10_000_000;
/** Metres per radian of the meridian. */
const radiusM = (scale * equatorM * (1 + n ** 2 / 4 + n ** 4 / 64)) / (1 + n);
const toSphere = [
  n / 2 - (2 * n ** 2) / 3 + (37 * n ** 3) / 96,
  n ** 2 / 48 + n ** 3 / 15,
  (17 * n ** 3) / 480,
];
const toEllipsoid = [
  2 * n - (2 * n ** 2) / 3 - 2 * n ** 3,
  (7 * n ** 2) / 3 - (8 * n ** 3) / 5,
  (56 * n ** 3) / 15,
];
const degrees = 180 / Math.PI;

/** Krüger's series, third order: exact to a millimetre in and near the zone. */
export function fromUtm({ zone, isSouth }: UtmZone, easting: number, northing: number): Position {
  const up = (northing - (isSouth ? southM : 0)) / radiusM;
  const right = (easting - eastingM) / radiusM;
  let [x, y] = [right, up];
  toSphere.forEach((factor, i) => {
    const times = 2 * (i + 1);
    y -= factor * Math.sin(times * up) * Math.cosh(times * right);
    x -= factor * Math.cos(times * up) * Math.sinh(times * right);
  });
  const sphere = Math.asin(Math.sin(y) / Math.cosh(x));
  const lat = toEllipsoid.reduce((sum, factor, i) => sum + factor * Math.sin(2 * (i + 1) * sphere), sphere);
  const middle = 6 * zone - 183;
  return [middle + degrees * Math.atan2(Math.sinh(x), Math.cos(y)), degrees * lat];
}
