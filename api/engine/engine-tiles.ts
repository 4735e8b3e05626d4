import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import type { CutTile, TileAddress } from '../road-tiles/cut-tile.js';
import type { TileSource } from '../road-tiles/tile-cache.js';

/** Tiles cut in a thread of `api/map/tile-worker`. */
export const engineTiles =
  (pool: WorkerPool): TileSource =>
  (address) =>
    pool.run<TileAddress, CutTile>('default', address);
