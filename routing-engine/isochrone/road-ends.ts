import { perNetwork } from '../network/per-network.js';
import type { RoadNetwork } from '../network/road-network.js';

/** At which nodes the roads of each mode end. Cells are read when they are first asked for. */
export class RoadEnds {
  readonly #network: RoadNetwork;
  /** By node and by cell: a bit for each mode. */
  readonly #nodes: Uint8Array;
  readonly #read: Uint8Array;

  constructor(network: RoadNetwork) {
    this.#network = network;
    this.#nodes = new Uint8Array(network.nodeCount);
    this.#read = new Uint8Array(network.cellCount);
  }

  /** By node, with the bit `1 << mode` at each end of a road of the cells, which are loaded. */
  of(cells: readonly number[], mode: number): Uint8Array {
    const bit = 1 << mode;
    for (const cell of cells) if ((this.#read[cell] & bit) === 0) this.#readCell(cell, mode, bit);
    return this.#nodes;
  }

  #readCell(cell: number, mode: number, bit: number): void {
    const { arrays, edgeCount } = this.#network;
    const { cellFirstEdge, pieceEdge, piece, reverse, speedKph, tail, head } = arrays;
    const isRoad = (edge: number): boolean => edge >= 0 && speedKph[mode * edgeCount + edge] > 0;
    for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++) {
      if (pieceEdge[piece[edge]] !== edge || !(isRoad(edge) || isRoad(reverse[edge]))) continue;
      this.#nodes[tail[edge]] |= bit;
      this.#nodes[head[edge]] |= bit;
    }
    this.#read[cell] |= bit;
  }
}

export const roadEndsOf = perNetwork((network) => new RoadEnds(network));
