import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { tileCacheBytesMax } from '../limits.js';

export interface CachedTile {
  /** Compressed; empty when nothing is drawn in the tile. */
  readonly gzip: Uint8Array;
  /** Strong: a hash of the uncompressed bytes, so every instance gives the same. */
  readonly etag: string;
}

/** What an entry costs beside its bytes: key, object and list node. */
const entryOverheadBytes = 200;

const nothing: CachedTile = { gzip: new Uint8Array(), etag: '"empty"' };

/** Compressed tiles by address, bounded by bytes. */
export class TileCache {
  readonly #tiles = new LRUCache<string, CachedTile>({
    maxSize: tileCacheBytesMax,
    sizeCalculation: ({ gzip }) => gzip.byteLength + entryOverheadBytes,
  });
  readonly #cut: (z: number, x: number, y: number) => Uint8Array | undefined;

  constructor(cut: (z: number, x: number, y: number) => Uint8Array | undefined) {
    this.#cut = cut;
  }

  get(z: number, x: number, y: number): CachedTile {
    const address = `${z}/${x}/${y}`;
    const kept = this.#tiles.get(address);
    if (kept !== undefined) return kept;
    const bytes = this.#cut(z, x, y);
    const tile =
      bytes === undefined
        ? nothing
        : {
            gzip: gzipSync(bytes),
            etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
          };
    this.#tiles.set(address, tile);
    return tile;
  }
}
