import { edgeFlag, endsOnlyBit } from '#routing-engine/network/edge-flags.js';
import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';
import type { CellBorder } from './cell-border.js';
import type { NetworkFrame } from './network-frame.js';
import { numberLists } from './number-tiles.js';
import type { CellCrossings } from './turn-tables.js';
import { VarintReader } from './varints.js';

const ZONES = numberLists.indexOf('zones');
const PARTS = numberLists.indexOf('drivingParts');

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
 * Fills the topology of one cell: its nodes, the edges that begin in it, and what is needed to turn off the
 * edges that come in from other cells. Other cells need not be loaded. Each number is written once and in its
 * final form: a concurrent search in an adjacent cell reads some of them, and the adjacent cell wrote the
 * same. Throws a RangeError when a number points outside of the network, so that even a tile with a correct
 * checksum cannot mislead a search.
 */
export function decodeRoads(
  into: NetworkArrays,
  { ends, numbers, totals }: Pick<NetworkFrame, 'ends' | 'numbers' | 'totals'>,
  cell: number,
  border: CellBorder,
  tile: VarintReader,
): CellCrossings {
  const { cellFirstNode, cellFirstEdge, firstOut, tail, head, flags, copyOf, reverse } = into;
  const { nodeLngE7, nodeLatE7, lengthCm, bearingIn, bearingOut } = into;
  const { exits, exitCells, exitNumbers, entries } = border;
  const first = cellFirstNode[cell];
  const end = cellFirstNode[cell + 1];
  const firstEdge = cellFirstEdge[cell];
  const endEdge = cellFirstEdge[cell + 1];
  const adjacent = readAdjacent(tile);
  check(
    adjacent.length === border.adjacent.length && adjacent.every((other, i) => other === border.adjacent[i]),
  );
  check(tile.unsigned() === end - first);
  check(tile.unsigned() === endEdge - firstEdge);
  check(tile.unsigned() === entries.length);

  let lng = 0;
  let lat = 0;
  for (let node = first; node < end; node++) {
    nodeLngE7[node] = lng += tile.signed();
    nodeLatE7[node] = lat += tile.signed();
  }
  const nodeFlags = Uint8Array.from({ length: end - first }, () => tile.unsigned());
  let next = firstEdge;
  for (let node = first; node < end; node++) {
    firstOut[node] = next;
    const degree = tile.unsigned();
    check(next + degree <= endEdge);
    tail.fill(node, next, next + degree);
    next += degree;
  }
  check(next === endEdge);
  firstOut[end] = endEdge;

  readKinds(into, numbers.modes, firstEdge, endEdge, entries, tile);
  let exit = 0;
  for (let edge = firstEdge; edge < endEdge; edge++) {
    if (exits[exit] === edge) {
      head[edge] = cellFirstNode[exitCells[exit]] + ends.headInCell[exitNumbers[exit]];
      exit++;
    } else {
      const node = tail[edge] + tile.signed();
      check(node >= first && node < end);
      head[edge] = node;
    }
  }
  for (const edge of exits) {
    nodeLngE7[head[edge]] = nodeLngE7[tail[edge]] + tile.signed();
    nodeLatE7[head[edge]] = nodeLatE7[tail[edge]] + tile.signed();
  }
  for (const edge of entries) {
    const node = first + tile.unsigned();
    check(node < end);
    head[edge] = node;
  }
  for (let edge = firstEdge; edge < endEdge; edge++) {
    if ((flags[edge] & edgeFlag.copy) === 0) {
      copyOf[edge] = edge;
      continue;
    }
    const original = firstOut[tail[edge]] + tile.unsigned();
    check(original < edge && copyOf[original] === original && head[original] === head[edge]);
    copyOf[edge] = original;
  }
  for (const [i, edge] of entries.entries()) {
    if ((flags[edge] & edgeFlag.copy) === 0) {
      copyOf[edge] = edge;
      continue;
    }
    const original = entries[i - tile.unsigned()];
    check(original < edge && copyOf[original] === original && head[original] === head[edge]);
    copyOf[edge] = original;
  }
  readReverses(into, firstEdge, endEdge, border, tile);

  const isOwn = (edge: number): boolean => edge >= firstEdge && edge < endEdge;
  /** The edge with the same length and directions: its original, or the opposite direction. */
  const source = (edge: number): number => {
    if (copyOf[edge] !== edge) return copyOf[edge];
    const other = reverse[edge];
    return isOwn(other) && (other < edge || !isOwn(edge)) ? other : -1;
  };
  const own = Array.from({ length: endEdge - firstEdge }, (_, i) => firstEdge + i);
  for (const edges of [own, entries])
    for (const edge of edges) {
      const other = source(edge);
      const length = other < 0 ? tile.unsigned() : lengthCm[other];
      check(length > 0);
      lengthCm[edge] = length;
    }
  for (const edge of own) {
    const other = source(edge);
    if (other < 0) {
      bearingOut[edge] = tile.unsignedByte();
      bearingIn[edge] = tile.unsignedByte();
    } else {
      const isCopy = copyOf[edge] === other;
      bearingOut[edge] = isCopy ? bearingOut[other] : bearingIn[other] + 128;
      bearingIn[edge] = isCopy ? bearingIn[other] : bearingOut[other] + 128;
    }
  }
  for (const edge of entries) {
    const other = source(edge);
    if (other < 0) bearingIn[edge] = tile.unsignedByte();
    else bearingIn[edge] = copyOf[edge] === other ? bearingIn[other] : bearingOut[other] + 128;
  }
  const forbidden: number[] = [];
  for (let left = tile.count(4); left > 0; left--)
    forbidden.push(tile.unsigned(), tile.unsigned(), tile.unsigned(), tile.unsigned());
  for (let mode = 0; mode < numbers.modes; mode++) {
    readZones(into, mode, first, end, border, numbers.of(cell, ZONES), totals.nodes, tile);
    readParts(into, mode, numbers.of(cell, PARTS + mode), totals.edges, [own, entries], tile);
  }
  return { firstNode: first, endNode: end, nodeFlags, forbidden };
}

