import { CLOSED } from '../network/closed.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import { CliqueSearch } from './clique-search.js';
import { exitPlace, nestedCells } from './nested-cells.js';
import { type RoadCosts, type RoadRules, RoadSearch } from './road-search.js';

/**
 * Weights of the overlay (Delling, Goldberg, Pajor and Werneck 2011): for each cell, each entry and each
 * exit, the milliseconds from the head of the entry to the head of the exit on the cheapest path inside the
 * cell; CLOSED where there is none. On a SharedArrayBuffer.
 */
export function customizeAll(network: RoadNetwork, mode: TravelMode, costs: RoadCosts): Int32Array {
  const { firstWeight } = network.arrays;
  const weights = new Int32Array(new SharedArrayBuffer(4 * firstWeight[firstWeight.length - 1]));
  const customizer = new Customizer(network, mode, costs, weights);
  for (let level = 0; level + 1 < network.levelCount; level++)
    for (let cell = 0; cell < network.meta.cellCounts[level]; cell++) customizer.update(level, cell);
  return weights;
}

/**
 * New weights after the costs of some level-0 cells changed. Computes these cells, then upwards only the
 * ancestors of cells with different weights, and the `stale` ones (by level), which have other borders than
 * in `before`. `before` is not modified.
 */
export function customizeCells(
  network: RoadNetwork,
  mode: TravelMode,
  costs: RoadCosts,
  before: Int32Array,
  cells: Iterable<number>,
  stale: readonly (readonly number[])[] = [],
): Int32Array {
  const weights = new Int32Array(new SharedArrayBuffer(before.byteLength));
  weights.set(before);
  const customizer = new Customizer(network, mode, costs, weights);
  const { cellAncestor } = network.arrays;
  let dirty = new Set(cells);
  /** A level-0 cell inside each dirty cell, by which its ancestors are found. */
  let inside = new Map([...dirty].map((cell) => [cell, cell]));
  for (let level = 0; level + 1 < network.levelCount; level++) {
    for (const cell of stale[level] ?? []) {
      dirty.add(cell);
      const row = (level - 1) * network.cellCount;
      inside.set(cell, level === 0 ? cell : cellAncestor.indexOf(cell, row) - row);
    }
    const above = new Map<number, number>();
    for (const cell of dirty) {
      if (!customizer.update(level, cell)) continue;
      const finest = inside.get(cell)!;
      above.set(cellAncestor[level * network.cellCount + finest], finest);
    }
    dirty = new Set(above.keys());
    inside = above;
  }
  return weights;
}

class Customizer {
  readonly #network: RoadNetwork;
  readonly #weights: Int32Array;
  readonly #rules: RoadRules;
  readonly #roads: RoadSearch;
  readonly #cliques: CliqueSearch;

  constructor(network: RoadNetwork, mode: TravelMode, costs: RoadCosts, weights: Int32Array) {
    this.#network = network;
    this.#weights = weights;
    this.#rules = { ...costs, mode: modeIndex(mode), avoid: 0, openZone: 0, barred: undefined };
    this.#roads = new RoadSearch(network);
    this.#cliques = new CliqueSearch(network);
  }

  /** True when a weight of the cell changed. */
  update(level: number, cell: number): boolean {
    const { arrays, edgeCount } = this.#network;
    const { firstEntry, entries, firstExit, firstWeight, speedKph, boundaryEdge } = arrays;
    const number = nestedCells(this.#network).offsets[level] + cell;
    const width = firstExit[number + 1] - firstExit[number];
    const places = this.#exitPlaces(level, arrays.exits.subarray(firstExit[number], firstExit[number + 1]));
    let at = firstWeight[number];
    let changed = false;
    for (let i = firstEntry[number]; i < firstEntry[number + 1]; i++, at += width) {
      const entry = entries[i];
      // An edge that is closed to the mode is never an entry. A road that is closed at the moment may open
      // without an update of this cell.
      const open = speedKph[this.#rules.mode * edgeCount + boundaryEdge[entry]] > 0;
      const search = open ? this.#search(level, cell, entry) : undefined;
      for (let exit = 0; exit < width; exit++) {
        // `UNREACHED` and `CLOSED` are the same number.
        const ms = search === undefined ? CLOSED : search.label[places[exit] - search.first];
        if (this.#weights[at + exit] === ms) continue;
        this.#weights[at + exit] = ms;
        changed = true;
      }
    }
    return changed;
  }

  /** What the search inside the cell calls its exits: edges on the finest level, else places in `exits`. */
  #exitPlaces(level: number, exits: Uint32Array): Uint32Array {
    if (level === 0) return exits.map((exit) => this.#network.arrays.boundaryEdge[exit]);
    const cells = nestedCells(this.#network);
    return exits.map((exit) => exitPlace(this.#network, cells, level - 1, exit));
  }

  #search(level: number, cell: number, entry: number): { label: Int32Array; first: number } {
    if (level > 0) {
      this.#cliques.run(level, cell, entry, this.#weights);
      return this.#cliques;
    }
    this.#roads.forward(cell, [this.#network.arrays.boundaryEdge[entry]], [0], this.#rules);
    return { label: this.#roads.label, first: this.#roads.firstEdge };
  }
}
