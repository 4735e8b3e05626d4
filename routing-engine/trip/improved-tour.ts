import type { TourCosts } from './tour-costs.js';

/** Rounding of sums must not count as an improvement. */
const GAIN_MIN = 1e-3;
/** Improvements of one tour, at most: a bound that a tour of 100 places does not come near. */
const STEPS_MAX = 5_000;

/**
 * A tour without a better one among its neighbours. Neighbours differ by a part that runs in the other
 * direction (2-opt, with the costs of that direction), or by two parts that follow each other and change
 * places (3-opt without reversal, which includes Or-opt). The first place stays.
 */
export function improvedTour(costs: TourCosts, start: readonly number[]): number[] {
  const tour = [...start];
  for (let step = 0; step < STEPS_MAX; step++)
    if (!reversePart(costs, tour) && !swapParts(costs, tour)) break;
  return tour;
}

/** Makes the best reversal; false if none is better. */
function reversePart(costs: TourCosts, tour: number[]): boolean {
  const { length } = tour;
  const next = (at: number): number => tour[(at + 1) % length];
  let best = -GAIN_MIN;
  let part: readonly [number, number] | undefined;
  for (let first = 1; first < length - 1; first++) {
    /** What more the part from `first` to `last` costs in the other direction. */
    let turned = 0;
    for (let last = first + 1; last < length; last++) {
      turned += costs.of(tour[last], tour[last - 1]) - costs.of(tour[last - 1], tour[last]);
      const [before, after] = [tour[first - 1], next(last)];
      const change =
        turned +
        costs.of(before, tour[last]) +
        costs.of(tour[first], after) -
        costs.of(before, tour[first]) -
        costs.of(tour[last], after);
      if (change >= best) continue;
      best = change;
      part = [first, last];
    }
  }
  if (part === undefined) return false;
  const [first, last] = part;
  tour.splice(first, last - first + 1, ...tour.slice(first, last + 1).reverse());
  return true;
}

/** Swaps the two parts for which that gains most; false if none is better. */
function swapParts(costs: TourCosts, tour: number[]): boolean {
  const { length } = tour;
  let best = -GAIN_MIN;
  let parts: readonly [number, number, number] | undefined;
  for (let first = 1; first < length - 1; first++) {
    const before = tour[first - 1];
    for (let second = first + 1; second < length; second++) {
      const open = costs.of(before, tour[second]) - costs.of(before, tour[first]);
      const middle = costs.of(tour[second - 1], tour[second]);
      for (let end = second + 1; end <= length; end++) {
        const after = tour[end % length];
        const change =
          open -
          middle +
          costs.of(tour[end - 1], tour[first]) +
          costs.of(tour[second - 1], after) -
          costs.of(tour[end - 1], after);
        if (change >= best) continue;
        best = change;
        parts = [first, second, end];
      }
    }
  }
  if (parts === undefined) return false;
  const [first, second, end] = parts;
  tour.splice(first, end - first, ...tour.slice(second, end), ...tour.slice(first, second));
  return true;
}
