import { CLOSED, type Metric } from '../metric.js';
import { FORBIDDEN_TURN } from '../network-arrays.js';
import { levelOffsets } from '../overlay/overlay-topology.js';
import { unpackArc } from '../overlay/unpack.js';
import type { RoadNetwork } from '../road-network.js';
import { modeIndex } from '../travel-mode.js';
import { MinHeap } from './min-heap.js';
import { OverlayLevels } from './overlay-levels.js';
import { betweenMs, firstPartMs, lastPartMs, type OpenEnd } from './route-ends.js';
import { SearchSide } from './search-side.js';

export interface FoundWay {
  readonly edges: number[];
  readonly from: OpenEnd;
  readonly to: OpenEnd;
  readonly durationMs: number;
  readonly settled: number;
  /** Cells of level 0 whose roads the search went through. */
  readonly cellsTouched: number;
}

export interface FoundWays {
  readonly best: FoundWay;
  /**
   * Cheapest ways through other edges where the two sides met, cheapest first, each once; none beyond `stretch` times the
   * best, none that shares more than `overlapMax` of its time with the best. A way may turn back on itself. To be read
   * before the next search in this thread.
   */
  readonly others: (overlapMax: number) => Iterable<FoundWay>;
}

/** Everything a query of one network needs in one thread. */
interface Desk {
  readonly forward: SearchSide;
  readonly backward: SearchSide;
  readonly levels: OverlayLevels;
}

const desks = new WeakMap<RoadNetwork, Desk>();

function deskOf(network: RoadNetwork): Desk {
  let desk = desks.get(network);
  if (desk === undefined) {
    desk = {
      forward: new SearchSide(network.edgeCount, new MinHeap()),
      backward: new SearchSide(network.edgeCount, new MinHeap()),
      levels: new OverlayLevels(network),
    };
    desks.set(network, desk);
  }
  return desk;
}

/**
 * Dijkstra from both sides over the overlay. A label is bound to an edge: forward, the milliseconds from the start to
 * the edge's head; backward, those from the edge's head to the destination. Both sides see the same arcs: from road to
 * road in open cells, from entry to exit in closed ones (`OverlayLevels`). It ends when the two least keys together
 * cannot undercut the best way found, or that way times `stretch`, when others are wanted too. `openZone` is the zone of ends-only roads that the destinations lie in, or 0.
 */
