import type { BarredRoads } from '../network/barred-roads.js';
import { CellsMissing } from '../network/cells-missing.js';
import { endsOnlyBit } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import { CLOSED, type Metric } from '../overlay/metric.js';
import { nestedCells } from '../overlay/nested-cells.js';
import { EVERY_ZONE, type RoadRules, UNREACHED } from '../overlay/road-search.js';
import type { EndCell } from './end-cells.js';
import { assertCovered, betweenMs, type OpenEnd } from './route-ends.js';
import { workspaceOf } from './search-workspace.js';
import { borderPlaces, circleAround } from './straight-bound.js';
import { appendChain, unpackerOf } from './unpack.js';

export interface FoundPath {
  readonly edges: number[];
  readonly from: OpenEnd;
  readonly to: OpenEnd;
  readonly durationMs: number;
  readonly settled: number;
  /** Cells of level 0 that the search visited. */
  readonly cellsTouched: number;
}

export interface FoundPaths {
  readonly best: FoundPath;
  /**
   * Cheapest routes through other edges where the two sides met, cheapest first, each once; none beyond
   * `stretch` times the best, none that shares more than `overlapMax` of its time with the best. A route may
   * turn back on itself. To be read before the next search in this thread.
   */
  readonly others: (overlapMax: number) => Iterable<FoundPath>;
}

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
  let direct: (() => { edges: number[]; from: OpenEnd; to: OpenEnd }) | undefined;
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
  const touched = new Set<number>();
  for (const [group, { cell, roads }] of starts.entries()) {
    touched.add(cell);
    for (let at = firstExit[cell]; at < firstExit[cell + 1]; at++) {
      const ms = roads.label[boundaryEdge[exits[at]] - roads.firstEdge];
      if (ms !== UNREACHED) forward.improve(exits[at], ms, -1 - group, -1);
    }
  }
  for (const [group, { cell, roads }] of goals.entries()) {
    touched.add(cell);
    for (let at = firstEntry[cell]; at < firstEntry[cell + 1]; at++) {
      const { ms } = roads.fromEntry(boundaryEdge[entries[at]]);
      if (ms === UNREACHED || !backward.improve(entries[at], ms, -1 - group, -1)) continue;
      if (forward.has(entries[at])) meet(entries[at]);
    }
  }

  let settled = 0;
  const places = borderPlaces(network);
  const pace = metric.leastMsPerM;
  const {
    x: goalX,
    y: goalY,
    radiusM: goalRadius,
  } = circleAround(
    network,
    to.map(({ edge }) => arrays.tail[edge]),
  );
  const {
    x: startX,
    y: startY,
    radiusM: startRadius,
  } = circleAround(
    network,
    from.map(({ edge }) => arrays.head[edge]),
  );
  const missing = new Set<number>();
  if (crossing > 0) {
    const ends = [...touched];
    open.openFor(
      ends,
      openZone,
      goals.map(({ cell }) => cell),
      openZone === EVERY_ZONE ? avoid | endsOnlyBit(rules.mode) : avoid,
      opened ?? instead?.cells,
    );
  }
  for (;;) {
    const leastForward = forward.heap.leastKey();
    const leastBackward = backward.heap.leastKey();
    const bound = stretch * best;
    if (!(leastForward + leastBackward < bound) || settled > settledMax) break;
    if (leastForward <= leastBackward) {
      const edge = forward.take();
      if (edge < 0) continue;
      const dx = places[4 * edge] - goalX;
      const dy = places[4 * edge + 1] - goalY;
      if (leastForward + pace * (Math.sqrt(dx * dx + dy * dy) - goalRadius) >= bound) continue;
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
          const ms = through.label[boundaryEdge[exits[at]] - through.firstEdge];
          if (ms === UNREACHED || !forward.improve(exits[at], leastForward + ms, edge, -1)) continue;
          if (backward.has(exits[at])) meet(exits[at]);
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
        const ms = leastForward + weight;
        // An edge that the other side has not settled costs at least that side's least key; a settled one was
        // already connected to `edge`.
        if (ms + leastBackward >= bound) continue;
        if (forward.improve(next, ms, edge, level) && backward.has(next)) meet(next);
      }
    } else {
      const edge = backward.take();
      if (edge < 0) continue;
      const dx = places[4 * edge + 2] - startX;
      const dy = places[4 * edge + 3] - startY;
      if (leastBackward + pace * (Math.sqrt(dx * dx + dy * dy) - startRadius) >= bound) continue;
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
          const { ms } = through.fromEntry(boundaryEdge[entries[at]]);
          if (ms === UNREACHED || !backward.improve(entries[at], leastBackward + ms, edge, -1)) continue;
          if (forward.has(entries[at])) meet(entries[at]);
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
        const ms = leastBackward + weight;
        if (ms + leastForward >= bound) continue;
        if (backward.improve(before, ms, edge, level) && forward.has(before)) meet(before);
      }
    }
  }
  if (missing.size > 0) throw new CellsMissing([...missing]);
  const cellsTouched = touched.size;

  const pathThrough = (edge: number): FoundPath => {
    const unpacker = unpackerOf(network);
    const across = (arcFrom: number, arcTo: number, level: number, ms: number, out: number[]): void => {
      if (level < 0) unpacker.unpackOpened(rules, arcFrom, arcTo, out);
      else unpacker.unpack(metric, arcFrom, arcTo, level, ms, out);
    };
    const before = forward.chain(edge).reverse();
    const first = before.length === 0 ? edge : before[0].from;
    const startCell = starts[-1 - forward.parent(first)];
    const { edges, from: start } = fromStart(startCell, boundaryEdge[first] - startCell.roads.firstEdge);
    for (const arc of before) across(arc.from, arc.to, arc.level, arc.ms, edges);
    const after = backward.chain(edge);
    for (const arc of after) across(arc.to, arc.from, arc.level, arc.ms, edges);
    unpacker.finish();
    const last = after.length === 0 ? edge : after[after.length - 1].from;
    const goalCell = goals[-1 - backward.parent(last)];
    const { roads } = goalCell;
    let at = roads.fromEntry(boundaryEdge[last]).next;
    for (; at >= 0; at = roads.parent[at]) edges.push(roads.firstEdge + at);
    const goal = goalCell.ends[-1 - at];
    edges.push(goal.edge);
    const durationMs = forward.ms(edge) + backward.ms(edge);
    return { edges, from: start, to: goal, durationMs, settled, cellsTouched };
  };
  let bestPath: FoundPath;
  if (direct !== undefined) bestPath = { ...direct(), durationMs: best, settled, cellsTouched };
  else if (meeting >= 0) bestPath = pathThrough(meeting);
  else return undefined;
  return {
    best: bestPath,
    *others(overlapMax) {
      const onBest = new Set(bestPath.edges);
      const isOnBest = (edge: number): boolean => onBest.has(boundaryEdge[edge]);
      const total = (edge: number): number => forward.ms(edge) + backward.ms(edge);
      const through = [...new Set(meetings)].sort((a, b) => total(a) - total(b) || a - b);
      let last = best;
      for (const edge of through) {
        // Edges of one path have one total.
        if (total(edge) === last || total(edge) > stretch * best) continue;
        last = total(edge);
        // Both paths start on the same shortest-path tree, and end on one: the shared part is the label where
        // they separate.
        const shared = forward.labelAtFirst(edge, isOnBest) + backward.labelAtFirst(edge, isOnBest);
        if (shared > overlapMax * last) continue;
        yield pathThrough(edge);
      }
    },
  };
}

/**
 * From a start to an edge of its cell: `reached` is its place in the cell, or −1 − i for the start number i
 * itself.
 */
function fromStart({ roads, ends }: EndCell, reached: number): { edges: number[]; from: OpenEnd } {
  const edges: number[] = [];
  const from = ends[appendChain(roads, reached, edges)];
  return { edges: [from.edge, ...edges], from };
}
