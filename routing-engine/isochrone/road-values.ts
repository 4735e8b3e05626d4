import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import type { Metric } from '../overlay/metric.js';
import type { OpenEnd } from '../search/route-ends.js';
import type { ReachSearch } from './reach-search.js';

export type ReachKind = 'ms' | 'cm';

/**
 * What it takes to each place of a road: milliseconds, or centimetres of the quickest route. Valid until the
 * search runs again.
 */
export class RoadValues {
  readonly #network: RoadNetwork;
  readonly #search: ReachSearch;
  readonly #kind: ReachKind;
  /** By label of the search. */
  readonly #atTail: ArrayLike<number>;
  readonly #speedRow: number;
  /** By edge: milliseconds or centimetres of the whole edge. */
  readonly #whole: ArrayLike<number>;
  readonly #starts: readonly OpenEnd[];
  /** Of the last piece: value at its first point and increase to its last, for each way onto it. */
  #ways = 0;
  readonly #at: Float64Array;
  readonly #rise: Float64Array;
  readonly #from: Float64Array;
  readonly #to: Float64Array;

  constructor(
    network: RoadNetwork,
    metric: Metric,
    search: ReachSearch,
    starts: readonly OpenEnd[],
    kind: ReachKind,
  ) {
    this.#network = network;
    this.#search = search;
    this.#kind = kind;
    this.#atTail = search.tails[kind];
    this.#speedRow = modeIndex(metric.mode) * network.edgeCount;
    this.#whole = kind === 'ms' ? metric.costMs : network.arrays.lengthCm;
    this.#starts = starts;
    const waysMax = 2 + starts.length;
    this.#at = new Float64Array(waysMax);
    this.#rise = new Float64Array(waysMax);
    this.#from = new Float64Array(waysMax);
    this.#to = new Float64Array(waysMax);
  }

  /** Directed roads that are reached. */
  get count(): number {
    return this.#search.tails.count;
  }

  /** Reads the ways onto both directions of an edge; false if it is no road of the mode. */
  read(edge: number): boolean {
    const { speedKph, reverse } = this.#network.arrays;
    const back = reverse[edge];
    const isRoad = speedKph[this.#speedRow + edge] > 0;
    const isRoadBack = back >= 0 && speedKph[this.#speedRow + back] > 0;
    this.#ways = 0;
    if (isRoad) this.#addWays(edge, true);
    if (isRoadBack) this.#addWays(back, false);
    return isRoad || isRoadBack;
  }

  /** At a share of the edge that was read; Infinity where it was not reached. */
  at(share: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let way = 0; way < this.#ways; way++) {
      if (share < this.#from[way] || share > this.#to[way]) continue;
      const value = this.#at[way] + share * this.#rise[way];
      if (value < least) least = value;
    }
    return least;
  }

  #addWays(edge: number, along: boolean): void {
    const label = this.#search.tails.of(edge);
    if (label >= 0) this.#add(this.#atTail[label], this.#whole[edge], along, 0);
    for (const start of this.#starts) {
      if (start.edge !== edge) continue;
      const whole = this.#kind === 'ms' ? start.costMs : this.#whole[edge];
      this.#add(-start.fraction * whole, whole, along, start.fraction);
    }
  }

  /** `atTail`: the value where the edge begins; reached from the share `from` of it on. */
  #add(atTail: number, whole: number, along: boolean, from: number): void {
    const way = this.#ways++;
    this.#at[way] = along ? atTail : atTail + whole;
    this.#rise[way] = along ? whole : -whole;
    this.#from[way] = along ? from : 0;
    this.#to[way] = along ? 1 : 1 - from;
  }
}
