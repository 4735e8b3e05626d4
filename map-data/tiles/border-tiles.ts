import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';
import { sharedUint32 } from '../arrays/shared-array.js';
import { VarintReader, VarintWriter } from './varints.js';

type Border = Pick<NetworkArrays, 'boundaryEdge' | 'boundaryTailCell' | 'boundaryHeadCell'>;

/**
 * What a cell needs of the numbering of adjacent cells. It is stored here, so that a cell's own tile does not
 * change with theirs.
 */
export interface BorderEnds {
  /** [B] number of the head among the nodes of its cell. */
  readonly headInCell: Uint32Array;
  /**
   * [B] 1 + place of the road piece among those of the head's cell, where only that one stores it; else 0.
   */
  readonly pieceInCell: Uint32Array;
}

/** Edges of one border tile at most: five bytes for each number at the very worst. */
const EDGES_PER_TILE = 65_536;

/**
 * Edges between two cells, ascending, with the cell of the head; that of the tail follows from the number.
 */
export function encodeBorders(
  { boundaryEdge, boundaryTailCell, boundaryHeadCell }: Border,
  { headInCell, pieceInCell }: BorderEnds,
): Uint8Array[] {
  const tiles: Uint8Array[] = [];
  for (let start = 0; start < boundaryEdge.length; start += EDGES_PER_TILE) {
    const end = Math.min(boundaryEdge.length, start + EDGES_PER_TILE);
    const out = new VarintWriter();
    out.unsigned(end - start);
    for (let i = start; i < end; i++) out.unsigned(boundaryEdge[i] - (i === start ? 0 : boundaryEdge[i - 1]));
    for (let i = start; i < end; i++) out.signed(boundaryHeadCell[i] - boundaryTailCell[i]);
    for (let i = start; i < end; i++) out.unsigned(headInCell[i]);
    for (let i = start; i < end; i++) out.unsigned(pieceInCell[i]);
    tiles.push(out.bytes());
  }
  return tiles;
}

/** Throws a RangeError for an edge, a node or a cell that does not exist. */
export function decodeBorders(
  tiles: readonly Uint8Array[],
  cellFirstEdge: Uint32Array,
  cellFirstNode: Uint32Array,
): { readonly border: Border; readonly ends: BorderEnds } {
  const cells = cellFirstEdge.length - 1;
  const edge: number[] = [];
  const tailCell: number[] = [];
  const headCell: number[] = [];
  const headInCell: number[] = [];
  const pieceInCell: number[] = [];
  for (const payload of tiles) {
    const tile = new VarintReader(payload);
    const first = edge.length;
    const count = tile.count(4);
    let cell = 0;
    for (let i = 0; i < count; i++) {
      const number = tile.unsigned() + (i === 0 ? 0 : edge[edge.length - 1]);
      if (number >= cellFirstEdge[cells] || (edge.length > 0 && number <= edge[edge.length - 1]))
        throw new RangeError('a border edge that is not there');
      while (cellFirstEdge[cell + 1] <= number) cell++;
      edge.push(number);
      tailCell.push(cell);
    }
    for (let i = 0; i < count; i++) {
      const head = tailCell[first + i] + tile.signed();
      if (!(head >= 0 && head < cells) || head === tailCell[first + i])
        throw new RangeError('a border to a cell that is not there');
      headCell.push(head);
    }
    for (let i = 0; i < count; i++) {
      const node = tile.unsigned();
      const other = headCell[first + i];
      if (node >= cellFirstNode[other + 1] - cellFirstNode[other])
        throw new RangeError('a border to a crossing that is not there');
      headInCell.push(node);
    }
    for (let i = 0; i < count; i++) pieceInCell.push(tile.unsigned());
    tile.end();
  }
  return {
    border: {
      boundaryEdge: shared(edge),
      boundaryTailCell: shared(tailCell),
      boundaryHeadCell: shared(headCell),
    },
    ends: { headInCell: Uint32Array.from(headInCell), pieceInCell: Uint32Array.from(pieceInCell) },
  };
}

function shared(numbers: readonly number[]): Uint32Array {
  const column = sharedUint32(numbers.length);
  column.set(numbers);
  return column;
}
