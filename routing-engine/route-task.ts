import type { LatLng } from '#schemas/units.js';
import type { AvoidMask } from './edge-flags.js';
import type { RoutePath } from './find-route.js';
import type { RouteStep } from './guide.js';
import type { Metric } from './metric.js';
import type { RoadNetwork } from './road-network.js';
import type { Snap } from './snap.js';

/** A place, or a position on the network as a driver has one. */
export type TaskEnd =
  | { readonly point: LatLng; readonly headingDeg?: number }
  | { readonly edge: number; readonly fraction: number };

/** One question to a routing worker. Structured-cloneable; the metric's memory is shared, not copied. */
export interface RouteTask {
  readonly metric: Metric;
  readonly from: TaskEnd;
  readonly to: TaskEnd;
  readonly avoid: AvoidMask;
  /** Routes beside the best one, at most. */
  readonly alternatives: number;
  /** A language code: steps are made. Absent: none. */
  readonly language?: string;
  /** Default 1,000 m. */
  readonly snapMaxMeters?: number;
}

export interface FoundRoute {
  readonly path: RoutePath;
  /** Free-flow milliseconds of the same way. */
  readonly freeFlowMs: number;
  /** Edges whose cost differs from free flow. */
  readonly liveEdges: number;
  /** Stable ids of the path's edges. */
  readonly edgeIds: readonly string[];
  /** [lng, lat, …] in degrees. */
  readonly lngLat: Float64Array;
  /** Name of the road that most of the way is on; may be empty. */
  readonly summary: string;
  /** Empty unless a language was given. */
  readonly steps: readonly RouteStep[];
}

export type RouteTaskOutcome =
  | {
      readonly status: 'ok';
      readonly metricVersion: number;
      readonly origin: Snap;
      readonly destination: Snap;
      /** Best first, never empty. */
      readonly routes: readonly FoundRoute[];
    }
  | {
      readonly status: 'no-route';
      readonly metricVersion: number;
      readonly reason: 'unreachable' | 'avoided';
      readonly origin: Snap;
      readonly destination: Snap;
    }
  | {
      readonly status: 'no-snap';
      readonly metricVersion: number;
      readonly missing: 'origin' | 'destination';
    };

/** Snaps, searches, and describes: everything between a request and its answer that is computation. */
export function answerRouteTask(network: RoadNetwork, task: RouteTask): RouteTaskOutcome {
  throw new Error('in the making');
}
