import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eraseRoute } from '#ingest/erase-route.js';
import { locationRoute } from '#ingest/location-route.js';
import { followMatchedEdges } from '#ingest/matched-edges.js';
import { SendHints } from '#ingest/send-hint.js';
import { startLocationWriter } from '#ingest/write-locations.js';
import { settings } from '#platform/config/settings.js';
import { LogUnavailable } from '#platform/event-log/event-log.js';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import type { Authenticator } from '#platform/http/identity.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import { openLiveCache } from '#platform/live-cache/open-live-cache.js';
import type { LocationStore } from '#platform/location-store/location-store.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import { topics } from '#schemas/topics.js';

/** A token is the user id itself; this suffices if signatures do not matter. */
const plainTokens: Authenticator = {
  verify: (token) => ({
    ok: true,
    identity: { userId: token, scopes: ['driver'], expiresAt: Date.now() + 60_000 },
  }),
};

export interface IngestRoom {
  readonly url: string;
  readonly log: LmdbEventLog;
  readonly codecs: TopicCodecs;
  readonly store: LocationStore;
  post(user: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** The clock of the rate limiter stands still otherwise. */
  passTime(seconds: number): void;
  close(): Promise<void>;
}

/** Batches of a user and minute, as of the program. */
export const batchesPerUserMax = Number(settings.BATCHES_PER_USER.fallback);

/**
 * The whole package on its embedded adapters: a real log, store, cache and HTTP server in a separate folder.
 */
export async function startIngestRoom(
  options: {
    /** Writes that the store rejects before it recovers. */
    readonly storeFailures?: number;
    /** Appends that the log makes without confirming them. */
    readonly lostConfirmations?: number;
    /** Pseudonyms of drivers; with them the ingest server follows what is matched. */
    readonly driverOf?: (userId: string) => number;
    /** Whether everybody is being guided. */
    readonly isNavigating?: boolean;
  } = {},
): Promise<IngestRoom> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-ingest-'));
  const log = await LmdbEventLog.open({ folder: join(folder, 'log') });
  await log.createTopics(topics);
  const registry = await openSchemaRegistry(`embedded:${join(folder, 'schemas')}`);
  const codecs = await openTopicCodecs(registry);
  const store = await openLocationStore(`lmdb:${join(folder, 'locations')}`, {});
  await store.prepare();
  let failures = options.storeFailures ?? 0;
  let lost = options.lostConfirmations ?? 0;
  const confirming: Pick<LmdbEventLog, 'append'> = {
    async append(topic, records) {
      const offsets = await log.append(topic, records);
      if (lost-- > 0) throw new LogUnavailable('The log did not answer in time.', { retriable: true });
      return offsets;
    },
  };
  const cache = await openLiveCache('memory:');
  let limiterMs = 0;
  const metrics = createMetrics();
  const writer = await startLocationWriter({
    log,
    codecs,
    store: {
      write: (batches) => (failures-- > 0 ? Promise.reject(new Error('away')) : store.write(batches)),
      erase: (userId) => (failures-- > 0 ? Promise.reject(new Error('away')) : store.erase(userId)),
    },
    logger: silentLogger,
    metrics,
  });
  const matches =
    options.driverOf &&
    (await followMatchedEdges({
      log,
      codec: codecs.trafficEdgeObserved,
      driverOf: options.driverOf,
      logger: silentLogger,
    }));
  const server = createHttpServer({
    name: 'ingest',
    listener: 'public',
    routes: [
      eraseRoute({ log: confirming, codec: codecs.locationBatchRecorded, nowMs: Date.now }),
      locationRoute({
        log: confirming,
        codec: codecs.locationBatchRecorded,
        cache,
        nowMs: Date.now,
        batchesPerUserMax,
        hints: new SendHints({
          isNavigating: () => options.isNavigating ?? false,
          ...(matches && { matches }),
        }),
      }),
    ],
    authenticator: plainTokens,
    rateLimit: {
      // Its clock moves only when a test says so: no tokens are refilled while a test approaches the limit,
      // however long that takes.
      limiter: new MemoryRateLimiter(() => limiterMs),
      perIdentity: { name: 'user', limit: Number(settings.RATE_PER_USER.fallback), windowS: 60 },
      perAddress: { name: 'address', limit: Number(settings.RATE_PER_ADDRESS.fallback), windowS: 60 },
    },
    logger: silentLogger,
    metrics,
  });
  const { port } = await server.listen(0);
  const url = `http://127.0.0.1:${port}/v1/locations`;
  return {
    url,
    log,
    codecs,
    store,
    post: (user, body, headers = {}) =>
      fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${user}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    passTime(seconds) {
      limiterMs += seconds * 1_000;
    },
    async close() {
      server.close();
      await writer.close();
      await matches?.close();
      await log.close();
      await store.close();
      await cache.close();
      await registry.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
