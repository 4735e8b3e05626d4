import type { RoadNetwork } from '../network/road-network.js';
import { type RoadRules, RoadSearch, UNREACHED } from '../overlay/road-search.js';
import { firstPartMs, lastPartMs, type OpenEnd } from './route-ends.js';

/** The ends of a query that lie in one cell of level 0, and the search over its roads. */
export interface EndCell {
  readonly cell: number;
  readonly ends: readonly OpenEnd[];
  /** Milliseconds of the rest of the edges after the starts, or of the parts before the destinations. */
  readonly ms: readonly number[];
  readonly roads: RoadSearch;
}

/** Searches over the roads of cells, reused for their memory. */
export class EndCells {
  readonly #network: RoadNetwork;
  readonly #searches: RoadSearch[] = [];

  constructor(network: RoadNetwork) {
    this.#network = network;
  }

  /**
   * Forward from the starts, cell by cell. A path begins at the head of its first edge, in the cell that the
   * head lies in.
   */
  fromStarts(starts: readonly OpenEnd[], rules: RoadRules): EndCell[] {
    const { head } = this.#network.arrays;
    const cells = this.#byCell(starts, (edge) => head[edge], lastPartMs);
    for (const { roads, cell, ends, ms } of cells) roads.forward(cell, ends.map(edgeOf), ms, rules);
    return cells;
  }

  /** Backward from the destinations; a path comes to the tail of its last edge. */
  toGoals(goals: readonly OpenEnd[], rules: RoadRules): EndCell[] {
    const { tail } = this.#network.arrays;
    const cells = this.#byCell(goals, (edge) => tail[edge], firstPartMs);
    for (const { roads, cell, ends, ms } of cells) roads.backward(cell, ends.map(edgeOf), ms, rules);
    return cells;
  }

  #byCell(
    ends: readonly OpenEnd[],
    nodeOf: (edge: number) => number,
    msOf: (end: OpenEnd) => number,
  ): EndCell[] {
    const cells = new Map<number, OpenEnd[]>();
    for (const end of ends) {
      const cell = this.#network.nodeCell(nodeOf(end.edge));
      const there = cells.get(cell);
      if (there === undefined) cells.set(cell, [end]);
      else there.push(end);
    }
    while (this.#searches.length < cells.size) this.#searches.push(new RoadSearch(this.#network));
    return [...cells].map(([cell, there], i) => ({
      cell,
      ends: there,
      ms: there.map(msOf),
      roads: this.#searches[i],
    }));
  }
}

/** An edge of the overlay where a search leaves the cells that it began in; `group` says which one. */
export interface EndLabel {
  readonly edge: number;
  readonly ms: number;
  readonly group: number;
}

export function exitsOfStarts({ arrays }: RoadNetwork, starts: readonly EndCell[]): EndLabel[] {
  const { boundaryEdge, firstExit, exits } = arrays;
  const labels: EndLabel[] = [];
  for (const [group, { cell, roads }] of starts.entries())
    for (let at = firstExit[cell]; at < firstExit[cell + 1]; at++) {
      const ms = roads.label[boundaryEdge[exits[at]] - roads.firstEdge];
      if (ms !== UNREACHED) labels.push({ edge: exits[at], ms, group });
    }
  return labels;
}

export function entriesOfGoals({ arrays }: RoadNetwork, goals: readonly EndCell[]): EndLabel[] {
  const { boundaryEdge, firstEntry, entries } = arrays;
  const labels: EndLabel[] = [];
  for (const [group, { cell, roads }] of goals.entries())
    for (let at = firstEntry[cell]; at < firstEntry[cell + 1]; at++) {
      const { ms } = roads.fromEntry(boundaryEdge[entries[at]]);
      if (ms !== UNREACHED) labels.push({ edge: entries[at], ms, group });
    }
  return labels;
}

const edgeOf = ({ edge }: OpenEnd): number => edge;
