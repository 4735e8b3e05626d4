import { CLOSED } from '../closed.js';
import { FORBIDDEN_TURN } from '../network-arrays.js';
import type { RoadNetwork } from '../road-network.js';
import { MinHeap } from '../search/min-heap.js';
import { levelOffsets } from './overlay-topology.js';

/**
 * Searches that stay inside one cell, for customization and unpacking. Labels are milliseconds from the head of the entry
 * edge to the head of an edge whose tail lies in the cell; an exit is reached but never left.
 */
export class CellSearch {
  /** [E] */
  readonly label: Float64Array;
  readonly parent: Int32Array;
  readonly #stamp: Uint32Array;
  readonly #done: Uint32Array;
  readonly #heap = new MinHeap();
  readonly #network: RoadNetwork;
  readonly #offsets: readonly number[];
  readonly #crossing: number;
  #round = 0;

  constructor(network: RoadNetwork) {
    this.#network = network;
    this.#offsets = levelOffsets(network.meta.cellCounts);
    const { edgeCount, arrays } = network;
    this.label = new Float64Array(edgeCount);
    this.parent = new Int32Array(edgeCount);
    this.#stamp = new Uint32Array(edgeCount);
    this.#done = new Uint32Array(edgeCount);
    const levels = network.levelCount - 1;
    this.#crossing = levels === 0 ? 0 : arrays.entryRank.length / levels;
  }

  reached(edge: number): boolean {
    return this.#stamp[edge] === this.#round;
  }

  /** Over the roads of a level-0 cell. `target` ends the search early. */
  overRoads(cell: number, entry: number, costMs: Int32Array, mode: number, target = -1): void {
    const { arrays, nodeCount, edgeCount } = this.#network;
    const { head, firstOut, cellOf, inRank, turnTable, turnCostsDs, zone } = arrays;
    const { label, parent } = this;
    const stamp = this.#stamp;
    const done = this.#done;
    const heap = this.#heap;
    const round = this.#begin();
    const tables = mode * nodeCount;
    const zones = mode * edgeCount;
    let edge = entry;
    let reached = 0;
    for (;;) {
      const node = head[edge];
      const first = firstOut[node];
      const end = firstOut[node + 1];
      const table = turnTable[tables + node] + inRank[edge] * (end - first) - first;
      const own = zone[zones + edge];
      for (let next = first; next < end; next++) {
        const turn = turnCostsDs[table + next];
        const cost = costMs[next];
        if (turn === FORBIDDEN_TURN || cost === CLOSED) continue;
        const nextZone = zone[zones + next];
        if (nextZone !== 0 && nextZone !== own) continue;
        const ms = reached + 100 * turn + cost;
        if (stamp[next] === round && label[next] <= ms) continue;
        stamp[next] = round;
        label[next] = ms;
        parent[next] = edge;
        // Who leaves the cell does not come back in this search.
        if (cellOf[head[next]] === cell || next === target) heap.push(ms, next);
      }
      do {
        if (heap.size === 0) return;
        edge = heap.pop();
      } while (done[edge] === round);
      if (edge === target) return;
      done[edge] = round;
      reached = label[edge];
    }
  }

  /** Over the cliques of the cells of `level` − 1 inside a cell of `level` ≥ 1. */
  overCliques(level: number, cell: number, entry: number, weights: Int32Array, target = -1): void {
    const { arrays, cellCount } = this.#network;
    const { head, cellOf, cellAncestor, firstExit, exits, firstWeight, boundary, entryRank } = arrays;
    const { label, parent } = this;
    const stamp = this.#stamp;
    const done = this.#done;
    const heap = this.#heap;
    const round = this.#begin();
    const below = level - 1;
    const belowRow = (below - 1) * cellCount;
    const row = (level - 1) * cellCount;
    const ranks = below * this.#crossing;
    const offset = this.#offsets[below];
    let edge = entry;
    let reached = 0;
    for (;;) {
      const finest = cellOf[head[edge]];
      const child = offset + (below === 0 ? finest : cellAncestor[belowRow + finest]);
      const first = firstExit[child];
      const end = firstExit[child + 1];
      const weight = firstWeight[child] + entryRank[ranks + boundary[edge]] * (end - first) - first;
      for (let exit = first; exit < end; exit++) {
        const cost = weights[weight + exit];
        if (cost === CLOSED) continue;
        const next = exits[exit];
        const ms = reached + cost;
        if (stamp[next] === round && label[next] <= ms) continue;
        stamp[next] = round;
        label[next] = ms;
        parent[next] = edge;
        if (cellAncestor[row + cellOf[head[next]]] === cell || next === target) heap.push(ms, next);
      }
      do {
        if (heap.size === 0) return;
        edge = heap.pop();
      } while (done[edge] === round);
      if (edge === target) return;
      done[edge] = round;
      reached = label[edge];
    }
  }

  #begin(): number {
    this.#heap.clear();
    if (++this.#round === 2 ** 32 - 1) {
      this.#stamp.fill(0);
      this.#done.fill(0);
      this.#round = 1;
    }
    return this.#round;
  }
}

const searches = new WeakMap<RoadNetwork, CellSearch>();

/** One per network and thread; its searches do not interleave. */
export function cellSearch(network: RoadNetwork): CellSearch {
  let search = searches.get(network);
  if (search === undefined) {
    search = new CellSearch(network);
    searches.set(network, search);
  }
  return search;
}
