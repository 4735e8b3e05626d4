import { type BarredRoads, barredTo } from '../network/barred-roads.js';
import { CellsMissing } from '../network/cells-missing.js';
import { limits } from '../network/limits.js';
import { FORBIDDEN_TURN } from '../network/network-arrays.js';
import { perNetwork } from '../network/per-network.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import { CLOSED, type Metric } from '../overlay/metric.js';

import { lastPartMs, type OpenEnd } from '../search/route-ends.js';
import { BucketQueue } from './bucket-queue.js';
import { EdgeLabels } from './edge-labels.js';

/** The area has more roads than `limits.isochroneEdgesMax`. */
export class AreaTooLarge extends Error {
  override readonly name = 'AreaTooLarge';
}

/** How far a search goes; 0 where it is not wanted. */
export interface ReachLimits {
  readonly ms: number;
  /** Along the quickest route. */
  readonly cm: number;
}

/**
 * Dijkstra from one place over the roads within a time or a distance. Roads of a zone that only ends of
 * routes may use are reached from outside, as destinations, and are not left again.
 */
export class ReachSearch {
  /** After a search: what it takes to the tail of each reached road; copies of a road count as the road. */
  readonly tails: EdgeLabels;
  /** The search ended because nothing else can be reached. */
  isExhausted = true;
  readonly #network: RoadNetwork;
  readonly #edgesMax: number;
  readonly #inZones: EdgeLabels;
  /** Labels whose edge leads to a zone. */
  readonly #gates: number[] = [];
  readonly #heap = new BucketQueue();
  readonly #missing = new Set<number>();
  #metric!: Metric;
  #mode = 0;
  #avoid = 0;
  #barred: BarredRoads | undefined;
  #limits: ReachLimits = { ms: 0, cm: 0 };
  /** Entries of the heap within the limit of distance. */
  #near = 0;
  #isPartial = false;

  /** `edgesMax`: at most `limits.isochroneEdgesMax`. */
  constructor(network: RoadNetwork, edgesMax: number = limits.isochroneEdgesMax) {
    this.#network = network;
    this.#edgesMax = edgesMax;
    this.tails = new EdgeLabels(network);
    this.#inZones = new EdgeLabels(network);
  }

