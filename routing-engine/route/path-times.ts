import type { RoadNetwork } from '../network/road-network.js';
import { turnDs } from '../network/turn-cost.js';
import { CLOSED, freeFlowUnder, type Metric } from '../overlay/metric.js';
import type { RoutePath } from './find-route.js';

/**
 * Milliseconds of a path under a metric; its ends count at free flow where they are closed, as in
 * `findRoute`.
 */
export function durationOf(network: RoadNetwork, metric: Metric, path: RoutePath): number {
  let total = 0;
  for (let at = 0; at < path.edges.length; at++) total += msAt(network, metric, path, at);
  return total;
}

/** Milliseconds of one edge of a path, by its place there, with the turn that leads onto it. */
export function msAt(network: RoadNetwork, metric: Metric, path: RoutePath, at: number): number {
  const { edges } = path;
  const ms = roadMsAt(network, metric, path, at);
  return at === 0 ? ms : ms + 100 * (turnDs(network, metric.mode, edges[at - 1], edges[at]) ?? 0);
}

/** The same without the turn. */
export const roadMsAt = (network: RoadNetwork, metric: Metric, path: RoutePath, at: number): number =>
  Math.round(wholeMs(network, metric, path.edges[at]) * shareOf(path, at));

/** Which part of an edge of a path is travelled: less than 1 at the ends only. */
export const shareOf = ({ edges, fromFraction, toFraction }: RoutePath, at: number): number =>
  (at === edges.length - 1 ? toFraction : 1) - (at === 0 ? fromFraction : 0);

const wholeMs = (network: RoadNetwork, metric: Metric, edge: number): number =>
  metric.costMs[edge] === CLOSED ? freeFlowUnder(network, metric, edge) : metric.costMs[edge];

/** Milliseconds of a path on an empty road. */
export function freeFlowOf(
  network: RoadNetwork,
  metric: Pick<Metric, 'mode' | 'topSpeedKph'>,
  path: RoutePath,
): number {
  let total = 0;
  for (let i = 0; i < path.edges.length; i++) {
    total += Math.round(freeFlowUnder(network, metric, path.edges[i]) * shareOf(path, i));
    if (i > 0) total += 100 * (turnDs(network, metric.mode, path.edges[i - 1], path.edges[i]) ?? 0);
  }
  return total;
}
