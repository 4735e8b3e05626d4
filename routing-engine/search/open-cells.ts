import type { RoadNetwork } from '../network/road-network.js';
import { nestedCells } from '../overlay/nested-cells.js';

/**
 * Which cells a query searches in detail. A cell above the finest level is open when the route begins or ends
 * in it. A cell is open at all levels when it has a road that only this destination opens (an ends-only
 * zone), or one that must be avoided; its cliques are not valid then. All others are crossed in one step.
 */
export class OpenCells {
  readonly #network: RoadNetwork;
  /** By cell, all levels but the topmost numbered through. */
  readonly #opened: Uint32Array;
  readonly #levels: number;
  readonly #offsets: readonly number[];
  #round = 0;

  constructor(network: RoadNetwork) {
    this.#network = network;
    this.#offsets = nestedCells(network).offsets;
    this.#levels = network.levelCount - 1;
    this.#opened = new Uint32Array(this.#offsets[this.#levels]);
  }

  /**
   * Opens the cells that a query needs, and closes those of the previous query. `ends`: level-0 cells that
   * the route begins or ends in; `zone` lies at least in the cells `zoneCells`; `more` are opened as well.
   */
  openFor(
    ends: Iterable<number>,
    zone: number,
    zoneCells: Iterable<number>,
    avoid: number,
    more: Iterable<number> = [],
  ): void {
    if (++this.#round === 2 ** 32 - 1) {
      this.#opened.fill(0);
      this.#round = 1;
    }
    for (const cell of ends) this.#open(cell, 1);
    if (zone !== 0) {
      for (const cell of zoneCells) this.#open(cell, 0);
      for (const cell of cellsOfZone(this.#network.arrays.zoneCells, zone)) this.#open(cell, 0);
    }
    for (const cell of more) this.#open(cell, 0);
    if (avoid === 0) return;
    const { cellFlags } = this.#network.arrays;
    for (let cell = 0; cell < cellFlags.length; cell++)
      if ((cellFlags[cell] & avoid) !== 0) this.#open(cell, 0);
  }

  /** The coarsest level whose cell around a level-0 cell is closed; −1 when even the finest is open. */
  levelOf(finest: number): number {
    const { cellAncestor } = this.#network.arrays;
    const { cellCount } = this.#network;
    const opened = this.#opened;
    if (opened[finest] === this.#round) return -1;
    let level = 0;
    for (let next = 1; next < this.#levels; next++) {
      const cell = cellAncestor[(next - 1) * cellCount + finest];
      if (opened[this.#offsets[next] + cell] === this.#round) break;
      level = next;
    }
    return level;
  }

  #open(finest: number, fromLevel: number): void {
    const { cellAncestor } = this.#network.arrays;
    for (let level = fromLevel; level < this.#levels; level++) {
      const cell = level === 0 ? finest : cellAncestor[(level - 1) * this.#network.cellCount + finest];
      this.#opened[this.#offsets[level] + cell] = this.#round;
    }
  }
}

/** Cells of a zone among the ascending pairs (zone, cell). */
function* cellsOfZone(pairs: Uint32Array, zone: number): Iterable<number> {
  let low = 0;
  let high = pairs.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pairs[2 * middle] < zone) low = middle + 1;
    else high = middle;
  }
  for (; 2 * low < pairs.length && pairs[2 * low] === zone; low++) yield pairs[2 * low + 1];
}
