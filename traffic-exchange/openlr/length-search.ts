import { distanceM } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { PackedHeap } from '#routing-engine/overlay/packed-heap.js';
import { nodesReachedMax } from './limits.js';
import { frcOf, isDrivable } from './road-attributes.js';

export interface SearchFrom {
  /** The search begins at the head of this edge and never turns back into it. */
  readonly edge: number;
  /** Nodes farther than this from the head are not reached. */
  readonly reachM: number;
  /** Only roads of this class and more important ones. */
  readonly lowestFrc: number;
  /** All targets lie within `withinM` of this place; the search prefers what leads there. */
  readonly towards: { readonly lng: number; readonly lat: number; readonly withinM: number };
}

/**
 * Shortest ways by length from the end of an edge, as OpenLR wants them: without turn restrictions, which
 * maps rarely share. A* with the straight line as its bound; one object is used again and again.
 */
export class LengthSearch {
  readonly #network: RoadNetwork;
  readonly #heap = new PackedHeap();
  /** Row of each node that was reached. */
  readonly #rows = new Map<number, number>();
  #node: number[] = [];
  #cm: number[] = [];
  /** Edge by which the node is reached; -1 for the first. */
  #by: number[] = [];
  #settled: boolean[] = [];

  constructor(network: RoadNetwork) {
    this.#network = network;
  }

  /** Centimetres to the nodes of `targets` that are within reach. Kept until the next call. */
  run({ edge, reachM, lowestFrc, towards }: SearchFrom, targets: ReadonlySet<number>): Map<number, number> {
    const network = this.#network;
    const { head, firstOut, lengthCm, nodeLngE7, nodeLatE7 } = network.arrays;
    const found = new Map<number, number>();
    const reverse = network.reverseOf(edge);
    const boundCm = (node: number): number => {
      const metres = distanceM(nodeLngE7[node]! / 1e7, nodeLatE7[node]! / 1e7, towards.lng, towards.lat);
      // A little less than the straight line: lengths of edges are rounded.
      return Math.max(0, Math.floor(99.5 * (metres - towards.withinM)));
    };
    const reachCm = 100 * reachM;
    this.#clear();
    this.#reach(head[edge]!, 0, -1, boundCm);
    while (this.#heap.size > 0 && found.size < targets.size) {
      const row = this.#heap.pop();
      if (this.#settled[row]) continue;
      this.#settled[row] = true;
      const node = this.#node[row]!;
      const cm = this.#cm[row]!;
      if (targets.has(node)) found.set(node, cm);
      if (this.#rows.size > nodesReachedMax) break;
      for (let next = firstOut[node]!; next < firstOut[node + 1]!; next++) {
        if (!isDrivable(network, next) || frcOf(network, next) > lowestFrc) continue;
        if (cm === 0 && this.#by[row] === -1 && next === reverse) continue;
        const nextCm = cm + lengthCm[next]!;
        if (nextCm + boundCm(head[next]!) <= reachCm) this.#reach(head[next]!, nextCm, next, boundCm);
      }
    }
    return found;
  }

  /** Edges from the head of the first edge to a node that `run` found. */
  way(node: number): number[] {
    const { tail } = this.#network.arrays;
    const edges: number[] = [];
    for (let at = node; ; ) {
      const by = this.#by[this.#rows.get(at)!]!;
      if (by < 0) return edges.reverse();
      edges.push(by);
      at = tail[by]!;
    }
  }

  #reach(node: number, cm: number, by: number, boundCm: (node: number) => number): void {
    let row = this.#rows.get(node);
    if (row === undefined) {
      row = this.#node.length;
      this.#rows.set(node, row);
      this.#node.push(node);
      this.#cm.push(cm);
      this.#by.push(by);
      this.#settled.push(false);
    } else {
      if (this.#settled[row] || this.#cm[row]! <= cm) return;
      this.#cm[row] = cm;
      this.#by[row] = by;
    }
    this.#heap.push(cm + boundCm(node), row);
  }

  #clear(): void {
    this.#heap.clear();
    this.#rows.clear();
    this.#node = [];
    this.#cm = [];
    this.#by = [];
    this.#settled = [];
  }
}
