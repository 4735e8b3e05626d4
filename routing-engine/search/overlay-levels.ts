import type { RoadNetwork } from '../road-network.js';
import type { OpenEnd } from './route-ends.js';

/**
 * Which cells a query looks into. A cell is open when the way begins or ends in it, when it holds a road that only this
 * destination opens (an ends-only zone), or one that is to be avoided; so is every cell around an open one. In open cells
 * the search goes from road to road (or from cell to cell of the level below), all others are crossed in one step.
 */
export class OverlayLevels {
  readonly #network: RoadNetwork;
  /** By cell, all levels but the topmost numbered through. */
  readonly #opened: Uint32Array;
  readonly #touched: Uint32Array;
  readonly #offsets: number[] = [0];
  /** By level-0 cell: bits of `edgeFlag` that any of its edges has. */
  readonly #flags: Uint16Array;
  readonly #cellsOfZone = new Map<number, number[]>();
  #round = 0;

  constructor(network: RoadNetwork) {
    this.#network = network;
    const { arrays, meta, cellCount, edgeCount } = network;
    for (const count of meta.cellCounts.slice(0, -1)) this.#offsets.push(this.#offsets.at(-1)! + count);
    this.#opened = new Uint32Array(this.#offsets.at(-1)!);
    this.#flags = new Uint16Array(cellCount);
    this.#touched = new Uint32Array(cellCount);
    const { flags, cellOf, tail, zone } = arrays;
    for (let edge = 0; edge < edgeCount; edge++) this.#flags[cellOf[tail[edge]]] |= flags[edge];
    for (let row = 0; row < zone.length; row++) {
      if (zone[row] === 0) continue;
      // Zones of different modes share numbers: a cell more is opened than needed, never one less.
      const cell = cellOf[tail[row % edgeCount]];
      const cells = this.#cellsOfZone.get(zone[row]);
      if (cells === undefined) this.#cellsOfZone.set(zone[row], [cell]);
      else if (!cells.includes(cell)) cells.push(cell);
    }
  }

  /** Opens what a query needs; the cells of the one before are closed again. */
  openFor(from: readonly OpenEnd[], to: readonly OpenEnd[], zone: number, avoid: number): void {
    if (++this.#round === 2 ** 32 - 1) {
      this.#opened.fill(0);
      this.#touched.fill(0);
      this.#round = 1;
    }
    const { cellOf, head, tail } = this.#network.arrays;
    for (const { edge } of from) this.#open(cellOf[head[edge]]);
    for (const { edge } of to) this.#open(cellOf[tail[edge]]);
    for (const cell of this.#cellsOfZone.get(zone) ?? []) this.#open(cell);
    if (avoid !== 0)
      for (let cell = 0; cell < this.#flags.length; cell++)
        if ((this.#flags[cell] & avoid) !== 0) this.#open(cell);
  }

  /** The coarsest level whose cell around the node is closed; -1 when even the finest is open. */
  levelOf(node: number): number {
    const { cellOf, cellAncestor } = this.#network.arrays;
    const opened = this.#opened;
    const finest = cellOf[node];
    let level = -1;
    let cell = finest;
    for (let next = 0; next + 1 < this.#offsets.length; next++) {
      if (next > 0) cell = cellAncestor[(next - 1) * this.#network.cellCount + finest];
      if (opened[this.#offsets[next] + cell] === this.#round) break;
      level = next;
    }
    return level;
  }

  /** True for the first node of its level-0 cell since `openFor`. */
  touch(node: number): boolean {
    const cell = this.#network.arrays.cellOf[node];
    if (this.#touched[cell] === this.#round) return false;
    this.#touched[cell] = this.#round;
    return true;
  }

  #open(finest: number): void {
    const { cellAncestor } = this.#network.arrays;
    let cell = finest;
    for (let level = 0; level + 1 < this.#offsets.length; level++) {
      if (level > 0) cell = cellAncestor[(level - 1) * this.#network.cellCount + finest];
      this.#opened[this.#offsets[level] + cell] = this.#round;
    }
  }
}
