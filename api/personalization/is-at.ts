import type { LearnedPlace } from '#map-data/learned/user-patterns.js';
import { distanceM } from '#routing-engine/network/earth.js';
import { E7, type LatLng } from '#schemas/units.js';

const atPlaceM = 300;

/** Whether somebody who is there is at the place. */
export const isAt = ({ latE7, lngE7 }: LearnedPlace, { lat, lng }: LatLng): boolean =>
  distanceM(lngE7 / E7, latE7 / E7, lng, lat) <= atPlaceM;
