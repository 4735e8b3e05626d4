import { CLOSED, type Metric } from '../metric.js';
import { FORBIDDEN_TURN } from '../network-arrays.js';
import { levelOffsets } from '../overlay/overlay-topology.js';
import type { RoadNetwork } from '../road-network.js';
import { modeIndex } from '../travel-mode.js';
import { MinHeap } from './min-heap.js';
import { OverlayLevels } from './overlay-levels.js';
import { betweenMs, firstPartMs, lastPartMs, type OpenEnd } from './route-ends.js';
import { SearchSide } from './search-side.js';

const desks = new WeakMap<RoadNetwork, { readonly side: SearchSide; readonly levels: OverlayLevels }>();

/**
 * Milliseconds from a start to each of many destinations, Infinity where there is no way: Dijkstra forward over the
 * overlay with the cells of all destinations open, until none can get better.
 */
export function searchOneToMany(
  network: RoadNetwork,
  metric: Metric,
  from: readonly OpenEnd[],
  destinations: readonly (readonly OpenEnd[])[],
  openZone: number,
  avoid: number,
): Float64Array {
  const { arrays, edgeCount, nodeCount, cellCount } = network;
  const { firstOut, head, inRank, turnTable, turnCostsDs, flags, zone, copyOf } = arrays;
  const { cellOf, cellAncestor, firstExit, exits, firstWeight, boundary, entryRank } = arrays;
  const { costMs, weightsMs } = metric;
  const tables = modeIndex(metric.mode) * nodeCount;
  const zones = modeIndex(metric.mode) * edgeCount;
  const offsets = levelOffsets(network.meta.cellCounts);
  const crossing = network.levelCount > 1 ? entryRank.length / (network.levelCount - 1) : 0;
  let desk = desks.get(network);
  if (desk === undefined) {
    desk = { side: new SearchSide(edgeCount, new MinHeap()), levels: new OverlayLevels(network) };
    desks.set(network, desk);
  }
  const { side, levels } = desk;
  side.begin();
  levels.openFor(from, destinations.flat(), openZone, avoid);

  const best = new Float64Array(destinations.length).fill(Number.POSITIVE_INFINITY);
  /** Destinations on an edge. */
  const goals = new Map<number, { readonly to: number; readonly end: OpenEnd }[]>();
  for (const [to, ends] of destinations.entries())
    for (const end of ends) {
      const list = goals.get(end.edge);
      if (list === undefined) goals.set(end.edge, [{ to, end }]);
      else list.push({ to, end });
      for (const start of from)
        if (copyOf[start.edge] === copyOf[end.edge] && end.fraction >= start.fraction)
          best[to] = Math.min(best[to], betweenMs(start, end));
    }
  for (const start of from) side.improve(start.edge, lastPartMs(start), -1, -1);

  /** No destination can get better than this from here on. */
  let worst = Number.POSITIVE_INFINITY;
  const worstOf = (): number => best.reduce((most, ms) => Math.max(most, ms), 0);
  while (side.heap.size > 0 && side.heap.leastKey() < worst) {
    const edge = side.take();
    if (edge < 0) continue;
    const node = head[edge];
    const reached = side.label[edge];
    const level = levels.levelOf(node);
    if (level >= 0) {
      const finest = cellOf[node];
      const cell = offsets[level] + (level === 0 ? finest : cellAncestor[(level - 1) * cellCount + finest]);
      const first = firstExit[cell];
      const end = firstExit[cell + 1];
      const row = firstWeight[cell] + entryRank[level * crossing + boundary[edge]] * (end - first) - first;
      for (let exit = first; exit < end; exit++)
        if (weightsMs[row + exit] !== CLOSED)
          side.improve(exits[exit], reached + weightsMs[row + exit], edge, level);
      continue;
    }
    const first = firstOut[node];
    const end = firstOut[node + 1];
    const row = turnTable[tables + node] + inRank[edge] * (end - first) - first;
    for (let next = first; next < end; next++) {
      const turn = turnCostsDs[row + next];
      if (turn === FORBIDDEN_TURN || (flags[next] & avoid) !== 0) continue;
      const into = zone[zones + next];
      if (into !== 0 && into !== zone[zones + edge] && into !== openZone) continue;
      const entered = reached + 100 * turn;
      for (const goal of goals.get(next) ?? []) {
        const total = entered + firstPartMs(goal.end);
        if (total >= best[goal.to]) continue;
        best[goal.to] = total;
        worst = worstOf();
      }
      if (costMs[next] !== CLOSED) side.improve(next, entered + costMs[next], edge, -1);
    }
  }
  return best;
}
