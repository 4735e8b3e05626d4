import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { turnDs } from '../network/turn-cost.js';
import type { RoadSearch } from '../overlay/road-search.js';
import { NOTHING_M } from '../route/trim-ends.js';
import type { EndCell } from '../search/end-cells.js';
import { firstPartMs, lastPartMs, type OpenEnd } from '../search/route-ends.js';
import type { ArcLengths } from './arc-lengths.js';
import type { Sweep } from './sweep.js';

/** What a part of a path is beside its time. */
export interface PartDetails {
  /** Without the end that is trimmed; 0 where no lengths are wanted. */
  readonly metres: number;
  /** Milliseconds that `trimEnds` takes off. */
  readonly trimMs: number;
}

const nothing: PartDetails = { metres: 0, trimMs: 0 };

export interface DetailOptions {
  readonly network: RoadNetwork;
  readonly mode: TravelMode;
  /** Absent: lengths are not wanted. */
  readonly lengths?: ArcLengths;
}

/** Details of the parts of paths between the place of a sweep and edges that it labelled. */
export class SweepDetails {
  readonly #options: DetailOptions;
  readonly #sweep: Sweep;
  readonly #trims: boolean;
  readonly #zone: number;
  readonly #known = new Map<number, PartDetails>();

  /** `trims`: the end is trimmed if nothing of its edge is travelled. Valid until the next sweep. */
  constructor(options: DetailOptions, sweep: Sweep, trims: boolean, zone: number) {
    this.#options = options;
    this.#sweep = sweep;
    this.#trims = trims;
    this.#zone = zone;
  }

  /** Between the place and the head of an edge of the overlay that has a label. */
  of(edge: number): PartDetails {
    if (this.#options.lengths === undefined && !this.#trims) return nothing;
    const { labels } = this.#sweep;
    const chain: number[] = [];
    let at = edge;
    let known = this.#known.get(at);
    while (known === undefined && labels.parent(at) >= 0) {
      chain.push(at);
      at = labels.parent(at);
      known = this.#known.get(at);
    }
    if (known === undefined) {
      known = this.#ofRoot(at, this.#sweep.groups[-1 - labels.parent(at)]);
      this.#known.set(at, known);
    }
    for (let next = chain.pop(); next !== undefined; next = chain.pop()) {
      known = { metres: known.metres + this.#arcMetres(next), trimMs: known.trimMs };
      this.#known.set(next, known);
    }
    return known;
  }

  #arcMetres(edge: number): number {
    const { labels, direction } = this.#sweep;
    const parent = labels.parent(edge);
    const [from, to] = direction === 'forward' ? [parent, edge] : [edge, parent];
    const ms = labels.ms(edge) - labels.ms(parent);
    return this.#options.lengths?.metres(from, to, labels.level(edge), ms, this.#zone) ?? 0;
  }

  #ofRoot(edge: number, { roads, ends }: EndCell): PartDetails {
    const crossing = this.#options.network.arrays.boundaryEdge[edge];
    return this.#sweep.direction === 'forward'
      ? startDetails(this.#options, roads, ends, crossing - roads.firstEdge, this.#trims)
      : this.#goalDetails(roads, ends, crossing);
  }

  /** From the head of an edge that enters the cell to the goal. */
  #goalDetails(roads: RoadSearch, ends: readonly OpenEnd[], entry: number): PartDetails {
    const { network, mode } = this.#options;
    let metres = 0;
    let before = entry;
    let at = roads.fromEntry(entry).next;
    for (; at >= 0; at = roads.parent[at]) {
      before = roads.firstEdge + at;
      metres += network.edgeLengthM(before);
    }
    const goal = ends[-1 - at];
    const doneM = goal.fraction * network.edgeLengthM(goal.edge);
    if (!this.#trims || doneM > NOTHING_M) return { metres: metres + doneM, trimMs: 0 };
    return { metres, trimMs: firstPartMs(goal) + 100 * (turnDs(network, mode, before, goal.edge) ?? 0) };
  }
}

/** From the start to the head of an edge of its cell, by its place there. */
export function startDetails(
  { network, mode }: DetailOptions,
  roads: RoadSearch,
  ends: readonly OpenEnd[],
  reached: number,
  trims: boolean,
): PartDetails {
  let metres = 0;
  let first = 0;
  let at = reached;
  for (; at >= 0; at = roads.parent[at]) {
    first = roads.firstEdge + at;
    metres += network.edgeLengthM(first);
  }
  const start = ends[-1 - at];
  const restM = (1 - start.fraction) * network.edgeLengthM(start.edge);
  if (!trims || restM > NOTHING_M) return { metres: metres + restM, trimMs: 0 };
  return { metres, trimMs: lastPartMs(start) + 100 * (turnDs(network, mode, start.edge, first) ?? 0) };
}
