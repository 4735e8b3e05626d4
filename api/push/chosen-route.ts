import polyline from '@mapbox/polyline';
import { metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';
import type { LatLng } from '#schemas/units.js';
import type { PlannedRoute } from '../ports/planner.js';

/**
 * The route that passes nearest to the points, by the sum of their distances; of equal ones the first. Roads
 * may have changed since the driver saw the routes, so no line need fit exactly.
 *
 * @param routes not empty.
 */
export function chosenRoute<Route extends Pick<PlannedRoute, 'polyline'>>(
  routes: readonly Route[],
  along: readonly LatLng[],
): Route {
  let chosen = routes[0]!;
  let least = Number.POSITIVE_INFINITY;
  for (const route of routes) {
    const line = polyline.decode(route.polyline);
    const sum = along.reduce((metres, point) => metres + distanceTo(line, point), 0);
    // Sums of one line differ in the last digits only.
    if (sum >= least - 1) continue;
    least = sum;
    chosen = route;
  }
  return chosen;
}

/** Metres from a point to a line of [lat, lng], on a plane that touches the earth at the point. */
function distanceTo(line: readonly (readonly [number, number])[], { lat, lng }: LatLng): number {
  const lngMetres = metersPerLngDegree(lat);
  const at = ([y, x]: readonly [number, number]) =>
    [(x - lng) * lngMetres, (y - lat) * metersPerDegree] as const;
  let least = line.length === 0 ? Number.POSITIVE_INFINITY : Math.hypot(...at(line[0]!));
  for (let i = 1; i < line.length; i++) {
    const [ax, ay] = at(line[i - 1]!);
    const [bx, by] = at(line[i]!);
    const [dx, dy] = [bx - ax, by - ay];
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length));
    least = Math.min(least, Math.hypot(ax + share * dx, ay + share * dy));
  }
  return least;
}
