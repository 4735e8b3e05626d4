import { FORBIDDEN_TURN } from '#routing-engine/network/network-arrays.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { CLOSED, freeFlowMs, type Metric } from '#routing-engine/overlay/metric.js';

/** A part of a route that lies ahead. */
export interface RouteAhead {
  readonly edges: readonly number[];
  /** Position of the driver's present edge in `edges`. */
  readonly at: number;
  /** Of the present edge, and of the last one at which the route ends. */
  readonly fromFraction: number;
  readonly toFraction: number;
}

/**
 * Milliseconds that the rest of the route takes under the metric, counted as a search counts it: Infinity if
 * it enters a closed edge. The driver's own edge, if it was closed behind them, counts at free flow, and so
 * does the one of the destination.
 */
export function routeAheadMs(network: RoadNetwork, metric: Metric, route: RouteAhead): number {
  const { edges, at, fromFraction, toFraction } = route;
  const last = edges.length - 1;
  let ms = 0;
  for (let i = at; i <= last; i++) {
    const edge = edges[i]!;
    const cost = metric.costMs[edge]!;
    const isEnd = i === at || i === last;
    if (cost === CLOSED && !isEnd) return Number.POSITIVE_INFINITY;
    const whole = cost === CLOSED ? freeFlowMs(network, edge, metric.mode) : cost;
    const share = (i === last ? toFraction : 1) - (i === at ? fromFraction : 0);
    ms += whole * Math.max(0, share);
    if (i < last) ms += turnMs(network, edge, edges[i + 1]!);
  }
  return ms;
}

/** 0 for a turn that is only allowed from a copy of the edge: the route names originals. */
function turnMs({ arrays }: RoadNetwork, from: number, to: number): number {
  const { head, firstOut, turnTable, turnCostsDs, inRank } = arrays;
  const node = head[from]!;
  const first = firstOut[node]!;
  const outDegree = firstOut[node + 1]! - first;
  const rank = to - first;
  if (rank < 0 || rank >= outDegree) return 0;
  // Driving is the first mode of every per-mode table.
  const costDs = turnCostsDs[turnTable[node]! + inRank[from]! * outDegree + rank]!;
  return costDs === FORBIDDEN_TURN ? 0 : costDs * 100;
}
