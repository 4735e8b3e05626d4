import type { TourCosts } from './tour-costs.js';

/**
 * The cheapest tour through all places, from place 0 (Held and Karp 1962; Bellman 1962). Takes size² · 2^size
 * steps. Of equally cheap tours, one that comes back over earlier places, as OSRM.
 */
export function exactTour(costs: TourCosts): number[] {
  const others = costs.size - 1;
  const sets = 2 ** others;
  // By set of visited places and the last of them: the least cost from place 0, and the place before.
  const least = new Float64Array(sets * others).fill(Number.POSITIVE_INFINITY);
  const before = new Int8Array(sets * others).fill(-1);
  for (let place = 0; place < others; place++) least[(1 << place) * others + place] = costs.of(0, place + 1);
  for (let set = 1; set < sets; set++)
    for (let last = 0; last < others; last++) {
      const cost = least[set * others + last];
      if (cost === Number.POSITIVE_INFINITY) continue;
      for (let next = 0; next < others; next++) {
        if ((set & (1 << next)) !== 0) continue;
        const at = (set | (1 << next)) * others + next;
        const total = cost + costs.of(last + 1, next + 1);
        if (total >= least[at]) continue;
        least[at] = total;
        before[at] = last;
      }
    }
  let best = -1;
  let bestCost = Number.POSITIVE_INFINITY;
  let set = sets - 1;
  for (let last = 0; last < others; last++) {
    const total = least[set * others + last] + costs.of(last + 1, 0);
    if (total < bestCost) {
      bestCost = total;
      best = last;
    }
  }
  const tour: number[] = [];
  for (let last = best; last >= 0; ) {
    tour.push(last + 1);
    const earlier = before[set * others + last];
    set &= ~(1 << last);
    last = earlier;
  }
  return [0, ...tour.reverse()];
}
