import type { NavRoute } from '#schemas/http/nav.js';
import type { LngLat } from '../geometry/line.js';
import { decodePolyline } from '../geometry/polyline.js';

export const secondsOf = (route: NavRoute): number =>
  route.legs.reduce((sum, leg) => sum + leg.duration_in_traffic.value, 0);
export const metresOf = (route: NavRoute): number =>
  route.legs.reduce((sum, leg) => sum + leg.distance.value, 0);

/** Metres on each named road of a route: the last name in bold of its steps. */
function roadsOf(route: NavRoute): Map<string, number> {
  const roads = new Map<string, number>();
  for (const { html_instructions: html, distance } of route.legs.flatMap((leg) => leg.steps)) {
    const name = [...html.replace(/<div>.*/s, '').matchAll(/<b>([^<]+)<\/b>/g)].at(-1)?.[1];
    // A number alone tells nobody which road it is.
    if (name !== undefined && !/^\d+$/.test(name)) roads.set(name, (roads.get(name) ?? 0) + distance.value);
  }
  return roads;
}

/**
 * The road that tells a route from the others: the longest one that only it has; else the name of the server.
 * Escaped as in the instructions.
 */
export function ownRoad(routes: readonly NavRoute[], at: number): string {
  const route = routes[at] as NavRoute;
  const others = routes.filter((_, i) => i !== at).map(roadsOf);
  let best = '';
  let bestM = 0;
  for (const [name, metres] of roadsOf(route))
    if (metres > bestM && others.every((roads) => !roads.has(name))) [best, bestM] = [name, metres];
  return best === '' ? route.summary : best;
}

const key = ([lng, lat]: LngLat): string => `${lng},${lat}`;

/** The middle of the longest part of a route that the others do not share; else the middle of the route. */
export function ownMiddle(routes: readonly NavRoute[], at: number): LngLat | undefined {
  const lines = routes.map((route) => decodePolyline(route.overview_polyline.points));
  const line = lines[at] ?? [];
  const shared = new Set(lines.filter((_, i) => i !== at).flatMap((points) => points.map(key)));
  let best: readonly LngLat[] = [];
  let own: LngLat[] = [];
  for (const point of line) {
    if (shared.has(key(point))) own = [];
    else own.push(point);
    if (own.length > best.length) best = [...own];
  }
  const part = best.length === 0 ? line : best;
  return part[Math.floor(part.length / 2)];
}
