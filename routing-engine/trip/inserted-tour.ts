import type { TourCosts } from './tour-costs.js';

/**
 * A tour through all places by farthest insertion: of the places left, the one that is farthest from the tour
 * is put where it costs least (Rosenkrantz, Stearns and Lewis 1977).
 */
export function insertedTour(costs: TourCosts): number[] {
  const tour = [0];
  const left = new Set(Array.from({ length: costs.size - 1 }, (_, at) => at + 1));
  /** By place: from or to the nearest place of the tour. */
  const away = new Float64Array(costs.size).fill(Number.POSITIVE_INFINITY);
  const nearer = (added: number): void => {
    for (const place of left)
      away[place] = Math.min(away[place], costs.of(place, added), costs.of(added, place));
  };
  nearer(0);
  while (left.size > 0) {
    let farthest = -1;
    for (const place of left) if (farthest < 0 || away[place] > away[farthest]) farthest = place;
    left.delete(farthest);
    let least = Number.POSITIVE_INFINITY;
    let behind = 0;
    for (const [at, from] of tour.entries()) {
      const to = tour[(at + 1) % tour.length];
      const more = costs.of(from, farthest) + costs.of(farthest, to) - costs.of(from, to);
      if (more >= least) continue;
      least = more;
      behind = at;
    }
    tour.splice(behind + 1, 0, farthest);
    nearer(farthest);
  }
  return tour;
}
