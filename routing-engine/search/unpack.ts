import { CellsMissing } from '../network/cells-missing.js';
import { limits } from '../network/limits.js';
import { FORBIDDEN_TURN } from '../network/network-arrays.js';
import { perNetwork } from '../network/per-network.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, travelModes } from '../network/travel-mode.js';
import { CliqueSearch } from '../overlay/clique-search.js';
import type { Metric } from '../overlay/metric.js';
import { exitPlace, nestedCells } from '../overlay/nested-cells.js';
import { type RoadRules, RoadSearch, UNREACHED } from '../overlay/road-search.js';

/** Parents of one search through a cell, by edge of the cell or place in it; `NONE`: the entry. */
type Tree = Uint16Array | Uint32Array;

/**
 * Turns steps across cells into roads. The cheapest paths from an entry through its cell are searched once
 * and cached as a tree. A tree is valid as long as the costs along the path that is read from it add up to
 * the requested weight, so it needs no change events: a different sum means that it is searched again. All
 * trees are discarded at once when they take more than `limits.treeBytesMax`.
 */
export class Unpacker {
  readonly #network: RoadNetwork;
  readonly #roads: RoadSearch;
  readonly #cliques: CliqueSearch;
  /**
   * By mode and place in the network's `entries`, which names a cell of some level and an edge that comes
   * into it.
   */
  #trees: (Tree | undefined)[][] = travelModes.map(() => []);
  #bytes = 0;
  readonly #missing = new Set<number>();

  constructor(network: RoadNetwork) {
    this.#network = network;
    this.#roads = new RoadSearch(network);
    this.#cliques = new CliqueSearch(network);
  }

  /**
   * Appends the edges behind a step across a cell of `level`, without its first. `rules` are those of the
   * search that found it: in an opened cell, the path may differ from the cheapest one for through traffic.
   */
  unpack(metric: Metric, from: number, to: number, level: number, weightMs: number, out: number[]): void {
    if (level > 0) this.#overCliques(metric, from, to, level, weightMs, out);
    else this.#overRoads(metric, from, to, weightMs, out);
  }

