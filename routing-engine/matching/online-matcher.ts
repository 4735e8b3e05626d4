import type { AvoidMask } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { matchLimits, model } from './match-settings.js';
import { MatchWindow, noBack } from './match-window.js';
import { sigmaOf, stepM } from './point-model.js';
import { RoadsNear } from './roads-near.js';
import type { MatchedStep, TracePoint } from './trace-point.js';
import { strideM, Transition } from './transition.js';

export interface OnlineMatcherOptions {
  readonly mode: TravelMode;
  /**
   * Also decide at the bounds although histories still differ; otherwise only when they agree. Default true.
   */
  readonly boundedLag?: boolean;
  /** Memory for paths that were followed before; default `matchLimits.wayBytesMax`. */
  readonly wayBytesMax?: number;
  /** May a point near a road be off all roads, or only where no path leads? Default true. */
  readonly offRoad?: boolean;
  /** Times may be wrong by this much: a drive may have taken so much longer. Default 0. */
  readonly clockErrorS?: number;
  /** Roads that are neither driven nor near. */
  readonly avoid?: AvoidMask;
}

/** The result of one point; the steps that it decided are in `decided`. */
export type PointOutcome = 'taken' | 'near-last' | 'off-road' | 'out-of-order';

/**
 * Newson and Krumm's hidden Markov model, point by point. The states of a point are the directed edges near
 * it and one more, "off all known roads", which needs no path: there a trace starts, breaks and leaves the
 * map. A point is decided when all histories that are still likely agree on it, or when it lies too far back.
 *
 * One object matches one trace at a time; `load` and `save` change over from one to another in a microsecond.
 * Everything is a function of the points: neither what was matched before nor how often a trace was saved
 * changes an answer.
 */
export class OnlineMatcher {
  /** Steps that the last call decided, oldest first. Empty it by reading: the next call begins a new list. */
  decided: MatchedStep[] = [];
  readonly #network: RoadNetwork;
  readonly #near: RoadsNear;
  readonly #transition: Transition;
  readonly #boundedLag: boolean;
  readonly #offRoad: boolean;
  readonly #clockErrorS: number;
  readonly #window = new MatchWindow();
  readonly #reached = new Float64Array(model.candidatesMax + 1);

  constructor(
    network: RoadNetwork,
    { mode, boundedLag = true, clockErrorS = 0, ...options }: OnlineMatcherOptions,
  ) {
    this.#network = network;
    const { wayBytesMax, avoid } = options;
    this.#offRoad = options.offRoad ?? true;
    this.#near = new RoadsNear(network, mode, avoid);
    this.#transition = new Transition(network, mode, { bytesMax: wayBytesMax, avoid });
    this.#clockErrorS = clockErrorS;
    this.#boundedLag = boundedLag;
  }

  /** Starts a new trace. */
  begin(): void {
    this.#window.clear();
    this.decided = [];
  }

  /** Throws `InvalidMatchWindow` for bytes of another layout. */
  load(bytes: Uint8Array): void {
    this.#window.fromBytes(bytes, this.#network.edgeCount);
    this.decided = [];
  }

  save(): Uint8Array {
    return this.#window.toBytes();
  }

  /** Time of the newest accepted point; undefined at the start. */
  get lastMs(): number | undefined {
    const { columns, timeMs } = this.#window;
    return columns === 0 ? undefined : timeMs[columns - 1];
  }

  /** `isLast`: nothing follows, so the point is used even when it is near the previous one. */
  add(point: TracePoint, isLast = false): PointOutcome {
    this.decided = [];
    const window = this.#window;
    const { lngE7, latE7, timeMs } = point;
    const sigmaM = Math.fround(sigmaOf(point));
    const last = window.columns - 1;
    let straightM = 0;
    let seconds = 0;
    if (last >= 0) {
      seconds = (timeMs - window.timeMs[last]) / 1000;
      if (seconds <= 0) return 'out-of-order';
      straightM = strideM(window.lngE7[last], window.latE7[last], lngE7, latE7);
      if (!isLast && straightM < stepM(sigmaM) && 1000 * seconds < model.stepMaxMs)
        return window.edge[window.first[last]] < 0 && window.first[last + 1] - window.first[last] === 1
          ? 'off-road'
          : 'near-last';
    }
    this.#near.find(point, sigmaM);
    window.addColumn(timeMs, lngE7, latE7, sigmaM);
    if (last < 0) this.#start();
    else this.#extend(straightM, seconds, sigmaM);
    window.levelLast();
    window.pruneLast(model.beamCost);
    this.#decide();
    return this.#near.count === 0 ? 'off-road' : 'taken';
  }

