import type { ExtractedFeatures } from '../extract/extracted-features.js';
import type { Road } from '../gazetteer/road.js';
import { gridRoads, type RoadGrid } from './road-grid.js';

/** All roads, in one grid or two. */
export interface RoadGrids {
  /**
   * The second holds the roads that were added after the first was built; removed roads are in the first
   * without modes.
   */
  readonly layers: readonly RoadGrid[];
  /** By folded name, as the grids number them. */
  readonly nameNumbers: ReadonlyMap<string, number>;
}

/**
 * Share of added and removed roads above which the grid is rebuilt, because a second one would save nothing.
 */
const changedShareMax = 1 / 8;

/** The grid of all roads; in later builds the same one, with a small one of added roads. */
export class RoadGridMemory {
  #base: RoadGrid | undefined;
  #nameNumbers = new Map<string, number>();
  #came = new Set<Road>();
  #wentCount = 0;

  of({ roads, addedRoads, removedRoads }: ExtractedFeatures): RoadGrids {
    for (const road of removedRoads)
      if (!this.#came.delete(road) && this.#base !== undefined) this.#leave(this.#base, road);
    for (const road of addedRoads) this.#came.add(road);
    const changedCount = this.#came.size + this.#wentCount;
    if (this.#base === undefined || changedCount > changedShareMax * roads.length) {
      this.#nameNumbers = new Map();
      this.#came = new Set();
      this.#wentCount = 0;
      this.#base = gridRoads(roads, this.#nameNumbers);
    }
    const since = [...this.#came].sort((a, b) => a.way.id - b.way.id);
    const layers = since.length === 0 ? [this.#base] : [this.#base, gridRoads(since, this.#nameNumbers)];
    return { layers, nameNumbers: this.#nameNumbers };
  }

  #leave(base: RoadGrid, road: Road): void {
    const at = indexOf(base.roads, road);
    if (at < 0) return;
    base.modes[at] = 0;
    this.#wentCount++;
  }
}

/** Index by id, in which they are ordered; -1 if missing. */
function indexOf(roads: readonly Road[], road: Road): number {
  let low = 0;
  let high = roads.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (roads[middle]!.way.id < road.way.id) low = middle + 1;
    else high = middle;
  }
  return roads[low] === road ? low : -1;
}
