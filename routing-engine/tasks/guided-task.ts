import { E7, type LatLng } from '#schemas/units.js';
import { metersPerDegree, metersPerLngDegree } from '../network/earth.js';
import type { RoadNetwork } from '../network/road-network.js';
import { turnDs } from '../network/turn-cost.js';
import type { Metric } from '../overlay/metric.js';
import { Projection, projectInto } from '../snap/project.js';
import { measuredPath } from './driven-legs.js';
import { describeRoute, type FoundRoute } from './route-task.js';

/** A route that is known by its roads, to be described for a driver. Structured-cloneable. */
export interface GuidedTask {
  readonly metric: Metric;
  /** Directed edges in order; never empty. */
  readonly edges: readonly number[];
  /** Where the route begins on the first edge and ends on the last; the nearest place of it counts. */
  readonly from: LatLng;
  readonly to: LatLng;
  readonly language: string;
}

export type GuidedOutcome = {
  readonly metricVersion: number;
  readonly drivingSide: 'left' | 'right';
} & (
  | { readonly status: 'ok'; readonly route: FoundRoute }
  /** Nobody may go from the edge before index `at` to the edge there. */
  | { readonly status: 'broken'; readonly at: number }
);

/** The steps of a route that was found before; nothing is searched. */
export function answerGuidedTask(network: RoadNetwork, task: GuidedTask): GuidedOutcome {
  const { metric, edges, from, to } = task;
  const version = { metricVersion: metric.version, drivingSide: network.meta.drivingSide };
  for (let at = 1; at < edges.length; at++)
    if (turnDs(network, metric.mode, edges[at - 1], edges[at]) === undefined)
      return { status: 'broken', at, ...version };
  const fromFraction = fractionAt(network, edges[0], from);
  const toFraction = fractionAt(network, edges[edges.length - 1], to);
  const path = measuredPath(network, metric, {
    edges: Uint32Array.from(edges),
    fromFraction,
    toFraction: edges.length === 1 ? Math.max(fromFraction, toFraction) : toFraction,
  });
  const end = edges[edges.length - 1];
  const goal = { edge: end, fraction: toFraction, side: 'on', point: to, distanceM: 0 } as const;
  return { status: 'ok', route: describeRoute(network, task, path, [goal]), ...version };
}

function fractionAt(network: RoadNetwork, edge: number, { lat, lng }: LatLng): number {
  const place = new Projection();
  const perLng = metersPerLngDegree(lat) / E7;
  projectInto(place, network, edge, Math.round(lng * E7), Math.round(lat * E7), perLng, metersPerDegree / E7);
  return place.fraction;
}
