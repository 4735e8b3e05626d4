import { CLOSED, freeFlowMs } from './metric.js';
import type { RoadNetwork } from './road-network.js';
import { MinHeap } from './search/min-heap.js';
import type { TravelMode } from './travel-mode.js';
import { turnDs } from './turn-cost.js';

/** A way ahead: the edges from the first to the wanted one, both included, copies named by their original. */
export interface WayAhead {
  readonly edges: readonly number[];
  /** From the place on the first edge to the tail of the last one. */
  readonly metersToTail: number;
}

const EDGES_SETTLED_MAX = 2_000;

/** Shortest legal ways, by length, from a place on an edge to wanted edges within reach. Bounded in edges looked at. */
export function followRoads(
  network: RoadNetwork,
  mode: TravelMode,
  from: { readonly edge: number; readonly fraction: number },
  wanted: ReadonlySet<number>,
  reachM: number,
): Map<number, WayAhead> {
  const { head, firstOut, copyOf } = network.arrays;
  const found = new Map<number, WayAhead>();
  const metersToHead = new Map<number, number>();
  const metersToTail = new Map<number, number>();
  const parent = new Map<number, number>();
  const settled = new Set<number>();
  const heap = new MinHeap();
  const startM = (1 - from.fraction) * network.edgeLengthM(from.edge);
  if (startM > reachM) return found;
  // The first edge itself may be wanted again, at the end of a loop: it then gets a parent like any other.
  const root = from.edge;
  metersToHead.set(root, startM);
  heap.push(startM, root);
  let fresh = true;
  while (heap.size > 0 && settled.size < EDGES_SETTLED_MAX && found.size < wanted.size) {
    const edge = heap.pop();
    if (!fresh && settled.has(edge)) continue;
    if (!fresh) settled.add(edge);
    const meters = metersToHead.get(edge)!;
    fresh = false;
    const node = head[edge];
    for (let next = firstOut[node]; next < firstOut[node + 1]; next++) {
      if (settled.has(next) || freeFlowMs(network, next, mode) === CLOSED) continue;
      if (turnDs(network, mode, edge, next) === undefined) continue;
      if (meters >= (metersToTail.get(next) ?? reachM)) continue;
      metersToTail.set(next, meters);
      parent.set(next, edge);
      const original = copyOf[next];
      if (wanted.has(original) && !found.has(original))
        found.set(original, { edges: trace(copyOf, parent, root, next), metersToTail: meters });
      const total = meters + network.edgeLengthM(next);
      if (total > reachM || next === root) continue;
      metersToHead.set(next, total);
      heap.push(total, next);
    }
  }
  return found;
}

function trace(
  copyOf: Uint32Array,
  parent: ReadonlyMap<number, number>,
  root: number,
  last: number,
): number[] {
  const edges = [copyOf[last]];
  for (let edge = parent.get(last); edge !== undefined; edge = edge === root ? undefined : parent.get(edge))
    edges.push(copyOf[edge]);
  return edges.reverse();
}
