import type { LocationPoints } from '#schemas/location.js';

/** 20 m in 1e-7 degrees of latitude: the scatter of a parked phone's fixes. */
const parkedSpanE7 = 1_800;
const parkedSpeedMpsMax = 1;
const e7PerRadian = 1e7 * (180 / Math.PI);

/**
 * Whether a batch says nothing but "still here": two points or more, all within 20 m, none of them moving. A
 * single point never counts as parked, because it may be the first one of a drive.
 */
export function isParked({ count, latE7, lngE7, speedMps }: LocationPoints): boolean {
  if (count < 2) return false;
  let [south, north, west, east] = [latE7[0]!, latE7[0]!, lngE7[0]!, lngE7[0]!];
  for (let i = 0; i < count; i++) {
    if (speedMps !== undefined && speedMps[i]! > parkedSpeedMpsMax) return false;
    south = Math.min(south, latE7[i]!);
    north = Math.max(north, latE7[i]!);
    west = Math.min(west, lngE7[i]!);
    east = Math.max(east, lngE7[i]!);
  }
  const lngSpanMax = parkedSpanE7 / Math.max(0.01, Math.cos(north / e7PerRadian));
  return north - south <= parkedSpanE7 && east - west <= lngSpanMax;
}
