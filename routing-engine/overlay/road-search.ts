import type { BarredRoads } from '../network/barred-roads.js';
import { CellsMissing } from '../network/cells-missing.js';
import { CLOSED } from '../network/closed.js';
import { FORBIDDEN_TURN } from '../network/network-arrays.js';
import type { RoadNetwork } from '../network/road-network.js';
import { KEY_MAX, PackedHeap } from './packed-heap.js';

/** The part of a metric that roads are searched by. */
export interface RoadCosts {
  /** [edges] milliseconds. */
  readonly costMs: Int32Array;
  /** [cells of level 0] 1 where they are known. */
  readonly covered: Uint8Array;
}

/** The rules of a search over roads. */
export interface RoadRules extends RoadCosts {
  /** Number of the mode. */
  readonly mode: number;
  /** Bits of `edgeFlag`; roads that have one of them are not used. */
  readonly avoid: number;
  /** Zone of ends-only roads that may be entered; 0 is none; see `EVERY_ZONE`, `FREE_ZONES`. */
  readonly openZone: number;
  /** Roads that the vehicle may not enter. */
  readonly barred: BarredRoads | undefined;
}

/** All zones may be entered, at a price. More than any number of a zone. */
export const EVERY_ZONE = 0xffff_ffff;
/** All of them, for nothing; understood by `forward`. */
export const FREE_ZONES = EVERY_ZONE + 1;
/** What entering another zone costs in addition then: a route enters as few as possible. */
export const ENTRY_MS = 600_000;

/** No label. */
export const UNREACHED = KEY_MAX;

/**
 * Dijkstra over the roads of one cell of level 0, in either direction. The edges of a cell (those that begin
 * in it) are numbered contiguously, so labels lie in arrays of the cell's size. Results stay readable until
 * the next `forward` or `backward`.
 */
export class RoadSearch {
  /** By edge of the cell: milliseconds from a seed to its head, or from its head to a goal. */
  label = new Int32Array(1024);
  /** By edge of the cell: the edge of the cell before (after) it; −1 − i: seed (goal) number i. */
  parent = new Int32Array(1024);
  cell = -1;
  firstEdge = 0;
  /** Edges of the cell. */
  count = 0;
  readonly #network: RoadNetwork;
  readonly #heap = new PackedHeap();
  #firstNode = 0;
  #endNode = 0;
  #ends: readonly number[] = [];
  #endMs: readonly number[] = [];
  #rules!: RoadRules;
  #barred: BarredRoads | undefined;
  /** Whether any road may be left out: the usual searches then test nothing more for each road. */
  #isNarrowed = false;

  constructor(network: RoadNetwork) {
    this.#network = network;
  }

