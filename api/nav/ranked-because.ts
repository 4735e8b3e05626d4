import type { PlannedRoute } from './planner.js';
import { distanceQuantity, durationQuantity, type Units } from './quantity-text.js';

/** Why a route stands where it does, in numbers against the best one. */
export function rankedBecause(
  route: PlannedRoute,
  best: PlannedRoute,
  { units }: { readonly units: Units },
): string {
  if (route === best)
    return route.liveEdges > 0 ? 'Fastest under current traffic.' : 'Fastest; no live traffic on it.';
  const slower = durationQuantity(route.durationS - best.durationS, 'en').text;
  const metres = route.distanceM - best.distanceM;
  const length = distanceQuantity(Math.abs(metres), units, 'en').text;
  return `${slower} slower than the first, ${length} ${metres < 0 ? 'shorter' : 'longer'}.`;
}
