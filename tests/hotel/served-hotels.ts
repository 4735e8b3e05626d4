import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AvailabilityCache } from '#hotel/availability-cache/availability-cache.js';
import { Guests } from '#hotel/guests/guests.js';
import { CachedHotels } from '#hotel/hotels/cached-hotels.js';
import type { Hotels } from '#hotel/hotels/hotels.js';
import { PostgresHotels } from '#hotel/hotels/postgres-hotels.js';
import { hotelHttp } from '#hotel/http/hotel-http.js';
import { withinCallersTime } from '#hotel/http/within-callers-time.js';
import { Stays } from '#hotel/reservations/stays.js';
import { Waitlist } from '#hotel/waitlist/waitlist.js';
import { openDevelopmentIssuer } from '#platform/auth/development-issuer.js';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';
import { settings } from '#platform/config/settings.js';
import { Envelope } from '#platform/encryption/envelope.js';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import type { Route } from '#platform/http/http-types.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import { MemoryLiveCache } from '#platform/live-cache/memory-live-cache.js';
import type { LogFields, Logger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import type { Scope } from '#schemas/http/route-contract.js';
import { fetchOrProblem } from '../http-problems.js';
import { openOwnDatabase } from '../shared-postgres.js';
import { interruptible } from './interruptible-cache.js';
import { type HotelDatabase, openHotelDatabase } from './inventory-database.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of all operations; tests compare them
  readonly json: any;
}

export interface Ask {
  readonly token?: string;
  /** A string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly listener?: 'public' | 'internal';
}

export interface ServedHotels {
  readonly database: HotelDatabase;
  readonly waitlist: Waitlist;
  readonly routes: readonly Route[];
  readonly hotels: Hotels;
  readonly live: LiveCache;
  /** While it is on, `live` is unavailable. */
  readonly cacheOutage: { on: boolean };
  readonly availability: AvailabilityCache;
  /** Database reads by the store of hotels. */
  readonly reads: { count: number };
  /** Of the cache of hotels; it stands still until a test moves it. */
  readonly cacheClock: { nowMs: number };
  /** Each line that a server logged, at every level. */
  readonly logged: string[];
  readonly tokens: Readonly<Record<string, string>>;
  /** Of the public listener. */
  readonly publicUrl: string;
  /** A token signed with the key of the issuer, whatever it says. */
  signed(claims: {
    readonly audience?: string;
    readonly scope?: Scope;
    readonly agoMs?: number;
  }): Promise<string>;
  /** `properties`: the only hotels that it may manage. */
  token(sub: string, scope: Scope, properties?: readonly string[]): Promise<string>;
  /** Fails if an error is not a problem document, or names something of the inside. */
  call(method: string, path: string, ask?: Ask): Promise<Answer>;
  close(): Promise<void>;
}

const issuerName = 'https://issuer.test';

/**
 * The hotel package on both listeners, over a real PostgreSQL. `anna` and `bo` are customers, `olle`
 * operates, `siv` is staff.
 */