  /**
   * Onwards from the heads of the seeds, which lie in the cell; `ms[i]` is what it takes to the head of
   * `seeds[i]`. Edges that leave the cell get labels and are not followed.
   */
  forward(cell: number, seeds: readonly number[], ms: readonly number[], rules: RoadRules): void {
    this.#begin(cell, seeds, ms, rules);
    const { arrays, nodeCount, edgeCount } = this.#network;
    const { head, firstOut, inRank, turnTable, turnCostsDs, zone } = arrays;
    const { costMs, mode, openZone } = rules;
    const isNarrowed = this.#isNarrowed;
    const { label, parent, firstEdge, count } = this;
    const heap = this.#heap;
    const firstNode = this.#firstNode;
    const endNode = this.#endNode;
    const tables = mode * nodeCount;
    const zones = mode * edgeCount;
    for (let i = 0; i < seeds.length; i++) if (ms[i] < UNREACHED) heap.push(ms[i], count + i);
    while (heap.size > 0) {
      const item = heap.pop();
      const reached = heap.key;
      let edge: number;
      if (item < count) {
        if (label[item] < reached) continue;
        edge = firstEdge + item;
      } else edge = seeds[item - count];
      const from = item < count ? item : count - item - 1;
      const node = head[edge];
      const first = firstOut[node];
      const end = firstOut[node + 1];
      const row = turnTable[tables + node] + inRank[edge] * (end - first) - first;
      for (let next = first; next < end; next++) {
        const turn = turnCostsDs[row + next];
        const cost = costMs[next];
        if (turn === FORBIDDEN_TURN || cost === CLOSED) continue;
        let to = reached + 100 * turn + cost;
        const at = next - firstEdge;
        if (to >= label[at]) continue;
        const into = zone[zones + next];
        if (into !== 0 && into !== openZone && into !== zone[zones + edge]) {
          if (openZone < EVERY_ZONE) continue;
          if (openZone === EVERY_ZONE) to += ENTRY_MS;
          if (to >= label[at]) continue;
        }
        if (isNarrowed && this.#leavesOut(next)) continue;
        label[at] = to;
        parent[at] = from;
        const beyond = head[next];
        if (beyond >= firstNode && beyond < endNode) heap.push(to, at);
      }
    }
  }

  /**
   * Backwards from goals whose tails lie in the cell; `ms[i]` is what it takes from the tail of `goals[i]` to
   * the destination. Edges with their head in the cell get labels; for those that come from outside see
   * `fromEntry`.
   */
  backward(cell: number, goals: readonly number[], ms: readonly number[], rules: RoadRules): void {
    this.#begin(cell, goals, ms, rules);
    const { arrays, nodeCount, edgeCount } = this.#network;
    const { tail, firstOut, firstIn, inEdges, inRank, turnTable, turnCostsDs, zone, speedKph } = arrays;
    const { costMs, mode, openZone } = rules;
    const isNarrowed = this.#isNarrowed;
    const { label, parent, firstEdge, count } = this;
    const heap = this.#heap;
    const tables = mode * nodeCount;
    const ofMode = mode * edgeCount;
    for (let i = 0; i < goals.length; i++) if (ms[i] < UNREACHED) heap.push(ms[i], count + i);
    while (heap.size > 0) {
      const item = heap.pop();
      let left = heap.key;
      let edge: number;
      if (item < count) {
        edge = firstEdge + item;
        // A path may begin on a closed edge, but not lead over it.
        if (label[item] < left || costMs[edge] === CLOSED) continue;
        left += costMs[edge];
      } else edge = goals[item - count];
      const next = item < count ? item : count - item - 1;
      const node = tail[edge];
      const into = zone[ofMode + edge];
      const degree = firstOut[node + 1] - firstOut[node];
      const column = turnTable[tables + node] + edge - firstOut[node];
      const end = firstIn[node + 1];
      for (let i = firstIn[node]; i < end; i++) {
        const before = inEdges[i];
        const at = before - firstEdge;
        if (at < 0 || at >= count || left >= label[at]) continue;
        const turn = turnCostsDs[column + inRank[before] * degree];
        if (turn === FORBIDDEN_TURN) continue;
        let total = left + 100 * turn;
        if (total >= label[at] || speedKph[ofMode + before] === 0) continue;
        if (into !== 0 && into !== openZone && into !== zone[ofMode + before]) {
          if (openZone !== EVERY_ZONE) continue;
          total += ENTRY_MS;
          if (total >= label[at]) continue;
        }
        if (isNarrowed && this.#leavesOut(before)) continue;
        label[at] = total;
        parent[at] = next;
        heap.push(total, at);
      }
    }
  }

  #leavesOut(edge: number): boolean {
    const { flags } = this.#network.arrays;
    return (flags[edge] & this.#rules.avoid) !== 0 || this.#barred?.has(edge) === true;
  }

  /**
   * After `backward`: milliseconds from the head of an edge that comes into the cell, or begins a path there,
   * to a goal, and the next edge (as `parent`).
   */
  fromEntry(entry: number): { readonly ms: number; readonly next: number } {
    const { arrays, edgeCount } = this.#network;
    const { head, firstOut, zone, flags, speedKph } = arrays;
    const { costMs, mode, avoid, openZone, barred } = this.#rules;
    let least = UNREACHED;
    let onto = 0;
    if (
      speedKph[mode * edgeCount + entry] === 0 ||
      (flags[entry] & avoid) !== 0 ||
      barred?.hasWhole(entry) === true
    )
      return { ms: least, next: onto };
    const node = head[entry];
    const own = zone[mode * edgeCount + entry];
    const offer = (next: number, ms: number, as: number): void => {
      const into = zone[mode * edgeCount + next];
      const enters = into !== 0 && into !== openZone && into !== own;
      if (enters && openZone !== EVERY_ZONE) return;
      const turn = this.#turnDs(entry, next);
      const total = ms + 100 * turn + (enters ? ENTRY_MS : 0);
      if (turn === FORBIDDEN_TURN || total >= least) return;
      least = total;
      onto = as;
    };
    for (let next = firstOut[node]; next < firstOut[node + 1]; next++) {
      const left = this.label[next - this.firstEdge];
      if (left !== UNREACHED && costMs[next] !== CLOSED)
        offer(next, left + costMs[next], next - this.firstEdge);
    }
    for (let i = 0; i < this.#ends.length; i++)
      if (arrays.tail[this.#ends[i]] === node) offer(this.#ends[i], this.#endMs[i], -1 - i);
    return { ms: least, next: onto };
  }

  /**
   * After `forward`: milliseconds to the tail of an edge that begins in the cell, turn included, and the
   * previous edge (as `parent`).
   */
  toTailOf(goal: number): { readonly ms: number; readonly before: number } {
    const { arrays, edgeCount } = this.#network;
    const { tail, head, firstIn, inEdges, zone } = arrays;
    const { mode, openZone } = this.#rules;
    const into = zone[mode * edgeCount + goal];
    let least = UNREACHED;
    let from = 0;
    const offer = (before: number, ms: number, as: number): void => {
      const enters = into !== 0 && into !== openZone && into !== zone[mode * edgeCount + before];
      if (enters && openZone !== EVERY_ZONE) return;
      const turn = this.#turnDs(before, goal);
      const total = ms + 100 * turn + (enters ? ENTRY_MS : 0);
      if (turn === FORBIDDEN_TURN || total >= least) return;
      least = total;
      from = as;
    };
    const node = tail[goal];
    for (let i = firstIn[node]; i < firstIn[node + 1]; i++) {
      const at = inEdges[i] - this.firstEdge;
      if (at >= 0 && at < this.count && this.label[at] !== UNREACHED) offer(inEdges[i], this.label[at], at);
    }
    for (let i = 0; i < this.#ends.length; i++)
      if (head[this.#ends[i]] === node) offer(this.#ends[i], this.#endMs[i], -1 - i);
    return { ms: least, before: from };
  }

  #turnDs(from: number, to: number): number {
    const { arrays, nodeCount } = this.#network;
    const { head, firstOut, inRank, turnTable, turnCostsDs } = arrays;
    const node = head[from];
    const degree = firstOut[node + 1] - firstOut[node];
    const table = turnTable[this.#rules.mode * nodeCount + node];
    return turnCostsDs[table + inRank[from] * degree + to - firstOut[node]];
  }

  #begin(cell: number, ends: readonly number[], ms: readonly number[], rules: RoadRules): void {
    const { cellFirstNode, firstOut } = this.#network.arrays;
    if (rules.covered[cell] === 0) throw new CellsMissing([cell]);
    this.cell = cell;
    this.#firstNode = cellFirstNode[cell];
    this.#endNode = cellFirstNode[cell + 1];
    this.firstEdge = firstOut[this.#firstNode];
    this.count = firstOut[this.#endNode] - this.firstEdge;
    this.#ends = ends;
    this.#endMs = ms;
    this.#rules = rules;
    // Most cells have none, so their roads are not looked up.
    this.#barred = rules.barred?.cells.has(cell) === true ? rules.barred : undefined;
    this.#isNarrowed = rules.avoid !== 0 || this.#barred !== undefined;
    if (this.label.length < this.count) {
      this.label = new Int32Array(2 * this.count);
      this.parent = new Int32Array(2 * this.count);
    }
    this.label.fill(UNREACHED, 0, this.count);
    this.#heap.clear();
  }
}