  /** Whether any road is near enough to be the road of a point. */
  hasRoad(point: TracePoint): boolean {
    this.#near.find(point, sigmaOf(point));
    return this.#near.count > 0;
  }

  /** Decides all remaining points by the best history, and starts again. */
  finish(): void {
    this.decided = [];
    const { columns } = this.#window;
    if (columns > 0) this.#emit(columns - 1, this.#bestOfLast(), this.#window.likelyRoads(model.certainCost));
    this.#window.clear();
  }

  #start(): void {
    const { count, edge, fraction, cost } = this.#near;
    for (let i = 0; i < count; i++) this.#window.addState(edge[i], fraction[i], cost[i], noBack);
    if (this.#offRoad || count === 0) this.#window.addState(-1, 0, model.offRoadCost, noBack);
  }

  #extend(straightM: number, seconds: number, sigmaM: number): void {
    const window = this.#window;
    const near = this.#near;
    const column = window.columns - 1;
    const from = window.first[column - 1];
    const end = window.first[column];
    let cheapest = Number.POSITIVE_INFINITY;
    let cheapestAt = noBack;
    let offCost = Number.POSITIVE_INFINITY;
    let offAt = noBack;
    for (let state = from; state < end; state++) {
      if (window.edge[state] < 0) {
        offCost = window.cost[state];
        offAt = state - from;
      } else if (window.cost[state] < cheapest) {
        cheapest = window.cost[state];
        cheapestAt = state - from;
      }
    }
    const isFound = this.#connect(from, end, straightM, seconds, sigmaM, false, offCost, offAt);
    if (!isFound && near.count > 0 && cheapestAt !== noBack) {
      window.first[column + 1] = window.first[column];
      this.#connect(from, end, straightM, seconds, sigmaM, true, offCost, offAt);
    }
    if (!this.#offRoad && window.first[column + 1] > window.first[column]) return;
    const left = cheapest + model.offRoadSwitchCost;
    const stays = offCost <= left;
    window.addState(-1, 0, (stays ? offCost : left) + model.offRoadCost, stays ? offAt : cheapestAt);
  }

