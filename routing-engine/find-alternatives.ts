import { findRoute, type RouteOutcome, type RoutePath, type RouteQuery, toPath } from './find-route.js';
import { limits } from './limits.js';
import { CLOSED, type Metric } from './metric.js';
import type { RoadNetwork } from './road-network.js';
import { type FoundWay, searchOverlay } from './search/overlay-search.js';
import { byZone, openEnds } from './search/route-ends.js';

/** How much more time than the best route an alternative may take, and how much of its time it may share with one before. */
const STRETCH_MAX = 1.4;
const OVERLAP_MAX = 0.6;
/** Ways that are looked at for each alternative that is wanted. */
const CANDIDATES_PER_ROUTE = 60;

export interface AlternativeOptions {
  /** Routes in all, the best one included. Bounded by `limits.routesMax`. */
  readonly count: number;
  readonly stretchMax?: number;
  readonly overlapMax?: number;
}

/**
 * The best route and others that are worth offering, best first. Single via paths (Abraham, Delling, Goldberg and Werneck
 * 2010): the search from both sides goes on for a while after it found the best way; each edge where the sides meet gives
 * the cheapest way through it. A way that takes too long, shares too much with one before, or uses a road twice is not
 * offered.
 */
export function findAlternatives(
  network: RoadNetwork,
  metric: Metric,
  query: RouteQuery,
  { count, stretchMax = STRETCH_MAX, overlapMax = OVERLAP_MAX }: AlternativeOptions,
): { readonly status: 'ok'; readonly paths: RoutePath[] } | Extract<RouteOutcome, { status: 'no-route' }> {
  const best = findRoute(network, metric, query);
  if (best.status !== 'ok') return best;
  const paths = [best.path];
  const wanted = Math.min(count, limits.routesMax);
  if (wanted <= 1) return { status: 'ok', paths };
  let left = CANDIDATES_PER_ROUTE * (wanted - 1);
  for (const way of others(network, metric, query, stretchMax, overlapMax)) {
    if (paths.length >= wanted || left-- === 0 || way.durationMs > best.path.durationMs * stretchMax) break;
    if (repeatsRoads(network, way)) continue;
    const edges = Uint32Array.from(way.edges);
    const shareMax = overlapMax * way.durationMs;
    if (paths.every((path) => sharedMs(metric, edges, path.edges) <= shareMax))
      paths.push(toPath(network, metric, way));
  }
  return { status: 'ok', paths };
}

function others(
  network: RoadNetwork,
  metric: Metric,
  query: RouteQuery,
  stretch: number,
  overlapMax: number,
): Iterable<FoundWay> {
  const avoid = query.avoid ?? 0;
  const starts = openEnds(network, metric, query.from, avoid, false);
  const goals = openEnds(network, metric, query.to, avoid, true);
  // Destinations in several private areas are rare; the alternatives are those of the first.
  const [[zone, there]] = byZone(network, metric, goals);
  return searchOverlay(network, metric, starts, there, zone, avoid, stretch)?.others(overlapMax) ?? [];
}

/** A way through a given edge may lead there and back over the same road: nobody wants that. */
function repeatsRoads({ arrays }: RoadNetwork, { edges }: FoundWay): boolean {
  const pieces = new Set<number>();
  for (const edge of edges) pieces.add(arrays.piece[edge]);
  return pieces.size < edges.length;
}

function sharedMs({ costMs }: Metric, one: Uint32Array, other: Uint32Array): number {
  const edges = new Set(other);
  let shared = 0;
  for (const edge of one) if (edges.has(edge) && costMs[edge] !== CLOSED) shared += costMs[edge];
  return shared;
}
