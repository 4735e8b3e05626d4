import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import { CLOSED, type Metric } from '../overlay/metric.js';
import { nestedCells } from '../overlay/nested-cells.js';
import { type RoadRules, UNREACHED } from '../overlay/road-search.js';
import { betweenMs, type OpenEnd } from './route-ends.js';
import { workspaceOf } from './search-workspace.js';

/**
 * Milliseconds from a start to each of many destinations, Infinity if there is no path: Dijkstra forward over
 * the overlay, with the cells above all destinations open, until none can improve.
 */
export function searchOneToMany(
  network: RoadNetwork,
  metric: Metric,
  from: readonly OpenEnd[],
  destinations: readonly (readonly OpenEnd[])[],
  openZone: number,
  avoid: number,
): Float64Array {
  const { arrays, cellCount } = network;
  const { cellAncestor, firstEntry, entries, firstExit, exits, firstWeight, entryRank, copyOf } = arrays;
  const { boundaryEdge, boundaryHeadCell } = arrays;
  const { costMs, covered, weightsMs } = metric;
  const rules: RoadRules = { costMs, covered, mode: modeIndex(metric.mode), avoid, openZone };
  const { offsets } = nestedCells(network);
  const crossing = boundaryEdge.length;
  const { forward: labels, open, through, ...workspace } = workspaceOf(network);

  const best = new Float64Array(destinations.length).fill(Number.POSITIVE_INFINITY);
  const ends = new Set<number>();
  /** The remaining milliseconds from the head of an edge that enters a destination's cell, by destination. */
  const arrivals = new Map<number, { readonly to: number; readonly ms: number }[]>();
  const starts = workspace.starts.fromStarts(from, rules);
  for (const { cell } of starts) ends.add(cell);
  const goalCells = new Set<number>();
  for (const [to, goals] of destinations.entries()) {
    for (const goal of goals)
      for (const start of from)
        if (copyOf[start.edge] === copyOf[goal.edge] && goal.fraction >= start.fraction)
          best[to] = Math.min(best[to], betweenMs(start, goal));
    for (const there of workspace.goals.toGoals(goals, rules)) {
      goalCells.add(there.cell);
      for (const start of starts)
        if (start.cell === there.cell)
          for (const [i, goal] of there.ends.entries()) {
            const { ms } = start.roads.toTailOf(goal.edge);
            if (ms !== UNREACHED) best[to] = Math.min(best[to], ms + there.ms[i]);
          }
      for (let at = firstEntry[there.cell] ?? 0; crossing > 0 && at < firstEntry[there.cell + 1]; at++) {
        const { ms } = there.roads.fromEntry(boundaryEdge[entries[at]]);
        if (ms === UNREACHED) continue;
        const list = arrivals.get(entries[at]);
        if (list === undefined) arrivals.set(entries[at], [{ to, ms }]);
        else list.push({ to, ms });
      }
    }
  }
  if (crossing === 0) return best;

  labels.begin();
  open.openFor([...ends, ...goalCells], openZone, goalCells, avoid);
  for (const { cell, roads } of starts)
    for (let at = firstExit[cell]; at < firstExit[cell + 1]; at++) {
      const ms = roads.label[boundaryEdge[exits[at]] - roads.firstEdge];
      if (ms !== UNREACHED) labels.improve(exits[at], ms, -1, -1);
    }
  /** From here on, no destination can improve below this. */
  const worstOf = (): number => best.reduce((most, ms) => Math.max(most, ms), 0);
  let worst = worstOf();
  while (labels.heap.leastKey() < worst) {
    const reached = labels.heap.leastKey();
    const edge = labels.take();
    if (edge < 0) continue;
    for (const { to, ms } of arrivals.get(edge) ?? []) {
      if (reached + ms >= best[to]) continue;
      best[to] = reached + ms;
      worst = worstOf();
    }
    const finest = boundaryHeadCell[edge];
    const level = open.levelOf(finest);
    if (level < 0) {
      through.forward(finest, [boundaryEdge[edge]], [0], rules);
      for (let at = firstExit[finest]; at < firstExit[finest + 1]; at++) {
        const ms = through.label[boundaryEdge[exits[at]] - through.firstEdge];
        if (ms !== UNREACHED) labels.improve(exits[at], reached + ms, edge, -1);
      }
      continue;
    }
    const cell = offsets[level] + (level === 0 ? finest : cellAncestor[(level - 1) * cellCount + finest]);
    const first = firstExit[cell];
    const end = firstExit[cell + 1];
    const row = firstWeight[cell] + entryRank[level * crossing + edge] * (end - first) - first;
    for (let at = first; at < end; at++)
      if (weightsMs[row + at] !== CLOSED)
        labels.improve(exits[at], reached + weightsMs[row + at], edge, level);
  }
  return best;
}
