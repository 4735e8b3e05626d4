import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mapRoutes } from '#api/map/map-routes.js';
import { PreparedMaps } from '#api/map/prepared-maps.js';
import { TileCache } from '#api/map/tile-cache.js';
import { createHttpServer } from '#platform/http/http-server.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { assignMap } from '#tile-builder/map-tiles/build-map-tiles.js';

/** The public server of the platform with the map's routes alone, over a folder of built tiles. Prints port and map. */
const folder = process.argv[2]!;
const [mapId] = readdirSync(join(folder, 'map-tiles')).filter((name) => /^[0-9a-f]{16}$/.test(name));
const objects = await DirectoryObjectStore.open(folder);
await assignMap(objects, 'bench', mapId!);
const maps = await PreparedMaps.open({
  objects,
  tilesetId: 'bench',
  paint: () => Promise.reject(new Error('no PNG here')),
  logger: silentLogger,
});
const nothing = new TileCache(() => ({ gzip: new Uint8Array(), etag: '"empty"' }));
const server = createHttpServer({
  name: 'public',
  listener: 'public',
  routes: mapRoutes(nothing, { name: 'bench', bounds: maps.current!.manifest.bounds }, undefined, maps),
  logger: silentLogger,
  metrics: createMetrics({ processMetrics: false }),
});
const { port } = await server.listen(0);
console.log(`${port} ${mapId}`);
