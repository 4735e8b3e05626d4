import { RoadNetwork } from '#routing-engine/network/road-network.js';
import { borderOf } from '../tiles/cell-border.js';
import { type ColumnPart, cellParts, itemParts, reserveArrays } from '../tiles/cell-columns.js';
import type { CellFiller } from '../tiles/fill-cell.js';
import { eachName } from '../tiles/name-record.js';
import type { NetworkFrame } from '../tiles/network-frame.js';
import { CommittedPages } from './committed-pages.js';
import { mappedColumn } from './mapped-column.js';

/**
 * Arrays for the complete tileset; only the parts of loaded cells take memory. Cells are added, never
 * removed: a reader may search a generation for as long as it holds it.
 */
export class Generation {
  readonly network: RoadNetwork;
  readonly #frame: NetworkFrame;
  readonly #pages = new CommittedPages();
  #cellsLoaded = 0;

  constructor(frame: NetworkFrame) {
    this.#frame = frame;
    this.network = new RoadNetwork(frame.meta, reserveArrays(frame, mappedColumn));
  }

  /** Memory of the loaded and reserved cells, in whole pages. */
  get bytes(): number {
    return this.#pages.bytes + this.network.arrays.nameAt.byteLength;
  }

  get bytesReserved(): number {
    const columns = Object.values(this.network.arrays) as ArrayBufferView[];
    return columns.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  }

  get cellsLoaded(): number {
    return this.#cellsLoaded;
  }

  has(cell: number): boolean {
    return Atomics.load(this.network.arrays.loaded, cell) === 1;
  }

  /** Reserves memory for cells; false, and nothing is reserved, if all together would exceed the bound. */
  makeRoom(cells: readonly number[], bytesMax: number): boolean {
    const parts = cells.filter((cell) => !this.has(cell)).flatMap((cell) => this.#partsOf(cell));
    return this.#pages.addWithin(bytesMax - this.network.arrays.nameAt.byteLength, parts);
  }

  #partsOf(cell: number): ColumnPart[] {
    const { offsets, resident } = this.#frame;
    const { entries, exitCells } = borderOf(resident, cell);
    const parts = cellParts(offsets, cell);
    for (const edge of entries) parts.push(...itemParts(offsets, 'edges', edge));
    // A road may end in the next cell, whose complete size is counted.
    for (const other of new Set(exitCells)) parts.push(...cellParts(offsets, other).filter(isOfHeads));
    return parts;
  }

  /** Throws a RangeError when the tile does not fit. */
  fill(filler: CellFiller, cell: number, payload: Uint8Array): void {
    filler.fill(this.network.arrays, cell, payload);
    this.#cellsLoaded++;
  }

  /** Copies a cell that another generation has loaded. */
  carry(from: Generation, cell: number): void {
    const { offsets } = this.#frame;
    const target = this.network.arrays;
    const source = from.network.arrays;
    const copy = ({ column, firstByte, endByte }: ColumnPart): void =>
      bytesOf(target[column]).set(bytesOf(source[column]).subarray(firstByte, endByte), firstByte);
    const { entries, exits } = borderOf(target, cell);
    for (const part of cellParts(offsets, cell)) copy(part);
    for (const edge of entries) for (const part of itemParts(offsets, 'edges', edge)) copy(part);
    for (const edge of exits)
      for (const part of itemParts(offsets, 'nodes', target.head[edge])) if (isOfHeads(part)) copy(part);
    eachName(target.nameBytes, offsets.nameBytes[cell], offsets.nameBytes[cell + 1], (number, at) => {
      target.nameAt[number] = at;
    });
    Atomics.store(target.loaded, cell, 1);
    this.#cellsLoaded++;
  }
}

/** A cell's data about the nodes in other cells to which its roads lead. */
const isOfHeads = ({ column }: ColumnPart): boolean =>
  column === 'nodeLngE7' || column === 'nodeLatE7' || column === 'nodeOsmId';

const bytesOf = (column: ArrayBufferView): Uint8Array =>
  new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
