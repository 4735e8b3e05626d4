import { startMetering } from '#platform/api-keys/start-metering.js';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import { route } from '#platform/http/http-types.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import { openSql } from '#platform/sql/open-sql.js';
import { silentLogger as logger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import type { RouteContract } from '#schemas/http/route-contract.js';

/**
 * The public server with one small operation of the map; with API keys if it gets an SQL address and a
 * folder. Prints its port.
 */
const [address, folder] = process.argv.slice(2);
const metrics = createMetrics();
const contract = {
  operationId: 'getTile',
  method: 'GET',
  path: '/tile',
  listener: 'public',
  tag: 'map',
  summary: '',
  scopes: 'open',
  responses: {},
} as const satisfies RouteContract;
const rate = { name: 'address', limit: 1e9, windowS: 60 };
const server = createHttpServer({
  name: 'metered',
  listener: 'public',
  routes: [route(contract, () => ({ status: 200, body: { tile: 'a small answer' } }))],
  rateLimit: { limiter: new MemoryRateLimiter(), perIdentity: rate, perAddress: rate },
  limits: { turnBudgetMs: 60_000 },
  ...(address === undefined || folder === undefined
    ? {}
    : {
        metering: startMetering({ sql: await openSql(address), folder, isRequired: false, logger, metrics }),
      }),
  logger,
  metrics,
});
console.log((await server.listen(0)).port);