export function searchOverlay(
  network: RoadNetwork,
  metric: Metric,
  from: readonly OpenEnd[],
  to: readonly OpenEnd[],
  openZone: number,
  avoid: number,
  stretch = 1,
): FoundWays | undefined {
  const { arrays, edgeCount, nodeCount, cellCount } = network;
  const { firstOut, firstIn, inEdges, head, tail, inRank, turnTable, turnCostsDs, flags, zone } = arrays;
  const { cellOf, cellAncestor, firstEntry, entries, firstExit, exits, firstWeight, boundary } = arrays;
  const { entryRank, exitRank, speedKph } = arrays;
  const { costMs, weightsMs } = metric;
  const mode = modeIndex(metric.mode);
  const tables = mode * nodeCount;
  const modeRow = mode * edgeCount;
  const offsets = levelOffsets(network.meta.cellCounts);
  const crossing = network.levelCount > 1 ? entryRank.length / (network.levelCount - 1) : 0;
  const { forward, backward, levels } = deskOf(network);
  forward.begin();
  backward.begin();
  levels.openFor(from, to, openZone, avoid);

  let best = Number.POSITIVE_INFINITY;
  let meeting = -1;
  let direct: { from: OpenEnd; to: OpenEnd } | undefined;
  /** Edges that both sides labelled. */
  const meetings: number[] = [];
  const meet = (edge: number): void => {
    const total = forward.label[edge] + backward.label[edge];
    if (stretch > 1) meetings.push(edge);
    if (total >= best) return;
    best = total;
    meeting = edge;
    direct = undefined;
  };

  const startOf = new Map<number, OpenEnd>();
  for (const start of from) {
    for (const goal of to) {
      if (arrays.copyOf[goal.edge] !== arrays.copyOf[start.edge] || goal.fraction < start.fraction) continue;
      const ms = betweenMs(start, goal);
      if (ms >= best) continue;
      best = ms;
      direct = { from: start, to: goal };
    }
    if (forward.improve(start.edge, lastPartMs(start), -1, -1)) startOf.set(start.edge, start);
  }
  const mayTurn = (a: number, b: number, table: number): boolean => {
    if (turnCostsDs[table] === FORBIDDEN_TURN) return false;
    const into = zone[modeRow + b];
    return into === 0 || into === zone[modeRow + a] || into === openZone;
  };
  /** Labels every edge from which the way can turn onto `edge`, on which it then spends `ms` to the destination. */
  const turnBack = (edge: number, ms: number, parent: number): void => {
    const node = tail[edge];
    const degree = firstOut[node + 1] - firstOut[node];
    const column = turnTable[tables + node] + edge - firstOut[node];
    for (let i = firstIn[node]; i < firstIn[node + 1]; i++) {
      const before = inEdges[i];
      if (speedKph[modeRow + before] === 0 || (flags[before] & avoid) !== 0) continue;
      const table = column + inRank[before] * degree;
      if (!mayTurn(before, edge, table)) continue;
      if (!backward.improve(before, ms + 100 * turnCostsDs[table], parent, -1)) continue;
      if (forward.has(before)) meet(before);
    }
  };
  // A parent below -1 names a destination: −2 the first, −3 the second …
  for (const [i, goal] of to.entries()) turnBack(goal.edge, firstPartMs(goal), -2 - i);

  let settled = 0;
  let cellsTouched = 0;
  while (forward.heap.leastKey() + backward.heap.leastKey() < stretch * best) {
    if (forward.heap.leastKey() <= backward.heap.leastKey()) {
      const edge = forward.take();
      if (edge < 0) continue;
      settled++;
      const node = head[edge];
      const reached = forward.label[edge];
      const level = levels.levelOf(node);
      if (level < 0) {
        if (levels.touch(node)) cellsTouched++;
        const first = firstOut[node];
        const end = firstOut[node + 1];
        const row = turnTable[tables + node] + inRank[edge] * (end - first) - first;
        for (let next = first; next < end; next++) {
          const cost = costMs[next];
          if (cost === CLOSED || (flags[next] & avoid) !== 0 || !mayTurn(edge, next, row + next)) continue;
          if (!forward.improve(next, reached + 100 * turnCostsDs[row + next] + cost, edge, -1)) continue;
          if (backward.has(next)) meet(next);
        }
      } else {
        const cell =
          offsets[level] +
          (level === 0 ? cellOf[node] : cellAncestor[(level - 1) * cellCount + cellOf[node]]);
        const first = firstExit[cell];
        const end = firstExit[cell + 1];
        const row = firstWeight[cell] + entryRank[level * crossing + boundary[edge]] * (end - first) - first;
        for (let exit = first; exit < end; exit++) {
          const weight = weightsMs[row + exit];
          if (weight === CLOSED) continue;
          const next = exits[exit];
          if (forward.improve(next, reached + weight, edge, level) && backward.has(next)) meet(next);
        }
      }
    } else {
      const edge = backward.take();
      if (edge < 0) continue;
      settled++;
      // A way may begin on a closed edge, but not lead over it.
      if (costMs[edge] === CLOSED) continue;
      const node = tail[edge];
      const left = backward.label[edge];
      const level = levels.levelOf(node);
      if (level < 0) {
        if (levels.touch(node)) cellsTouched++;
        turnBack(edge, left + costMs[edge], edge);
      } else {
        const cell =
          offsets[level] +
          (level === 0 ? cellOf[node] : cellAncestor[(level - 1) * cellCount + cellOf[node]]);
        const width = firstExit[cell + 1] - firstExit[cell];
        let at = firstWeight[cell] + exitRank[level * crossing + boundary[edge]];
        for (let entry = firstEntry[cell]; entry < firstEntry[cell + 1]; entry++, at += width) {
          const weight = weightsMs[at];
          if (weight === CLOSED) continue;
          const before = entries[entry];
          if (backward.improve(before, left + weight, edge, level) && forward.has(before)) meet(before);
        }
      }
    }
  }

  const wayThrough = (edge: number): FoundWay => {
    const arcs = forward.chain(edge).reverse();
    const edges: number[] = [arcs.length === 0 ? edge : arcs[0].from];
    const start = startOf.get(edges[0])!;
    for (const arc of arcs) unpackArc(network, metric, arc.from, arc.to, arc.level, edges);
    const onward = backward.chain(edge);
    for (const arc of onward) unpackArc(network, metric, arc.to, arc.from, arc.level, edges);
    const goal = to[-2 - backward.parent[onward.length === 0 ? edge : onward[onward.length - 1].from]];
    edges.push(goal.edge);
    const durationMs = forward.label[edge] + backward.label[edge];
    return { edges, from: start, to: goal, durationMs, settled, cellsTouched };
  };
  if (direct !== undefined) {
    const way = { edges: [direct.to.edge], ...direct, durationMs: best, settled, cellsTouched };
    return { best: way, others: function* () {} };
  }
  if (meeting < 0) return undefined;
  const bestWay = wayThrough(meeting);
  return {
    best: bestWay,
    *others(overlapMax) {
      const onBest = new Set(bestWay.edges);
      const total = (edge: number): number => forward.label[edge] + backward.label[edge];
      const through = [...new Set(meetings)].sort((a, b) => total(a) - total(b) || a - b);
      let last = best;
      for (const edge of through) {
        // Edges of one way have one total.
        if (total(edge) === last || total(edge) > stretch * best) continue;
        last = total(edge);
        // Both ways begin on the same tree of cheapest ways, and end on one: what they share is the label where they part.
        const shared = forward.labelAtFirst(edge, onBest) + backward.labelAtFirst(edge, onBest);
        if (shared > overlapMax * last) continue;
        yield wayThrough(edge);
      }
    },
  };
}
