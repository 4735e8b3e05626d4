import type { BarredRoads } from '../network/barred-roads.js';
import { CellsMissing } from '../network/cells-missing.js';
import { endsOnlyBit } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import { CLOSED, type Metric } from '../overlay/metric.js';
import { nestedCells } from '../overlay/nested-cells.js';
import { KEY_MAX } from '../overlay/packed-heap.js';
import { EVERY_ZONE, type RoadRules, UNREACHED } from '../overlay/road-search.js';
import { entriesOfGoals, exitsOfStarts } from './end-cells.js';
import {
  type DirectPath,
  type FoundPath,
  type FoundPaths,
  fromStart,
  otherPaths,
  pathThrough,
} from './found-paths.js';
import { potentials } from './potential.js';
import { assertCovered, betweenMs, type OpenEnd } from './route-ends.js';
import { workspaceOf } from './search-workspace.js';

export interface SearchOptions {
  /** Routes up to this many times the best one are wanted, see `FoundPaths.others`. Default 1: none. */
  readonly stretch?: number;
  /** Edges to visit at most; the route found until then may not be the best. */
  readonly settledMax?: number;
  /** Costs that differ from the metric's in these cells of level 0 only, and are searched by in its place. */
  readonly instead?: { readonly costMs: Int32Array; readonly cells: ReadonlySet<number> };
}

export interface OverlayOptions extends SearchOptions {
  /** Roads that are left out in cells that are searched in detail. */
  readonly barred?: BarredRoads;
  /** Cells of level 0 to be searched in detail: by default those of `instead`, and always with them. */
  readonly opened?: Iterable<number>;
}

/**
 * Dijkstra from both sides over the overlay, after searches over the roads of the cells in which the route
 * begins and ends. A label belongs to an edge that crosses a border: forward, the milliseconds from the start
 * to the edge's head; backward, those from the edge's head to the destination. Both sides see the same arcs,
 * from entry to exit of a cell; those of an open cell are searched (`OpenCells`). An edge is not followed if
 * even a straight road at the highest speed would not lead to a better route (the bound of A*). The search
 * ends when the sum of the two least keys is not below the best route found, or that route times `stretch`,
 * when others are wanted too. `openZone` is the zone of ends-only roads of the destinations, or 0; for
 * `EVERY_ZONE`, `durationMs` has the price of entering zones.
 */
