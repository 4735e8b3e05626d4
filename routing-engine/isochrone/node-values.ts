import { perNetwork } from '../network/per-network.js';
import type { RoadNetwork } from '../network/road-network.js';

/** The least value by node, Infinity where there is none; memory is kept from one reading to the next. */
export class NodeValues {
  /** How many nodes have one, and which. */
  count = 0;
  nodes = new Uint32Array(1024);
  readonly #least: Float64Array;

  constructor({ nodeCount }: RoadNetwork) {
    this.#least = new Float64Array(nodeCount).fill(Number.POSITIVE_INFINITY);
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) this.#least[this.nodes[at]] = Number.POSITIVE_INFINITY;
    this.count = 0;
  }

  of(node: number): number {
    return this.#least[node];
  }

  add(node: number, value: number): void {
    const before = this.#least[node];
    if (value >= before) return;
    this.#least[node] = value;
    if (before < Number.POSITIVE_INFINITY) return;
    if (this.count === this.nodes.length) this.#grow();
    this.nodes[this.count++] = node;
  }

  #grow(): void {
    const longer = new Uint32Array(2 * this.count);
    longer.set(this.nodes);
    this.nodes = longer;
  }
}

/** Those of the last reading, until they are cleared. */
export const nodeValuesOf = perNetwork((network) => new NodeValues(network));
