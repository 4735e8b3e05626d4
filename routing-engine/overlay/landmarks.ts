import { CLOSED } from '../network/closed.js';
import { perNetwork } from '../network/per-network.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode, travelModes } from '../network/travel-mode.js';
import { leastCostMs } from './apply-hours.js';
import { KEY_MAX, PackedHeap } from './packed-heap.js';
import { FREE_ZONES, RoadSearch } from './road-search.js';

/** Landmarks of a mode (ADR 0170). */
export const LANDMARKS = 12;

/**
 * Distances between edges of the overlay and landmarks (Goldberg and Harrelson 2005), which are edges of the
 * overlay, too. By edge, then landmark: milliseconds between the heads of the two, at free flow at any hour
 * and with all ends-only roads open, so no path under any metric takes less than `Metric.leastRatio` times
 * as long; `KEY_MAX` where no path leads.
 */
export interface Landmarks {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Length of `NetworkArrays.landmarksMs` in a network with so many edges of the overlay. */
export const landmarkNumbers = (edges: number): number => 2 * travelModes.length * LANDMARKS * edges;

const known = perNetwork((): (Landmarks | undefined)[] => []);

/** Those of a mode in the network's memory: zeros until they are made. */
export function landmarkTables({ arrays }: RoadNetwork, mode: TravelMode): Landmarks {
  const { landmarksMs, boundaryEdge } = arrays;
  const size = LANDMARKS * boundaryEdge.length;
  const first = 2 * modeIndex(mode) * size;
  return {
    from: landmarksMs.subarray(first, first + size),
    to: landmarksMs.subarray(first + size, first + 2 * size),
  };
}

/**
 * Made by the first thread that asks for those of a mode, for all. Threads that ask meanwhile make the same
 * ones: one that waited could wait for a thread that was killed. The network must be loaded whole.
 */
export function landmarksOf(network: RoadNetwork, mode: TravelMode): Landmarks {
  const number = modeIndex(mode);
  const ofNetwork = known(network);
  const before = ofNetwork[number];
  if (before !== undefined) return before;
  const { landmarksMade, boundaryEdge } = network.arrays;
  const landmarks = landmarkTables(network, mode);
  if (Atomics.load(landmarksMade, number) === 0) {
    const size = LANDMARKS * boundaryEdge.length;
    const own: Landmarks = { from: new Int32Array(size), to: new Int32Array(size) };
    placeLandmarks(network, mode, own);
    landmarks.from.set(own.from);
    landmarks.to.set(own.to);
    Atomics.store(landmarksMade, number, 1);
  }
  ofNetwork[number] = landmarks;
  return landmarks;
}

/** Each new landmark is the edge that is furthest from the others, there and back. */
function placeLandmarks(network: RoadNetwork, mode: TravelMode, { from, to }: Landmarks): void {
  const { boundaryEdge, part, speedKph } = network.arrays;
  const row = modeIndex(mode) * network.edgeCount;
  from.fill(KEY_MAX);
  to.fill(KEY_MAX);
  // Everything that is not in the largest part is reached badly, if at all.
  const first = boundaryEdge.findIndex((edge) => speedKph[row + edge] > 0 && part[row + edge] === 0);
  if (first < 0) return;
  const distances = new OverlayDistances(network, mode);
  const nearest = new Float64Array(boundaryEdge.length).fill(Number.POSITIVE_INFINITY);
  let next = first;
  for (let landmark = -1; landmark < LANDMARKS; landmark++) {
    const away = distances.from(next).slice();
    const back = distances.to(next);
    let furthest = -1;
    for (let edge = 0; edge < boundaryEdge.length; edge++) {
      if (landmark >= 0) {
        from[LANDMARKS * edge + landmark] = away[edge];
        to[LANDMARKS * edge + landmark] = back[edge];
      }
      if (away[edge] === KEY_MAX || back[edge] === KEY_MAX) continue;
      const both = away[edge] + back[edge];
      // The edge that the search for landmarks begins with is none itself.
      nearest[edge] = landmark < 0 ? Number.POSITIVE_INFINITY : Math.min(nearest[edge], both);
      const apart = landmark < 0 ? both : nearest[edge];
      if (apart <= furthest) continue;
      furthest = apart;
      next = edge;
    }
  }
}

/** Dijkstra over the overlay of the finest cells. */
class OverlayDistances {
  readonly #network: RoadNetwork;
  readonly #weightsMs: Int32Array;
  readonly #labels: Int32Array;
  readonly #heap = new PackedHeap();

