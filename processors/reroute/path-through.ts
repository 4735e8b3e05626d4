import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { CLOSED, freeFlowMs, type Metric } from '#routing-engine/overlay/metric.js';
import type { ActiveNavigation } from './active-navigations.js';
import type { Landmarks } from './landmarks.js';
import { spread, UNREACHABLE } from './spread.js';

/** Edges that cost less than before. */
export interface BetterEdges {
  readonly edges: readonly number[];
  /** Milliseconds that each costs less; Infinity for one that was closed. */
  readonly ownMs: readonly number[];
  /** The gain of each edge for a driver who passes it: see `detourGains`. */
  readonly detourMs: readonly number[];
  /**
   * Milliseconds by which all edges of the metric together are faster than at free flow: the error of a
   * free-flow bound.
   */
  readonly fasterMs: number;
}

/**
 * A better edge, with least times from the end of the driver's edge over it, and from there to the
 * destination.
 */
export interface Reached {
  /** Its position in `BetterEdges.edges`. */
  readonly position: number;
  readonly toMs: number;
  readonly fromMs: number;
  /** It is the destination's own road. */
  readonly isEnd: boolean;
}

/** The better edges over which a path to the destination may take less than a limit. */
export interface InReach {
  readonly edges: readonly Reached[];
  /** No path over any of the others takes less, from the end of the driver's edge on. */
  readonly othersMs: number;
}

/** By the landmarks; without them every edge is in reach. */
export function inReach(
  network: RoadNetwork,
  metric: Metric,
  { edges: route, at, toFraction }: ActiveNavigation,
  { edges, fasterMs }: BetterEdges,
  limitMs: number,
  landmarks: Landmarks | undefined,
): InReach {
  if (landmarks === undefined || landmarks.count === 0)
    return {
      edges: edges.map((edge, position) => ({
        ...{ position, toMs: 0, fromMs: 0 },
        isEnd: endsOf(network, route.at(-1)!).includes(edge),
      })),
      othersMs: Number.POSITIVE_INFINITY,
    };
  const { count, ms } = landmarks;
  const width = 2 * count;
  const here = route[at]! * width;
  const last = route.at(-1)!;
  const goal = goalTable(network, landmarks, last, toFraction);
  const ends = endsOf(network, last);
  const direct = atLeast(ms, here, goal, width) - fasterMs;
  if (direct > limitMs) return { edges: [], othersMs: direct };
  const reached: Reached[] = [];
  let othersMs = Number.POSITIVE_INFINITY;
  for (let position = 0; position < edges.length; position++) {
    const edge = edges[position]!;
    const there = edge * width;
    let toMs = between(ms, here, there, width) - fasterMs;
    const fromMs = atLeast(ms, there, goal, width) - fasterMs;
    let bound = toMs + fromMs + fasterMs;
    // Only a part of the destination's own road is driven, so its cost beyond free flow may not count
    // completely.
    const isEnd = bound <= limitMs && ends.includes(edge);
    if (bound <= limitMs && !isEnd) {
      const beyondMs = Math.max(0, metric.costMs[edge]! - freeFlowMs(network, edge, 'driving'));
      toMs += beyondMs;
      bound += beyondMs;
    }
    if (bound > limitMs) othersMs = Math.min(othersMs, bound);
    else reached.push({ position, toMs, fromMs, isEnd });
  }
  return { edges: reached, othersMs };
}

/** Exact times under a metric to the head of one edge and, after `goOn`, from there. */
export class Through {
  readonly #network: RoadNetwork;
  readonly #costMs: Int32Array;
  readonly #edge: number;
  readonly #to: Int32Array;
  readonly #from: Int32Array;

  /** Paths that take longer than `untilMs` are not searched. */
  constructor(network: RoadNetwork, { costMs }: Metric, edge: number, untilMs: number) {
    this.#network = network;
    this.#costMs = costMs;
    this.#edge = edge;
    this.#to = new Int32Array(network.edgeCount);
    this.#from = new Int32Array(network.edgeCount);
    spread(network, costMs, edge, false, this.#to, untilMs);
  }

  /** Searches the paths from there that take no longer than `untilMs`. */
  goOn(untilMs: number): void {
    spread(this.#network, this.#costMs, this.#edge, true, this.#from, untilMs);
  }

  /**
   * Milliseconds from the end of the driver's edge to the end of this one; Infinity where it takes too long.
   */
  toMs({ edges, at }: ActiveNavigation): number {
    const ms = this.#to[edges[at]!]!;
    return ms === UNREACHABLE ? Number.POSITIVE_INFINITY : ms;
  }

  /** Milliseconds from the end of the driver's edge over this one to the destination; never too high. */
  leastMs(navigation: ActiveNavigation): number {
    const toMs = this.toMs(navigation);
    const { edges, toFraction } = navigation;
    const last = edges.at(-1)!;
    const forward = this.#network.arrays.copyOf[last];
    let least = Number.POSITIVE_INFINITY;
    for (const end of endsOf(this.#network, last)) {
      const cost = this.#costMs[end]!;
      // The destination's road may be entered even if it is closed; closures are not known here.
      if (cost === CLOSED && freeFlowMs(this.#network, end, 'driving') !== CLOSED) return 0;
      const fromMs = this.#from[end]!;
      if (fromMs === UNREACHABLE) continue;
      const isForward = this.#network.arrays.copyOf[end] === forward;
      least = Math.min(least, toMs + fromMs - cost * (isForward ? 1 - toFraction : toFraction));
    }
    return least;
  }
}

/** Both directions of the destination's road, with their copies: a path may end on any of them. */
function endsOf(network: RoadNetwork, last: number): readonly number[] {
  const reverse = network.reverseOf(last);
  return [...network.copiesOf(last), ...(reverse === undefined ? [] : network.copiesOf(reverse))];
}

/** For each landmark the least time to the destination, and the greatest from there. */
function goalTable(
  network: RoadNetwork,
  { count, ms }: Landmarks,
  last: number,
  toFraction: number,
): Float64Array {
  const width = 2 * count;
  const table = new Float64Array(width);
  for (let i = 0; i < width; i += 2) {
    table[i] = Number.POSITIVE_INFINITY;
    table[i + 1] = Number.NEGATIVE_INFINITY;
  }
  const forward = network.arrays.copyOf[last];
  for (const edge of endsOf(network, last)) {
    const isForward = network.arrays.copyOf[edge] === forward;
    const left = freeFlowMs(network, edge, 'driving') * (isForward ? 1 - toFraction : toFraction);
    for (let i = 0; i < width; i += 2) {
      table[i] = Math.min(table[i]!, ms[edge * width + i]! - left);
      table[i + 1] = Math.max(table[i + 1]!, ms[edge * width + i + 1]! + left);
    }
  }
  return table;
}

function between(ms: Int32Array, from: number, to: number, width: number): number {
  let least = 0;
  for (let i = 0; i < width; i += 2) {
    const out = ms[to + i]! - ms[from + i]!;
    if (out > least) least = out;
    const back = ms[from + i + 1]! - ms[to + i + 1]!;
    if (back > least) least = back;
  }
  return least;
}

function atLeast(ms: Int32Array, from: number, goal: Float64Array, width: number): number {
  let least = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < width; i += 2) {
    const out = goal[i]! - ms[from + i]!;
    if (out > least) least = out;
    const back = ms[from + i + 1]! - goal[i + 1]!;
    if (back > least) least = back;
  }
  return least;
}
