import type { Metric } from '../metric.js';
import type { RoadNetwork } from '../road-network.js';
import { modeIndex } from '../travel-mode.js';
import { cellSearch } from './cell-search.js';

/**
 * Appends the edges behind an arc, without its first edge: a step over roads is the edge itself; a step across a cell is
 * searched again inside that cell, level by level down to roads.
 */
export function unpackArc(
  network: RoadNetwork,
  metric: Metric,
  from: number,
  to: number,
  level: number,
  out: number[],
): void {
  if (level < 0) {
    out.push(to);
    return;
  }
  const { head, cellOf, cellAncestor } = network.arrays;
  const search = cellSearch(network);
  const finest = cellOf[head[from]];
  if (level === 0) search.overRoads(finest, from, metric.costMs, modeIndex(metric.mode), to);
  else {
    const cell = cellAncestor[(level - 1) * network.cellCount + finest];
    search.overCliques(level, cell, from, metric.weightsMs, to);
  }
  const chain = [to];
  for (let edge = search.parent[to]; edge !== from; edge = search.parent[edge]) chain.push(edge);
  chain.reverse();
  let last = from;
  for (const next of chain) {
    if (level === 0) out.push(next);
    else unpackArc(network, metric, last, next, level - 1, out);
    last = next;
  }
}
