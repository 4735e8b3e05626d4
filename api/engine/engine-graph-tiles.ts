import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import type { GraphTileTask } from '../graph-tiles/cut-graph-tile.js';
import type { GraphTile, GraphTiles } from '../ports/graph-tiles.js';
import type { LiveMetric } from './engine-traffic.js';
import type { ModeMetrics } from './mode-metrics.js';

export interface EngineGraphTilesOptions {
  /** Threads of `api/map/tile-worker`. */
  readonly pool: WorkerPool;
  readonly driving: () => LiveMetric;
  readonly others: ModeMetrics;
}

/** Tiles of the routing graph, cut in a worker thread. */
export const engineGraphTiles =
  ({ pool, driving, others }: EngineGraphTilesOptions): GraphTiles =>
  async ({ mode, address }, options) => {
    const metric = mode === 'driving' ? driving().metric : others.open(mode);
    return pool.run<GraphTileTask, GraphTile>('graph', { address, metric }, options);
  };
