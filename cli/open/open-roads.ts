import { hostname } from 'node:os';
import { MetricCoverage } from '#map-data/metric/metric-coverage.js';
import { MetricFollower } from '#map-data/metric/metric-follower.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { queueGauges } from '#platform/telemetry/bounded-queue.js';
import { compiledFile } from '#platform/worker-pool/compiled-file.js';
import { queuedTasksMax } from '#platform/worker-pool/limits.js';
import { createWorkerPool, type WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { type RoadNetwork, shareNetwork } from '#routing-engine/network/road-network.js';
import { type TravelMode, travelModes } from '#routing-engine/network/travel-mode.js';
import type { Context, LogAndCodecs } from '../context.js';

/** Unique among the programs that run now. */
export const instanceId = `${hostname()}-${process.pid}`;

/** The roads of one tileset with their planner. */
export interface LiveRoads {
  readonly network: RoadNetwork;
  readonly metric: MetricFollower;
  /** Why the current metric must not be used; undefined if it has every active incident. */
  readonly gap: () => string | undefined;
  /** Edges that are closed for every mode. */
  readonly blocked: () => readonly number[];
  /** Threads that search routes; they share the network's memory. */
  readonly pool: WorkerPool;
}

let opened = 0;

/** Not ready while the metric in use lacks an incident. */
export function readyWithMetric({ readiness, metrics }: Context, roads: () => LiveRoads): void {
  const covered = metrics.gauge(
    'metric_covers_incidents',
    '1 if the driving metric has every active incident, else 0 and no routes are served.',
  );
  metrics.onScrape(() => covered.set(roads().gap() === undefined ? 1 : 0));
  readiness.check('metric', async () => {
    const gap = roads().gap();
    if (gap !== undefined) throw new Error(gap);
  });
}

/** The current driving metric and all later ones, and search threads for routes of these modes. */
export async function openRoads(
  context: Context,
  { log, codecs }: LogAndCodecs,
  objects: ObjectStore,
  network: RoadNetwork,
  modes: readonly TravelMode[] = travelModes,
): Promise<LiveRoads> {
  opened += 1;
  const { logger, metrics } = context;
  // Two tilesets are followed in parallel while one replaces the other.
  const follower = opened === 1 ? instanceId : `${instanceId}-${opened}`;
  const metric = await MetricFollower.open({
    ...{ network, objects, log, logger, instanceId: follower },
    codec: codecs.roadMetricCustomized,
    refusals: metrics.counter(
      'metric_refused_total',
      'Skipped versions of the driving metric: damaged, missing or outdated in the object store.',
    ),
  });
  context.onStop('metric follower', () => metric.close());
  const coverage = await MetricCoverage.open({
    ...{ network, log, logger, metric, instanceId: follower },
    codec: codecs.trafficIncidentChanged,
  });
  context.onStop('metric coverage', () => coverage.close());
  const pool = createWorkerPool({
    file: compiledFile('routing-engine/tasks/route-worker.js'),
    workerData: { network: shareNetwork(network) },
    ...(context.config.ROUTING_THREADS === undefined ? {} : { threads: context.config.ROUTING_THREADS }),
  });
  queueGauges(context.metrics)('route searches', () => pool.queued, queuedTasksMax);
  context.onStop('routing threads', () => pool.close());
  void makeLandmarks(pool, modes);
  return { network, metric, gap: () => coverage.gap(), blocked: () => coverage.blocked(), pool };
}

/** Far more than a thread needs for a city (100 ms) or a country. */
const LANDMARKS_TIMEOUT_MS = 300_000;

/** One mode after the other, so that the first queries do not wait for all. What fails, a search makes. */
async function makeLandmarks(pool: WorkerPool, modes: readonly TravelMode[]): Promise<void> {
  try {
    for (const mode of modes) await pool.run('landmarks', mode, { timeoutMs: LANDMARKS_TIMEOUT_MS });
  } catch {
    // The pool was closed meanwhile.
  }
}
