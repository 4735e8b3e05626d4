import type { RoadNetwork } from '../network/road-network.js';
import { CLOSED, type Metric } from '../overlay/metric.js';
import { nestedCells } from '../overlay/nested-cells.js';
import { UNREACHED } from '../overlay/road-search.js';
import type { BoundaryLabels } from '../search/boundary-labels.js';
import type { EndCell } from '../search/end-cells.js';
import type { OpenEnd } from '../search/route-ends.js';
import { type SearchWorkspace, workspaceOf } from '../search/search-workspace.js';
import type { OpenedCliques } from './opened-cliques.js';

export type Direction = 'forward' | 'backward';

/** Settled edges before it is first asked whether the search may end. */
const FIRST_CHECK = 512;

/**
 * Dijkstra over the overlay from the starts of one place, or backward from its destinations, to everywhere.
 * Only the cells around the place are searched in detail (`OpenCells`). Labels are those of `searchOverlay`:
 * forward, the milliseconds from the place to an edge's head; backward, those from the edge's head to the
 * place. They stay readable until the next sweep in that direction.
 */
export class Sweep {
  readonly direction: Direction;
  readonly labels: BoundaryLabels;
  /** The ends of the place, by cell of level 0. */
  groups: readonly EndCell[] = [];
  readonly #network: RoadNetwork;
  readonly #weightsMs: Int32Array;
  readonly #cliques: OpenedCliques;
  readonly #avoid: number;
  readonly #workspace: SearchWorkspace;
  readonly #offsets: readonly number[];
  #zone = 0;

  constructor(
    network: RoadNetwork,
    metric: Metric,
    avoid: number,
    cliques: OpenedCliques,
    direction: Direction,
  ) {
    this.direction = direction;
    this.#network = network;
    this.#weightsMs = metric.weightsMs;
    this.#cliques = cliques;
    this.#avoid = avoid;
    this.#workspace = workspaceOf(network);
    this.#offsets = nestedCells(network).offsets;
    this.labels = this.#workspace[direction];
  }

  /** To the borders of the cells around the place, without paths that leave the coarsest one. */
  around(ends: readonly OpenEnd[]): void {
    this.#begin(ends, 0);
    const { heap } = this.labels;
    const top = this.#network.levelCount - 2;
    const around = this.groups.map(({ cell }) => this.#cellAt(top, cell));
    const next = this.#network.arrays[this.direction === 'forward' ? 'boundaryHeadCell' : 'boundaryTailCell'];
    while (heap.size > 0) {
      const reached = heap.leastKey();
      const edge = this.labels.take();
      if (edge >= 0 && around.includes(this.#cellAt(top, next[edge]))) this.#relax(edge, reached);
    }
  }

  /**
   * To everywhere. `zone` of ends-only roads is open, or 0. `isDone` is asked with the least label that is
   * not settled; if it returns true, the greater ones are upper bounds.
   */
  everywhere(ends: readonly OpenEnd[], zone: number, isDone: (leastMs: number) => boolean): void {
    this.#begin(ends, zone);
    const { heap } = this.labels;
    for (let settled = 0, check = FIRST_CHECK; heap.size > 0; ) {
      const reached = heap.leastKey();
      const edge = this.labels.take();
      if (edge < 0) continue;
      this.#relax(edge, reached);
      if (++settled < check) continue;
      if (isDone(heap.leastKey())) return;
      check *= 2;
    }
  }

  #begin(ends: readonly OpenEnd[], zone: number): void {
    const { starts, goals, open } = this.#workspace;
    const isForward = this.direction === 'forward';
    const rules = this.#cliques.rules(zone);
    this.#zone = zone;
    this.groups = isForward ? starts.fromStarts(ends, rules) : goals.toGoals(ends, rules);
    this.labels.begin();
    if (this.#network.arrays.boundaryEdge.length === 0) return;
    for (const [group, cell] of this.groups.entries()) this.#seed(group, cell);
    const cells = this.groups.map(({ cell }) => cell);
    open.openFor(cells, zone, cells, this.#avoid, this.#cliques.barred?.cells);
  }

  /** The coarsest level at which a cell around one of level 0 was crossed in one step; −1 if none was. */
  levelOf(finest: number): number {
    return this.#workspace.open.levelOf(finest);
  }

  #seed(group: number, { cell, roads }: EndCell): void {
    const { firstEntry, entries, firstExit, exits, boundaryEdge } = this.#network.arrays;
    const isForward = this.direction === 'forward';
    const [first, edges] = isForward ? [firstExit, exits] : [firstEntry, entries];
    for (let at = first[cell]; at < first[cell + 1]; at++) {
      const edge = boundaryEdge[edges[at]];
      const ms = isForward ? roads.label[edge - roads.firstEdge] : roads.fromEntry(edge).ms;
      if (ms !== UNREACHED) this.labels.improve(edges[at], ms, -1 - group, -1);
    }
  }

  #relax(edge: number, reached: number): void {
    if (this.direction === 'forward') this.#forward(edge, reached);
    else this.#backward(edge, reached);
  }

  #forward(edge: number, reached: number): void {
    const { arrays } = this.#network;
    const { firstExit, exits, firstWeight, entryRank, boundaryHeadCell, boundaryEdge } = arrays;
    const { labels } = this;
    const finest = boundaryHeadCell[edge];
    const level = this.levelOf(finest);
    const cell = level <= 0 ? finest : this.#offsets[level] + this.#cellAt(level, finest);
    const weights = level < 0 ? this.#cliques.of(finest, this.#zone) : this.#weightsMs;
    const first = firstExit[cell];
    const end = firstExit[cell + 1];
    const rank = entryRank[Math.max(0, level) * boundaryEdge.length + edge];
    const row = (level < 0 ? 0 : firstWeight[cell]) + rank * (end - first) - first;
    for (let at = first; at < end; at++) {
      const weight = weights[row + at];
      if (weight !== CLOSED) labels.improve(exits[at], reached + weight, edge, level);
    }
  }

  #backward(edge: number, reached: number): void {
    const { arrays } = this.#network;
    const { firstEntry, entries, firstExit, firstWeight, exitRank } = arrays;
    const { boundaryTailCell, boundaryEdge } = arrays;
    const { labels } = this;
    const finest = boundaryTailCell[edge];
    const level = this.levelOf(finest);
    const cell = level <= 0 ? finest : this.#offsets[level] + this.#cellAt(level, finest);
    const weights = level < 0 ? this.#cliques.of(finest, this.#zone) : this.#weightsMs;
    const width = firstExit[cell + 1] - firstExit[cell];
    const end = firstEntry[cell + 1];
    const rank = exitRank[Math.max(0, level) * boundaryEdge.length + edge];
    let weightAt = (level < 0 ? 0 : firstWeight[cell]) + rank;
    for (let at = firstEntry[cell]; at < end; at++, weightAt += width) {
      const weight = weights[weightAt];
      if (weight !== CLOSED) labels.improve(entries[at], reached + weight, edge, level);
    }
  }

  /** The cell of a level around a cell of level 0. */
  #cellAt(level: number, finest: number): number {
    const { arrays, cellCount } = this.#network;
    return level <= 0 ? finest : arrays.cellAncestor[(level - 1) * cellCount + finest];
  }
}
