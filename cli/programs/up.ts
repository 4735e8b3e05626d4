import type { Route } from '#platform/http/http-types.js';
import { limitHeapGrowth } from '#platform/lifecycle/limit-heap-growth.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { SchemaRefused, type Sql } from '#platform/sql/sql.js';
import { simulatedDriversMin } from '#simulated-city/limits.js';
import type { ScenarioName } from '#simulated-city/scenarios.js';
import { type SpawnedCity, spawnCity } from '#simulated-city/spawn-city.js';
import { truthRoute } from '#simulated-city/truth-route.js';
import { openObjects } from '../adapters.js';
import { awaitPort, type Context, type LogAndCodecs, openLogAndCodecs, runMeridian } from '../context.js';
import { type OpenedMap, openMap } from '../open/open-map.js';
import { groups } from '../options/groups.js';
import { serveReleases } from '../releases/serve-releases.js';
import { sampleHotels } from '../sample-hotels/sample-hotels.js';
import { type Listeners, type ListenerUrls, openListeners, tokenIssuer } from '../start/serve.js';
import { startApi } from '../start/start-api.js';
import { startApiKeys } from '../start/start-api-keys.js';
import { openBookingDatabase, startBookings } from '../start/start-bookings.js';
import { doorRoutes, openLiveCache, openLocationStore, startWriter } from '../start/start-ingest.js';
import { startOperations } from '../start/start-operations.js';
import { startProcessors } from '../start/start-processors.js';
import { webPages } from '../web-pages.js';

export interface UpOptions {
  readonly osm?: string;
  readonly drivers: number;
  readonly seed: number;
  readonly scenario: ScenarioName;
}

export function runUp(options: UpOptions): Promise<void> {
  const overrides: Record<string, string> =
    options.drivers > 0 && process.env['TRAFFIC_DRIVERS_MIN'] === undefined
      ? { TRAFFIC_DRIVERS_MIN: String(simulatedDriversMin) }
      : {};
  return runMeridian('up', (context) => up(context, options), { overrides, alone: true });
}

async function up(context: Context, options: UpOptions): Promise<void> {
  const startedMs = performance.now();
  const issuer = await tokenIssuer(context);
  const listeners = await openListeners(context, issuer);
  const database = hotelDatabase(context);
  // Its failure is handled where it is awaited.
  database.catch(() => {});
  const objects = await awaitPort(context, 'object store', () => openObjects(context.config));
  const map = await openMap(context.config, objects, options.osm);
  const events = await openLogAndCodecs(context);
  const [cache, locations] = [await openLiveCache(context), await openLocationStore(context)];
  const bookings = hotels(context, { database, objects, events, live: cache, map }, listeners);
  bookings.catch(() => {});
  const served = await serveReleases(context, events, objects, map);
  const { releases } = served;
  await startWriter(context, events, locations);
  const processors = await startProcessors(context, groups, { events, objects }, served.roads);
  const api = await startApi(context, { events, releases, objects, locations, live: cache, issuer });
  const reservable = await bookings;
  const customers = await startApiKeys(context, () => database);
  const { pages, staffPages, operatorPages } = webPages(context.config);
  let city: SpawnedCity | undefined;
  listeners.serve({
    routes: [
      ...(await doorRoutes(context, events, cache)),
      ...api.routes,
      ...(reservable ?? []),
      ...(options.drivers > 0 ? [truthRoute(() => city)] : []),
      ...customers.routes,
      ...startOperations(context, events, { api, releases }, listeners),
    ],
    ...customers.metering,
    sockets: api.sockets,
    pages,
    staffPages: [...staffPages, ...operatorPages],
  });
  served.follow((roads) => processors.beginAnew(roads));
  if (options.drivers > 0) {
    const life = spawnCity(map.network, {
      baseUrl: listeners.localUrl,
      drivers: options.drivers,
      seed: options.seed,
      scenario: options.scenario,
    });
    context.onStop('city', async () => {
      const report = await life.close();
      context.logger.info('the simulated drivers stopped', { ...report });
    });
    city = life;
    life.ended.catch((error: Error) =>
      context.logger.error('the simulated drivers failed', { cause: error.message }),
    );
  }
  // Building a map is faster without.
  limitHeapGrowth();
  printAddresses(map, listeners, options, reservable !== undefined, (performance.now() - startedMs) / 1_000);
}

/**
 * The first start of PostgreSQL takes seconds, so it runs in parallel with the map. If this machine has none,
 * the rest starts without hotels, unless the settings require one. A database that this program must not use
 * is not ignored.
 */
async function hotelDatabase(context: Context): Promise<Sql | undefined> {
  try {
    return await openBookingDatabase(context);
  } catch (error) {
    if (context.config.SQL !== undefined || (error as Error).cause instanceof SchemaRefused) throw error;
    context.logger.warn('hotels and payments are not started', { cause: (error as Error).message });
    return undefined;
  }
}

async function hotels(
  context: Context,
  parts: {
    readonly database: Promise<Sql | undefined>;
    readonly objects: ObjectStore;
    readonly events: LogAndCodecs;
    readonly live: LiveCache;
    readonly map: OpenedMap;
  },
  { publicUrl, localUrl }: ListenerUrls,
): Promise<readonly Route[] | undefined> {
  const sql = await parts.database;
  if (sql === undefined) return undefined;
  if (context.config.SQL === undefined) await sampleHotels(sql, parts.objects, parts.map);
  return startBookings(context, { ...parts, sql }, { publicUrl, localUrl, returnUrl: `${publicUrl}/stay/` });
}

function printAddresses(
  { network, name, builtInS }: OpenedMap,
  { publicUrl, internalUrl }: Listeners,
  { drivers, seed, scenario }: UpOptions,
  hotelsThere: boolean,
  seconds: number,
): void {
  const built = builtInS === undefined ? 'tiles reused' : `tiles built in ${builtInS.toFixed(1)} s`;
  const lines = [
    '',
    `  Meridian is up after ${seconds.toFixed(1)} s: ${name}, ` +
      `${network.edgeCount.toLocaleString('en')} road edges in ${network.cellCount} cells, ${built}`,
    '',
    `  Live map ....... ${publicUrl}/`,
    ...(hotelsThere
      ? [
          `  Hotels ......... ${publicUrl}/stay/   pay with the card 4242 4242 4242 4242`,
          `  Reservations ... ${internalUrl}/staff/   for staff`,
          `  Finance ........ ${internalUrl}/finance/   for payments`,
        ]
      : []),
    `  API ............ ${publicUrl}/docs`,
    `  Events ......... ${publicUrl}/docs/events`,
    `  Operations ..... ${internalUrl}/operations/   for the people who run it`,
    `  Drivers ........ ` +
      (drivers === 0 ? 'none (--drivers 0)' : `${drivers}, seed ${seed}, scenario ${scenario}`),
    '',
    `  Try   curl '${publicUrl}/v1/status'`,
    '        npx meridian events tail traffic.incident.changed.v1 --json',
    '  Ctrl-C stops it; acknowledged data is not lost.',
    '',
  ];
  console.log(lines.join('\n'));
}
