import type { RoadNetwork } from '../network/road-network.js';
import { LANDMARKS, landmarksOf, landmarkTables } from '../overlay/landmarks.js';
import type { Metric } from '../overlay/metric.js';
import { KEY_MAX } from '../overlay/packed-heap.js';

/** No bound. */
const NOTHING = -(2 ** 30);

/**
 * Lower bounds of the milliseconds between an edge of the overlay and the far ends of a search: by the
 * triangle inequality, `from` the landmark to the end less that to the edge (or `to` it, for a search back).
 * Bounds of two edges never differ by more than the way between them, so the first label that is settled of
 * an edge is its least.
 */
export class Potential {
  readonly #ms: Int32Array;
  readonly #ratio: number;
  /** By landmark: the bound for an edge is this less the edge's own distance. */
  readonly #atEnds = new Int32Array(LANDMARKS).fill(KEY_MAX);
  // Fields instead of arrays: `of` is asked for every label.
  #landmark0 = 0;
  #landmark1 = 0;
  #landmark2 = 0;
  #landmark3 = 0;
  #bound0 = NOTHING;
  #bound1 = NOTHING;
  #bound2 = NOTHING;
  #bound3 = NOTHING;

  constructor(ms: Int32Array, ratio: number) {
    this.#ms = ms;
    this.#ratio = ratio;
  }

  /** Every way to (from) the far ends comes over one of these edges, at `ms` from the nearest. */
  addEnd(edge: number, ms: number): void {
    for (let i = 0; i < LANDMARKS; i++) {
      const own = this.#ms[LANDMARKS * edge + i];
      if (own === KEY_MAX) continue;
      this.#atEnds[i] = Math.min(this.#atEnds[i], Math.floor(this.#ratio * own) + ms);
    }
  }

  /** After all ends: chooses the landmarks by their bounds at an edge at which the search begins. */
  useBestAt(edge: number): void {
    const bounds: { readonly landmark: number; readonly ms: number }[] = [];
    for (let landmark = 0; landmark < LANDMARKS; landmark++) {
      const own = this.#ms[LANDMARKS * edge + landmark];
      if (own === KEY_MAX || this.#atEnds[landmark] === KEY_MAX) continue;
      bounds.push({ landmark, ms: this.#atEnds[landmark] - Math.floor(this.#ratio * own) });
    }
    bounds.sort((a, b) => b.ms - a.ms);
    // The distance of an edge is rounded down, hence one millisecond less.
    const boundOf = (at: number): number =>
      at < bounds.length ? this.#atEnds[bounds[at].landmark] - 1 : NOTHING;
    [this.#landmark0, this.#landmark1, this.#landmark2, this.#landmark3] = [0, 1, 2, 3].map(
      (at) => bounds[at]?.landmark ?? 0,
    );
    [this.#bound0, this.#bound1, this.#bound2, this.#bound3] = [0, 1, 2, 3].map(boundOf);
  }

  of(edge: number): number {
    const ms = this.#ms;
    const ratio = this.#ratio;
    const row = LANDMARKS * edge;
    const one = this.#bound0 - ((ratio * ms[row + this.#landmark0]) | 0);
    const two = this.#bound1 - ((ratio * ms[row + this.#landmark1]) | 0);
    const three = this.#bound2 - ((ratio * ms[row + this.#landmark2]) | 0);
    const four = this.#bound3 - ((ratio * ms[row + this.#landmark3]) | 0);
    const most = Math.max(one > two ? one : two, three > four ? three : four);
    return most > 0 ? most : 0;
  }
}

/** Towards the destinations, and back to the starts. Where nothing is known, distances count nothing. */
export function potentials(network: RoadNetwork, metric: Metric): { ahead: Potential; behind: Potential } {
  const { mode, leastRatio } = metric;
  const { from, to } = leastRatio > 0 ? landmarksOf(network, mode) : landmarkTables(network, mode);
  return { ahead: new Potential(from, leastRatio), behind: new Potential(to, leastRatio) };
}
