import { findRoute, type RouteOutcome, type RoutePath, type RouteQuery } from './find-route.js';
import { limits } from './limits.js';
import { CLOSED, copyShared, type Metric } from './metric.js';
import { customizeCells } from './overlay/customize.js';
import { durationOf } from './path-times.js';
import type { RoadNetwork } from './road-network.js';

/** How much more time than the best route an alternative may take, and how much of its time it may share with one before. */
const STRETCH_MAX = 1.4;
const OVERLAP_MAX = 0.6;
/** What a road that a route uses costs more in the next round. */
const PENALTY = 1.4;
const ROUNDS_PER_ROUTE = 4;

export interface AlternativeOptions {
  /** Routes in all, the best one included. Bounded by `limits.routesMax`. */
  readonly count: number;
  readonly stretchMax?: number;
  readonly overlapMax?: number;
}

/**
 * The best route and others that are worth offering, best first. Penalty method (Chen, Bell and Bogenberger 2007): the
 * roads of the routes so far are made dearer and the search runs again; a way that takes too long or shares too much is
 * not offered. Times are those of the metric, without penalties.
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
  let penalized = metric;
  let last = best.path;
  for (let round = 0; paths.length < wanted && round < ROUNDS_PER_ROUTE * (wanted - 1); round++) {
    penalized = penalize(network, penalized, last);
    const found = findRoute(network, penalized, query);
    if (found.status !== 'ok') break;
    last = found.path;
    const candidate = { ...last, durationMs: durationOf(network, metric, last) };
    if (candidate.durationMs > best.path.durationMs * stretchMax) continue;
    if (paths.some((path) => sharedMs(metric, candidate, path) > overlapMax * candidate.durationMs)) continue;
    paths.push(candidate);
  }
  return { status: 'ok', paths: [paths[0], ...paths.slice(1).sort((a, b) => a.durationMs - b.durationMs)] };
}

/** A metric in which the roads of the path are dearer, in both directions. */
function penalize(network: RoadNetwork, metric: Metric, { edges }: RoutePath): Metric {
  const { cellOf, tail } = network.arrays;
  const costMs = copyShared(metric.costMs);
  const cells = new Set<number>();
  const raise = (edge: number): void => {
    for (const copy of network.copiesOf(edge)) {
      if (costMs[copy] === CLOSED) continue;
      costMs[copy] = Math.min(CLOSED - 1, Math.ceil(costMs[copy] * PENALTY));
      cells.add(cellOf[tail[copy]]);
    }
  };
  for (const edge of edges) {
    raise(edge);
    const reverse = network.reverseOf(edge);
    if (reverse !== undefined) raise(reverse);
  }
  const weightsMs = customizeCells(network, metric.mode, costMs, metric.weightsMs, cells);
  return { ...metric, costMs, weightsMs };
}

function sharedMs({ costMs }: Metric, one: RoutePath, other: RoutePath): number {
  const edges = new Set(other.edges);
  let shared = 0;
  for (const edge of one.edges) if (edges.has(edge) && costMs[edge] !== CLOSED) shared += costMs[edge];
  return shared;
}
