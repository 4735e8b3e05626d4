import { LRUCache } from 'lru-cache';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Logger } from '#platform/telemetry/logger.js';
import { isMapId } from '#tile-builder/map-tiles/map-manifest.js';
import { MapTiles, mapOfTileset } from '#tile-builder/map-tiles/open-map-tiles.js';
import { mapLookEveryMs, mapsOpenMax, unknownMapsKeptMs, unknownMapsMax } from '../limits.js';

/** Draws a vector tile, gzip as it is stored, as PNG. Rejects when too many are asked for at once. */
export type PaintTile = (vectorGzip: Uint8Array, zoom: number) => Promise<Uint8Array>;

export interface PreparedMapsDeps {
  readonly objects: ObjectStore;
  /** The roads beside which the map is shown. */
  readonly tilesetId: string;
  readonly paint: PaintTile;
  readonly logger: Logger;
}

/**
 * The maps in the object store: the one that goes with the roads, looked up again every few seconds so that a rebuilt map
 * is shown without a restart, and older ones that clients still have addresses of.
 */
export class PreparedMaps {
  readonly paint: PaintTile;
  readonly #deps: PreparedMapsDeps;
  readonly #open = new LRUCache<string, MapTiles>({ max: mapsOpenMax });
  readonly #unknown = new LRUCache<string, true>({ max: unknownMapsMax, ttl: unknownMapsKeptMs });
  readonly #timer: NodeJS.Timeout;
  #current: MapTiles | undefined;

  private constructor(deps: PreparedMapsDeps) {
    this.#deps = deps;
    this.paint = deps.paint;
    this.#timer = setInterval(() => {
      this.refresh().catch((error: unknown) =>
        deps.logger.warn('the map of the roads could not be looked up; the one before stays', { error }),
      );
    }, mapLookEveryMs).unref();
  }

  static async open(deps: PreparedMapsDeps): Promise<PreparedMaps> {
    const maps = new PreparedMaps(deps);
    await maps.refresh();
    return maps;
  }

  /** The map that is shown now; undefined when none was built for the roads. */
  get current(): MapTiles | undefined {
    return this.#current;
  }

  /** A built map by its id, as long as the store has it. */
  async version(mapId: string): Promise<MapTiles | undefined> {
    if (this.#current?.manifest.mapId === mapId) return this.#current;
    if (!isMapId(mapId) || this.#unknown.has(mapId)) return undefined;
    const open = this.#open.get(mapId) ?? (await MapTiles.open(this.#deps.objects, mapId));
    if (open === undefined) this.#unknown.set(mapId, true);
    else this.#open.set(mapId, open);
    return open;
  }

  /** Looks whether another map goes with the roads now. */
  async refresh(): Promise<void> {
    const mapId = await mapOfTileset(this.#deps.objects, this.#deps.tilesetId);
    if (mapId === undefined || mapId === this.#current?.manifest.mapId) return;
    const opened = await MapTiles.open(this.#deps.objects, mapId);
    if (opened === undefined) throw new Error(`map ${mapId} is not in the store; build the tiles again`);
    if (this.#current !== undefined) this.#open.set(this.#current.manifest.mapId, this.#current);
    this.#current = opened;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