  /**
   * To be called after the last step of a path: throws `CellsMissing` if the roads of some steps were not
   * loaded.
   */
  finish(): void {
    if (this.#missing.size === 0) return;
    const cells = [...this.#missing];
    this.#missing.clear();
    throw new CellsMissing(cells);
  }

  /** The same through a cell that a search had opened for itself. */
  unpackOpened(rules: RoadRules, from: number, to: number, out: number[]): void {
    const { boundaryEdge, boundaryHeadCell } = this.#network.arrays;
    this.#roads.forward(boundaryHeadCell[from], [boundaryEdge[from]], [0], rules);
    appendCertainChain(this.#roads, boundaryEdge[to] - this.#roads.firstEdge, out);
  }

  #overRoads(metric: Metric, from: number, to: number, weightMs: number, out: number[]): void {
    const { arrays } = this.#network;
    const { boundaryEdge, boundaryHeadCell, cellFirstNode, firstOut } = arrays;
    const cell = boundaryHeadCell[from];
    if (metric.covered[cell] === 0) {
      this.#missing.add(cell);
      return;
    }
    const trees = this.#trees[modeIndex(metric.mode)];
    const key = this.#entryPlace(0, cell, from);
    const firstEdge = firstOut[cellFirstNode[cell]];
    const start = out.length;
    const tree = trees[key];
    if (tree !== undefined) {
      const none = noneOf(tree);
      for (let at = boundaryEdge[to] - firstEdge; at !== none; at = tree[at]) out.push(firstEdge + at);
      reverseFrom(out, start);
      if (this.#roadsMs(metric, boundaryEdge[from], out, start) === weightMs) return;
      out.length = start;
    }
    const { costMs, covered } = metric;
    const mode = modeIndex(metric.mode);
    const rules = { costMs, covered, mode, avoid: 0, openZone: 0, barred: undefined };
    this.#roads.forward(cell, [boundaryEdge[from]], [0], rules);
    appendCertainChain(this.#roads, boundaryEdge[to] - firstEdge, out);
    this.#keep(trees, key, this.#roads.parent, this.#roads.count, this.#roads.label);
  }

  #overCliques(metric: Metric, from: number, to: number, level: number, weightMs: number, out: number[]) {
    const chain: number[] = [];
    const steps: number[] = [];
    this.stepsBelow(metric, from, to, level, weightMs, chain, steps);
    let last = from;
    for (let i = 0; i < chain.length; i++) {
      this.unpack(metric, last, chain[i], level - 1, steps[i], out);
      last = chain[i];
    }
  }

  /**
   * The steps across cells of the level below that are behind a step across a cell of a level above 0:
   * appends the exits that they lead to, and writes their milliseconds.
   */
  stepsBelow(
    metric: Metric,
    from: number,
    to: number,
    level: number,
    weightMs: number,
    chain: number[],
    steps: number[],
  ): void {
    const { arrays, cellCount } = this.#network;
    const { boundaryHeadCell, cellAncestor, firstExit, exits } = arrays;
    const cell = cellAncestor[(level - 1) * cellCount + boundaryHeadCell[from]];
    const trees = this.#trees[modeIndex(metric.mode)];
    const key = this.#entryPlace(level, cell, from);
    const cells = nestedCells(this.#network);
    const first = firstExit[cells.offsets[level - 1] + cells.firstChild[level][cell]];
    const place = exitPlace(this.#network, cells, level - 1, to) - first;
    const tree = trees[key];
    if (tree !== undefined) {
      const none = noneOf(tree);
      for (let at = place; at !== none; at = tree[at]) chain.push(exits[first + at]);
      chain.reverse();
      if (this.#stepsMs(metric, from, chain, level - 1, steps) !== weightMs) chain.length = 0;
    }
    if (chain.length === 0) {
      this.#cliques.run(level, cell, from, metric.weightsMs);
      if (this.#cliques.label[place] === UNREACHED) throw new ContradictoryTiles();
      for (let at = place; at >= 0; at = this.#cliques.parent[at]) chain.push(exits[first + at]);
      chain.reverse();
      this.#keep(trees, key, this.#cliques.parent, this.#cliques.count, this.#cliques.label);
      this.#stepsMs(metric, from, chain, level - 1, steps);
    }
  }

  /** Place in `entries` of an edge that comes into a cell. */
  #entryPlace(level: number, cell: number, edge: number): number {
    const { firstEntry, entryRank, boundaryEdge } = this.#network.arrays;
    return (
      firstEntry[nestedCells(this.#network).offsets[level] + cell] +
      entryRank[level * boundaryEdge.length + edge]
    );
  }

  /** The sum of the weights of a chain of exits at a level. */
  #stepsMs({ weightsMs }: Metric, from: number, chain: readonly number[], level: number, steps: number[]) {
    const { arrays, cellCount } = this.#network;
    const { boundaryHeadCell, cellAncestor, firstExit, firstWeight, entryRank, exitRank } = arrays;
    const ranks = level * arrays.boundaryEdge.length;
    const offset = nestedCells(this.#network).offsets[level];
    let sum = 0;
    let last = from;
    steps.length = 0;
    for (const next of chain) {
      const finest = boundaryHeadCell[last];
      const cell = offset + (level === 0 ? finest : cellAncestor[(level - 1) * cellCount + finest]);
      const width = firstExit[cell + 1] - firstExit[cell];
      const ms = weightsMs[firstWeight[cell] + entryRank[ranks + last] * width + exitRank[ranks + next]];
      steps.push(ms);
      sum += ms;
      last = next;
    }
    return sum;
  }

  /** Costs and turns of the edges from `start` on, after `from`. A closed edge makes the sum too large. */
  #roadsMs({ costMs, mode }: Metric, from: number, edges: readonly number[], start: number): number {
    const { arrays, nodeCount } = this.#network;
    const { head, firstOut, inRank, turnTable, turnCostsDs } = arrays;
    const tables = modeIndex(mode) * nodeCount;
    let sum = 0;
    let last = from;
    for (let i = start; i < edges.length; i++) {
      const next = edges[i];
      const node = head[last];
      const first = firstOut[node];
      const degree = firstOut[node + 1] - first;
      const turn = turnCostsDs[turnTable[tables + node] + inRank[last] * degree + next - first];
      if (turn === FORBIDDEN_TURN) return -1;
      sum += costMs[next] + 100 * turn;
      last = next;
    }
    return sum;
  }

  #keep(
    trees: (Tree | undefined)[],
    key: number,
    parent: Int32Array,
    count: number,
    label: Int32Array,
  ): void {
    const tree = count < 0xffff ? new Uint16Array(count) : new Uint32Array(count);
    const none = noneOf(tree);
    const old = trees[key];
    if (old !== undefined) this.#bytes -= old.byteLength;
    for (let at = 0; at < count; at++)
      tree[at] = label[at] === 0x7fffffff || parent[at] < 0 ? none : parent[at];
    this.#bytes += tree.byteLength;
    if (this.#bytes > limits.treeBytesMax) {
      this.#trees = travelModes.map(() => []);
      this.#bytes = 0;
      return;
    }
    trees[key] = tree;
  }
}

const noneOf = (tree: Tree): number => (tree.BYTES_PER_ELEMENT === 2 ? 0xffff : 0xffffffff);

/** A weight says that there is a path across a cell, and its roads say that there is none. */
export class ContradictoryTiles extends Error {
  constructor() {
    super('Tiles of weights contradict the tiles of roads. Build the tiles again.');
  }
}

/** For a path that a weight promises: without it the parents are those of another search, and may circle. */
function appendCertainChain(roads: RoadSearch, reached: number, out: number[]): void {
  if (roads.label[reached] === UNREACHED) throw new ContradictoryTiles();
  appendChain(roads, reached, out);
}

/** The edges from the one that a search reached back to (without) its seed, in the direction of travel. */
export function appendChain({ parent, firstEdge }: RoadSearch, reached: number, out: number[]): number {
  const start = out.length;
  let at = reached;
  for (; at >= 0; at = parent[at]) out.push(firstEdge + at);
  reverseFrom(out, start);
  return -1 - at;
}

function reverseFrom(list: number[], start: number): void {
  for (let i = start, j = list.length - 1; i < j; i++, j--) {
    const held = list[i];
    list[i] = list[j];
    list[j] = held;
  }
}

export const unpackerOf = perNetwork((network) => new Unpacker(network));
