import { type AvoidMask, endsOnlyBit } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import { assertSameTileset, type Metric } from '../overlay/metric.js';
import { ENTRY_MS, EVERY_ZONE } from '../overlay/road-search.js';
import type { FoundPath } from '../search/found-paths.js';
import type { RouteEnd } from '../search/route-end.js';
import { byZone, openEnds } from '../search/route-ends.js';
import { searchForVehicle } from '../search/search-for-vehicle.js';

export type { RouteEnd };

export interface RouteQuery {
  /** Where the path may begin: any of them, at no cost. */
  readonly from: readonly RouteEnd[];
  readonly to: readonly RouteEnd[];
  /** Bits of `avoidable`; 0 avoids nothing. */
  readonly avoid?: AvoidMask;
  /** Ends-only roads of others are used where nothing else connects, as few areas of them as possible. */
  readonly throughPrivate?: boolean;
}

/** A path along the network. */
export interface RoutePath {
  /**
   * Directed edges in order; the first begins at `fromFraction`, the last ends at `toFraction`. Never empty.
   */
  readonly edges: Uint32Array;
  readonly fromFraction: number;
  readonly toFraction: number;
  readonly durationMs: number;
  readonly lengthM: number;
  /** Version of the metric that it was found on. */
  readonly metricVersion: number;
  /**
   * The start or destination lies on a road that is closed at the moment: its length was counted at free
   * flow.
   */
  readonly closedAtStart: boolean;
  readonly closedAtDestination: boolean;
  /** Leads over ends-only roads although it begins and ends elsewhere. */
  readonly throughPrivate: boolean;
  /** For people who inspect a search. */
  readonly debug: { readonly settled: number; readonly cellsTouched: number };
}

export type RouteOutcome =
  | { readonly status: 'ok'; readonly path: RoutePath }
  | {
      readonly status: 'no-route';
      /** `avoided`: every path uses a road to be avoided. `unreachable`: there is no path at all. */
      readonly reason: 'no-snap' | 'unreachable' | 'avoided';
    };

/**
 * The cheapest route under the metric, exactly as plain Dijkstra finds it. A closed edge is never entered.
 * When the route begins or ends on one, that edge (or the part of it that is needed) counts at free flow and
 * the path is marked. Ends on edges to be avoided do not count. Throws `MetricMismatch` when the metric
 * belongs to another tileset, and a RangeError for an end that is not on the network.
 */
export function findRoute(network: RoadNetwork, metric: Metric, query: RouteQuery): RouteOutcome {
  assertSameTileset(network, metric);
  if (query.from.length === 0 || query.to.length === 0) return { status: 'no-route', reason: 'no-snap' };
  const avoid = query.avoid ?? 0;
  const found = search(network, metric, query, avoid);
  if (found !== undefined) return { status: 'ok', path: toPath(network, metric, found) };
  if (query.throughPrivate === true) {
    const path = findThroughPrivate(network, metric, query, avoid);
    if (path !== undefined) return { status: 'ok', path };
  }
  if (avoid !== 0 && search(network, metric, query, 0) !== undefined)
    return { status: 'no-route', reason: 'avoided' };
  return { status: 'no-route', reason: 'unreachable' };
}

function search(network: RoadNetwork, metric: Metric, { from, to }: RouteQuery, avoid: AvoidMask) {
  const starts = openEnds(network, metric, from, avoid, false);
  const goals = openEnds(network, metric, to, avoid, true);
  if (starts.length === 0) return undefined;
  // A private area opens for a route that ends in it, not for one that passes through to another destination.
  let best: FoundPath | undefined;
  for (const [zone, goalsThere] of byZone(network, metric, goals)) {
    const found = searchForVehicle(network, metric, starts, goalsThere, zone, avoid)?.best;
    if (found !== undefined && (best === undefined || found.durationMs < best.durationMs)) best = found;
  }
  return best;
}

/** Edges that such a search visits at most: it crosses the cells of private roads road by road. */
const PRIVATE_SETTLED_MAX = 50_000;

function findThroughPrivate(
  network: RoadNetwork,
  metric: Metric,
  { from, to }: RouteQuery,
  avoid: AvoidMask,
): RoutePath | undefined {
  const bit = endsOnlyBit(modeIndex(metric.mode));
  if (!network.arrays.cellFlags.some((flags) => (flags & bit) !== 0)) return undefined;
  const starts = openEnds(network, metric, from, avoid, false);
  const goals = openEnds(network, metric, to, avoid, true);
  if (starts.length === 0 || goals.length === 0) return undefined;
  const options = { settledMax: PRIVATE_SETTLED_MAX };
  const found = searchForVehicle(network, metric, starts, goals, EVERY_ZONE, avoid, options)?.best;
  if (found === undefined) return undefined;
  const path = toPath(network, metric, found);
  const durationMs = path.durationMs - entryPriceMs(network, metric, path.edges);
  return { ...path, durationMs, throughPrivate: true };
}

function entryPriceMs({ arrays, edgeCount }: RoadNetwork, { mode }: Metric, edges: Uint32Array): number {
  const row = modeIndex(mode) * edgeCount;
  let price = 0;
  for (let at = 1; at < edges.length; at++) {
    const into = arrays.zone[row + edges[at]];
    if (into !== 0 && into !== arrays.zone[row + edges[at - 1]]) price += ENTRY_MS;
  }
  return price;
}

/** Converts a found path to the result form. */
export function toPath(network: RoadNetwork, metric: Metric, found: FoundPath): RoutePath {
  const edges = new Uint32Array(found.edges);
  let lengthM = 0;
  for (const edge of edges) lengthM += network.edgeLengthM(edge);
  lengthM -= network.edgeLengthM(found.from.edge) * found.from.fraction;
  lengthM -= network.edgeLengthM(found.to.edge) * (1 - found.to.fraction);
  return {
    edges,
    fromFraction: found.from.fraction,
    toFraction: found.to.fraction,
    durationMs: found.durationMs,
    lengthM: Math.max(0, lengthM),
    metricVersion: metric.version,
    closedAtStart: found.from.closed,
    closedAtDestination: found.to.closed,
    throughPrivate: false,
    debug: { settled: found.settled, cellsTouched: found.cellsTouched },
  };
}
