import type { AvoidMask } from '../network/edge-flags.js';
import type { NetworkArrays } from '../network/network-arrays.js';
import { FORBIDDEN_TURN } from '../network/network-arrays.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import { PackedHeap } from '../overlay/packed-heap.js';
import { matchLimits, model } from './match-settings.js';

/**
 * Shortest legal paths from the head of one edge to all edges within reach. Row `i` is an edge that was
 * reached; `slots` is an open-addressing table from the number of an original edge to the row of the copy of
 * it that is reached first.
 */
export interface PathTree {
  readonly reachCm: number;
  /** [n] edge of the row, a copy where the path demands one. */
  readonly edge: Int32Array;
  /** [n] centimetres from the head of the root to the tail of the edge. */
  readonly cm: Int32Array;
  /** [n] tenths of a second at free flow for the same. */
  readonly ds: Int32Array;
  /** [n] cost of the turns on the path, in decimetres of detour. */
  readonly turns: Uint16Array;
  /** [n] row before, or `rootRow`. */
  readonly before: Uint16Array;
  /** Row + 1, 0 = empty. */
  readonly slots: Uint16Array;
}

export interface PathTreeOptions {
  readonly bytesMax?: number | undefined;
  readonly avoid?: AvoidMask | undefined;
}

const rootRow = 0xffff;
/**
 * Follows roads from edges and caches the results: drivers of one town use the same streets repeatedly. The
 * least recently used tree is evicted when `matchLimits.wayBytesMax` is reached; an answer never depends on
 * the cache.
 */
export class PathTrees {
  readonly #network: RoadNetwork;
  readonly #arrays: NetworkArrays;
  readonly #mode: number;
  readonly #avoid: AvoidMask;
  readonly #bytesMax: number;
  /** Two generations: a tree that is used moves to the young one; a full young one becomes the old one. */
  #young = new Map<number, PathTree>();
  #old = new Map<number, PathTree>();
  #youngBytes = 0;

