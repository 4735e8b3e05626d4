import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import { RoadSearch, UNREACHED } from '../overlay/road-search.js';
import { lastPartMs, type OpenEnd } from '../search/route-ends.js';
import { ArcLengths } from './arc-lengths.js';
import { type BorderReach, borderEdges, type CellReach, reachOf } from './border-reach.js';
import { type DirectPath, directPath } from './direct-path.js';
import { OpenedCliques } from './opened-cliques.js';
import { Sweep } from './sweep.js';
import { type DetailOptions, SweepDetails, startDetails } from './sweep-details.js';

/** [from × to], row by row; Infinity where there is no route. */
export interface TravelMatrix {
  readonly ms: Float64Array;
  /** Empty unless asked for. */
  readonly metres: Float64Array;
}

/** The ends of a place that are open, with its row or column. */
export interface MatrixEnd {
  readonly ends: readonly OpenEnd[];
  readonly at: number;
  /** Cells of level 0 that the edges touch. */
  readonly cells: readonly number[];
  readonly trims: boolean;
}

interface Reached extends MatrixEnd {
  readonly reach: readonly CellReach[];
}

/** Where a sweep meets the reach of a place. */
interface Meeting {
  readonly ms: number;
  readonly edge: number;
  readonly border: BorderReach;
}

export interface MatrixShape {
  readonly avoid: number;
  readonly rows: number;
  readonly columns: number;
  readonly withMetres: boolean;
}

/** The cells of a matrix while it is searched. */
export class MatrixSearch {
  readonly #network: RoadNetwork;
  readonly #metric: Metric;
  readonly #columns: number;
  readonly #cliques: OpenedCliques;
  readonly #details: DetailOptions;
  readonly #sweeps: { readonly forward: Sweep; readonly backward: Sweep };
  /** Milliseconds of the quickest path, by which paths are compared, and those of the trimmed one. */
  readonly #best: Float64Array;
  readonly #ms: Float64Array;
  readonly #metres: Float64Array;

