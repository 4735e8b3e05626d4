import type { RoadNetwork } from '../network/road-network.js';
import { turnDs } from '../network/turn-cost.js';
import type { Metric } from '../overlay/metric.js';
import type { RoutePath } from './find-route.js';
import { roadMsAt } from './path-times.js';

/** Less of a road than this is no part of a route. */
export const NOTHING_M = 0.5;

export interface TrimmableEnds {
  readonly start: boolean;
  readonly goal: boolean;
}

/**
 * The path without a first or last edge of which nothing is travelled. A route that begins at a crossing
 * begins on the road that leaves it, also where the place was found on a road that ends there. The turn
 * between the two is not made.
 */
export function trimEnds(
  network: RoadNetwork,
  metric: Metric,
  path: RoutePath,
  { start, goal }: TrimmableEnds,
): RoutePath {
  const turnMs = (from: number, to: number): number => 100 * (turnDs(network, metric.mode, from, to) ?? 0);
  let trimmed = path;
  const { edges, fromFraction } = path;
  const restM = (1 - fromFraction) * network.edgeLengthM(edges[0]);
  if (start && edges.length > 1 && restM <= NOTHING_M)
    trimmed = {
      ...path,
      edges: edges.subarray(1),
      fromFraction: 0,
      closedAtStart: false,
      durationMs: path.durationMs - roadMsAt(network, metric, path, 0) - turnMs(edges[0], edges[1]),
      lengthM: path.lengthM - restM,
    };
  const last = trimmed.edges.length - 1;
  const [before, end] = trimmed.edges.subarray(last - 1);
  const doneM = trimmed.toFraction * network.edgeLengthM(trimmed.edges[last]);
  if (!goal || last < 1 || doneM > NOTHING_M) return trimmed;
  return {
    ...trimmed,
    edges: trimmed.edges.subarray(0, last),
    toFraction: 1,
    closedAtDestination: false,
    durationMs: trimmed.durationMs - roadMsAt(network, metric, trimmed, last) - turnMs(before, end),
    lengthM: trimmed.lengthM - doneM,
  };
}
