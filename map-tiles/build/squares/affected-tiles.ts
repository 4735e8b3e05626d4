import { bandOf, numberInBlock } from '../../format/block-grid.js';
import { mapTileLimits } from '../../format/limits.js';
import { latMax, latOf, lngOf, type TileId, xOf, yOf } from '../../format/web-mercator.js';
import { margin } from '../geometry/cut-vector-tiles.js';
import type { CollectedRows, DrawnElements } from '../rows/collect-rows.js';

/** By number in the block of each tile that may differ: its possibly changed layers, a bit each. */
export type AffectedBlock = Map<number, number>;

/** The tiles and layers in which a change may be visible. */
export class AffectedTiles {
  readonly #zoomMax: number;
  readonly #blocks = new Map<number, AffectedBlock>();
  #marks = 0;

  constructor(zoomMax: number) {
    this.#zoomMax = zoomMax;
  }

  /**
   * So much has changed that marking tiles costs more than building everything; then the marks are
   * incomplete.
   */
  get isTooMuch(): boolean {
    return this.#marks > mapTileLimits.touchedTilesMax;
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
      const [firstX, firstY] = [within(left * side - margin), within(top * side - margin)];
      if (!this.#hasRoomFor((lastX - firstX + 1) * (lastY - firstY + 1))) return;
      for (let x = firstX; x <= lastX; x++)
        for (let y = firstY; y <= lastY; y++) this.#mark(layer, { z, x, y });
    }
  }

  /** The tiles of zooms `z` to `last` that are the tile or lie below it. */
  markBelow(layer: number, { z, x, y }: TileId, last: number): void {
    for (let zoom = z; zoom <= Math.min(last, this.#zoomMax); zoom++) {
      const across = 2 ** (zoom - z);
      if (!this.#hasRoomFor(across * across)) return;
      for (let dx = 0; dx < across; dx++)
        for (let dy = 0; dy < across; dy++)
          this.#mark(layer, { z: zoom, x: x * across + dx, y: y * across + dy });
    }
  }

  #hasRoomFor(tiles: number): boolean {
    this.#marks += tiles;
    return !this.isTooMuch;
  }

  #mark(layer: number, tile: TileId): void {
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

  /**
   * The marks of a block, by the first zoom of its band and its root; undefined if nothing in it may differ.
   */
  block(from: number, x: number, y: number): AffectedBlock | undefined {
    return this.#blocks.get(keyOf(from, x, y));
  }
}

const keyOf = (from: number, x: number, y: number): number => (from * 4_096 + x) * 4_096 + y;
const clamped = (latE7: number): number => Math.min(latMax, Math.max(-latMax, latE7 / 1e7));

/** Marks the places of added and removed features. */
export function markChanges(before: DrawnElements, now: CollectedRows, tiles: AffectedTiles): void {
  const rowBefore = now.rowBefore ?? new Int32Array(now.rows.length).fill(-1);
  const stays = new Uint8Array(before.rows.length);
  for (let row = 0; row < rowBefore.length; row++) {
    const same = rowBefore[row]!;
    if (same < 0) markRow(now, row, tiles);
    else stays[same] = 1;
  }
  for (let row = 0; row < stays.length; row++) if (stays[row] === 0) markRow(before, row, tiles);
}

function markRow({ rows }: DrawnElements, row: number, tiles: AffectedTiles): void {
  const { box } = rows;
  const at = 4 * row;
  tiles.markBox(rows.layer[row]!, rows.minZoom[row]!, box[at]!, box[at + 1]!, box[at + 2]!, box[at + 3]!);
}

/** West, south, east, north of everything visible in a tile, 1e-7 degrees. */
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
