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
  /** Along the quickest route. Where it is 0, centimetres are not counted. */
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
    const begun = starts.map(
      (start): Reached => ({
        edge: start.edge,
        ms: lastPartMs(start),
        cm: Math.round((1 - start.fraction) * lengthCm[start.edge]),
      }),
    );
    this.#gates.length = 0;
    this.#spread(begun, through, 'road');
    const ends = this.#gates
      .filter((label) => through.ms[label] <= reach.ms || through.cm[label] <= reach.cm)
      .map((label): Reached => ({ edge: through.edge[label], ms: through.ms[label], cm: through.cm[label] }));
    this.#spread([...begun, ...ends], this.#inZones, 'zone');
    if (this.#missing.size > 0) throw new CellsMissing([...this.#missing]);
    this.#turnIntoTails();
  }

  /**
   * From the ends of some edges. `onto` says which edges are entered: roads and the zone that one is in, or
   * first the other zones and then nothing else than those.
   */
  #spread(from: readonly Reached[], labels: EdgeLabels, onto: 'road' | 'zone'): void {
    const { arrays, nodeCount, edgeCount } = this.#network;
    const { head, firstOut, inRank, turnTable, turnCostsDs, zone, flags, lengthCm } = arrays;
    const { costMs, covered } = this.#metric;
    const [zones, turns] = [this.#mode * edgeCount, this.#mode * nodeCount];
    const avoid = this.#avoid;
    const barred = this.#barred;
    const isPartial = this.#isPartial;
    const reach = this.#limits;
    const hasCm = reach.cm > 0;
    const heap = this.#heap;
    heap.clear();
    // Entries of the heap within the limit of distance.
    let near = 0;
    for (let begun = 0; begun < from.length || heap.size > 0; ) {
      const isBegun = begun < from.length;
      let edge: number;
      let label = -1;
      let ms: number;
      let cm: number;
      if (isBegun) ({ edge, ms, cm } = from[begun++]);
      else {
        if (heap.leastKey() > reach.ms && near === 0) {
          this.isExhausted = false;
          return;
        }
        const item = heap.pop();
        near -= item & 1;
        label = item >>> 1;
        ms = heap.key;
        if (labels.ms[label] !== ms) continue;
        edge = labels.edge[label];
        cm = labels.cm[label];
      }
      const node = head[edge];
      if (isPartial && covered[this.#network.nodeCell(node)] === 0) {
        this.#missing.add(this.#network.nodeCell(node));
        continue;
      }
      const own = zone[zones + edge];
      const first = firstOut[node];
      const end = firstOut[node + 1];
      const row = turnTable[turns + node] + inRank[edge] * (end - first) - first;
      let isGate = false;
      for (let next = first; next < end; next++) {
        const turn = turnCostsDs[row + next];
        const cost = costMs[next];
        if (turn === FORBIDDEN_TURN || cost === CLOSED) continue;
        if (avoid !== 0 && (flags[next] & avoid) !== 0) continue;
        if (barred?.has(next) === true) continue;
        const into = zone[zones + next];
        if (into !== own) {
          if (into !== 0) isGate = true;
          if (onto === 'road' ? into !== 0 : !isBegun || into === 0) continue;
        } else if (onto === 'zone' && isBegun) continue;
        const nextMs = ms + 100 * turn + cost;
        const nextCm = hasCm ? cm + lengthCm[next] : 0;
        const reached = labels.improve(next, nextMs, nextCm);
        if (reached < 0) continue;
        if (reached >= this.#edgesMax) throw new AreaTooLarge('the area has too many roads');
        const isNear = hasCm && nextCm <= reach.cm;
        // With a limit of distance, a quicker but longer way still counts as the way to a road.
        if (nextMs > reach.ms && !hasCm) {
          this.isExhausted = false;
          continue;
        }
        if (isNear) near++;
        heap.push(nextMs, 2 * reached + (isNear ? 1 : 0));
      }
      if (isGate && onto === 'road' && label >= 0) this.#gates.push(label);
    }
  }

  #turnIntoTails(): void {
    const { copyOf, lengthCm } = this.#network.arrays;
    const { costMs } = this.#metric;
    const { tails } = this;
    const { count, edge, ms, cm } = tails;
    const hasCm = this.#limits.cm > 0;
    const copies: number[] = [];
    for (let label = 0; label < count; label++) {
      const road = edge[label];
      ms[label] -= costMs[road];
      if (hasCm) cm[label] -= lengthCm[road];
      if (copyOf[road] !== road) copies.push(label);
    }
    for (const label of copies) tails.improve(copyOf[edge[label]], ms[label], cm[label]);
    const zones = this.#inZones;
    for (let label = 0; label < zones.count; label++) {
      const road = zones.edge[label];
      const cmToTail = hasCm ? zones.cm[label] - lengthCm[road] : 0;
      tails.improve(copyOf[road], zones.ms[label] - costMs[road], cmToTail);
    }
  }
}

/** The end of an edge, and what it takes to get there. */
interface Reached {
  readonly edge: number;
  readonly ms: number;
  readonly cm: number;
}

/** Its labels are valid until it runs again. */
export const reachSearchOf = perNetwork((network) => new ReachSearch(network));
