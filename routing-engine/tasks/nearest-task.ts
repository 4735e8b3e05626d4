import { type AvoidMask, avoidable } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import { nodesAround, type PathNodes } from '../route/path-nodes.js';
import { type FoundStop, foundStop } from '../snap/found-stop.js';
import { nearestRoads } from '../snap/nearest-roads.js';
import type { AskedStop } from '../snap/stop-places.js';

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
  /** The two between which the place lies, in the direction of its edge. */
  readonly nodes: PathNodes;
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
        nodes: nodesAround(network, place.edge, place.fraction),
      })),
    ),
  };
}
