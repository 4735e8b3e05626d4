import type { AvoidMask } from './edge-flags.js';
import type { Metric } from './metric.js';
import type { RoadNetwork } from './road-network.js';
import type { Snap } from './snap.js';

/** An edge position: what `findRoute` needs of a `Snap`. */
export type RouteEnd = Pick<Snap, 'edge' | 'fraction'>;

export interface RouteQuery {
  /** Where the way may begin: any of them, at no cost. */
  readonly from: readonly RouteEnd[];
  readonly to: readonly RouteEnd[];
  /** Bits of `avoidable`; 0 avoids nothing. */
  readonly avoid?: AvoidMask;
}

/** A way along the network. */
export interface RoutePath {
  /** Directed edges in order; the first begins at `fromFraction`, the last ends at `toFraction`. */
  readonly edges: Uint32Array;
  readonly fromFraction: number;
  readonly toFraction: number;
  readonly durationMs: number;
  readonly lengthM: number;
  /** Version of the metric that it was found on. */
  readonly metricVersion: number;
  /** The start or destination lies on a road that is closed at the moment: its length was counted at free flow. */
  readonly closedAtStart: boolean;
  readonly closedAtDestination: boolean;
  /** For people who look inside. */
  readonly debug: { readonly settled: number; readonly cellsTouched: number };
}

export type RouteOutcome =
  | { readonly status: 'ok'; readonly path: RoutePath }
  | {
      readonly status: 'no-route';
      /** `avoided`: there is a way, but not without what is to be avoided. `unreachable`: there is none at all. */
      readonly reason: 'no-snap' | 'unreachable' | 'avoided';
    };

/**
 * The cheapest way under the metric, exactly as plain Dijkstra finds it.
 * A closed edge is never entered; when the way begins or ends on one, that edge (or the part of it that is needed)
 * counts at free flow and the path says so. Throws `MetricMismatch` when the metric is of another tileset.
 */
export function findRoute(network: RoadNetwork, metric: Metric, query: RouteQuery): RouteOutcome {
  throw new Error('in the making');
}

/** Best first. At least the best route; the others share at most `overlapMax` of their time with those before. */
export function findAlternatives(
  network: RoadNetwork,
  metric: Metric,
  query: RouteQuery,
  options: { readonly count: number; readonly stretchMax?: number; readonly overlapMax?: number },
): { readonly status: 'ok'; readonly paths: RoutePath[] } | Extract<RouteOutcome, { status: 'no-route' }> {
  throw new Error('in the making');
}
