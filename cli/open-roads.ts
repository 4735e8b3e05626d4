import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { createWorkerPool, type WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { type RoadNetwork, shareNetwork } from '#routing-engine/road-network.js';
import { MetricFollower } from '#tile-builder/metric-follower.js';
import type { Context, LogAndCodecs } from './context.js';

/** Unique among the programs that run now. */
export const instanceId = `${hostname()}-${process.pid}`;

/** The roads of one tileset with what searches them. */
export interface LiveRoads {
  readonly network: RoadNetwork;
  readonly metric: MetricFollower;
  /** Threads that search routes; they share the network's memory. */
  readonly pool: WorkerPool;
}

let opened = 0;

/** The present driving metric and every one that follows, and threads that search. */
export async function openRoads(
  context: Context,
  { log, codecs }: LogAndCodecs,
  objects: ObjectStore,
  network: RoadNetwork,
): Promise<LiveRoads> {
  opened += 1;
  const metric = await MetricFollower.open({
    network,
    objects,
    log,
    codec: codecs.roadMetricCustomized,
    // Two tilesets are followed side by side while one takes the place of the other.
    instanceId: opened === 1 ? instanceId : `${instanceId}-${opened}`,
    logger: context.logger,
  });
  context.onStop('metric follower', () => metric.close());
  const pool = createWorkerPool({
    file: createRequire(import.meta.url).resolve('#routing-engine/route-worker.js'),
    workerData: { network: shareNetwork(network) },
    ...(context.config.ROUTING_THREADS === undefined ? {} : { threads: context.config.ROUTING_THREADS }),
  });
  context.onStop('routing threads', () => pool.close());
  return { network, metric, pool };
}