  constructor(network: RoadNetwork, metric: Metric, { avoid, rows, columns, withMetres }: MatrixShape) {
    this.#network = network;
    this.#metric = metric;
    this.#columns = columns;
    this.#cliques = new OpenedCliques(network, metric, avoid);
    this.#details = {
      ...{ network, mode: metric.mode },
      ...(withMetres ? { lengths: new ArcLengths(network, metric, this.#cliques) } : {}),
    };
    this.#sweeps = {
      forward: new Sweep(network, metric, avoid, this.#cliques, 'forward'),
      backward: new Sweep(network, metric, avoid, this.#cliques, 'backward'),
    };
    const none = (length: number): Float64Array => new Float64Array(length).fill(Number.POSITIVE_INFINITY);
    this.#best = none(rows * columns);
    this.#ms = none(rows * columns);
    this.#metres = none(withMetres ? rows * columns : 0);
  }

  /** From each start to destinations that lie in no zone. */
  forward(starts: readonly MatrixEnd[], goals: readonly MatrixEnd[]): void {
    const sweep = this.#sweeps.forward;
    const reached = goals.map((goal) => this.#reached(this.#sweeps.backward, goal));
    for (const start of starts)
      this.#sweep(sweep, start, 0, reached, (goal) => start.at * this.#columns + goal.at);
  }

  /** Backward from destinations, by zone, to each start. */
  backward(zones: ReadonlyMap<number, readonly MatrixEnd[]>, starts: readonly MatrixEnd[]): void {
    if (zones.size === 0) return;
    const sweep = this.#sweeps.backward;
    const reached = starts.map((start) => this.#reached(this.#sweeps.forward, start));
    for (const [zone, goals] of zones)
      for (const goal of goals)
        this.#sweep(sweep, goal, zone, reached, (start) => start.at * this.#columns + goal.at);
  }

  finish(): TravelMatrix {
    this.#details.lengths?.finish();
    return { ms: this.#ms, metres: this.#metres };
  }

  #reached(sweep: Sweep, place: MatrixEnd): Reached {
    if (place.ends.length === 0) return { ...place, reach: [] };
    sweep.around(place.ends);
    const details = new SweepDetails(this.#details, sweep, place.trims, 0);
    const withDetails = place.trims || this.#details.lengths !== undefined;
    return { ...place, reach: reachOf(this.#network, sweep, details, withDetails) };
  }

  /** Fills a row or a column. */
  #sweep(
    sweep: Sweep,
    place: MatrixEnd,
    zone: number,
    others: readonly Reached[],
    cellOf: (other: MatrixEnd) => number,
  ): void {
    if (place.ends.length === 0) return;
    sweep.everywhere(place.ends, zone, (leastMs) =>
      others.every((other) => (this.#meeting(sweep, other, zone)?.ms ?? Number.POSITIVE_INFINITY) <= leastMs),
    );
    const details = new SweepDetails(this.#details, sweep, place.trims, zone);
    for (const other of others) {
      const at = cellOf(other);
      const direct = this.#direct(sweep, place, other);
      const meeting = this.#meeting(sweep, other, zone);
      if (direct !== undefined && direct.ms <= (meeting?.ms ?? Number.POSITIVE_INFINITY)) {
        if (direct.ms < this.#best[at]) this.#set(at, direct.ms, direct.details());
      } else if (meeting !== undefined && meeting.ms < this.#best[at]) {
        const here = details.of(meeting.edge);
        const there = meeting.border.details(meeting.edge);
        this.#set(at, meeting.ms, {
          metres: here.metres + there.metres,
          trimMs: here.trimMs + there.trimMs,
        });
      }
    }
  }

  #set(at: number, ms: number, { metres, trimMs }: { readonly metres: number; readonly trimMs: number }) {
    this.#best[at] = ms;
    this.#ms[at] = ms - trimMs;
    if (this.#metres.length > 0) this.#metres[at] = Math.max(0, metres);
  }

  /** A path within one edge or one cell of level 0. */
  #direct(sweep: Sweep, place: MatrixEnd, { ends, cells, trims }: MatrixEnd): DirectPath | undefined {
    if (!place.cells.some((cell) => cells.includes(cell))) return undefined;
    const isForward = sweep.direction === 'forward';
    const [from, to] = isForward ? [place.ends, ends] : [ends, place.ends];
    const trimmed = isForward ? { start: place.trims, goal: trims } : { start: trims, goal: place.trims };
    return directPath(this.#network, this.#metric, sweep, from, to, trimmed);
  }

  #meeting(sweep: Sweep, { reach, trims }: Reached, zone: number): Meeting | undefined {
    const { labels } = sweep;
    let least = Number.POSITIVE_INFINITY;
    let meeting = -1;
    let at: BorderReach | undefined;
    for (const there of reach) {
      if (there.borders.length === 0) continue;
      const level = sweep.levelOf(there.cell);
      const border =
        level >= 0 ? there.borders[level] : zone === 0 ? there.borders[0] : this.#inZone(there, zone, trims);
      const { edges, ms } = border;
      for (let i = 0; i < edges.length; i++) {
        if (ms[i] === UNREACHED || !labels.has(edges[i])) continue;
        const total = ms[i] + labels.ms(edges[i]);
        if (total >= least) continue;
        least = total;
        meeting = edges[i];
        at = border;
      }
    }
    return at === undefined ? undefined : { ms: least, edge: meeting, border: at };
  }

  /** From starts in a cell in which a zone is open: its roads may be the way out of the cell. */
  #inZone({ cell, ends }: CellReach, zone: number, trims: boolean): BorderReach {
    const { boundaryEdge } = this.#network.arrays;
    const roads = new RoadSearch(this.#network);
    const seeds = ends.map(({ edge }) => edge);
    roads.forward(cell, seeds, ends.map(lastPartMs), this.#cliques.rules(zone));
    const edges = borderEdges(this.#network, cell, 'forward');
    const place = (edge: number): number => boundaryEdge[edge] - roads.firstEdge;
    return {
      edges,
      ms: Int32Array.from(edges, (edge) => roads.label[place(edge)]),
      details: (edge) => startDetails(this.#details, roads, ends, place(edge), trims),
    };
  }
}
