import type { AvoidMask } from '../network/edge-flags.js';
import { limits } from '../network/limits.js';
import type { RoadNetwork } from '../network/road-network.js';
import { assertSameTileset, type Metric } from '../overlay/metric.js';
import { NOTHING_M } from '../route/trim-ends.js';
import type { RouteEnd } from '../search/route-end.js';
import { byZone, type OpenEnd } from '../search/route-ends.js';
import { type MatrixEnd, MatrixSearch, type TravelMatrix } from './matrix-search.js';
import { openMatrixEnds } from './open-matrix-ends.js';

/** A place with the edges that a path may begin (end) on. */
export interface MatrixPlace {
  readonly ends: readonly RouteEnd[];
  /** The path is trimmed there as `trimEnds` does. */
  readonly trims?: boolean;
}

export interface MatrixQuery {
  /** At most `limits.matrixPlacesMax` of either. */
  readonly from: readonly MatrixPlace[];
  readonly to: readonly MatrixPlace[];
  readonly avoid?: AvoidMask;
  /** Also the lengths of the quickest paths. */
  readonly withMetres?: boolean;
}

/**
 * Travel times from each place to each other, exactly as `findRoute` gives them. One search over the overlay
 * for each place: the fewer of both sides are swept to everywhere, and the others to the borders of the cells
 * around them. Destinations in a zone of ends-only roads are always swept from. Throws a RangeError for more
 * places than the limit.
 */
export function travelMatrix(network: RoadNetwork, metric: Metric, query: MatrixQuery): TravelMatrix {
  assertSameTileset(network, metric);
  const { avoid = 0 } = query;
  if (Math.max(query.from.length, query.to.length) > limits.matrixPlacesMax)
    throw new RangeError(`at most ${limits.matrixPlacesMax} places on either side of a matrix`);
  const open = openMatrixEnds(network, metric, query, avoid);
  const from = open.from.map(
    (ends, at): MatrixEnd => ({
      ...{ ends, at, cells: cellsOf(ends) },
      trims: trims(query.from[at], (end) => 1 - end.fraction),
    }),
  );
  const search = new MatrixSearch(network, metric, {
    avoid,
    rows: from.length,
    columns: open.to.length,
    withMetres: query.withMetres === true,
  });
  /** Of both nodes of each edge: a path within a cell or an edge has one at its start and its goal. */
  function cellsOf(ends: readonly OpenEnd[]): number[] {
    const { tail, head } = network.arrays;
    const nodes = ends.flatMap(({ edge }) => [tail[edge], head[edge]]);
    return [...new Set(nodes.map((node) => network.nodeCell(node)))];
  }
  function trims(place: MatrixPlace, shareOf: (end: RouteEnd) => number): boolean {
    const { ends } = place;
    return (
      place.trims === true && ends.some((end) => shareOf(end) * network.edgeLengthM(end.edge) <= NOTHING_M)
    );
  }
  /** By zone, since each opens its own roads. */
  const groups = new Map<number, MatrixEnd[]>();
  for (const [column, ends] of open.to.entries())
    for (const [zone, there] of byZone(network, metric, ends)) {
      const end: MatrixEnd = {
        ...{ ends: there, at: column, cells: cellsOf(there) },
        trims: trims(query.to[column], ({ fraction }) => fraction),
      };
      const group = groups.get(zone);
      if (group === undefined) groups.set(zone, [end]);
      else group.push(end);
    }
  const everywhere = groups.get(0) ?? [];
  if (from.length < everywhere.length) {
    search.forward(from, everywhere);
    groups.delete(0);
  }
  search.backward(groups, from);
  return search.finish();
}
