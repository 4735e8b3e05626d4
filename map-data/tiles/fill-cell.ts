import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';
import { fillSnapRows } from '#routing-engine/snap/snap-index.js';
import { borderOf } from './cell-border.js';
import { decodeLabels } from './decode-labels.js';
import { decodeRoads } from './decode-roads.js';
import { linkInEdges } from './link-in-edges.js';
import type { NetworkFrame } from './network-frame.js';
import { TurnTabulator } from './turn-tables.js';
import { VarintReader } from './varints.js';

/**
 * Puts the roads of cells, in any order, into the arrays of a network, and marks a cell as loaded when all of
 * it is there. Throws a RangeError for a tile that does not fit; the cell then stays unloaded.
 */
export class CellFiller {
  readonly #frame: NetworkFrame;
  readonly #turns: TurnTabulator;

  constructor(frame: NetworkFrame) {
    this.#frame = frame;
    this.#turns = new TurnTabulator(frame.manifest);
  }

  fill(arrays: NetworkArrays, cell: number, payload: Uint8Array): void {
    const { offsets } = this.#frame;
    const border = borderOf(arrays, cell);
    const tile = new VarintReader(payload);
    const crossings = decodeRoads(arrays, this.#frame, cell, border, tile);
    decodeLabels(arrays, this.#frame, cell, border, tile);
    tile.end();

    const { firstNode, endNode } = crossings;
    linkInEdges(arrays, firstNode, endNode, border, offsets.inEdges[cell]);
    if (arrays.firstIn[endNode] !== offsets.inEdges[cell + 1])
      throw new RangeError('other roads lead in than the manifest says');
    const nodeCount = arrays.nodeLngE7.length;
    const firstByte = offsets.turnBytes[cell];
    const tables = this.#turns.tabulate(arrays, crossings, (mode, node, start) => {
      arrays.turnTable[mode * nodeCount + node] = firstByte + start;
    });
    if (firstByte + tables.length !== offsets.turnBytes[cell + 1])
      throw new RangeError('the turns take other space than the manifest says');
    arrays.turnCostsDs.set(tables, firstByte);
    fillSnapRows(arrays, offsets.pieces[cell], offsets.pieces[cell + 1], cell);
    Atomics.store(arrays.loaded, cell, 1);
  }
}