  /** Throws `AreaTooLarge`, and `CellsMissing` where costs are not loaded. */
  run(metric: Metric, starts: readonly OpenEnd[], avoid: number, reach: ReachLimits): void {
    this.#metric = metric;
    this.#mode = modeIndex(metric.mode);
    this.#avoid = avoid;
    this.#barred = barredTo(this.#network, metric.vehicle);
    this.#limits = reach;
    this.#isPartial = metric.covered.includes(0);
    this.isExhausted = true;
    this.#missing.clear();
    this.tails.clear();
    this.#inZones.clear();
    // To the heads while the search lasts.
    const through = this.tails;
    const { lengthCm } = this.#network.arrays;
    this.#gates.length = 0;
    const leaveStarts = (labels: EdgeLabels, onto: Onto): void => {
      for (const start of starts) {
        const cm = Math.round((1 - start.fraction) * lengthCm[start.edge]);
        this.#leave(start.edge, lastPartMs(start), cm, labels, onto);
      }
    };
    this.#begin();
    leaveStarts(through, 'road');
    this.#spread(through, 'road');
    this.#begin();
    leaveStarts(this.#inZones, 'zone');
    for (const label of this.#gates)
      if (through.ms[label] <= reach.ms || through.cm[label] <= reach.cm)
        this.#leave(through.edge[label], through.ms[label], through.cm[label], this.#inZones, 'zone');
    this.#spread(this.#inZones, 'same zone');
    if (this.#missing.size > 0) throw new CellsMissing([...this.#missing]);
    this.#turnIntoTails();
  }

  #begin(): void {
    this.#heap.clear();
    this.#near = 0;
  }

  #spread(labels: EdgeLabels, onto: Onto): void {
    const heap = this.#heap;
    while (heap.size > 0) {
      if (heap.leastKey() > this.#limits.ms && this.#near === 0) {
        this.isExhausted = false;
        return;
      }
      const item = heap.pop();
      this.#near -= item & 1;
      const label = item >>> 1;
      if (labels.ms[label] !== heap.key) continue;
      const isGate = this.#leave(labels.edge[label], heap.key, labels.cm[label], labels, onto);
      if (isGate && onto === 'road') this.#gates.push(label);
    }
  }

  /** Onto the edges that begin where one ends. True if any of them lies in another zone. */
  #leave(edge: number, reachedMs: number, reachedCm: number, labels: EdgeLabels, onto: Onto): boolean {
    const { arrays, nodeCount, edgeCount } = this.#network;
    const { head, firstOut, inRank, turnTable, turnCostsDs, zone, flags, lengthCm } = arrays;
    const { costMs, covered } = this.#metric;
    const avoid = this.#avoid;
    const node = head[edge];
    if (this.#isPartial && covered[this.#network.nodeCell(node)] === 0) {
      this.#missing.add(this.#network.nodeCell(node));
      return false;
    }
    const zones = this.#mode * edgeCount;
    const own = zone[zones + edge];
    const first = firstOut[node];
    const end = firstOut[node + 1];
    const row = turnTable[this.#mode * nodeCount + node] + inRank[edge] * (end - first) - first;
    const barred = this.#barred;
    let isGate = false;
    for (let next = first; next < end; next++) {
      const turn = turnCostsDs[row + next];
      const cost = costMs[next];
      if (turn === FORBIDDEN_TURN || cost === CLOSED) continue;
      if (avoid !== 0 && (flags[next] & avoid) !== 0) continue;
      if (barred?.has(next) === true) continue;
      const into = zone[zones + next];
      if (into !== 0 && into !== own) isGate = true;
      if (onto === 'zone' ? into === 0 || into === own : into !== own && (into !== 0 || onto !== 'road'))
        continue;
      const ms = reachedMs + 100 * turn + cost;
      const before = labels.of(next);
      if (before >= 0 && labels.ms[before] <= ms) continue;
      const cm = reachedCm + lengthCm[next];
      this.#push(labels.improve(next, ms, cm), ms, cm);
    }
    return isGate;
  }

  #push(label: number, ms: number, cm: number): void {
    if (label >= this.#edgesMax) throw new AreaTooLarge('the area has too many roads');
    const isNear = cm <= this.#limits.cm;
    // With a limit of distance, a quicker but longer way still counts as the way to a road.
    if (ms > this.#limits.ms && this.#limits.cm === 0) {
      this.isExhausted = false;
      return;
    }
    if (isNear) this.#near++;
    this.#heap.push(ms, 2 * label + (isNear ? 1 : 0));
  }

  #turnIntoTails(): void {
    const { copyOf, lengthCm } = this.#network.arrays;
    const { costMs } = this.#metric;
    const { tails } = this;
    const { count, edge, ms, cm } = tails;
    for (let label = 0; label < count; label++) {
      ms[label] -= costMs[edge[label]];
      cm[label] -= lengthCm[edge[label]];
    }
    for (let label = 0; label < count; label++)
      if (copyOf[edge[label]] !== edge[label]) tails.improve(copyOf[edge[label]], ms[label], cm[label]);
    const zones = this.#inZones;
    for (let label = 0; label < zones.count; label++) {
      const road = zones.edge[label];
      tails.improve(copyOf[road], zones.ms[label] - costMs[road], zones.cm[label] - lengthCm[road]);
    }
  }
}

/** Which edges are entered: roads and the same zone, other zones, or the same zone only. */
type Onto = 'road' | 'zone' | 'same zone';

/** Its labels are valid until it runs again. */
export const reachSearchOf = perNetwork((network) => new ReachSearch(network));
