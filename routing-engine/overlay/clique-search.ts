import { CLOSED } from '../network/closed.js';
import type { RoadNetwork } from '../network/road-network.js';
import { nestedCells } from './nested-cells.js';
import { PackedHeap } from './packed-heap.js';
import { UNREACHED } from './road-search.js';

/**
 * Dijkstra inside one cell of level 1 or above, over the cliques of the cells of the level below. The exits
 * of those cells are contiguous in the network's `exits`; an edge is identified by its place there
 * (`exitPlace`), counted from the cell's first.
 */
export class CliqueSearch {
  /** By place: milliseconds from the head of the entry to the head of the exit. */
  label = new Int32Array(1024);
  /** By place: the exit before it; −1: the entry. */
  parent = new Int32Array(1024);
  /** First place of the cell in `exits`, and how many there are. */
  first = 0;
  count = 0;
  readonly #network: RoadNetwork;
  readonly #heap = new PackedHeap();

  constructor(network: RoadNetwork) {
    this.#network = network;
  }

  /** From an edge of the overlay that comes into the cell. */
  run(level: number, cell: number, entry: number, weightsMs: Int32Array): void {
    const { arrays, cellCount } = this.#network;
    const { cellAncestor, boundaryHeadCell, firstExit, exits, firstWeight, entryRank, boundaryEdge } = arrays;
    const cells = nestedCells(this.#network);
    const below = level - 1;
    const offset = cells.offsets[below];
    this.first = firstExit[offset + cells.firstChild[level][cell]];
    this.count = firstExit[offset + cells.firstChild[level][cell + 1]] - this.first;
    if (this.label.length < this.count) {
      this.label = new Int32Array(2 * this.count);
      this.parent = new Int32Array(2 * this.count);
    }
    const { label, parent } = this;
    const base = this.first;
    const heap = this.#heap;
    label.fill(UNREACHED, 0, this.count);
    heap.clear();
    const row = (level - 1) * cellCount;
    const belowRow = (below - 1) * cellCount;
    const ranks = below * boundaryEdge.length;
    let edge = entry;
    let from = -1;
    let reached = 0;
    for (;;) {
      const finest = boundaryHeadCell[edge];
      const child = offset + (below === 0 ? finest : cellAncestor[belowRow + finest]);
      const first = firstExit[child];
      const end = firstExit[child + 1];
      const weight = firstWeight[child] + entryRank[ranks + edge] * (end - first) - first;
      for (let exit = first; exit < end; exit++) {
        const cost = weightsMs[weight + exit];
        if (cost === CLOSED) continue;
        const ms = reached + cost;
        const at = exit - base;
        if (ms >= label[at]) continue;
        label[at] = ms;
        parent[at] = from;
        // This search does not follow paths that leave the cell.
        if (cellAncestor[row + boundaryHeadCell[exits[exit]]] === cell) heap.push(ms, at);
      }
      do {
        if (heap.size === 0) return;
        from = heap.pop();
        reached = heap.key;
      } while (label[from] < reached);
      edge = exits[base + from];
    }
  }
}