  readonly #heap = new PackedHeap();
  /** [edges] row + 1 of the search in progress; cleared after it. */
  readonly #rowOf: Uint16Array;
  readonly #edge = new Int32Array(matchLimits.wayEdgesMax);
  readonly #key = new Int32Array(matchLimits.wayEdgesMax);
  readonly #cm = new Int32Array(matchLimits.wayEdgesMax);
  readonly #ds = new Int32Array(matchLimits.wayEdgesMax);
  readonly #turns = new Uint16Array(matchLimits.wayEdgesMax);
  readonly #before = new Uint16Array(matchLimits.wayEdgesMax);
  #rows = 0;
  /** [256] decimetres, by the angle of the turn in 256ths of a circle: straight on is free. */
  readonly #turnDm = Uint16Array.from({ length: 256 }, (_, angle) =>
    Math.round(5 * model.turnM * (1 - Math.cos((angle * Math.PI) / 128))),
  );

  /** Paths never use roads with the properties in `avoid`. */
  constructor(
    network: RoadNetwork,
    mode: TravelMode,
    { bytesMax = matchLimits.wayBytesMax, avoid = 0 }: PathTreeOptions = {},
  ) {
    this.#network = network;
    this.#avoid = avoid;
    this.#arrays = network.arrays;
    this.#mode = modeIndex(mode);
    this.#bytesMax = bytesMax;
    this.#rowOf = new Uint16Array(network.edgeCount);
  }

  /**
   * Paths from the head of `root` that are at least `reachM` long, as far as the bounds of the search allow.
   */
  from(root: number, reachM: number): PathTree {
    // Rounding up lets one tree serve many questions.
    const wantedCm = 100 * Math.min(reachM, model.wayMaxM);
    const young = this.#young.get(root);
    if (young !== undefined && young.reachCm >= wantedCm) return young;
    const old = this.#old.get(root);
    const tree =
      old !== undefined && old.reachCm >= wantedCm ? old : this.#grow(root, roundedReachCm(wantedCm));
    if (young !== undefined) this.#youngBytes -= bytesOf(young);
    this.#young.set(root, tree);
    this.#youngBytes += bytesOf(tree);
    if (this.#youngBytes > this.#bytesMax / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    return tree;
  }

  /** Row of the original edge in the tree; -1 where it is out of reach. */
  row(tree: PathTree, original: number): number {
    const { slots, edge } = tree;
    const { copyOf } = this.#arrays;
    const mask = slots.length - 1;
    for (let slot = hashOf(original) & mask; ; slot = (slot + 1) & mask) {
      const row = slots[slot] - 1;
      if (row < 0 || copyOf[edge[row]] === original) return row;
    }
  }

  /** Original edges from the root to the row's edge, both included. */
  path(tree: PathTree, root: number, row: number): number[] {
    const { copyOf } = this.#arrays;
    const edges: number[] = [];
    for (let at = row; at !== rootRow; at = tree.before[at]) edges.push(copyOf[tree.edge[at]]);
    edges.push(copyOf[root]);
    return edges.reverse();
  }

  #grow(root: number, reachCm: number): PathTree {
    const { head, firstOut, inRank, lengthCm, speedKph, turnTable, turnCostsDs } = this.#arrays;
    const { bearingIn, bearingOut, reverse, copyOf, flags } = this.#arrays;
    const avoid = this.#avoid;
    const { edgeCount, nodeCount } = this.#network;
    const heap = this.#heap;
    const turnDm = this.#turnDm;
    const speedRow = this.#mode * edgeCount;
    const tableRow = this.#mode * nodeCount;
    heap.clear();
    this.#rows = 0;
    let at = root;
    let row: number = rootRow;
    let key = 0;
    let cm = 0;
    let ds = 0;
    let turns = 0;
    for (;;) {
      const node = head[at];
      const first = firstOut[node];
      const end = firstOut[node + 1];
      const table = turnTable[tableRow + node] + inRank[at] * (end - first) - first;
      const straightOn = bearingIn[at];
      const back = reverse[at] < 0 ? -1 : copyOf[reverse[at]];
      for (let next = first; next < end; next++) {
        if (speedKph[speedRow + next] === 0 || (flags[next] & avoid) !== 0) continue;
        // No route turns back at an open crossing, but a driver before a barrier does.
        if (turnCostsDs[table + next] === FORBIDDEN_TURN && copyOf[next] !== back) continue;
        const turn = turnDm[(bearingOut[next] - straightOn) & 0xff];
        this.#reach(next, key + 10 * turn, cm, ds, turns + turn, row);
      }
      do {
        // A stale entry has a greater key than its row.
        do {
          if (heap.size === 0) return this.#finish(reachCm);
          row = heap.pop();
        } while (heap.key > this.#key[row]);
        at = this.#edge[row];
        cm = this.#cm[row] + lengthCm[at];
      } while (cm > reachCm);
      key = heap.key + lengthCm[at];
      ds = this.#ds[row] + (0.36 * lengthCm[at]) / speedKph[speedRow + at];
      turns = this.#turns[row];
    }
  }

  #reach(edge: number, key: number, cm: number, ds: number, turns: number, before: number): void {
    let row = this.#rowOf[edge] - 1;
    if (row < 0) {
      if (this.#rows === matchLimits.wayEdgesMax) return;
      row = this.#rows++;
      this.#rowOf[edge] = row + 1;
      this.#edge[row] = edge;
    } else if (this.#key[row] <= key) return;
    this.#key[row] = key;
    this.#cm[row] = cm;
    this.#ds[row] = ds;
    this.#turns[row] = Math.min(turns, 0xffff);
    this.#before[row] = before;
    this.#heap.push(key, row);
  }

  #finish(reachCm: number): PathTree {
    const rows = this.#rows;
    const { copyOf } = this.#arrays;
    let size = 8;
    while (size < 2 * rows) size *= 2;
    const slots = new Uint16Array(size);
    for (let row = 0; row < rows; row++) {
      const edge = this.#edge[row];
      this.#rowOf[edge] = 0;
      const original = copyOf[edge];
      let slot = hashOf(original) & (size - 1);
      while (slots[slot] !== 0 && copyOf[this.#edge[slots[slot] - 1]] !== original)
        slot = (slot + 1) & (size - 1);
      if (slots[slot] === 0 || this.#key[row] < this.#key[slots[slot] - 1]) slots[slot] = row + 1;
    }
    return {
      reachCm,
      edge: this.#edge.slice(0, rows),
      cm: this.#cm.slice(0, rows),
      ds: this.#ds.slice(0, rows),
      turns: this.#turns.slice(0, rows),
      before: this.#before.slice(0, rows),
      slots,
    };
  }
}

const hashOf = (edge: number): number => Math.imul(edge, 0x9e3779b1) >>> 12;

/** A slightly longer query uses the same tree. */
const reachRatio = 1.25;
const roundedReachCm = (cm: number): number =>
  Math.ceil(reachRatio ** Math.ceil(Math.log(Math.max(cm, 10_000)) / Math.log(reachRatio)));

const bytesOf = ({ edge, slots }: PathTree): number => 400 + 16 * edge.length + 2 * slots.length;
