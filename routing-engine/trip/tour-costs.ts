/** What it costs to go from each place to each other. Square, row by row. */
export class TourCosts {
  readonly size: number;
  readonly #costs: Float64Array;

  constructor(size: number, costs: Float64Array) {
    if (costs.length !== size * size) throw new RangeError(`${costs.length} costs are not ${size} × ${size}`);
    this.size = size;
    this.#costs = Float64Array.from(costs, (cost) => Math.min(cost, IMPOSSIBLE));
  }

  of(from: number, to: number): number {
    return this.#costs[from * this.size + to];
  }

  set(from: number, to: number, cost: number): void {
    this.#costs[from * this.size + to] = Math.min(cost, IMPOSSIBLE);
  }

  /** Of a tour through all places that returns to its first. */
  sum(tour: readonly number[]): number {
    return tour.reduce((sum, from, at) => sum + this.of(from, tour[(at + 1) % tour.length]), 0);
  }
}

/** Stands for Infinity, since differences of costs are compared. A tour that costs as much is none. */
export const IMPOSSIBLE = 1e13;
