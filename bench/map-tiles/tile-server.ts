import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mapRoutes } from '#api/map/map-routes.js';
import { PreparedMaps } from '#api/map/prepared-maps.js';
import type { Releases, ServedRelease } from '#api/release/served-release.js';
import { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';

/**
 * The public server of the platform with the map's routes alone, over a folder of built tiles. Prints port
 * and map.
 */
const folder = process.argv[2]!;
const [mapId] = readdirSync(join(folder, 'map-tiles')).filter((name) => /^[0-9a-f]{16}$/.test(name));
const objects = await DirectoryObjectStore.open(folder);
// Tiles are all that is requested: of the release there is nothing but the map.
const current = { map: await MapTiles.open(objects, mapId!) } as ServedRelease;
const releases: Releases = { current, use: (work) => work(current) };
const maps = new PreparedMaps(objects, () => Promise.reject(new Error('no PNG here')));
const server = createHttpServer({
  name: 'public',
  listener: 'public',
  routes: mapRoutes(releases, maps),
  // The load fills the processor on purpose: nothing shall be shed for it.
  limits: { turnBudgetMs: 10_000 },
  logger: silentLogger,
  metrics: createMetrics({ processMetrics: false }),
});
const { port } = await server.listen(0);
console.log(`${port} ${mapId}`);
