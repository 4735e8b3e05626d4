import type { AvoidMask } from '../network/edge-flags.js';
import { limits } from '../network/limits.js';
import type { RoadNetwork } from '../network/road-network.js';
import { assertSameTileset, type Metric } from '../overlay/metric.js';
import { searchOneToMany } from '../search/one-to-many.js';
import type { RouteEnd } from '../search/route-end.js';
import { byZone, type OpenEnd, openEnds } from '../search/route-ends.js';

export interface TravelTimesQuery {
  /** Places, each with the edges it may begin (end) on. At most `limits.matrixPlacesMax` of either. */
  readonly from: readonly (readonly RouteEnd[])[];
  readonly to: readonly (readonly RouteEnd[])[];
  readonly avoid?: AvoidMask;
}

/**
 * Milliseconds from each place to each other, exactly as `findRoute` gives them: [from × to], row by row,
 * Infinity if there is no route. One search for each origin. Throws a RangeError for more places than the
 * limit.
 */
export function travelTimes(network: RoadNetwork, metric: Metric, query: TravelTimesQuery): Float64Array {
  assertSameTileset(network, metric);
  const { from, to, avoid = 0 } = query;
  if (Math.max(from.length, to.length) > limits.matrixPlacesMax)
    throw new RangeError(`at most ${limits.matrixPlacesMax} places on either side of a matrix`);
  const groups = new Map<number, { readonly column: number; readonly ends: OpenEnd[] }[]>();
  for (const [column, ends] of to.entries())
    for (const [zone, there] of byZone(network, metric, openEnds(network, metric, ends, avoid, true))) {
      const group = groups.get(zone);
      if (group === undefined) groups.set(zone, [{ column, ends: there }]);
      else group.push({ column, ends: there });
    }
  const times = new Float64Array(from.length * to.length).fill(Number.POSITIVE_INFINITY);
  for (const [row, ends] of from.entries()) {
    const starts = openEnds(network, metric, ends, avoid, false);
    if (starts.length === 0) continue;
    for (const [zone, group] of groups) {
      const found = searchOneToMany(
        network,
        metric,
        starts,
        group.map((each) => each.ends),
        zone,
        avoid,
      );
      for (const [i, { column }] of group.entries())
        times[row * to.length + column] = Math.min(times[row * to.length + column], found[i]);
    }
  }
  return times;
}
