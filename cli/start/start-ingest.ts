import { eraseRoute } from '#ingest/erase-route.js';
import { locationRoute } from '#ingest/location-route.js';
import { followMatchedEdges } from '#ingest/matched-edges.js';
import { followNavigatingUsers } from '#ingest/navigating-users.js';
import { SendHints } from '#ingest/send-hint.js';
import { Shedding } from '#ingest/shedding.js';
import { startLocationWriter } from '#ingest/write-locations.js';
import type { Route } from '#platform/http/http-types.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import type { LocationStore } from '#platform/location-store/location-store.js';
import { driverPseudonym } from '#processors/matching/pseudonym.js';
import { openCache, openLocations } from '../adapters.js';
import { awaitPort, type Context, type LogAndCodecs, openDispensable } from '../context.js';
import { pseudonymKey } from './pseudonym-key.js';

export const openLiveCache = (context: Context): Promise<LiveCache> =>
  openDispensable(context, 'live cache', () => openCache(context.config, context.logger));

/** The location store with its tables. */
export const openLocationStore = (context: Context): Promise<LocationStore> =>
  awaitPort(
    context,
    'location store',
    () => openLocations(context.config),
    (store) => store.prepare(),
  );

/** Writes batches from the log to the store, until the program stops. */
export async function startWriter(
  context: Context,
  { log, codecs }: LogAndCodecs,
  store: LocationStore,
): Promise<void> {
  const writer = await startLocationWriter({
    log,
    codecs,
    store,
    logger: context.logger,
    metrics: context.metrics,
  });
  context.onStop('location writer', () => writer.close());
}

/** The ingest server; the routes are for the caller's listener. */
export async function doorRoutes(
  context: Context,
  { log, codecs }: LogAndCodecs,
  cache: LiveCache,
): Promise<readonly Route[]> {
  const { config, logger, metrics } = context;
  const navigating = await followNavigatingUsers({ log, codec: codecs.navSessionChanged, logger });
  context.onStop('navigating users', () => navigating.close());
  const key = await pseudonymKey(config.MERIDIAN_DATA);
  const matches = await followMatchedEdges({
    log,
    codec: codecs.trafficEdgeObserved,
    driverOf: (userId, nowMs) => driverPseudonym(key, userId, nowMs),
    logger,
  });
  context.onStop('matched edges', () => matches.close());
  const isNavigating = (userId: string) => navigating.has(userId);
  return [
    eraseRoute({ log, codec: codecs.locationBatchRecorded, nowMs: Date.now }),
    locationRoute({
      log,
      codec: codecs.locationBatchRecorded,
      cache,
      nowMs: Date.now,
      batchesPerUserMax: config.BATCHES_PER_USER,
      hints: new SendHints({ isNavigating, matches }),
      shedding: new Shedding(isNavigating, metrics),
    }),
  ];
}
