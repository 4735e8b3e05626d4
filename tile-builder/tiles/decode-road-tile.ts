import { edgeFlag } from '#routing-engine/edge-flags.js';
import type { NetworkUnderAssembly } from './network-under-assembly.js';
import { VarintReader } from './varints.js';

/** Cells next to the tile's own, as the tile lists them. */
export function adjacentCells(payload: Uint8Array): number[] {
  return readAdjacent(new VarintReader(payload));
}

function readAdjacent(tile: VarintReader): number[] {
  let cell = 0;
  return Array.from({ length: tile.count() }, () => {
    cell += tile.unsigned();
    return cell;
  });
}

/**
 * Fills the cell's part of the columns. Throws a RangeError when a number points outside of the network, so that even
 * a tile with a correct checksum cannot lead a search astray. `reverse` is left as a rank plus one: it needs the
 * neighbours, see `resolveReverse`.
 */
export function decodeRoadTile(into: NetworkUnderAssembly, cell: number, payload: Uint8Array): void {
  const tile = new VarintReader(payload);
  const adjacent = readAdjacent(tile);
  const first = into.cellFirstNode[cell];
  const end = into.cellFirstNode[cell + 1];
  const firstEdge = into.cellFirstEdge[cell];
  const endEdge = into.cellFirstEdge[cell + 1];
  const cellCount = into.cellFirstNode.length - 1;
  check(adjacent.every((other) => other < cellCount && other !== cell));
  check(tile.unsigned() === end - first);
  check(tile.unsigned() === endEdge - firstEdge);

  let lng = 0;
  let lat = 0;
  for (let node = first; node < end; node++) {
    into.nodeLngE7[node] = lng += tile.signed();
    into.nodeLatE7[node] = lat += tile.signed();
  }
  for (let node = first; node < end; node++) into.nodeFlags[node] = tile.unsigned();
  let next = firstEdge;
  for (let node = first; node < end; node++) {
    into.firstOut[node] = next;
    const degree = tile.unsigned();
    check(next + degree <= endEdge);
    into.tail.fill(node, next, next + degree);
    next += degree;
  }
  check(next === endEdge);

  const edgeCount = into.tail.length;
  const kinds = Array.from({ length: tile.count(5) }, () => [
    tile.unsigned(),
    tile.unsigned(),
    tile.unsigned(),
    tile.unsigned(),
    tile.unsigned(),
  ]);
  for (let edge = firstEdge; edge < endEdge; edge++) {
    const kind = kinds[tile.unsigned()];
    check(kind !== undefined);
    into.flags[edge] = kind[0];
    into.roadClass[edge] = kind[1];
    into.speedKph[edge] = kind[2];
    into.speedKph[edgeCount + edge] = kind[3];
    into.speedKph[2 * edgeCount + edge] = kind[4];
  }

  const headCell = new Uint32Array(endEdge - firstEdge);
  for (let i = 0; i < headCell.length; i++) {
    const reference = tile.unsigned();
    check(reference <= adjacent.length);
    headCell[i] = reference === 0 ? cell : adjacent[reference - 1];
  }
  for (let edge = firstEdge; edge < endEdge; edge++) {
    const other = headCell[edge - firstEdge];
    const head =
      other === cell ? into.tail[edge] + tile.signed() : into.cellFirstNode[other] + tile.unsigned();
    check(head >= into.cellFirstNode[other] && head < into.cellFirstNode[other + 1]);
    into.head[edge] = head;
  }
  for (let edge = firstEdge; edge < endEdge; edge++) into.reverse[edge] = tile.unsigned();
  for (let edge = firstEdge; edge < endEdge; edge++) {
    into.copyOf[edge] = edge;
    if ((into.flags[edge] & edgeFlag.copy) === 0) continue;
    const original = into.firstOut[into.tail[edge]] + tile.unsigned();
    check(original < edge && into.head[original] === into.head[edge]);
    into.copyOf[edge] = original;
  }
  // Opposite directions within the cell share length and bearings; their edges are known before the neighbours are.
  const mirror = (edge: number): number => {
    if (into.reverse[edge] === 0 || headCell[edge - firstEdge] !== cell) return -1;
    const reverse = into.firstOut[into.head[edge]] + into.reverse[edge] - 1;
    check(reverse < endEdge);
    return reverse < edge ? reverse : -1;
  };
  for (let edge = firstEdge; edge < endEdge; edge++) {
    const other = mirror(edge);
    into.lengthCm[edge] = other < 0 ? tile.unsigned() : into.lengthCm[other];
    check(into.lengthCm[edge] > 0);
  }
  for (let edge = firstEdge; edge < endEdge; edge++) {
    const other = mirror(edge);
    into.bearingOut[edge] = other < 0 ? tile.unsignedByte() : into.bearingIn[other] + 128;
    into.bearingIn[edge] = other < 0 ? tile.unsignedByte() : into.bearingOut[other] + 128;
  }
  for (let left = tile.count(4); left > 0; left--) {
    const node = first + tile.unsigned();
    check(node < end);
    into.forbidden.push(node, tile.unsigned(), tile.unsigned(), tile.unsigned());
  }
  tile.end();
}

/** Turns the ranks in `reverse` into edge numbers, when all cells are there. */
export function resolveReverse(into: NetworkUnderAssembly): void {
  for (let edge = 0; edge < into.tail.length; edge++) {
    const rank = into.reverse[edge];
    const reverse = rank === 0 ? -1 : into.firstOut[into.head[edge]] + rank - 1;
    check(
      reverse < 0 || (reverse < into.firstOut[into.head[edge] + 1] && into.head[reverse] === into.tail[edge]),
    );
    into.reverse[edge] = reverse;
  }
}

function check(fits: boolean): asserts fits {
  if (!fits) throw new RangeError('a reference that leads nowhere');
}
