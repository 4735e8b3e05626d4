import { type LearnedRoute, weightAt } from '#map-data/learned/user-patterns.js';
import type { LatLng } from '#schemas/units.js';
import type { PlannedRoute } from '../ports/planner.js';
import { isAt } from './is-at.js';
import type { KnownPatterns } from './known-patterns.js';

/** An alternative with this share of a usual route's length is that route. */
const coveredMin = 0.8;

/**
 * How much the user drives each alternative between these places: the weight of the usual routes that it
 * covers. All 0 if they have none.
 */
export function usualness(
  { places, routes }: KnownPatterns,
  ends: { readonly origin: LatLng; readonly destination: LatLng },
  alternatives: readonly PlannedRoute[],
  nowMs: number,
): (route: PlannedRoute) => number {
  const at = (place: LatLng): ReadonlySet<number> =>
    new Set(places.filter((each) => isAt(each, place)).map(({ id }) => id));
  const [from, to] = [at(ends.origin), at(ends.destination)];
  const ofPair = routes.filter((route) => from.has(route.from) && to.has(route.to));
  if (ofPair.length === 0) return () => 0;
  const weights = new Map(
    alternatives.map((route) => {
      const edges = new Set(route.edgeIds());
      const weight = ofPair
        .filter((usual) => coveredShare(usual, edges) >= coveredMin)
        .reduce((sum, usual) => sum + weightAt(usual.weight, usual.lastMs, nowMs), 0);
      return [route, weight] as const;
    }),
  );
  return (route) => weights.get(route) ?? 0;
}

function coveredShare({ edges }: LearnedRoute, driven: ReadonlySet<string>): number {
  let all = 0;
  let covered = 0;
  for (const [edgeId, lengthM] of edges) {
    all += lengthM;
    if (driven.has(edgeId)) covered += lengthM;
  }
  return all === 0 ? 0 : covered / all;
}
