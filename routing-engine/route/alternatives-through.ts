import type { AvoidMask } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import type { RouteEnd } from '../search/route-end.js';
import { findAlternatives } from './find-alternatives.js';
import type { RoutePath } from './find-route.js';

/** Paths between stops that are varied, the longest first: each takes a search for alternatives. */
const VARIED_MAX = 10;

export interface BestThrough {
  /** From stop to stop. */
  readonly paths: readonly RoutePath[];
  /** The possible places of the first and of the last stop. */
  readonly from: readonly RouteEnd[];
  readonly to: readonly RouteEnd[];
  readonly avoid: AvoidMask;
}

/**
 * Routes through the same stops that take another way between two of them, best first. At a stop on the way
 * they come and leave on the edges of the best route, so that the rest of it stays legal.
 */
export function alternativesThrough(
  network: RoadNetwork,
  metric: Metric,
  { paths, from, to, avoid }: BestThrough,
  count: number,
): RoutePath[][] {
  if (count === 0) return [];
  const longest = [...paths.keys()].sort((a, b) => paths[b].durationMs - paths[a].durationMs);
  const variants = longest.slice(0, VARIED_MAX).flatMap((at) => {
    const path = paths[at];
    const [first, last] = [path.edges[0], path.edges[path.edges.length - 1]];
    const [isFirst, isLast] = [at === 0, at === paths.length - 1];
    const ends = {
      from: isFirst ? from : [{ edge: first, fraction: path.fromFraction }],
      to: isLast ? to : [{ edge: last, fraction: path.toFraction }],
    };
    const found = findAlternatives(network, metric, { ...ends, avoid }, { count: 1 + count });
    if (found.status !== 'ok') return [];
    // On a copy of the same edge, other turns are forbidden.
    const fits = ({ edges }: RoutePath): boolean =>
      (isFirst || edges[0] === first) && (isLast || edges[edges.length - 1] === last);
    return found.paths
      .slice(1)
      .filter(fits)
      .map((other) => ({ at, other, moreMs: other.durationMs - path.durationMs }));
  });
  return variants
    .sort((a, b) => a.moreMs - b.moreMs)
    .slice(0, count)
    .map(({ at, other }) => paths.with(at, other));
}
