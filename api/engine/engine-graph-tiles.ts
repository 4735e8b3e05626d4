import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import type { GraphTileTask } from '../graph-tiles/cut-graph-tile.js';
import type { GraphTile, GraphTiles } from '../ports/graph-tiles.js';
import { type MetricSources, metricAt } from './metric-at.js';

export interface EngineGraphTilesOptions extends MetricSources {
  /** Threads of `api/map/tile-worker`. */
  readonly pool: WorkerPool;
}

/** Tiles of the routing graph as it is open now, cut in a worker thread. */
export const engineGraphTiles =
  ({ pool, ...sources }: EngineGraphTilesOptions): GraphTiles =>
  async ({ mode, address }, options) => {
    const { metric } = metricAt(sources, { mode });
    return pool.run<GraphTileTask, GraphTile>('graph', { address, metric }, options);
  };
