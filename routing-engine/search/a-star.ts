import { CLOSED, flatScale, type Metric } from '../metric.js';
import { FORBIDDEN_TURN } from '../network-arrays.js';
import type { RoadNetwork } from '../road-network.js';
import { modeIndex } from '../travel-mode.js';
import { betweenMs, firstPartMs, lastPartMs, type OpenEnd, openZones } from './route-ends.js';
import { takeWorkspace } from './workspace.js';

export interface FoundWay {
  readonly edges: number[];
  readonly from: OpenEnd;
  readonly to: OpenEnd;
  readonly durationMs: number;
  readonly settled: number;
  readonly cellsTouched: number;
}

/**
 * A* over directed edges. Labels are milliseconds to the head of an edge; the bound for what is left is the straight
 * line to the nearest destination times the least pace of the metric, which no road undercuts (`Metric.leastMsPerM`).
 */
export function searchAStar(
  network: RoadNetwork,
  metric: Metric,
  from: readonly OpenEnd[],
  to: readonly OpenEnd[],
  avoid: number,
): FoundWay | undefined {
  const { arrays, edgeCount, nodeCount } = network;
  const { firstOut, head, tail, inRank, turnTable, turnCostsDs, flags, zone, nodeLngE7, nodeLatE7 } = arrays;
  const { costMs, leastMsPerM } = metric;
  const mode = modeIndex(metric.mode);
  const tableOffset = mode * nodeCount;
  const zoneOffset = mode * edgeCount;
  const zones = openZones(network, metric, to);
  const { heap, label, parent, stamp, settled, cellOf, cellStamp, round } = ((workspace) => ({
    ...workspace,
    round: workspace.round,
  }))(takeWorkspace(network));

  const flat = flatScale(network);
  const scaleX = flat.x * leastMsPerM;
  const scaleY = flat.y * leastMsPerM;
  const goals = to.length;
  const goalX = Float64Array.from(to, ({ edge }) => nodeLngE7[tail[edge]]);
  const goalY = Float64Array.from(to, ({ edge }) => nodeLatE7[tail[edge]]);
  const bound = (node: number): number => {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < goals; i++) {
      const dx = (nodeLngE7[node] - goalX[i]) * scaleX;
      const dy = (nodeLatE7[node] - goalY[i]) * scaleY;
      const square = dx * dx + dy * dy;
      if (square < least) least = square;
    }
    return Math.sqrt(least);
  };

  let best = Number.POSITIVE_INFINITY;
  let bestParent = -1;
  let bestFrom: OpenEnd | undefined;
  let bestTo: OpenEnd | undefined;
  const startOf = new Map<number, OpenEnd>();
  for (const start of from) {
    for (const goal of to)
      if (arrays.copyOf[goal.edge] === arrays.copyOf[start.edge] && goal.fraction >= start.fraction) {
        const ms = betweenMs(start, goal);
        if (ms >= best) continue;
        best = ms;
        bestParent = -1;
        bestFrom = start;
        bestTo = goal;
      }
    const ms = lastPartMs(start);
    if (stamp[start.edge] === round && label[start.edge] <= ms) continue;
    stamp[start.edge] = round;
    label[start.edge] = ms;
    parent[start.edge] = -1;
    startOf.set(start.edge, start);
    heap.push(ms + bound(head[start.edge]), start.edge);
  }
  const goalsOf = new Map<number, OpenEnd[]>();
  for (const goal of to) goalsOf.set(goal.edge, [...(goalsOf.get(goal.edge) ?? []), goal]);

  let settledCount = 0;
  let cells = 0;
  while (heap.leastKey() < best) {
    const edge = heap.pop();
    if (settled[edge] === round) continue;
    settled[edge] = round;
    settledCount++;
    const node = head[edge];
    const cell = cellOf[node];
    if (cellStamp[cell] !== round) {
      cellStamp[cell] = round;
      cells++;
    }
    const first = firstOut[node];
    const end = firstOut[node + 1];
    const table = turnTable[tableOffset + node] + inRank[edge] * (end - first);
    const reached = label[edge];
    const ownZone = zone[zoneOffset + edge];
    for (let next = first; next < end; next++) {
      const turn = turnCostsDs[table + next - first];
      if (turn === FORBIDDEN_TURN || (flags[next] & avoid) !== 0) continue;
      const nextZone = zone[zoneOffset + next];
      if (nextZone !== 0 && nextZone !== ownZone && !zones.has(nextZone)) continue;
      const entered = reached + 100 * turn;
      const goalsHere = goalsOf.get(next);
      if (goalsHere !== undefined)
        for (const goal of goalsHere) {
          const total = entered + firstPartMs(goal);
          if (total >= best) continue;
          best = total;
          bestParent = edge;
          bestFrom = undefined;
          bestTo = goal;
        }
      if (costMs[next] === CLOSED || settled[next] === round) continue;
      const ms = entered + costMs[next];
      if (stamp[next] === round && label[next] <= ms) continue;
      stamp[next] = round;
      label[next] = ms;
      parent[next] = edge;
      heap.push(ms + bound(head[next]), next);
    }
  }
  if (bestTo === undefined) return undefined;
  const edges = [bestTo.edge];
  for (let edge = bestParent; edge >= 0; edge = parent[edge]) edges.push(edge);
  edges.reverse();
  return {
    edges,
    from: bestFrom ?? startOf.get(edges[0])!,
    to: bestTo,
    durationMs: best,
    settled: settledCount,
    cellsTouched: cells,
  };
}
