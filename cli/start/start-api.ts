import type { Releases } from '#api/release/served-release.js';
import { type Api, startApi as startGateway } from '#api/start-api.js';
import { UserPatternStore } from '#map-data/learned/user-pattern-store.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import type { LocationStore } from '#platform/location-store/location-store.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { driverPseudonym } from '#processors/matching/pseudonym.js';
import { guidanceLanguages } from '#routing-engine/guidance/guide.js';
import { adapterNames, addressesOf } from '../adapters.js';
import type { Context, LogAndCodecs } from '../context.js';
import { openPreparedMaps } from '../open/open-prepared-maps.js';
import { instanceId } from '../open/open-roads.js';
import { pseudonymKey } from './pseudonym-key.js';
import type { TokenIssuer } from './serve.js';

export async function startApi(
  context: Context,
  parts: {
    readonly events: LogAndCodecs;
    readonly releases: Releases;
    readonly objects: ObjectStore;
    readonly locations: LocationStore;
    readonly live: LiveCache;
    readonly issuer: TokenIssuer;
  },
): Promise<Api> {
  const { events, releases, objects, locations, live, issuer } = parts;
  const caughtUp = context.readiness.condition(
    'api',
    'Incidents and navigations are being read from the log.',
  );
  const key = await pseudonymKey(context.config.MERIDIAN_DATA);
  const api = await startGateway({
    ...events,
    instanceId,
    locations,
    patterns: new UserPatternStore(objects),
    live,
    releases,
    maps: openPreparedMaps(context, objects),
    languages: guidanceLanguages,
    pseudonym: (userId, nowMs) => driverPseudonym(key, userId, nowMs),
    ...(issuer.development === undefined ? {} : { issuer: issuer.development }),
    isBehindProxy: context.config.PUBLIC_URL !== undefined || context.config.TRUSTED_PROXIES !== '',
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
