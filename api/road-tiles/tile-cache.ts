import { LRUCache } from 'lru-cache';
import { tileCacheBytesMax } from '../http/limits.js';
import type { CutTile, TileAddress } from './cut-tile.js';

/** Memory of an entry in addition to its bytes: key, object and list node. */
const entryOverheadBytes = 200;

/** Rejects when too many tiles are requested at once. */
export type TileSource = (address: TileAddress) => Promise<CutTile> | CutTile;

/** Compressed tiles by address, bounded by bytes. Concurrent requests for one tile share one cut. */
export class TileCache {
  readonly #tiles = new LRUCache<string, CutTile>({
    maxSize: tileCacheBytesMax,
    sizeCalculation: ({ gzip }) => gzip.byteLength + entryOverheadBytes,
  });
  readonly #underway = new Map<string, Promise<CutTile>>();
  readonly #source: TileSource;

  constructor(source: TileSource) {
    this.#source = source;
  }

  get(address: TileAddress): Promise<CutTile> | CutTile {
    const key = `${address.z}/${address.x}/${address.y}`;
    const kept = this.#tiles.get(key) ?? this.#underway.get(key);
    if (kept !== undefined) return kept;
    // One turn later, so that the cut is registered before it can end.
    const cut = Promise.resolve(address)
      .then(this.#source)
      .then((tile) => {
        this.#tiles.set(key, tile);
        return tile;
      })
      .finally(() => this.#underway.delete(key));
    this.#underway.set(key, cut);
    return cut;
  }
}
