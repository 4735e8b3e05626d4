import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import type { StoredTile } from '#map-tiles/format/tile-block.js';
import type { TileId } from '#map-tiles/format/web-mercator.js';
import { pngCacheBytesMax } from '../http/limits.js';
import type { OverzoomedTiles } from './overzoomed-tiles.js';
import type { PaintTile } from './prepared-maps.js';

/** Memory of an entry in addition to its bytes. */
const entryOverheadBytes = 200;

/**
 * PNG tiles: prepared ones from the store, others rendered from the vector tile and cached within a limit.
 * Tiles with the same content are rendered once; a request for a tile that is being rendered waits for it.
 */
export class PngTiles {
  readonly #paint: PaintTile;
  readonly #vectors: OverzoomedTiles;
  readonly #drawn = new LRUCache<string, StoredTile>({
    maxSize: pngCacheBytesMax,
    sizeCalculation: ({ bytes }) => bytes.byteLength + entryOverheadBytes,
  });
  readonly #underway = new Map<string, Promise<StoredTile>>();

  constructor(paint: PaintTile, vectors: OverzoomedTiles) {
    this.#paint = paint;
    this.#vectors = vectors;
  }

  async get(map: MapTiles, tile: TileId): Promise<StoredTile> {
    const prepared = await map.get('png', tile);
    if (prepared !== undefined) return prepared;
    const vector = await this.#vectors.get(map, tile);
    const key = `${tile.z}/${vector?.hash ?? 'empty'}`;
    const known = this.#drawn.get(key) ?? this.#underway.get(key);
    if (known !== undefined) return known;
    const drawing = this.#draw(vector, tile.z)
      .then((png) => {
        this.#drawn.set(key, png);
        return png;
      })
      .finally(() => this.#underway.delete(key));
    this.#underway.set(key, drawing);
    return drawing;
  }

  async #draw(vector: StoredTile | undefined, zoom: number): Promise<StoredTile> {
    const bytes = await this.#paint(vector?.bytes ?? new Uint8Array(), zoom);
    return { bytes, hash: createHash('sha256').update(bytes).digest().subarray(0, 16).toString('base64url') };
  }
}
