import { edgesAtHours } from '../network/at-hours.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { customizeCells } from './customize.js';
import {
  assertSameTileset,
  CLOSED,
  copyCosts,
  freeFlowMetric,
  freeFlowMs,
  leastRatio,
  type Metric,
} from './metric.js';

/**
 * The metric at another hour: of the edges that are open at some hours only, those in `open` are open. What
 * was shut counts at free flow, or as the road that it is a copy of; what `isBlocked` stays closed. The given
 * metric itself if it is that already.
 */
export function applyHours(
  network: RoadNetwork,
  metric: Metric,
  open: ReadonlySet<number>,
  isBlocked: (edge: number) => boolean = () => false,
): Metric {
  assertSameTileset(network, metric);
  const { copyOf } = network.arrays;
  const changed = new Map<number, number>();
  const costOf = (edge: number): number => changed.get(edge) ?? metric.costMs[edge];
  const edges = edgesAtHours(network, metric.mode);
  // A copy of a road that has hours itself follows it.
  for (const isCopy of [false, true])
    for (const edge of edges) {
      if ((copyOf[edge] !== edge) !== isCopy) continue;
      const ms = open.has(edge) ? openMs(edge) : CLOSED;
      if (ms !== metric.costMs[edge]) changed.set(edge, ms);
    }
  if (changed.size === 0) return metric;
  const { costMs, covered } = copyCosts(network, metric);
  const cells = new Set<number>();
  for (const [edge, ms] of changed) {
    costMs[edge] = ms;
    cells.add(network.edgeCell(edge));
  }
  return {
    ...metric,
    costMs,
    covered,
    leastRatio: leastRatio(network, metric, costMs, changed.keys()),
    weightsMs: customizeCells(network, metric.mode, { costMs, covered }, metric.weightsMs, cells),
  };

  function openMs(edge: number): number {
    if (copyOf[edge] !== edge) return costOf(copyOf[edge]);
    if (metric.costMs[edge] !== CLOSED) return metric.costMs[edge];
    return isBlocked(edge) ? CLOSED : freeFlowMs(network, edge, metric.mode);
  }
}

/** Costs that no edge undercuts at free flow, whatever the hour. */
export function leastCostMs(network: RoadNetwork, mode: TravelMode): Int32Array {
  const { costMs } = freeFlowMetric(network, mode);
  const edges = edgesAtHours(network, mode);
  if (edges.size === 0) return costMs;
  const least = costMs.slice();
  for (const edge of edges) least[edge] = freeFlowMs(network, edge, mode);
  return least;
}
