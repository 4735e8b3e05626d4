import { LRUCache } from 'lru-cache';
import { tileCacheBytesMax } from '../limits.js';
import type { CutTile, TileAddress } from './cut-tile.js';

/** What an entry costs beside its bytes: key, object and list node. */
const entryOverheadBytes = 200;

/** Rejects when too many tiles are asked for at once. */
export type TileSource = (address: TileAddress) => Promise<CutTile> | CutTile;

/** Compressed tiles by address, bounded by bytes. Clients that ask for one tile at the same time wait for one cut. */
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
    const cut = this.#cut(key, address);
    this.#underway.set(key, cut);
    return cut;
  }

  async #cut(key: string, address: TileAddress): Promise<CutTile> {
    try {
      // The turn ends before the cut begins, so that the entry of the one under way is there when it is taken out.
      await undefined;
      const tile = await this.#source(address);
      this.#tiles.set(key, tile);
      return tile;
    } finally {
      this.#underway.delete(key);
    }
  }
}