export async function serveHotels(
  options: {
    readonly bookingsPerUserMax?: number;
    readonly holdsPerUserMax?: number;
    readonly operatorListener?: 'both' | 'internal';
    readonly statementTimeoutMs?: number;
    /** A PostgreSQL of its own, for a test that kills it. */
    readonly isAlone?: boolean;
    readonly webhookTargets?: 'public' | 'any';
    readonly mailsReceipts?: boolean;
    /** Served beside those of hotels. */
    readonly otherRoutes?: (database: HotelDatabase) => readonly Route[];
  } = {},
): Promise<ServedHotels> {
  const database = await openHotelDatabase(
    ...([16, options.statementTimeoutMs] as const),
    options.isAlone ? openOwnDatabase : undefined,
  );
  const { sql, clock } = database;
  const folder = await mkdtemp(join(tmpdir(), 'meridian-hotel-issuer-'));
  const issuer = await openDevelopmentIssuer({
    folder,
    issuer: issuerName,
    audience: 'meridian',
    internalAudience: 'meridian-internal',
    production: false,
  });
  const cacheOutage = { on: false };
  const live = interruptible(
    MemoryLiveCache.withDefaults(() => performance.now()),
    cacheOutage,
  );
  const reads = { count: 0 };
  const counted = new PostgresHotels({
    sql: {
      query: (...given) => {
        reads.count += 1;
        return sql.query(...given);
      },
      transaction: (...given) => sql.transaction(...given),
      copyIn: (...given) => sql.copyIn(...given),
      migrate: (...given) => sql.migrate(...given),
      check: () => sql.check(),
      close: () => sql.close(),
    },
    now: () => clock.now,
  });
  // The cache drops entries when it is notified of a change, not in the middle of a long test.
  const cacheClock = { nowMs: 0 };
  const cached = await CachedHotels.open({ hotels: counted, live, nowMs: () => cacheClock.nowMs });
  const availability = new AvailabilityCache(live, () => clock.now.getTime());
  const waitlist = new Waitlist({
    sql,
    offers: database.reservations({ holdsPerUserMax: 1_000_000 }),
    now: () => clock.now,
  });
  const made = hotelHttp({
    sql,
    hotels: cached.hotels,
    guests: new Guests({ sql, envelope: new Envelope([Buffer.alloc(32, 7)]) }),
    reservations: database.reservations({ holdsPerUserMax: options.holdsPerUserMax ?? 1_000 }),
    stays: new Stays({ sql, now: () => clock.now }),
    waitlist,
    cache: availability,
    now: () => clock.now,
    bookingsPerUserMax: options.bookingsPerUserMax ?? 100_000,
    webhookTargets: options.webhookTargets ?? 'any',
    mailsReceipts: options.mailsReceipts ?? false,
    operatorListener: options.operatorListener ?? 'both',
    refundsAlone: {
      ofPaymentMinor: BigInt(settings.REFUND_SECOND_PERSON_ABOVE.fallback),
      inADayMinor: BigInt(settings.REFUNDS_ALONE_IN_A_DAY.fallback),
    },
  });
  const routes = withinCallersTime([...made, ...(options.otherRoutes?.(database) ?? [])]);
  const logged: string[] = [];
  const listen = async (name: 'public' | 'internal') => {
    const audience = name === 'public' ? 'meridian' : 'meridian-internal';
    const policy = { name: 'user', limit: 1_000_000, windowS: 60 };
    const server = createHttpServer({
      name,
      listener: name,
      routes,
      authenticator: createJwtAuthenticator({ keys: issuer.keys, issuer: issuerName, audience }),
      rateLimit: { limiter: new MemoryRateLimiter(() => 0), perIdentity: policy, perAddress: policy },
      limits: { turnBudgetMs: 10_000 },
      logger: collectIn(logged),
      metrics: createMetrics({ processMetrics: false }),
    });
    const { port } = await server.listen(0);
    return { server, url: `http://127.0.0.1:${port}` };
  };
  const listeners = { public: await listen('public'), internal: await listen('internal') };
  const token = (sub: string, scope: Scope, properties: readonly string[] = []) =>
    issuer.issueToken({ sub, scopes: [scope], properties });
  return {
    database,
    waitlist,
    routes,
    publicUrl: listeners.public.url,
    hotels: cached.hotels,
    live,
    cacheOutage,
    availability,
    reads,
    cacheClock,
    logged,
    tokens: {
      anna: await token('anna', 'customer'),
      bo: await token('bo', 'customer'),
      olle: await token('olle', 'operator'),
      siv: await token('siv', 'desk'),
      driver: await token('dora', 'driver'),
    },
    token,
    async signed({ audience = 'meridian', scope = 'customer', agoMs = 0 }) {
      const other = await openDevelopmentIssuer({
        ...{ folder, issuer: issuerName, audience, internalAudience: audience, production: false },
        now: () => Date.now() - agoMs,
      });
      return other.issueToken({ sub: 'anna', scopes: [scope] });
    },
    async call(method, path, { token: bearer, body, headers = {}, listener = 'public' } = {}) {
      const answer = await fetchOrProblem(listeners[listener].url + path, {
        method,
        headers: {
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isJson = /json/.test(answer.headers.get('content-type') ?? '');
      const json = isJson ? JSON.parse(text) : undefined;
      return { status: answer.status, headers: answer.headers, text, json };
    },
    async close() {
      await Promise.all(Object.values(listeners).map(({ server }) => server.drain(1_000)));
      await cached.close();
      await live.close();
      await database.dispose();
      await rm(folder, { recursive: true });
    },
  };
}

function collectIn(lines: string[]): Logger {
  const write = (message: string, fields: LogFields = {}) => {
    const texts = Object.values(fields).map((value) =>
      value instanceof Error
        ? `${value.stack}`
        : JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)),
    );
    lines.push([message, ...texts].join(' '));
  };
  const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger };
  return logger;
}

export const opera = {
  name: 'Hotel Opera',
  address: 'Norra Hamngatan 38, Göteborg',
  lat: 57.7072,
  lng: 11.9668,
  timeZone: 'Europe/Stockholm',
  currency: 'SEK',
  checkInTime: '15:00',
  checkOutTime: '11:00',
  amenities: ['sauna', 'wi-fi'],
  roomTypes: [
    {
      roomTypeID: 'double',
      name: 'Double',
      capacity: 2,
      beds: 1,
      freeCancelHours: 24,
      lateCancelPercent: 100,
    },
    {
      roomTypeID: 'single',
      name: 'Single',
      capacity: 1,
      beds: 1,
      freeCancelHours: 48,
      lateCancelPercent: 50,
    },
  ],
} as const;

/** Bodies of reservations of one room for two nights, each with an id of its own. */
export function reservationForms(hotelID: () => string) {
  let forms = 0;
  return (over: object = {}) => {
    forms += 1;
    return {
      startDate: '2027-07-01',
      endDate: '2027-07-03',
      hotelID: hotelID(),
      roomTypeID: 'double',
      roomCount: '1',
      reservationID: `form-${forms}`,
      ...over,
    };
  };
}