  /** Adds a state for each candidate that can be reached. False when none was reached on the road. */
  #connect(
    from: number,
    end: number,
    straightM: number,
    seconds: number,
    sigmaM: number,
    wide: boolean,
    offCost: number,
    offAt: number,
  ): boolean {
    const window = this.#window;
    const near = this.#near;
    const transition = this.#transition;
    transition.stride.set(straightM, seconds + this.#clockErrorS, sigmaM, wide);
    let isFound = false;
    for (let i = 0; i < near.count; i++) {
      const entering = offCost + model.offRoadSwitchCost;
      let best = entering;
      let back = offAt;
      let edge = near.edge[i];
      let fraction = near.fraction[i];
      for (let state = from; state < end; state++) {
        if (window.edge[state] < 0 || window.cost[state] >= best) continue;
        const path = transition.cost(
          window.edge[state],
          window.fraction[state],
          near.edge[i],
          near.fraction[i],
        );
        const cost = window.cost[state] + path;
        if (cost >= best) continue;
        best = cost;
        back = state - from;
        edge = transition.edge;
        fraction = transition.fraction;
      }
      if (best === Number.POSITIVE_INFINITY) continue;
      if (best < entering) isFound = true;
      window.addState(edge, fraction, best + near.cost[i], back);
    }
    return isFound;
  }

  /**
   * Decides the columns that all likely states of the last one agree on, and the oldest ones when there are
   * too many.
   */
  #decide(): void {
    const window = this.#window;
    const last = window.columns - 1;
    let agreed = -1;
    let state = 0;
    const from = window.first[last];
    let alive = 0;
    for (let at = from; at < window.first[last + 1]; at++)
      if (window.cost[at] <= model.certainCost) this.#reached[alive++] = at - from;
    for (let column = last; ; column--) {
      if (alive === 1) {
        agreed = column;
        state = this.#reached[0];
        break;
      }
      if (column === 0) break;
      const first = window.first[column];
      let kept = 0;
      for (let i = 0; i < alive; i++) {
        const back = window.back[first + this.#reached[i]];
        let known = false;
        for (let j = 0; j < kept && !known; j++) known = this.#reached[j] === back;
        if (!known) this.#reached[kept++] = back;
      }
      alive = kept;
    }
    if (agreed >= (window.isAnchored ? 1 : 0)) this.#emit(agreed, state);
    if (!this.#boundedLag) return;
    const newestMs = window.timeMs[window.columns - 1];
    const { columnsMax, columnsMin, lagMs } = matchLimits;
    while (
      window.columns > columnsMax ||
      (window.columns > columnsMin && newestMs - window.timeMs[window.isAnchored ? 1 : 0] > lagMs)
    ) {
      const column = window.isAnchored ? 1 : 0;
      let back = this.#bestOfLast();
      for (let at = window.columns - 1; at > column; at--) back = window.back[window.first[at] + back];
      this.#emit(column, back);
    }
  }

  #bestOfLast(): number {
    const window = this.#window;
    const from = window.first[window.columns - 1];
    let best = from;
    for (let state = from + 1; state < window.first[window.columns]; state++)
      if (window.cost[state] < window.cost[best]) best = state;
    return best - from;
  }

  /**
   * The history of a state of a column is decided: emits its steps and makes the column the first of the
   * window.
   */
  #emit(column: number, state: number, likely?: Int32Array): void {
    const window = this.#window;
    const chosen: number[] = [];
    for (let at = column, back = state; at >= 0; at--) {
      chosen[at] = window.first[at] + back;
      back = window.back[chosen[at]];
    }
    for (let at = window.isAnchored ? 1 : 0; at <= column; at++) {
      const here = chosen[at];
      const edge = window.edge[here];
      const path = at === 0 || edge < 0 ? undefined : this.#wayInto(at, chosen[at - 1], here);
      this.decided.push({
        lngE7: window.lngE7[at],
        latE7: window.latE7[at],
        timeMs: window.timeMs[at],
        edge: edge < 0 ? -1 : this.#network.arrays.copyOf[edge],
        fraction: edge < 0 ? 0 : window.fraction[here],
        ...(path === undefined ? {} : { path }),
        sigmaM: window.sigmaM[at],
        alternatives: edge < 0 || likely === undefined ? 0 : likely[at] - 1,
        cost: window.cost[here] + window.level[at] - (at === 0 ? 0 : window.cost[chosen[at - 1]]),
      });
    }
    window.dropFirst(column);
    window.keepDescendants(state);
    window.isAnchored = true;
  }

  /** Repeats the search of `#connect`: the paths themselves are not stored. */
  #wayInto(column: number, before: number, here: number): number[] | undefined {
    const window = this.#window;
    if (window.edge[before] < 0) return undefined;
    const straightM = strideM(
      window.lngE7[column - 1],
      window.latE7[column - 1],
      window.lngE7[column],
      window.latE7[column],
    );
    const seconds = (window.timeMs[column] - window.timeMs[column - 1]) / 1000;
    for (const wide of [false, true]) {
      this.#transition.stride.set(straightM, seconds + this.#clockErrorS, window.sigmaM[column], wide);
      const path = this.#transition.path(
        window.edge[before],
        window.fraction[before],
        window.edge[here],
        window.fraction[here],
      );
      if (path !== undefined) return path;
    }
    return undefined;
  }
}