export function searchOverlay(
  network: RoadNetwork,
  metric: Metric,
  from: readonly OpenEnd[],
  to: readonly OpenEnd[],
  openZone: number,
  avoid: number,
  { stretch = 1, instead, settledMax = Number.POSITIVE_INFINITY, barred, opened }: OverlayOptions,
): FoundPaths | undefined {
  const { arrays, cellCount } = network;
  const { cellAncestor, firstEntry, entries, firstExit, exits, firstWeight, entryRank, exitRank } = arrays;
  const { boundaryEdge, boundaryHeadCell, boundaryTailCell } = arrays;
  const { covered, weightsMs } = metric;
  const costMs = instead?.costMs ?? metric.costMs;
  const rules: RoadRules = { costMs, covered, mode: modeIndex(metric.mode), avoid, openZone, barred };
  const { offsets } = nestedCells(network);
  const crossing = boundaryEdge.length;
  const { forward, backward, open, through, ...workspace } = workspaceOf(network);
  forward.begin();
  backward.begin();

  let best = Number.POSITIVE_INFINITY;
  let meeting = -1;
  let direct: (() => DirectPath) | undefined;
  for (const start of from)
    for (const goal of to) {
      if (arrays.copyOf[goal.edge] !== arrays.copyOf[start.edge] || goal.fraction < start.fraction) continue;
      const ms = betweenMs(start, goal);
      if (ms >= best) continue;
      best = ms;
      direct = () => ({ edges: [goal.edge], from: start, to: goal });
    }
  assertCovered(network, covered, from, to);
  const starts = workspace.starts.fromStarts(from, rules);
  const goals = workspace.goals.toGoals(to, rules);
  for (const start of starts)
    for (const goal of goals) {
      if (goal.cell !== start.cell) continue;
      for (const [i, end] of goal.ends.entries()) {
        const { ms, before } = start.roads.toTailOf(end.edge);
        if (ms + goal.ms[i] >= best || ms === UNREACHED) continue;
        best = ms + goal.ms[i];
        direct = () => {
          const path = fromStart(start, before);
          return { edges: [...path.edges, end.edge], from: path.from, to: end };
        };
      }
    }

  /** Edges that both sides labelled. */
  const meetings: number[] = [];
  const meet = (edge: number): void => {
    const total = forward.ms(edge) + backward.ms(edge);
    if (stretch > 1) meetings.push(edge);
    if (total >= best) return;
    best = total;
    meeting = edge;
    direct = undefined;
  };
  const outs = exitsOfStarts(network, starts);
  const ins = entriesOfGoals(network, goals);
  const { ahead, behind } = potentials(network, metric);
  // With other routes wanted, both sides see everything that is near enough.
  const isDirected = stretch === 1 && metric.leastRatio > 0;
  for (const { edge, ms } of ins) ahead.addEnd(edge, ms);
  for (const { edge, ms } of outs) behind.addEnd(edge, ms);
  if (outs.length > 0 && ins.length > 0) {
    ahead.useBestAt(outs[0].edge);
    behind.useBestAt(ins[0].edge);
  }
  for (const { edge, ms, group } of outs)
    if (forward.isBetter(edge, ms))
      forward.set(edge, ms, -1 - group, -1, isDirected ? ms + ahead.of(edge) : ms);
  for (const { edge, ms, group } of ins) {
    if (!backward.isBetter(edge, ms)) continue;
    backward.set(edge, ms, -1 - group, -1, isDirected ? ms + behind.of(edge) : ms);
    if (forward.has(edge)) meet(edge);
  }

  let settled = 0;
  const touched = new Set([...starts, ...goals].map(({ cell }) => cell));
  const missing = new Set<number>();
  if (crossing > 0)
    open.openFor(
      [...touched],
      openZone,
      goals.map(({ cell }) => cell),
      openZone === EVERY_ZONE ? avoid | endsOnlyBit(rules.mode) : avoid,
      opened ?? instead?.cells,
    );
  while (forward.heap.size > 0 && backward.heap.size > 0 && settled <= settledMax) {
    const leastForward = forward.heap.leastKey();
    const leastBackward = backward.heap.leastKey();
    const bound = Math.min(KEY_MAX, stretch * best);
    if (isDirected ? Math.max(leastForward, leastBackward) >= bound : leastForward + leastBackward >= bound)
      break;
    if (isDirected ? forward.heap.size <= backward.heap.size : leastForward <= leastBackward) {
      const edge = forward.take();
      if (edge < 0) continue;
      const own = forward.ms(edge);
      if (isDirected) {
        // What the other side has settled it has connected, and what it has not costs at least so much.
        if (backward.isSettled(edge) || own + leastBackward - behind.of(edge) >= bound) continue;
      } else if (own + ahead.of(edge) >= bound) continue;
      settled++;
      const finest = boundaryHeadCell[edge];
      const level = open.levelOf(finest);
      if (level < 0) {
        touched.add(finest);
        if (covered[finest] === 0) {
          missing.add(finest);
          continue;
        }
        through.forward(finest, [boundaryEdge[edge]], [0], rules);
        for (let at = firstExit[finest]; at < firstExit[finest + 1]; at++) {
          const next = exits[at];
          const beyond = through.label[boundaryEdge[next] - through.firstEdge];
          if (beyond === UNREACHED || !forward.isBetter(next, own + beyond)) continue;
          const key = isDirected ? own + beyond + ahead.of(next) : own + beyond;
          if (key >= bound) continue;
          forward.set(next, own + beyond, edge, level, key);
          if (backward.has(next)) meet(next);
        }
        continue;
      }
      const cell = offsets[level] + (level === 0 ? finest : cellAncestor[(level - 1) * cellCount + finest]);
      const first = firstExit[cell];
      const end = firstExit[cell + 1];
      const row = firstWeight[cell] + entryRank[level * crossing + edge] * (end - first) - first;
      for (let at = first; at < end; at++) {
        const weight = weightsMs[row + at];
        if (weight === CLOSED) continue;
        const next = exits[at];
        const ms = own + weight;
        if (!forward.isBetter(next, ms)) continue;
        const key = isDirected ? ms + ahead.of(next) : ms;
        // An edge that the other side has not settled costs at least that side's least key.
        if ((isDirected ? key : ms + leastBackward) >= bound) continue;
        forward.set(next, ms, edge, level, key);
        if (backward.has(next)) meet(next);
      }
    } else {
      const edge = backward.take();
      if (edge < 0) continue;
      const own = backward.ms(edge);
      if (isDirected) {
        if (forward.isSettled(edge) || own + leastForward - ahead.of(edge) >= bound) continue;
      } else if (own + behind.of(edge) >= bound) continue;
      settled++;
      const finest = boundaryTailCell[edge];
      const level = open.levelOf(finest);
      if (level < 0) {
        if (costMs[boundaryEdge[edge]] === CLOSED || barred?.has(boundaryEdge[edge]) === true) continue;
        touched.add(finest);
        if (covered[finest] === 0) {
          missing.add(finest);
          continue;
        }
        through.backward(finest, [boundaryEdge[edge]], [costMs[boundaryEdge[edge]]], rules);
        for (let at = firstEntry[finest]; at < firstEntry[finest + 1]; at++) {
          const before = entries[at];
          const { ms } = through.fromEntry(boundaryEdge[before]);
          if (ms === UNREACHED || !backward.isBetter(before, own + ms)) continue;
          const key = isDirected ? own + ms + behind.of(before) : own + ms;
          if (key >= bound) continue;
          backward.set(before, own + ms, edge, level, key);
          if (forward.has(before)) meet(before);
        }
        continue;
      }
      const cell = offsets[level] + (level === 0 ? finest : cellAncestor[(level - 1) * cellCount + finest]);
      const width = firstExit[cell + 1] - firstExit[cell];
      const end = firstEntry[cell + 1];
      let weightAt = firstWeight[cell] + exitRank[level * crossing + edge];
      for (let at = firstEntry[cell]; at < end; at++, weightAt += width) {
        const weight = weightsMs[weightAt];
        if (weight === CLOSED) continue;
        const before = entries[at];
        const ms = own + weight;
        if (!backward.isBetter(before, ms)) continue;
        const key = isDirected ? ms + behind.of(before) : ms;
        if ((isDirected ? key : ms + leastForward) >= bound) continue;
        backward.set(before, ms, edge, level, key);
        if (forward.has(before)) meet(before);
      }
    }
  }
  if (missing.size > 0) throw new CellsMissing([...missing]);
  const cellsTouched = touched.size;
  const sides = { network, metric, rules, forward, backward, starts, goals, settled, cellsTouched };
  let bestPath: FoundPath;
  if (direct !== undefined) bestPath = { ...direct(), durationMs: best, settled, cellsTouched };
  else if (meeting >= 0) bestPath = pathThrough(sides, meeting);
  else return undefined;
  return {
    best: bestPath,
    others: (overlapMax) => otherPaths(sides, bestPath, meetings, stretch, overlapMax),
  };
}
