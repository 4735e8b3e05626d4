import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Guests } from '#hotel/guests/guests.js';
import { PostgresHotels } from '#hotel/hotels/postgres-hotels.js';
import { reservationRoutes } from '#hotel/http/reservation-routes.js';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import { openDevelopmentIssuer } from '#platform/auth/development-issuer.js';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';
import { Envelope } from '#platform/encryption/envelope.js';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import { openSql } from '#platform/sql/open-sql.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';

/**
 * The public operations of reservations as they are, with limits per user that a load from a few tokens does
 * not meet. Arguments: the database and the options of the writers as JSON, with the folder of the tokens'
 * key when it shall outlive the process, and how many tokens are wanted. Prints the port and tokens as one
 * line of JSON.
 */
const [address, options] = process.argv.slice(2) as [string, string];
const issuer = 'https://bench.invalid';
const audience = 'meridian';
const given = JSON.parse(options) as { readonly folder?: string; readonly tokens?: number };
const folder = given.folder ?? mkdtempSync(join(tmpdir(), 'meridian-bench-'));
const keys = await openDevelopmentIssuer({
  folder,
  issuer,
  audience,
  internalAudience: 'meridian-internal',
  production: false,
});
const sql = await openSql(address);
const reservations = new PostgresReservations({
  sql,
  holdsPerUserMax: 1_000_000,
  ...given,
});
const plenty = { name: 'user', limit: 1_000_000_000, windowS: 60 };
const server = createHttpServer({
  name: 'public',
  listener: 'public',
  routes: reservationRoutes({
    sql,
    hotels: new PostgresHotels({ sql }),
    guests: new Guests({ sql, envelope: new Envelope([randomBytes(32)]) }),
    reservations,
    bookingsPerUserMax: 1_000_000_000,
  }),
  authenticator: createJwtAuthenticator({ keys: keys.keys, issuer, audience }),
  rateLimit: { limiter: new MemoryRateLimiter(), perIdentity: plenty, perAddress: plenty },
  logger: silentLogger,
  metrics: createMetrics({ processMetrics: false }),
});
const { port } = await server.listen(0);
const tokens = await Promise.all(
  Array.from({ length: given.tokens ?? 1_000 }, (_, i) =>
    keys.issueToken({ sub: `guest-${i}`, scopes: ['customer'] }),
  ),
);
if (given.folder === undefined) rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ port, tokens }));
