import type { RoutePath } from './find-route.js';
import { CLOSED, freeFlowMs, type Metric } from './metric.js';
import type { RoadNetwork } from './road-network.js';
import { turnDs } from './turn-cost.js';

/** Milliseconds of a path under a metric; its ends count at free flow where they are closed, as in `findRoute`. */
export function durationOf(network: RoadNetwork, metric: Metric, path: RoutePath): number {
  let total = 0;
  for (const { ms, turnMs } of edgeTimes(network, metric, path)) total += ms + turnMs;
  return total;
}

/** What each edge of a path takes, and the turn that leads onto it, in milliseconds. */
export function edgeTimes(
  network: RoadNetwork,
  metric: Metric,
  { edges, fromFraction, toFraction }: RoutePath,
): { readonly ms: number; readonly turnMs: number }[] {
  return Array.from(edges, (edge, i) => {
    const first = i === 0;
    const last = i === edges.length - 1;
    const whole = wholeMs(network, metric, edge);
    const share = (last ? toFraction : 1) - (first ? fromFraction : 0);
    return {
      ms: Math.round(whole * share),
      turnMs: first ? 0 : 100 * (turnDs(network, metric.mode, edges[i - 1], edge) ?? 0),
    };
  });
}

const wholeMs = (network: RoadNetwork, metric: Metric, edge: number): number =>
  metric.costMs[edge] === CLOSED ? freeFlowMs(network, edge, metric.mode) : metric.costMs[edge];

/** Milliseconds of a path on an empty road. */
export function freeFlowOf(network: RoadNetwork, mode: Metric['mode'], path: RoutePath): number {
  let total = 0;
  for (let i = 0; i < path.edges.length; i++) {
    const share = (i === path.edges.length - 1 ? path.toFraction : 1) - (i === 0 ? path.fromFraction : 0);
    total += Math.round(freeFlowMs(network, path.edges[i], mode) * share);
    if (i > 0) total += 100 * (turnDs(network, mode, path.edges[i - 1], path.edges[i]) ?? 0);
  }
  return total;
}
