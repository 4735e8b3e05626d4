import { withArrivalTimes } from '#api/arrival-times/with-arrival-times.js';
import { engineGraphTiles } from '#api/engine/engine-graph-tiles.js';
import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineRouting } from '#api/engine/engine-routing.js';
import { engineTiles } from '#api/engine/engine-tiles.js';
import { engineTraffic } from '#api/engine/engine-traffic.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import { indexGeocoder } from '#api/geocode/index-geocoder.js';
import { RoutesUnavailable } from '#api/ports/planner.js';
import type { ServedRelease } from '#api/release/served-release.js';
import { TileCache } from '#api/road-tiles/tile-cache.js';
import { openGeocodeIndex } from '#geocoding/index/geocode-store.js';
import type { Release } from '#map-data/release/release.js';
import { ShapeNodes } from '#map-data/tiles/shape-nodes.js';
import { CorruptMapTiles, MapTiles } from '#map-tiles/format/open-map-tiles.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { compiledFile } from '#platform/worker-pool/compiled-file.js';
import { createWorkerPool } from '#platform/worker-pool/worker-pool.js';
import type { MatchAnswer, MatchTask } from '#routing-engine/matching/match-task.js';
import { type RoadNetwork, shareNetwork } from '#routing-engine/network/road-network.js';
import { isMotorized, travelModes } from '#routing-engine/network/travel-mode.js';
import { EdgeLines } from '#traffic-exchange/feeds/lines-of-edges.js';
import type { Context } from '../context.js';
import { openArrivalTimes } from './open-arrival-times.js';
import type { LiveRoads } from './open-roads.js';

/** Places and map of a release. If this throws, the release must not be served. */
export async function openPlacesAndMap(
  objects: ObjectStore,
  { releaseId, geocodeId, mapId }: Release,
  network: RoadNetwork,
): Promise<Pick<ServedRelease, 'releaseId' | 'geocoder' | 'map'>> {
  const index = geocodeId === null ? undefined : await openGeocodeIndex(objects, geocodeId);
  const map = mapId === null ? undefined : await MapTiles.open(objects, mapId);
  if (mapId !== null && map === undefined)
    throw new CorruptMapTiles(`map ${mapId} is not in the store; build the tiles again`);
  return {
    releaseId,
    ...(index === undefined ? {} : { geocoder: indexGeocoder(index, network) }),
    ...(map === undefined ? {} : { map }),
  };
}

/** Everything of one release that answers need; its threads end with its scope. */
export async function openServedRelease(
  scope: Context,
  objects: ObjectStore,
  release: Release,
  name: string,
  { network, metric, gap, blocked, pool }: LiveRoads,
): Promise<ServedRelease> {
  const shown = () => ({ metric: metric.current, publishedMs: metric.publishedMs });
  const driving = () => {
    const reason = gap();
    if (reason !== undefined) throw new RoutesUnavailable(reason);
    return shown();
  };
  const others = modeMetrics(network, { blocked, version: () => metric.current.version });
  const places = await openPlacesAndMap(objects, release, network);
  const nodeIds = await ShapeNodes.open(objects, network.tilesetId);
  const arrivals = await openArrivalTimes(scope, objects, network);
  // A separate thread, so that no route waits for a tile.
  const tilePool = createWorkerPool({
    file: compiledFile('api/map/tile-worker.js'),
    workerData: { network: shareNetwork(network) },
    threads: 1,
  });
  scope.onStop('tile thread', () => tilePool.close());
  return {
    roads: engineRoads(network, name),
    planner: withArrivalTimes(enginePlanner({ network, pool, driving, others }), arrivals, Date.now),
    routing: engineRouting({ pool, driving, others }),
    graphTiles: engineGraphTiles({ pool: tilePool, driving, others }),
    traces: (task, options) => pool.run<MatchTask, MatchAnswer>('match', task, options),
    lines: new EdgeLines(network),
    traffic: engineTraffic(network, shown),
    metricVersions: () =>
      travelModes.map((mode) => ({
        mode,
        version: isMotorized(mode) ? metric.current.version : others.openVersion(mode),
      })),
    roadTiles: new TileCache(engineTiles(tilePool)),
    ...(nodeIds === undefined ? {} : { nodeIds }),
    ...places,
  };
}
