import type { MinHeap } from './min-heap.js';

/** A step of a search: from a label's parent to the label, over roads (level −1) or across a cell of a level. */
export interface Arc {
  readonly from: number;
  readonly to: number;
  readonly level: number;
}

/** Labels of one direction of a search. A label counts only when its stamp is the round's, so nothing is cleared between queries. */
export class SearchSide {
  readonly heap: MinHeap;
  readonly label: Float64Array;
  /** Edge that the label came from; negative at the ends. */
  readonly parent: Int32Array;
  readonly #level: Int8Array;
  readonly #stamp: Uint32Array;
  readonly #taken: Uint32Array;
  #round = 0;

  constructor(edgeCount: number, heap: MinHeap) {
    this.heap = heap;
    this.label = new Float64Array(edgeCount);
    this.parent = new Int32Array(edgeCount);
    this.#level = new Int8Array(edgeCount);
    this.#stamp = new Uint32Array(edgeCount);
    this.#taken = new Uint32Array(edgeCount);
  }

  begin(): void {
    this.heap.clear();
    if (++this.#round === 2 ** 32 - 1) {
      this.#stamp.fill(0);
      this.#taken.fill(0);
      this.#round = 1;
    }
  }

  has(edge: number): boolean {
    return this.#stamp[edge] === this.#round;
  }

  /** True when the label is better than the one before. */
  improve(edge: number, ms: number, parent: number, level: number): boolean {
    if (this.#stamp[edge] === this.#round && this.label[edge] <= ms) return false;
    this.#stamp[edge] = this.#round;
    this.label[edge] = ms;
    this.parent[edge] = parent;
    this.#level[edge] = level;
    this.heap.push(ms, edge);
    return true;
  }

  /** Takes the least entry out of the heap; -1 when a better one of the same edge was taken before. */
  take(): number {
    const edge = this.heap.pop();
    if (this.#taken[edge] === this.#round) return -1;
    this.#taken[edge] = this.#round;
    return edge;
  }

  /** Label of the first edge of a set on the way from an edge back to where its labels came from; 0 when none is on it. */
  labelAtFirst(edge: number, among: ReadonlySet<number>): number {
    for (let at = edge; at >= 0; at = this.parent[at]) if (among.has(at)) return this.label[at];
    return 0;
  }

  /** Steps from an edge back to where its labels came from: `to` is the labelled edge, `from` its parent. */
  chain(edge: number): Arc[] {
    const arcs: Arc[] = [];
    for (let to = edge; this.parent[to] >= 0; to = this.parent[to])
      arcs.push({ from: this.parent[to], to, level: this.#level[to] });
    return arcs;
  }
}
