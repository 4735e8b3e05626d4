import type { EncodedLayer } from '../../format/encode-vector-tile.js';
import { layerIndex, oceanLayer } from '../../format/layers.js';

/**
 * For one tile, by layer, the numbers of its features in order; `unknown` where they cannot be determined.
 */
export type PiecesOfTile = ReadonlyMap<number, Uint32Array | 'unknown'>;

/** A count that no layer reaches. */
const unknownCount = 0xffffff;

/**
 * The features of each tile of a map. Of each tile with features one list: of each layer but the sea its
 * index and the count of its features, (index << 24 | count), and then their numbers. A tile without a list
 * is unknown.
 */
export class TilePieces {
  readonly #blocks = new Map<string, Map<number, Uint32Array>>();

  /** Layers that are not listed have no features; undefined if the tile is unknown. */
  of(block: string, tile: number): PiecesOfTile | undefined {
    const list = this.#blocks.get(block)?.get(tile);
    if (list === undefined) return undefined;
    const pieces = new Map<number, Uint32Array | 'unknown'>();
    for (let at = 0; at < list.length; ) {
      const head = list[at++]!;
      const count = head & unknownCount;
      if (count === unknownCount) pieces.set(head >>> 24, 'unknown');
      else {
        pieces.set(head >>> 24, list.subarray(at, at + count));
        at += count;
      }
    }
    return pieces;
  }

  /** Replaces the list of the tile. */
  set(block: string, tile: number, layers: readonly EncodedLayer[]): void {
    let length = 0;
    for (const { numbers } of layers) length += 1 + (numbers?.length ?? 0);
    const list = new Uint32Array(length);
    let at = 0;
    for (const { name, numbers } of layers) {
      const layer = layerIndex.get(name)!;
      if (layer === oceanLayer) continue;
      const isKnown = numbers !== undefined && numbers.length < unknownCount;
      list[at++] = (layer << 24) | (isKnown ? numbers.length : unknownCount);
      if (!isKnown) continue;
      list.set(numbers, at);
      at += numbers.length;
    }
    let tiles = this.#blocks.get(block);
    if (tiles === undefined) {
      tiles = new Map();
      this.#blocks.set(block, tiles);
    }
    tiles.set(tile, list.subarray(0, at));
  }

  /** Deletes lists of tiles that no longer exist or are all sea. */
  delete(block: string, tile: number): void {
    this.#blocks.get(block)?.delete(tile);
  }
}
