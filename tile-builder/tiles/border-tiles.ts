import type { NetworkArrays } from '#routing-engine/network-arrays.js';
import { sharedUint32 } from './shared-array.js';
import { VarintReader, VarintWriter } from './varints.js';

type Border = Pick<NetworkArrays, 'boundaryEdge' | 'boundaryTailCell' | 'boundaryHeadCell'>;

/** Edges of one border tile at most: five bytes each at the very worst. */
const EDGES_PER_TILE = 65_536;

/** Edges whose ends lie in two cells, ascending, with the cell of the head; that of the tail follows from the number. */
export function encodeBorders({ boundaryEdge, boundaryTailCell, boundaryHeadCell }: Border): Uint8Array[] {
  const tiles: Uint8Array[] = [];
  for (let start = 0; start < boundaryEdge.length; start += EDGES_PER_TILE) {
    const end = Math.min(boundaryEdge.length, start + EDGES_PER_TILE);
    const out = new VarintWriter();
    out.unsigned(end - start);
    for (let i = start; i < end; i++) out.unsigned(boundaryEdge[i] - (i === start ? 0 : boundaryEdge[i - 1]));
    for (let i = start; i < end; i++) out.signed(boundaryHeadCell[i] - boundaryTailCell[i]);
    tiles.push(out.bytes());
  }
  return tiles;
}

/** Throws a RangeError for an edge or a cell that is not there. */
export function decodeBorders(tiles: readonly Uint8Array[], cellFirstEdge: Uint32Array): Border {
  const cells = cellFirstEdge.length - 1;
  const edge: number[] = [];
  const tailCell: number[] = [];
  const headCell: number[] = [];
  for (const payload of tiles) {
    const tile = new VarintReader(payload);
    const first = edge.length;
    const count = tile.count(2);
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
    tile.end();
  }
  const boundaryEdge = sharedUint32(edge.length);
  const boundaryTailCell = sharedUint32(edge.length);
  const boundaryHeadCell = sharedUint32(edge.length);
  boundaryEdge.set(edge);
  boundaryTailCell.set(tailCell);
  boundaryHeadCell.set(headCell);
  return { boundaryEdge, boundaryTailCell, boundaryHeadCell };
}
