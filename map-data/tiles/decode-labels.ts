import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';
import type { CellBorder } from './cell-border.js';
import { check } from './decode-roads.js';
import { NAME_HEAD_BYTES, writeNameHead } from './name-record.js';
import type { NetworkFrame } from './network-frame.js';
import { numberLists } from './number-tiles.js';
import { ownsPiece } from './piece-owner.js';
import type { VarintReader } from './varints.js';

const NAMES = numberLists.indexOf('names');

/**
 * Fills names, shapes and ids of one cell; its topology must be decoded first. Throws a RangeError when the
 * tile differs from the manifest.
 */
export function decodeLabels(
  into: NetworkArrays,
  frame: Pick<NetworkFrame, 'offsets' | 'ends' | 'numbers'>,
  cell: number,
  { exits, exitCells, exitNumbers, entries }: CellBorder,
  tile: VarintReader,
): void {
  const { cellFirstNode, cellFirstEdge, tail, head, flags, copyOf, reverse, nodeOsmId } = into;
  const { wayId, ordinal, name, ref, piece, pieceEdge, pieceSign, firstShape, shapeLngE7, shapeLatE7 } = into;
  const firstEdge = cellFirstEdge[cell];
  const endEdge = cellFirstEdge[cell + 1];
  const { offsets, ends } = frame;
  const names = readNames(into, frame, cell, tile);
  const nameAt = (index: number): number => {
    const number = names[index];
    check(number !== undefined);
    return number;
  };
  let id = 0;
  for (let node = cellFirstNode[cell]; node < cellFirstNode[cell + 1]; node++)
    nodeOsmId[node] = id += tile.signed();
  for (const edge of exits) nodeOsmId[head[edge]] = id += tile.signed();

  const owners: number[] = [];
  const foreign: number[] = [];
  for (let edge = firstEdge; edge < endEdge; edge++) {
    if (copyOf[edge] !== edge) continue;
    if (ownsPiece(flags[edge], reverse[edge])) owners.push(edge);
    else if (reverse[edge] < firstEdge || reverse[edge] >= endEdge) foreign.push(edge);
  }
  const firstPiece = offsets.pieces[cell];
  check(owners.length === offsets.pieces[cell + 1] - firstPiece);
  const labelled = [...owners, ...foreign];
  let way = 0;
  for (const edge of labelled) wayId[edge] = way += tile.signed();
  for (const edge of labelled) ordinal[edge] = tile.unsigned();
  for (const edge of labelled) name[edge] = nameAt(tile.unsigned());
  for (const edge of labelled) ref[edge] = nameAt(tile.unsigned());
  for (const i of owners.keys()) pieceSign[firstPiece + i] = nameAt(tile.unsigned());
  const exitOf = new Map([...exits.entries()].map(([i, edge]) => [edge, i]));
  for (const edge of foreign) {
    const exit = exitOf.get(edge);
    check(exit !== undefined);
    const place = ends.pieceInCell[exitNumbers[exit]];
    const number = offsets.pieces[exitCells[exit]] + place - 1;
    check(place > 0 && number < offsets.pieces[exitCells[exit] + 1]);
    piece[edge] = number;
  }
  let shape = offsets.shapePoints[cell];
  for (const [i, edge] of owners.entries()) {
    firstShape[firstPiece + i] = shape;
    shape += tile.count(0);
    check(shape <= offsets.shapePoints[cell + 1]);
    pieceEdge[firstPiece + i] = edge;
    piece[edge] = firstPiece + i;
  }
  check(shape === offsets.shapePoints[cell + 1]);
  firstShape[firstPiece + owners.length] = shape;
  for (const [i, edge] of owners.entries()) {
    let lng = into.nodeLngE7[tail[edge]];
    let lat = into.nodeLatE7[tail[edge]];
    for (let point = firstShape[firstPiece + i]; point < firstShape[firstPiece + i + 1]; point++) {
      shapeLngE7[point] = lng += tile.signed();
      shapeLatE7[point] = lat += tile.signed();
    }
  }

  const share = (edge: number): void => {
    const original = copyOf[edge];
    const owner = ownsPiece(flags[original], reverse[original]) ? original : reverse[original];
    // A road that is stored in the next cell is labelled here if it starts here; its copies follow it.
    const from = owner >= firstEdge && owner < endEdge ? owner : original;
    if (from === edge || from < firstEdge || from >= endEdge) return;
    wayId[edge] = wayId[from];
    ordinal[edge] = ordinal[from];
    name[edge] = name[from];
    ref[edge] = ref[from];
    piece[edge] = piece[from];
  };
  for (let edge = firstEdge; edge < endEdge; edge++) share(edge);
  for (const edge of entries) share(edge);
}

/** Numbers of the names by their place in the tile; the text goes to the cell's part of `nameBytes`. */
function readNames(
  { nameAt, nameBytes }: NetworkArrays,
  { offsets, numbers }: Pick<NetworkFrame, 'offsets' | 'numbers'>,
  cell: number,
  tile: VarintReader,
): number[] {
  const names = [0];
  let at = offsets.nameBytes[cell];
  const called = numbers.of(cell, NAMES);
  check(tile.count() === called.length);
  for (const number of called) {
    check(number > 0 && number < nameAt.length);
    const text = tile.textBytes();
    check(text.length < 65_536 && at + NAME_HEAD_BYTES + text.length <= offsets.nameBytes[cell + 1]);
    writeNameHead(nameBytes, at, number, text.length);
    nameBytes.set(text, at + NAME_HEAD_BYTES);
    nameAt[number] = at;
    names.push(number);
    at += NAME_HEAD_BYTES + text.length;
  }
  check(at === offsets.nameBytes[cell + 1]);
  return names;
}
