import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import type { Metric } from '../overlay/metric.js';
import type { OpenEnd } from '../search/route-ends.js';
import { type NodeValues, nodeValuesOf } from './node-values.js';
import type { ReachSearch } from './reach-search.js';
import { type RoadEnds, roadEndsOf } from './road-ends.js';

export type ReachKind = 'ms' | 'cm';

/** A road of this length bends at most half as far beyond its ends, which the rim of a grid contains. */
const SHORT_CM = 30_000;

/**
 * What it takes to each place of a road: milliseconds, or centimetres of the quickest route. Valid until the
 * search runs again.
 */
export class RoadValues {
  readonly atNodes: NodeValues;
  /** Labels of the search whose roads lead beyond the limit, or may bend far beyond their ends. */
  readonly longOrPart: number[] = [];
  readonly #network: RoadNetwork;
  readonly #search: ReachSearch;
  readonly #kind: ReachKind;
  /** By label of the search. */
  readonly #atTail: ArrayLike<number>;
  readonly #speedRow: number;
  /** By edge: milliseconds or centimetres of the whole edge. */
  readonly #whole: ArrayLike<number>;
  readonly #starts: readonly OpenEnd[];
  readonly #mode: number;
  readonly #ends: RoadEnds;
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
    limit: number,
  ) {
    this.#network = network;
    this.#search = search;
    this.#kind = kind;
    this.#atTail = search.tails[kind];
    this.#mode = modeIndex(metric.mode);
    this.#speedRow = this.#mode * network.edgeCount;
    this.#ends = roadEndsOf(network);
    this.#whole = kind === 'ms' ? metric.costMs : network.arrays.lengthCm;
    this.#starts = starts;
    const waysMax = 2 + starts.length;
    this.#at = new Float64Array(waysMax);
    this.#rise = new Float64Array(waysMax);
    this.#from = new Float64Array(waysMax);
    this.#to = new Float64Array(waysMax);
    this.atNodes = nodeValuesOf(network);
    this.atNodes.clear();
    this.#readNodes(limit);
  }

  /** Directed roads that are reached. */
  get count(): number {
    return this.#search.tails.count;
  }

  /** By node, with `modeBit` where a road of the mode in these cells ends. */
  endsOf(cells: readonly number[]): Uint8Array {
    return this.#ends.of(cells, this.#mode);
  }

  get modeBit(): number {
    return 1 << this.#mode;
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

  #readNodes(limit: number): void {
    const { tail, head, lengthCm } = this.#network.arrays;
    const { count, edge } = this.#search.tails;
    const atTail = this.#atTail;
    const whole = this.#whole;
    const values = this.atNodes;
    // A tail is the head of an edge before, or of a start.
    for (let label = 0; label < count; label++) {
      const road = edge[label];
      const atHead = atTail[label] + whole[road];
      values.add(head[road], atHead);
      if (atHead > limit || lengthCm[road] > SHORT_CM) this.longOrPart.push(label);
    }
    for (const { edge: road, fraction, costMs } of this.#starts) {
      const length = this.#kind === 'ms' ? costMs : whole[road];
      if (fraction === 0) values.add(tail[road], 0);
      values.add(head[road], length - fraction * length);
    }
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
