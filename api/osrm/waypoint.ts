import type { FoundStop } from '#routing-engine/snap/found-stop.js';
import { hint } from './hint.js';
import { messages } from './messages.js';
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

/** A sentence for each place that is not on its nearest road; no field without one, as in OSRM's answers. */
export function movedWarnings(stops: readonly FoundStop[]): { readonly warnings?: readonly string[] } {
  const warnings = stops.flatMap(({ isMoved, distanceM }, at) =>
    isMoved ? [messages.moved(at, Math.round(distanceM))] : [],
  );
  return warnings.length === 0 ? {} : { warnings };
}
