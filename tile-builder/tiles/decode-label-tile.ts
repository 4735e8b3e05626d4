import { ownsPiece } from './encode-label-tile.js';
import type { NetworkUnderAssembly } from './network-under-assembly.js';
import { VarintReader } from './varints.js';

/** Fills names, shapes and ids of one cell; the cell's road tile and `resolveReverse` go before. Cells come in order. */
export function decodeLabelTile(into: NetworkUnderAssembly, cell: number, payload: Uint8Array): void {
  const tile = new VarintReader(payload);
  const names = [0];
  for (let left = tile.count(); left > 0; left--) {
    const name = tile.text();
    let number = into.names.get(name);
    if (number === undefined) {
      number = into.names.size;
      into.names.set(name, number);
    }
    names.push(number);
  }
  let id = 0;
  for (let node = into.cellFirstNode[cell]; node < into.cellFirstNode[cell + 1]; node++)
    into.nodeOsmId[node] = id += tile.signed();

  const owners: number[] = [];
  for (let edge = into.cellFirstEdge[cell]; edge < into.cellFirstEdge[cell + 1]; edge++)
    if (ownsPiece(into.flags[edge], into.reverse[edge])) owners.push(edge);
  if (tile.unsigned() !== owners.length || into.pieces + owners.length > into.pieceEdge.length)
    throw new RangeError('labels for other roads than the cell has');
  const nameAt = (index: number): number => {
    const name = names[index];
    if (name === undefined) throw new RangeError('a name that is not in the tile');
    return name;
  };
  const firstPiece = into.pieces;
  into.pieces += owners.length;
  let way = 0;
  for (const edge of owners) into.wayId[edge] = way += tile.signed();
  for (const edge of owners) into.ordinal[edge] = tile.unsigned();
  for (const edge of owners) into.name[edge] = nameAt(tile.unsigned());
  for (const edge of owners) into.ref[edge] = nameAt(tile.unsigned());
  for (const [i, edge] of owners.entries()) {
    const points = tile.count(0);
    into.firstShape[firstPiece + i] = into.shapes;
    into.shapes += points;
    if (into.shapes > into.shapeLngE7.length)
      throw new RangeError('more shape points than the manifest says');
    into.pieceEdge[firstPiece + i] = edge;
    into.piece[edge] = firstPiece + i;
  }
  into.firstShape[into.pieces] = into.shapes;
  for (const [i, edge] of owners.entries()) {
    let lng = into.nodeLngE7[into.tail[edge]];
    let lat = into.nodeLatE7[into.tail[edge]];
    for (let point = into.firstShape[firstPiece + i]; point < into.firstShape[firstPiece + i + 1]; point++) {
      into.shapeLngE7[point] = lng += tile.signed();
      into.shapeLatE7[point] = lat += tile.signed();
    }
  }
  tile.end();
}

/** Gives the opposite directions and the copies what their road piece is called, when all cells are there. */
export function shareLabels(into: NetworkUnderAssembly): void {
  for (let edge = 0; edge < into.tail.length; edge++) {
    const original = into.copyOf[edge];
    const owner = ownsPiece(into.flags[original], into.reverse[original]) ? original : into.reverse[original];
    into.wayId[edge] = into.wayId[owner];
    into.ordinal[edge] = into.ordinal[owner];
    into.name[edge] = into.name[owner];
    into.ref[edge] = into.ref[owner];
    into.piece[edge] = into.piece[owner];
  }
}
