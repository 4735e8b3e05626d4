import { type AvoidMask, edgeFlag } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import { turnDs } from '../network/turn-cost.js';
import { CLOSED, freeFlowMs, type Metric } from '../overlay/metric.js';
import type { RouteEnd } from '../search/route-end.js';

/**
 * The oracle: milliseconds from one place to all edges by plain Dijkstra, without any of the optimizations
 * (no bound, no early end, no shared memory of labels, no shared code). `costTo` then gives the cheapest
 * path's cost.
 */
export function dijkstra(
  network: RoadNetwork,
  metric: Metric,
  from: readonly RouteEnd[],
  avoid: AvoidMask = 0,
  entersZonesOf: readonly RouteEnd[] = [],
): { costTo: (to: readonly RouteEnd[]) => number | undefined } {
  const { arrays } = network;
  const offset = modeIndex(metric.mode) * network.edgeCount;
  const zoneOf = (edge: number): number => arrays.zone[offset + edge];
  const mayEnter = new Set(entersZonesOf.map(({ edge }) => zoneOf(edge)));
  const { vehicle } = metric;
  const violated =
    vehicle === undefined
      ? []
      : network.meta.limits.filter(
          ({ most, hazmat }) =>
            (hazmat && vehicle.hazmat) ||
            vehicle.heightMm > (most.heightMm ?? Number.POSITIVE_INFINITY) ||
            vehicle.widthMm > (most.widthMm ?? Number.POSITIVE_INFINITY) ||
            vehicle.lengthMm > (most.lengthMm ?? Number.POSITIVE_INFINITY) ||
            vehicle.weightKg > (most.weightKg ?? Number.POSITIVE_INFINITY) ||
            vehicle.axleLoadKg > (most.axleLoadKg ?? Number.POSITIVE_INFINITY),
        );
  const never = new Set(violated.flatMap(({ atTail, edges }) => (atTail ? [] : edges)));
  const notEntered = new Set(violated.flatMap(({ edges }) => edges));
  const usable = (edge: number): boolean =>
    !never.has(edge) &&
    (arrays.flags[edge] & avoid) === 0 &&
    freeFlowMs(network, edge, metric.mode) !== CLOSED;
  const { topSpeedKph = Number.POSITIVE_INFINITY } = metric;
  const slowestMs = (edge: number): number =>
    (arrays.flags[edge] & edgeFlag.ferry) === 0 ? Math.round((36 * arrays.lengthCm[edge]) / topSpeedKph) : 0;
  const wholeMs = (edge: number): number =>
    metric.costMs[edge] === CLOSED
      ? Math.max(freeFlowMs(network, edge, metric.mode), slowestMs(edge))
      : metric.costMs[edge];

  const withHours = new Set(network.meta.hours.flatMap(({ edges }) => edges[modeIndex(metric.mode)]));
  const hasHours = (edge: number): boolean => withHours.has(edge);

  /** Milliseconds to the head. */
  const reached = new Float64Array(network.edgeCount).fill(Number.POSITIVE_INFINITY);
  /** Milliseconds to the tail, by edge (copies under their original), closed edges included. */
  const entered = new Float64Array(network.edgeCount).fill(Number.POSITIVE_INFINITY);
  const buckets: [ms: number, edge: number][] = [];
  const starts = from.filter(({ edge }) => usable(edge));
  for (const { edge, fraction } of starts) push(buckets, [Math.round(wholeMs(edge) * (1 - fraction)), edge]);
  for (let top = pop(buckets); top !== undefined; top = pop(buckets)) {
    const [ms, edge] = top;
    if (reached[edge] <= ms) continue;
    reached[edge] = ms;
    const node = arrays.head[edge];
    for (let next = arrays.firstOut[node]; next < arrays.firstOut[node + 1]; next++) {
      const turn = turnDs(network, metric.mode, edge, next);
      if (turn === undefined || !usable(next) || notEntered.has(next)) continue;
      if (zoneOf(next) !== 0 && zoneOf(next) !== zoneOf(edge) && !mayEnter.has(zoneOf(next))) continue;
      const atTail = ms + 100 * turn;
      const road = arrays.copyOf[next];
      if (metric.costMs[next] === CLOSED && hasHours(next)) continue;
      if (atTail < entered[road]) entered[road] = atTail;
      if (metric.costMs[next] !== CLOSED && atTail + metric.costMs[next] < reached[next])
        push(buckets, [atTail + metric.costMs[next], next]);
    }
  }
  const costTo = (to: readonly RouteEnd[]): number | undefined => {
    let best: number | undefined;
    const offer = (ms: number): void => {
      if (best === undefined || ms < best) best = ms;
    };
    for (const { edge, fraction } of to) {
      if (!usable(edge) || notEntered.has(edge) || (metric.costMs[edge] === CLOSED && hasHours(edge)))
        continue;
      for (const start of starts)
        if (start.edge === edge && fraction >= start.fraction)
          offer(Math.round(wholeMs(edge) * (fraction - start.fraction)));
      const atTail = entered[edge];
      if (atTail !== Number.POSITIVE_INFINITY) offer(atTail + Math.round(wholeMs(edge) * fraction));
    }
    return best;
  };
  return { costTo };
}

type Entry = [ms: number, edge: number];

function push(heap: Entry[], entry: Entry): void {
  let at = heap.push(entry) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent][0] <= entry[0]) break;
    heap[at] = heap[parent];
    at = parent;
  }
  heap[at] = entry;
}

function pop(heap: Entry[]): Entry | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return top;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1][0] < heap[child][0]) child++;
    if (heap[child][0] >= last[0]) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = last;
  return top;
}
