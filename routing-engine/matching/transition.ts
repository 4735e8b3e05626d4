import { distanceM } from '../network/earth.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import { model } from './match-settings.js';
import { type PathTreeOptions, PathTrees } from './path-trees.js';

/** What the two points tell about the path between them. */
export class Stride {
  straightM = 0;
  seconds = 0;
  betaM = 1;
  sigmaM = 1;
  /** No vehicle drives farther in this time. */
  fastestM = 0;
  /** Paths longer than this are not searched. */
  reachM = 0;

  /** `wide`: search four times as far, if nothing was found. */
  set(straightM: number, seconds: number, sigmaM: number, wide: boolean): void {
    this.straightM = straightM;
    this.seconds = seconds;
    this.sigmaM = sigmaM;
    this.betaM = model.betaMinM + model.betaPerSigma * sigmaM + model.betaPerStraight * straightM;
    const reachM = (model.wayPerStraight * straightM + model.wayMinM + 4 * sigmaM) * (wide ? 4 : 1);
    this.fastestM = model.speedMaxMps * seconds + 4 * sigmaM;
    this.reachM = Math.min(reachM, model.wayMaxM, this.fastestM);
  }
}

/**
 * The cost of driving from a place on one edge to a place on another: the difference between the path on the
 * road and the straight line in β, turning round, and speeding. After `cost`, the fields describe the best
 * path.
 */
export class Transition {
  readonly stride = new Stride();
  /** Edge that was arrived on: the wanted one, or the copy of it that the path leads to. */
  edge = 0;
  fraction = 0;
  #kind: 'along' | 'turned' | 'way' | 'none' = 'none';
  #row = -1;

  readonly #network: RoadNetwork;
  readonly #trees: PathTrees;
  readonly #speedRow: number;

  constructor(network: RoadNetwork, mode: TravelMode, options: PathTreeOptions = {}) {
    this.#network = network;
    this.#trees = new PathTrees(network, mode, options);
    this.#speedRow = modeIndex(mode) * network.edgeCount;
  }

  /** Infinity if no path within reach leads there. `from` may be a copy, `to` is an original. */
  cost(from: number, fromFraction: number, to: number, toFraction: number): number {
    const { copyOf, reverse, lengthCm } = this.#network.arrays;
    const original = copyOf[from];
    const lengthM = lengthCm[from] / 100;
    let best = Number.POSITIVE_INFINITY;
    this.#kind = 'none';
    this.edge = to;
    this.fraction = toFraction;
    if (original === to) {
      const alongM = (toFraction - fromFraction) * lengthM;
      this.edge = from;
      if (alongM > this.stride.fastestM) return best;
      if (alongM >= 0) {
        this.#kind = 'along';
        // No detour can be shorter than this.
        return this.#judge(alongM, alongM / this.#metresPerSecond(from));
      }
      const backM = -alongM;
      if (backM <= 3 * this.stride.sigmaM + 2) {
        this.#kind = 'along';
        this.fraction = fromFraction;
        best = this.stride.straightM / this.stride.betaM + backM / model.backM;
      }
    } else if (reverse[original] === to) {
      const alongM = Math.abs(1 - toFraction - fromFraction) * lengthM;
      if (alongM <= this.stride.fastestM) {
        best = this.#judge(alongM, alongM / this.#metresPerSecond(from)) + model.uTurnCost;
        this.#kind = 'turned';
      }
    }
    const restM = (1 - fromFraction) * lengthM;
    const partM = (toFraction * lengthCm[to]) / 100;
    if (restM + partM > this.stride.reachM) return best;
    const tree = this.#trees.from(from, this.stride.reachM);
    const row = this.#trees.row(tree, to);
    if (row < 0) return best;
    const metres = restM + tree.cm[row] / 100 + partM;
    if (metres > this.stride.reachM) return best;
    const seconds =
      restM / this.#metresPerSecond(from) + tree.ds[row] / 10 + partM / this.#metresPerSecond(to);
    const cost =
      this.#judge(metres, seconds) + tree.turns[row] / (10 * Math.max(this.stride.betaM, model.turnBetaMinM));
    if (cost >= best) return best;
    this.edge = tree.edge[row];
    this.fraction = toFraction;
    this.#kind = 'way';
    this.#row = row;
    return cost;
  }

  /** Original edges of the best path, first and last included; undefined if there is none. */
  path(from: number, fromFraction: number, to: number, toFraction: number): number[] | undefined {
    const { copyOf } = this.#network.arrays;
    this.cost(from, fromFraction, copyOf[to], toFraction);
    switch (this.#kind) {
      case 'none':
        return undefined;
      case 'along':
        return [copyOf[from]];
      case 'turned':
        return [copyOf[from], copyOf[to]];
      case 'way':
        return this.#trees.path(this.#trees.from(from, this.stride.reachM), from, this.#row);
    }
  }

  #metresPerSecond(edge: number): number {
    return this.#network.arrays.speedKph[this.#speedRow + edge] / 3.6;
  }

  #judge(metres: number, freeFlowS: number): number {
    const { straightM, betaM, seconds, sigmaM } = this.stride;
    const detour = Math.abs(metres - straightM) / betaM;
    // Noise makes two points nearer or farther than the driven distance, which does not count as speeding.
    const hasteS = seconds + (2 * sigmaM) / 15;
    const speeding = freeFlowS / hasteS - model.speedingFrom;
    return speeding > 0 ? detour + Math.min(model.speedingCostMax, speeding * model.speedingCost) : detour;
  }
}

/** Metres between two places in 1e-7 degrees. */
export const strideM = (lngE7: number, latE7: number, toLngE7: number, toLatE7: number): number =>
  distanceM(lngE7 / 1e7, latE7 / 1e7, toLngE7 / 1e7, toLatE7 / 1e7);
