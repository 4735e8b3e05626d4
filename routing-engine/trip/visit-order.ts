import { exactTour } from './exact-tour.js';
import { improvedTour } from './improved-tour.js';
import { insertedTour } from './inserted-tour.js';
import { IMPOSSIBLE, TourCosts } from './tour-costs.js';

/** Places up to which the order is the best one. */
export const exactPlacesMax = 12;

export interface VisitRules {
  /** The trip ends where it began. */
  readonly roundtrip: boolean;
  /** The trip begins at the first place, or ends at the last; of a round trip, before it returns. */
  readonly fromFirst: boolean;
  readonly toLast: boolean;
}

/**
 * The order in which a trip visits all places: the cheapest up to `exactPlacesMax` places, and a good one for
 * more. `costs` is [size × size], row by row, Infinity where there is no route. Undefined if no order is
 * possible. A round trip begins at the first place, or at the last if only that is fixed; its return is not
 * part of the order.
 */
export function visitOrder(size: number, costs: Float64Array, rules: VisitRules): number[] | undefined {
  const changed = tourCosts(size, costs, rules);
  const tour = size <= exactPlacesMax ? exactTour(changed) : improvedTour(changed, insertedTour(changed));
  if (changed.sum(tour) >= IMPOSSIBLE) return undefined;
  return rotated(tour, firstOf(tour, rules));
}

/** The costs with which the best tour, which returns, is the best trip: what is not driven costs nothing. */
function tourCosts(
  size: number,
  costs: Float64Array,
  { roundtrip, fromFirst, toLast }: VisitRules,
): TourCosts {
  const changed = new TourCosts(size, costs);
  const last = size - 1;
  for (let place = 0; place < size; place++) {
    if (fromFirst && toLast) {
      if (place !== last) changed.set(place, 0, IMPOSSIBLE);
      if (place !== 0) changed.set(last, place, IMPOSSIBLE);
    } else if (!roundtrip && fromFirst) changed.set(place, 0, 0);
    else if (!roundtrip && toLast) changed.set(last, place, 0);
  }
  if (fromFirst && toLast && !roundtrip) changed.set(last, 0, 0);
  return changed;
}

function firstOf(tour: readonly number[], { roundtrip, fromFirst, toLast }: VisitRules): number {
  if (fromFirst || !toLast) return tour.indexOf(0);
  const last = tour.indexOf(tour.length - 1);
  return roundtrip ? last : (last + 1) % tour.length;
}

const rotated = (tour: readonly number[], first: number): number[] => [
  ...tour.slice(first),
  ...tour.slice(0, first),
];
