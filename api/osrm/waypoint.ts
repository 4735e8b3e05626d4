import type { FoundStop } from '#routing-engine/snap/found-stop.js';
import { hint } from './hint.js';
import { pair } from './numbers.js';
import type { WaypointStyle } from './service-query.js';

/** A place of a query on its road, in OSRM's layout. */
export const waypoint = (
  { point, distanceM, name, edgeId }: FoundStop,
  { hints }: Pick<WaypointStyle, 'hints'>,
): object => ({
  ...(hints ? { hint: hint.write(edgeId) } : {}),
  location: pair(point),
  name,
  distance: Math.round(1e6 * distanceM) / 1e6,
});
