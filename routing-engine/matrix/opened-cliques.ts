import { type BarredRoads, barredTo } from '../network/barred-roads.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import { CLOSED, type Metric } from '../overlay/metric.js';
import { type RoadRules, RoadSearch, UNREACHED } from '../overlay/road-search.js';

/**
 * Cliques of cells of level 0 under rules that those of the metric do not have: with roads that are avoided
 * or barred, or a zone of ends-only roads that is open. Each is searched once for all ends of a matrix.
 */
export class OpenedCliques {
  readonly barred: BarredRoads | undefined;
  readonly #network: RoadNetwork;
  readonly #metric: Metric;
  readonly #avoid: number;
  readonly #roads: RoadSearch;
  readonly #cliques = new Map<number, Int32Array>();

  constructor(network: RoadNetwork, metric: Metric, avoid: number) {
    this.#network = network;
    this.#metric = metric;
    this.#avoid = avoid;
    this.#roads = new RoadSearch(network);
    this.barred = barredTo(network, metric.vehicle);
  }

  rules(openZone: number): RoadRules {
    const { costMs, covered, mode } = this.#metric;
    return { costMs, covered, mode: modeIndex(mode), avoid: this.#avoid, openZone, barred: this.barred };
  }

  /** Milliseconds from each entry to each exit of the cell, row by row; `CLOSED` where there is no path. */
  of(cell: number, openZone: number): Int32Array {
    const key = openZone * this.#network.cellCount + cell;
    let clique = this.#cliques.get(key);
    if (clique === undefined) {
      clique = this.#search(cell, this.rules(openZone));
      this.#cliques.set(key, clique);
    }
    return clique;
  }

  #search(cell: number, rules: RoadRules): Int32Array {
    const { firstEntry, entries, firstExit, exits, boundaryEdge } = this.#network.arrays;
    const [entry, entryEnd] = [firstEntry[cell], firstEntry[cell + 1]];
    const [exit, exitEnd] = [firstExit[cell], firstExit[cell + 1]];
    const clique = new Int32Array((entryEnd - entry) * (exitEnd - exit)).fill(CLOSED);
    const roads = this.#roads;
    let at = 0;
    for (let from = entry; from < entryEnd; from++) {
      roads.forward(cell, [boundaryEdge[entries[from]]], [0], rules);
      for (let to = exit; to < exitEnd; to++, at++) {
        const ms = roads.label[boundaryEdge[exits[to]] - roads.firstEdge];
        if (ms !== UNREACHED) clique[at] = ms;
      }
    }
    return clique;
  }
}
