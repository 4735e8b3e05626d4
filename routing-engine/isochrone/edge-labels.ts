import type { RoadNetwork } from '../network/road-network.js';

/** Labels of edges in the order in which they were reached; memory is kept between searches. */
export class EdgeLabels {
  count = 0;
  /** By label. */
  edge = new Uint32Array(1024);
  ms = new Int32Array(1024);
  cm = new Int32Array(1024);
  /** By edge: its label plus 1, or 0. */
  readonly #labelOf: Int32Array;

  constructor({ edgeCount }: RoadNetwork) {
    this.#labelOf = new Int32Array(edgeCount);
  }

  clear(): void {
    for (let label = 0; label < this.count; label++) this.#labelOf[this.edge[label]] = 0;
    this.count = 0;
  }

  /** −1 if the edge has none. */
  of(edge: number): number {
    return this.#labelOf[edge] - 1;
  }

  /** The label of the edge if these milliseconds are fewer than before, else −1. */
  improve(edge: number, ms: number, cm: number): number {
    let label = this.#labelOf[edge] - 1;
    if (label >= 0 && this.ms[label] <= ms) return -1;
    if (label < 0) {
      label = this.count++;
      if (label === this.edge.length) this.#grow();
      this.edge[label] = edge;
      this.#labelOf[edge] = label + 1;
    }
    this.ms[label] = ms;
    this.cm[label] = cm;
    return label;
  }

  #grow(): void {
    const { edge, ms, cm } = this;
    const size = 2 * edge.length;
    this.edge = new Uint32Array(size);
    this.ms = new Int32Array(size);
    this.cm = new Int32Array(size);
    this.edge.set(edge);
    this.ms.set(ms);
    this.cm.set(cm);
  }
}
