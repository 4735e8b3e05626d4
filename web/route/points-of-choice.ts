import type { NavRoute } from '#schemas/http/nav.js';
import type { Position } from '#schemas/http/shapes.js';
import type { alongMax } from '#schemas/nav-stream.js';
import { measure, placeAlong } from '../geometry/line.js';
import { decodePolyline } from '../geometry/polyline.js';

/** A value would bring the schemas into the bundle; its type keeps both equal. */
const pointsMax: typeof alongMax = 16;

/**
 * Points by which the server tells the chosen route from the others, evenly spread and without its ends,
 * which all have. None where there is no choice, or the first was chosen: then the fastest is wanted.
 */
export function pointsOfChoice(
  routes: readonly Pick<NavRoute, 'overview_polyline'>[],
  chosen: number,
): Position[] {
  const route = routes[chosen];
  if (chosen === 0 || route === undefined) return [];
  const line = measure(decodePolyline(route.overview_polyline.points));
  return Array.from({ length: pointsMax }, (_, i) => {
    const [lng, lat] = placeAlong(line, (line.lengthM * (i + 1)) / (pointsMax + 1)).at;
    return { lat, lng };
  });
}
