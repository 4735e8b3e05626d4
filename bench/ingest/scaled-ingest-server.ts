import { locationRoute } from '#ingest/location-route.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import { openLiveCache } from '#platform/live-cache/open-live-cache.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { locationBatchBody } from '#platform/wire/location-batch-body.js';
import { wireHeader } from '#platform/wire/wire-header.js';
import { locationBatchRecorded } from '#schemas/topics.js';

/**
 * An ingest server over a topic with any number of partitions, one of several processes on one port; the
 * shipped program has a fixed number. Arguments: topic, partitions, port. Prints a line when it listens.
 */
const [name = '', partitions = '8', port = '0'] = process.argv.slice(2);
const topic = { ...locationBatchRecorded, name, partitions: Number(partitions) };
const log = await openEventLog(process.env['EVENT_LOG'] ?? '');
await log.createTopics([topic]);
const header = wireHeader(1, 0);
const many = { limit: 1_000_000_000, windowS: 60 };
const server = createHttpServer({
  name: 'ingest',
  listener: 'public',
  routes: [
    locationRoute({
      log,
      codec: {
        topic,
        encode: (batch) => locationBatchBody.encode(batch, header),
        decode: (value) => locationBatchBody.decode(value.subarray(header.length), true),
        refresh: async () => false,
      },
      cache: await openLiveCache('memory:'),
      nowMs: Date.now,
      batchesPerUserMax: 1_000_000_000,
    }),
  ],
  authenticator: {
    verify: (token) => ({
      ok: true,
      identity: { userId: token, scopes: ['driver'], expiresAt: Number.MAX_VALUE },
    }),
  },
  rateLimit: {
    limiter: new MemoryRateLimiter(),
    perIdentity: { name: 'user', ...many },
    perAddress: { name: 'address', ...many },
  },
  sharePort: true,
  logger: silentLogger,
  metrics: createMetrics(),
});
await server.listen(Number(port));
console.log('listening');