  constructor(network: RoadNetwork, mode: TravelMode) {
    this.#network = network;
    this.#weightsMs = finestWeights(network, mode);
    this.#labels = new Int32Array(network.arrays.boundaryEdge.length);
  }

  /** By edge: milliseconds from the head of `start` to its head, until the next search. */
  from(start: number): Int32Array {
    const { boundaryHeadCell, firstExit, exits, firstWeight, entryRank } = this.#network.arrays;
    const labels = this.#begin(start);
    const weightsMs = this.#weightsMs;
    const heap = this.#heap;
    while (heap.size > 0) {
      const edge = heap.pop();
      const reached = heap.key;
      if (labels[edge] < reached) continue;
      const cell = boundaryHeadCell[edge];
      const first = firstExit[cell];
      const end = firstExit[cell + 1];
      const row = firstWeight[cell] + entryRank[edge] * (end - first) - first;
      for (let at = first; at < end; at++) {
        const weight = weightsMs[row + at];
        if (weight === CLOSED || reached + weight >= labels[exits[at]]) continue;
        labels[exits[at]] = reached + weight;
        heap.push(reached + weight, exits[at]);
      }
    }
    return labels;
  }

  /** By edge: milliseconds from its head to that of `goal`, until the next search. */
  to(goal: number): Int32Array {
    const { boundaryTailCell, firstEntry, entries, firstExit, firstWeight, exitRank } = this.#network.arrays;
    const labels = this.#begin(goal);
    const weightsMs = this.#weightsMs;
    const heap = this.#heap;
    while (heap.size > 0) {
      const edge = heap.pop();
      const reached = heap.key;
      if (labels[edge] < reached) continue;
      const cell = boundaryTailCell[edge];
      const width = firstExit[cell + 1] - firstExit[cell];
      const end = firstEntry[cell + 1];
      let weightAt = firstWeight[cell] + exitRank[edge];
      for (let at = firstEntry[cell]; at < end; at++, weightAt += width) {
        const weight = weightsMs[weightAt];
        if (weight === CLOSED || reached + weight >= labels[entries[at]]) continue;
        labels[entries[at]] = reached + weight;
        heap.push(reached + weight, entries[at]);
      }
    }
    return labels;
  }

  #begin(edge: number): Int32Array {
    const labels = this.#labels.fill(KEY_MAX);
    labels[edge] = 0;
    this.#heap.clear();
    this.#heap.push(0, edge);
    return labels;
  }
}

/** Weights of the finest cells at free flow, at any hour, with all ends-only roads open. */
function finestWeights(network: RoadNetwork, mode: TravelMode): Int32Array {
  const { arrays, cellCount } = network;
  const { firstEntry, entries, firstExit, exits, firstWeight, boundaryEdge, loaded } = arrays;
  const rules = {
    costMs: leastCostMs(network, mode),
    covered: loaded,
    mode: modeIndex(mode),
    avoid: 0,
    openZone: FREE_ZONES,
    barred: undefined,
  };
  const weightsMs = new Int32Array(firstWeight[cellCount]);
  const roads = new RoadSearch(network);
  let weight = 0;
  for (let cell = 0; cell < cellCount; cell++)
    for (let i = firstEntry[cell]; i < firstEntry[cell + 1]; i++) {
      const edge = boundaryEdge[entries[i]];
      const isOpen = rules.costMs[edge] !== CLOSED;
      if (isOpen) roads.forward(cell, [edge], [0], rules);
      for (let at = firstExit[cell]; at < firstExit[cell + 1]; at++)
        weightsMs[weight++] = isOpen ? roads.label[boundaryEdge[exits[at]] - roads.firstEdge] : CLOSED;
    }
  return weightsMs;
}
