import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineTraffic } from '#api/engine/engine-traffic.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import { indexGeocoder } from '#api/geocode/index-geocoder.js';
import { guidanceLanguages } from '#routing-engine/guidance/guide.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { type GeocodedTown, geocodeTown, sourceOf } from '../geocoding/address-town.js';
import { boundedTown } from '../geocoding/bounded-town.js';
import { routePool } from './route-pool.js';
import { openGround, type ServedApi, serveApi } from './served-api.js';

export interface ServedTown {
  readonly town: GeocodedTown;
  readonly served: ServedApi;
  close(): Promise<void>;
}

/** The gateway over `boundedTown`, as clients of other geocoders find it. */
export async function serveBoundedTown(): Promise<ServedTown> {
  const town = await geocodeTown(sourceOf(boundedTown));
  const { network, index } = town;
  const live = { metric: freeFlowMetric(network, 'driving'), publishedMs: undefined };
  const pool = routePool(network);
  const ground = await openGround();
  const served = await serveApi(
    ground,
    {
      roads: engineRoads(network, 'Testby'),
      planner: enginePlanner({ network, pool, driving: () => live, others: modeMetrics(network) }),
      traffic: engineTraffic(network, () => live),
    },
    { languages: guidanceLanguages, geocoder: indexGeocoder(index, network) },
  );
  return {
    town,
    served,
    async close() {
      await served.close();
      await ground.close();
      await pool.close();
    },
  };
}
