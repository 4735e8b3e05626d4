import { KEY_MAX, PackedHeap } from '../overlay/packed-heap.js';

/**
 * A step of a search: from a label's parent to the label, across a cell of a level (−1: through a cell that
 * was opened).
 */
export interface Arc {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly ms: number;
}

/**
 * Labels of one direction of a search over the overlay, by its edges: four numbers side by side, so that a
 * label is one line of the cache. A label counts only when its stamp is the round's, so nothing is cleared
 * between queries. An edge is settled once: keys are the labels themselves, or labels plus a `Potential`.
 */
export class BoundaryLabels {
  readonly heap = new PackedHeap();
  /** By edge: milliseconds, parent, stamp (twice the round, one more when settled), level. */
  readonly #cells: Int32Array;
  #round = 0;

  constructor(edges: number) {
    this.#cells = new Int32Array(4 * edges);
  }

  begin(): void {
    this.heap.clear();
    if (++this.#round === KEY_MAX >> 1) {
      this.#cells.fill(0);
      this.#round = 1;
    }
  }

  has(edge: number): boolean {
    return this.#cells[4 * edge + 2] >> 1 === this.#round;
  }

  isSettled(edge: number): boolean {
    return this.#cells[4 * edge + 2] === 2 * this.#round + 1;
  }

  /** Whether the label would be better than the previous one. */
  isBetter(edge: number, ms: number): boolean {
    const at = 4 * edge;
    return this.#cells[at + 2] >> 1 !== this.#round || this.#cells[at] > ms;
  }

  ms(edge: number): number {
    return this.#cells[4 * edge];
  }

  /** Edge that the label came from; negative at the ends. */
  parent(edge: number): number {
    return this.#cells[4 * edge + 1];
  }

  /** Level of the cell that was crossed from the parent. */
  level(edge: number): number {
    return this.#cells[4 * edge + 3];
  }

  /**
   * True when the label is better than the previous one. A path of more than `KEY_MAX` milliseconds counts as
   * none.
   */
  improve(edge: number, ms: number, parent: number, level: number): boolean {
    if (!this.isBetter(edge, ms) || ms >= KEY_MAX) return false;
    this.set(edge, ms, parent, level, ms);
    return true;
  }

  /** A label that `isBetter`, with its key in the heap, which must be less than `KEY_MAX`. */
  set(edge: number, ms: number, parent: number, level: number, key: number): void {
    const cells = this.#cells;
    const at = 4 * edge;
    cells[at] = ms;
    cells[at + 1] = parent;
    cells[at + 2] = 2 * this.#round;
    cells[at + 3] = level;
    this.heap.push(key, edge);
  }

  /** Removes the least entry from the heap and settles its edge; −1 if that was settled before. */
  take(): number {
    const edge = this.heap.pop();
    const at = 4 * edge + 2;
    if ((this.#cells[at] & 1) === 1) return -1;
    this.#cells[at]++;
    return edge;
  }

  /** Steps from an edge back to where its labels came from: `to` is the labelled edge, `from` its parent. */
  chain(edge: number): Arc[] {
    const cells = this.#cells;
    const arcs: Arc[] = [];
    for (let to = edge; cells[4 * to + 1] >= 0; to = cells[4 * to + 1]) {
      const from = cells[4 * to + 1];
      arcs.push({ from, to, level: cells[4 * to + 3], ms: cells[4 * to] - cells[4 * from] });
    }
    return arcs;
  }

  /** Label of the first edge of a set on the path from an edge back to its origin; 0 if none is on it. */
  labelAtFirst(edge: number, isAmong: (edge: number) => boolean): number {
    for (let at = edge; at >= 0; at = this.parent(at)) if (isAmong(at)) return this.ms(at);
    return 0;
  }
}