/** Flags, class and speeds of the edges, by number of one of the combinations that the cell has. */
function readKinds(
  { flags, roadClass, speedKph, tail }: NetworkArrays,
  modes: number,
  firstEdge: number,
  endEdge: number,
  entries: Uint32Array,
  tile: VarintReader,
): void {
  const width = 2 + modes;
  const kinds = Array.from({ length: tile.count(width) }, () =>
    Array.from({ length: width }, () => tile.unsigned()),
  );
  const edgeCount = tail.length;
  const read = (edge: number): void => {
    const kind = kinds[tile.unsigned()];
    check(kind !== undefined);
    flags[edge] = kind[0];
    roadClass[edge] = kind[1];
    for (let mode = 0; mode < modes; mode++) speedKph[mode * edgeCount + edge] = kind[2 + mode];
  };
  for (let edge = firstEdge; edge < endEdge; edge++) read(edge);
  for (const edge of entries) read(edge);
}

function readReverses(
  { firstOut, tail, head, flags, copyOf, reverse }: NetworkArrays,
  firstEdge: number,
  endEdge: number,
  { exits, entries }: CellBorder,
  tile: VarintReader,
): void {
  const ofEntry = new Int32Array(entries.length).fill(-1);
  let exit = 0;
  for (let edge = firstEdge; edge < endEdge; edge++) {
    const leaves = exits[exit] === edge;
    if (leaves) exit++;
    if (copyOf[edge] !== edge) {
      reverse[edge] = reverse[copyOf[edge]];
      continue;
    }
    const number = tile.unsigned();
    if (number === 0) {
      reverse[edge] = -1;
    } else if (leaves) {
      const other = entries[number - 1];
      check(other !== undefined && ofEntry[number - 1] < 0);
      check((flags[other] & edgeFlag.copy) === 0 && head[other] === tail[edge]);
      ofEntry[number - 1] = edge;
      reverse[edge] = other;
    } else {
      const other = firstOut[head[edge]] + number - 1;
      check(other < firstOut[head[edge] + 1] && head[other] === tail[edge]);
      reverse[edge] = other;
    }
  }
  for (const [i, edge] of entries.entries())
    reverse[edge] = copyOf[edge] === edge ? ofEntry[i] : reverse[copyOf[edge]];
}

/**
 * An area of ends-only roads is the same for all edges at a node, so nodes have its number: see
 * `endsOnlyZones`.
 */
function readZones(
  { zone, flags, speedKph, tail, head, firstOut }: NetworkArrays,
  mode: number,
  first: number,
  end: number,
  { exits, entries }: CellBorder,
  numbers: Uint32Array,
  zoneMax: number,
  tile: VarintReader,
): void {
  const row = mode * tail.length;
  const bit = endsOnlyBit(mode);
  const inZone = (edge: number): boolean => (flags[edge] & bit) !== 0 && speedKph[row + edge] > 0;
  const ofNode = new Uint32Array(end - first);
  let exit = 0;
  for (let edge = firstOut[first]; edge < firstOut[end]; edge++) {
    const leaves = exits[exit] === edge;
    if (leaves) exit++;
    if (!inZone(edge)) continue;
    ofNode[tail[edge] - first] = 1;
    if (!leaves) ofNode[head[edge] - first] = 1;
  }
  for (const edge of entries) if (inZone(edge)) ofNode[head[edge] - first] = 1;
  for (let node = 0; node < ofNode.length; node++) {
    if (ofNode[node] === 0) continue;
    const number = numbers[tile.unsigned()];
    check(number !== undefined && number >= 1 && number <= zoneMax);
    ofNode[node] = number;
  }
  for (let edge = firstOut[first]; edge < firstOut[end]; edge++)
    zone[row + edge] = inZone(edge) ? ofNode[tail[edge] - first] : 0;
  for (const edge of entries) zone[row + edge] = inZone(edge) ? ofNode[head[edge] - first] : 0;
}

/** Connected parts as runs over the edges that the mode may use. */
function readParts(
  { part, speedKph, tail }: NetworkArrays,
  mode: number,
  numbers: Uint32Array,
  partMax: number,
  lists: readonly Iterable<number>[],
  tile: VarintReader,
): void {
  const row = mode * tail.length;
  let left = 0;
  let number = 0;
  for (const edges of lists)
    for (const edge of edges) {
      if (speedKph[row + edge] === 0) {
        part[row + edge] = 0;
        continue;
      }
      if (left === 0) {
        left = tile.unsigned();
        const found = numbers[tile.unsigned()];
        check(left > 0 && found !== undefined && found >= 0 && found <= partMax);
        number = found;
      }
      part[row + edge] = number;
      left--;
    }
  check(left === 0);
}

export function check(fits: boolean): asserts fits {
  if (!fits) throw new RangeError('a reference that leads nowhere');
}
