import { bandOf, numberInBlock } from './block-grid.js';
import type { DrawnElements } from './collect-rows.js';
import { margin } from './cut-vector-tiles.js';
import { latMax, latOf, lngOf, type TileId, xOf, yOf } from './web-mercator.js';

/** By number in the block of each tile that may differ the layers that may, a bit each. */
export type TouchedBlock = Map<number, number>;

/** The tiles, and in them the layers, in which something that changed may be seen. */
export class TouchedTiles {
  readonly #zoomMax: number;
  readonly #blocks = new Map<number, TouchedBlock>();

  constructor(zoomMax: number) {
    this.#zoomMax = zoomMax;
  }

  /** What is drawn in `box`, 1e-7 degrees, from a zoom on. */
  markBox(layer: number, fromZoom: number, west: number, south: number, east: number, north: number): void {
    const [left, right] = [xOf(west / 1e7, 0), xOf(east / 1e7, 0)];
    const [top, bottom] = [yOf(clamped(north), 0), yOf(clamped(south), 0)];
    for (let z = fromZoom; z <= this.#zoomMax; z++) {
      const side = 2 ** z;
      const within = (value: number): number => Math.min(side - 1, Math.max(0, Math.floor(value)));
      const lastX = within(right * side + margin);
      const lastY = within(bottom * side + margin);
      for (let x = within(left * side - margin); x <= lastX; x++)
        for (let y = within(top * side - margin); y <= lastY; y++) this.mark(layer, { z, x, y });
    }
  }

  mark(layer: number, tile: TileId): void {
    const { root, from } = bandOf(tile.z);
    const key = keyOf(from, tile.x >> (tile.z - root), tile.y >> (tile.z - root));
    let block = this.#blocks.get(key);
    if (block === undefined) {
      block = new Map();
      this.#blocks.set(key, block);
    }
    const number = numberInBlock(tile);
    block.set(number, (block.get(number) ?? 0) | (1 << layer));
  }

  /** Of the block of a band, named by the zoom it begins with, at a root; undefined when nothing in it may differ. */
  block(from: number, x: number, y: number): TouchedBlock | undefined {
    return this.#blocks.get(keyOf(from, x, y));
  }
}

const keyOf = (from: number, x: number, y: number): number => (from * 4_096 + x) * 4_096 + y;
const clamped = (latE7: number): number => Math.min(latMax, Math.max(-latMax, latE7 / 1e7));

/** Marks where a feature is that was not before, or was and is not any more. */
export function markChanges(before: DrawnElements, now: DrawnElements, tiles: TouchedTiles): void {
  const markRow = ({ rows }: DrawnElements, row: number): void => {
    const { box } = rows;
    const at = 4 * row;
    tiles.markBox(rows.layer[row]!, rows.minZoom[row]!, box[at]!, box[at + 1]!, box[at + 2]!, box[at + 3]!);
  };
  const markMissing = (of: DrawnElements, element: number, other: DrawnElements, twin: number): void => {
    for (let row = of.firstRow[element]!; row < of.firstRow[element + 1]!; row++)
      if (!hasRow(other, twin, of.rows.whole[2 * row]!, of.rows.whole[2 * row + 1]!)) markRow(of, row);
  };
  const [old, young] = [before.elements, now.elements];
  let i = 0;
  let j = 0;
  while (i < old.ids.length || j < young.ids.length) {
    const order = compare(before, i, now, j);
    if (order < 0) markMissing(before, i, now, -1);
    else if (order > 0) markMissing(now, j, before, -1);
    else {
      markMissing(before, i, now, j);
      markMissing(now, j, before, i);
    }
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
}

/** Ascending by kind, then by id; what lies behind the end comes last. */
function compare(
  { elements: a }: DrawnElements,
  i: number,
  { elements: b }: DrawnElements,
  j: number,
): number {
  if (i === a.ids.length) return 1;
  if (j === b.ids.length) return -1;
  const kindA = i < a.nodes ? 0 : i < a.nodes + a.ways ? 1 : 2;
  const kindB = j < b.nodes ? 0 : j < b.nodes + b.ways ? 1 : 2;
  return kindA - kindB || a.ids[i]! - b.ids[j]!;
}

function hasRow({ firstRow, rows }: DrawnElements, element: number, a: number, b: number): boolean {
  if (element < 0) return false;
  for (let row = firstRow[element]!; row < firstRow[element + 1]!; row++)
    if (rows.whole[2 * row] === a && rows.whole[2 * row + 1] === b) return true;
  return false;
}

/** West, south, east, north of all that may be seen in a tile, 1e-7 degrees. */
export function reachOf({ z, x, y }: TileId): [number, number, number, number] {
  const side = 2 ** z;
  // A tile at the edge of the square world shows what lies beyond it.
  return [
    Math.floor(lngOf(x - margin, z) * 1e7),
    y + 1 >= side ? -900_000_000 : Math.floor(latOf(y + 1 + margin, z) * 1e7),
    Math.ceil(lngOf(x + 1 + margin, z) * 1e7),
    y === 0 ? 900_000_000 : Math.ceil(latOf(y - margin, z) * 1e7),
  ];
}
