import { limits } from '../network/limits.js';
import type { RoadNetwork } from '../network/road-network.js';
import { CLOSED, type Metric } from '../overlay/metric.js';
import type { FoundPath } from '../search/found-paths.js';
import { byZone, type OpenEnd, openEnds } from '../search/route-ends.js';
import { searchForVehicle } from '../search/search-for-vehicle.js';
import { findRoute, type RouteOutcome, type RoutePath, type RouteQuery, toPath } from './find-route.js';
import { durationOf } from './path-times.js';

/**
 * How much longer than the best route an alternative may take, and how much of its time it may share with an
 * earlier one.
 */
const STRETCH_MAX = 1.4;
const OVERLAP_MAX = 0.6;
/** Candidate routes for each requested alternative. */
const CANDIDATES_PER_ROUTE = 60;
/** Searches with penalties on the roads of earlier routes, for each missing alternative, and the factor. */
const PENALTY_ROUNDS_PER_ROUTE = 3;
const PENALTY_FACTOR = 1.4;

export interface AlternativeOptions {
  /** Routes in all, the best one included. Bounded by `limits.routesMax`. */
  readonly count: number;
  readonly stretchMax?: number;
  readonly overlapMax?: number;
}

/**
 * The best route and others that are worth offering, best first. Two sources:
 *
 * - single via paths (Abraham, Delling, Goldberg and Werneck 2010): the bidirectional search continues for
 *   a while after it has found the best path; each edge where both sides meet gives the cheapest path
 *   through it;
 * - if these do not suffice, the penalty method (Chen, Bell and Bogenberger 2007): the roads of earlier
 *   routes get higher costs, and the search is repeated.
 *
 * A path that takes too long, shares too much with an earlier one, or uses a road twice is not offered.
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
  const offer = (found: FoundPath): void => {
    if (repeatsRoads(network, found)) return;
    const path = toPath(network, metric, found);
    // A search with penalties has other times; rounding must not make a path better than the best.
    const durationMs = Math.max(durationOf(network, metric, path), best.path.durationMs);
    if (durationMs > best.path.durationMs * stretchMax) return;
    if (paths.every((known) => sharedMs(metric, path.edges, known.edges) <= overlapMax * durationMs))
      paths.push({ ...path, durationMs });
  };
  let left = CANDIDATES_PER_ROUTE * (wanted - 1);
  for (const found of pathsThroughMeetings(network, metric, query, stretchMax, overlapMax)) {
    if (paths.length >= wanted || left-- === 0) break;
    offer(found);
  }
  if (paths.length < wanted) {
    let rounds = PENALTY_ROUNDS_PER_ROUTE * (wanted - paths.length);
    for (const found of pathsWithPenalties(network, metric, query, best.path)) {
      offer(found);
      if (paths.length >= wanted || --rounds === 0) break;
    }
  }
  paths.sort((a, b) => a.durationMs - b.durationMs);
  return { status: 'ok', paths };
}

function endsOf(network: RoadNetwork, metric: Metric, { from, to, avoid = 0 }: RouteQuery) {
  const starts = openEnds(network, metric, from, avoid, false);
  // Destinations in several private areas are rare; the alternatives are those of the first.
  const [[zone, goals]] = byZone(network, metric, openEnds(network, metric, to, avoid, true));
  return { starts, goals, zone, avoid };
}

function pathsThroughMeetings(
  network: RoadNetwork,
  metric: Metric,
  query: RouteQuery,
  stretch: number,
  overlapMax: number,
): Iterable<FoundPath> {
  const { starts, goals, zone, avoid } = endsOf(network, metric, query);
  return searchForVehicle(network, metric, starts, goals, zone, avoid, { stretch })?.others(overlapMax) ?? [];
}

/** Endless as long as there is a path; each path gets a penalty before the next search. */
function* pathsWithPenalties(
  network: RoadNetwork,
  metric: Metric,
  query: RouteQuery,
  best: RoutePath,
): Iterable<FoundPath> {
  const { starts, goals, zone, avoid } = endsOf(network, metric, query);
  const costMs = metric.costMs.slice();
  const cells = new Set<number>();
  let edges: Iterable<number> = best.edges;
  for (;;) {
    for (const edge of edges) {
      if (costMs[edge] !== CLOSED)
        costMs[edge] = Math.min(CLOSED - 1, Math.ceil(costMs[edge] * PENALTY_FACTOR));
      cells.add(network.edgeCell(edge));
    }
    // The roads where a route begins and ends have penalties too: it may leave the other way.
    const now = (end: OpenEnd): OpenEnd => (end.closed ? end : { ...end, costMs: costMs[end.edge] });
    const found = searchForVehicle(network, metric, starts.map(now), goals.map(now), zone, avoid, {
      instead: { costMs, cells },
    })?.best;
    if (found === undefined) return;
    yield found;
    edges = found.edges;
  }
}

/** A route through a given edge may lead there and back over the same road, which is useless. */
function repeatsRoads({ arrays }: RoadNetwork, { edges }: FoundPath): boolean {
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
