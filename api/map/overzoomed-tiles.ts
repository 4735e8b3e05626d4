import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { cutChildTile } from '#map-tiles/format/cut-child-tile.js';
import type { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import type { StoredTile } from '#map-tiles/format/tile-block.js';
import type { TileId } from '#map-tiles/format/web-mercator.js';
import { tileCacheBytesMax } from '../http/limits.js';

/** Memory of an entry in addition to its bytes. */
const entryOverheadBytes = 300;

type Found = StoredTile | undefined;

/**
 * Vector tiles of every zoom that is served: prepared ones as they are stored, deeper ones cut out of the
 * deepest prepared tile around them. Cut tiles are cached within a limit; an empty one is cut again, which
 * takes less than a hit would save.
 */
export class OverzoomedTiles {
  readonly #cut = new LRUCache<string, StoredTile>({
    maxSize: tileCacheBytesMax,
    sizeCalculation: ({ bytes }) => bytes.byteLength + entryOverheadBytes,
  });

  /** Synchronous if the block of the prepared tile is cached. */
  get(map: MapTiles, tile: TileId): Found | Promise<Found> {
    const deeper = tile.z - map.manifest.vector.zoomMax;
    if (deeper <= 0) return map.get('vector', tile);
    const outer = { z: tile.z - deeper, x: tile.x >> deeper, y: tile.y >> deeper };
    const cut = (stored: Found): Found => stored && this.#cutFrom(stored, outer, tile);
    const stored = map.get('vector', outer);
    return stored instanceof Promise ? stored.then(cut) : cut(stored);
  }

  #cutFrom(stored: StoredTile, outer: TileId, inner: TileId): Found {
    // Equal tiles at two places have one hash, and so have their parts.
    const mask = 2 ** (inner.z - outer.z) - 1;
    const key = `${stored.hash}/${inner.z}/${inner.x & mask}/${inner.y & mask}`;
    const known = this.#cut.get(key);
    if (known !== undefined || stored.bytes.length === 0) return known;
    const plain = cutChildTile(gunzipSync(stored.bytes), outer, inner);
    if (plain === undefined) return undefined;
    const hash = createHash('sha256').update(plain).digest().subarray(0, 16).toString('base64url');
    const made = { bytes: gzipSync(plain), hash };
    this.#cut.set(key, made);
    return made;
  }
}
