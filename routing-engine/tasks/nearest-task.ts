import { type AvoidMask, avoidable } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import { type FoundStop, foundStop } from '../snap/found-stop.js';
import { nearestRoads } from '../snap/nearest-roads.js';
import type { AskedStop } from '../snap/stop-places.js';
import { segmentNodes } from './segment-nodes.js';

/** A query for the roads nearest to places, for a routing worker. Structured-cloneable, as `RouteTask`. */
export interface NearestTask {
  readonly metric: Metric;
  readonly stops: readonly AskedStop[];
  readonly avoid: AvoidMask;
  /** May a place be on a ferry? */
  readonly stopsOnFerries: boolean;
  /** Roads for each place, at most. */
  readonly count: number;
}

export interface NearRoad extends FoundStop {
  /** See `segmentNodes`. */
  readonly nodes: readonly [number, number];
}

export interface NearestOutcome {
  readonly metricVersion: number;
  /** By stop, nearest first; empty where no road is within reach. */
  readonly found: readonly (readonly NearRoad[])[];
}

export function answerNearestTask(network: RoadNetwork, task: NearestTask): NearestOutcome {
  const { metric, stops, avoid, stopsOnFerries, count } = task;
  const rules = { avoid, never: stopsOnFerries ? 0 : avoidable.ferries };
  return {
    metricVersion: metric.version,
    found: stops.map((stop) =>
      nearestRoads(network, metric, stop, rules, count).map((place) => ({
        ...foundStop(network, place),
        nodes: segmentNodes(network, place),
      })),
    ),
  };
}
