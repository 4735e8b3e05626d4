import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { withArrivalTimes } from '#api/arrival-times/with-arrival-times.js';
import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineTiles } from '#api/engine/engine-tiles.js';
import { engineTraffic } from '#api/engine/engine-traffic.js';
import { type Api, startApi as startGateway } from '#api/start-api.js';
import type { LocationStore } from '#platform/location-store/location-store.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { createWorkerPool, type WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { guidanceLanguages } from '#routing-engine/guide.js';
import type { MatchAnswer, MatchTask } from '#routing-engine/matching/match-task.js';
import { type RoadNetwork, shareNetwork } from '#routing-engine/road-network.js';
import { MetricFollower } from '#tile-builder/metric-follower.js';
import { adapterNames, addressesOf } from './adapters.js';
import type { Context, LogAndCodecs } from './context.js';
import { openArrivalTimes } from './open-arrival-times.js';
import { openGeocoder } from './open-geocoder.js';
import type { OpenedMap } from './open-map.js';
import { openPreparedMaps } from './open-prepared-maps.js';
import type { TokenIssuer } from './serve.js';

/** Unique among the programs that run now. */
export const instanceId = `${hostname()}-${process.pid}`;

/** Threads that search routes; they share the network's memory. */
export function startRoutePool(context: Context, network: RoadNetwork): WorkerPool {
  const pool = createWorkerPool({
    file: createRequire(import.meta.url).resolve('#routing-engine/route-worker.js'),
    workerData: { network: shareNetwork(network) },
    ...(context.config.ROUTING_THREADS === undefined ? {} : { threads: context.config.ROUTING_THREADS }),
  });
  context.onStop('routing threads', () => pool.close());
  return pool;
}

/** The thread that cuts map tiles, so that no request waits for one. */
function startTilePool(context: Context, network: RoadNetwork): WorkerPool {
  const pool = createWorkerPool({
    file: createRequire(import.meta.url).resolve('#api/map/tile-worker.js'),
    workerData: { network: shareNetwork(network) },
    threads: 1,
  });
  context.onStop('tile thread', () => pool.close());
  return pool;
}

/** The present driving metric and every one that follows. */
export async function followMetric(
  context: Context,
  { log, codecs }: LogAndCodecs,
  objects: ObjectStore,
  network: RoadNetwork,
): Promise<MetricFollower> {
  const follower = await MetricFollower.open({
    network,
    objects,
    log,
    codec: codecs.roadMetricCustomized,
    instanceId,
    logger: context.logger,
  });
  context.onStop('metric follower', () => follower.close());
  return follower;
}

export async function startApi(
  context: Context,
  parts: {
    readonly events: LogAndCodecs;
    readonly map: OpenedMap;
    readonly objects: ObjectStore;
    readonly metric: MetricFollower;
    readonly pool: WorkerPool;
    readonly locations: LocationStore;
    readonly issuer: TokenIssuer;
  },
): Promise<Api> {
  const { events, map, objects, metric, pool, locations, issuer } = parts;
  const geocoder = await openGeocoder(objects, map, context.logger);
  context.onStop('geocoder', () => geocoder.close());
  const driving = () => ({ metric: metric.current, publishedMs: metric.publishedMs });
  const caughtUp = context.readiness.condition(
    'api',
    'Incidents and navigations are being read from the log.',
  );
  const api = await startGateway({
    ...events,
    instanceId,
    locations,
    roads: engineRoads(map.network, map.name),
    planner: withArrivalTimes(
      enginePlanner({ network: map.network, pool, driving }),
      await openArrivalTimes(context, objects, map.network),
      Date.now,
    ),
    traces: (task, options) => pool.run<MatchTask, MatchAnswer>('match', task, options),
    geocoder: () => geocoder.current(),
    traffic: engineTraffic(map.network, driving),
    tiles: engineTiles(startTilePool(context, map.network)),
    maps: await openPreparedMaps(context, objects, map.network.tilesetId),
    languages: guidanceLanguages,
    ...(issuer.development === undefined ? {} : { issuer: issuer.development }),
    adapters: adapterNames(addressesOf(context.config)),
    logger: context.logger,
    metrics: context.metrics,
    nowMs: Date.now,
  });
  context.onStop('api', () => api.close());
  await api.ready;
  caughtUp.fulfil();
  return api;
}
