import { LRUCache } from 'lru-cache';
import { isMapId } from '#map-tiles/format/map-manifest.js';
import { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { mapsOpenMax, unknownMapsKeptMs, unknownMapsMax } from '../http/limits.js';

/** Renders a stored (gzip) vector tile as PNG. Rejects if too many are requested at once. */
export type PaintTile = (vectorGzip: Uint8Array, zoom: number) => Promise<Uint8Array>;

/**
 * The maps in the object store by their ids: the current one, and older ones whose addresses clients still
 * use.
 */
export class PreparedMaps {
  readonly paint: PaintTile;
  readonly #objects: ObjectStore;
  readonly #open = new LRUCache<string, MapTiles>({ max: mapsOpenMax });
  readonly #unknown = new LRUCache<string, true>({ max: unknownMapsMax, ttl: unknownMapsKeptMs });

  constructor(objects: ObjectStore, paint: PaintTile) {
    this.#objects = objects;
    this.paint = paint;
  }

  /** A built map by its id; undefined where the store has none. */
  async version(mapId: string): Promise<MapTiles | undefined> {
    if (!isMapId(mapId) || this.#unknown.has(mapId)) return undefined;
    const open = this.#open.get(mapId) ?? (await MapTiles.open(this.#objects, mapId));
    if (open === undefined) this.#unknown.set(mapId, true);
    else this.#open.set(mapId, open);
    return open;
  }
}
