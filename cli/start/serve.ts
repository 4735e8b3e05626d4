import { documents } from '#api/documents/documents.js';
import { hotelProblems } from '#hotel/http/hotel-problems.js';
import { ingestProblems } from '#ingest/location-route.js';
import { paymentProblems } from '#payment/http/payment-problems.js';
import { customerProblems } from '#platform/api-keys/customer-routes.js';
import type { DevelopmentIssuer } from '#platform/auth/development-issuer.js';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';
import { keySetRoute } from '#platform/auth/key-set-route.js';
import { type KeySource, remoteKeys } from '#platform/auth/key-source.js';
import { signInRoute } from '#platform/auth/sign-in-route.js';
import { type ListenerTls, listenerTlsOf } from '#platform/config/listener-tls.js';
import type { Config } from '#platform/config/settings.js';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import type { RatePolicy, Route } from '#platform/http/http-types.js';
import type { Authenticator } from '#platform/http/identity.js';
import { problemPages } from '#platform/http/pages/problem-pages.js';
import type { Forwarding } from '#platform/http/proxy/forwarding.js';
import { parseTrustedProxies } from '#platform/http/proxy/trusted-proxies.js';
import type { RateLimiter } from '#platform/http/rate-limiter.js';
import { createHttpServer, type HttpServer, type Served } from '#platform/http/server/http-server.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { openHttpTransport } from '#platform/http-transport/open-http-transport.js';
import { operationsRoutes } from '#platform/lifecycle/operations-routes.js';
import { bookingProblems } from '#processors/booking/booking-problems.js';
import type { Context } from '../context.js';
import { developmentIssuer } from '../issuer.js';
import { ownAddress } from '../own-address.js';
import { noteRunning } from '../running-programs.js';
import { version } from '../version.js';
import { merchantRates } from './merchant-rates.js';

export interface Listeners {
  /** For people and clients: PUBLIC_URL, else the same as `localUrl`. */
  readonly publicUrl: string;
  /** The public listener for programs of this machine. */
  readonly localUrl: string;
  readonly internalUrl: string;
  /**
   * Serves the complete program from now on; at a stop, the listeners drain before their dependencies.
   * `staffPages` are on the internal listener only.
   */
  serve(served: Served & { readonly staffPages?: Served['pages'] }): void;
}

export type ListenerUrls = Pick<Listeners, 'publicUrl' | 'localUrl'>;

/** The issuer of the tokens: the one behind JWKS_URL, or the development issuer of this machine. */
export interface TokenIssuer {
  readonly keys: KeySource;
  readonly development: DevelopmentIssuer | undefined;
}

export async function tokenIssuer({ config, logger }: Context): Promise<TokenIssuer> {
  if (config.JWKS_URL !== undefined) {
    return { keys: remoteKeys({ url: config.JWKS_URL, logger }), development: undefined };
  }
  const development = await developmentIssuer(config);
  return { keys: development.keys, development };
}

/**
 * Opens both listeners at the very start of a program, with the operations routes only: `/readyz` lists what
 * is missing, and everything else is answered with 503 until the program serves it.
 */
export async function openListeners(context: Context, issuer: TokenIssuer): Promise<Listeners> {
  const { config } = context;
  const starting = context.readiness.condition('start', 'The program is starting.');
  const forwarding = forwardingOf(config);
  const tls = listenerTlsOf(config);
  const isBehindProxy = forwarding.proxies !== undefined;
  const { transport, reason } = openHttpTransport(config.HTTP_SERVER, isBehindProxy, tls);
  context.logger.info(`HTTP server: ${transport.name}${reason === undefined ? '' : `, because ${reason}`}`);
  const parts = { transport, limiter: new MemoryRateLimiter(), forwarding, tls };
  const listening = [
    await listen(context, issuer, parts, { name: 'public', host: config.HOST, port: config.PORT }),
    await listen(context, issuer, parts, {
      name: 'internal',
      host: config.INTERNAL_HOST,
      port: config.INTERNAL_PORT,
    }),
  ];
  const [localUrl, internalUrl] = listening.map(({ url }) => url) as [string, string];
  const forget = await noteRunning(config.MERIDIAN_DATA, { program: context.name, localUrl, internalUrl });
  context.onStop('note of this program', forget);
  return {
    publicUrl: forwarding.publicUrl ?? localUrl,
    localUrl,
    internalUrl,
    serve({ staffPages = [], ...served }) {
      for (const { name, server } of listening) {
        const whole = described(context, issuer, name, served);
        const { sockets = [], pages = [] } = whole;
        const { metering, ...own } = { ...whole, sockets };
        // A staff token is a person's; programs of customers have no business there.
        if (name === 'public') server.complete({ ...own, ...(metering === undefined ? {} : { metering }) });
        else server.complete({ ...own, sockets: [], pages: [...pages, ...staffPages] });
        context.onStop(`${name} listener`, (remainingMs) => server.drain(Math.max(100, remainingMs / 2)));
      }
      starting.fulfil();
    },
  };
}

/** The staff listener is reached directly or through the same proxies, but not under PUBLIC_URL. */
function forwardingOf({ PUBLIC_URL: publicUrl, TRUSTED_PROXIES: list }: Config): Forwarding {
  return { publicUrl: publicUrl?.replace(/\/+$/, ''), proxies: parseTrustedProxies(list) };
}

interface Listening {
  readonly name: 'public' | 'internal';
  readonly server: HttpServer;
  readonly url: string;
}

async function listen(
  context: Context,
  issuer: TokenIssuer,
  {
    transport,
    limiter,
    forwarding,
    tls,
  }: {
    readonly transport: HttpTransport;
    readonly limiter: RateLimiter;
    readonly forwarding: Forwarding;
    readonly tls: ListenerTls | undefined;
  },
  { name, host, port }: Pick<Listening, 'name'> & { readonly host: string; readonly port: number },
): Promise<Listening> {
  const { config, logger, metrics } = context;
  const perMinute = (policy: string, limit: number): RatePolicy => ({ name: policy, limit, windowS: 60 });
  const server = createHttpServer({
    transport,
    name,
    listener: name,
    starting: true,
    routes: operations(context, issuer, name),
    authenticator: authenticatorFor(config, issuer.keys, name),
    forwarding: {
      ...(name === 'public' ? forwarding : { proxies: forwarding.proxies }),
      hasTls: tls !== undefined,
    },
    logsRequests: config.LOG_LEVEL === 'debug',
    trustedOrigins: config.CORS_ORIGINS.split(',').filter((origin) => origin !== ''),
    rateLimit: {
      limiter,
      perIdentity: perMinute('user', config.RATE_PER_USER),
      perAddress: perMinute('address', config.RATE_PER_ADDRESS),
      perProgram: merchantRates(config),
    },
    limits: { turnBudgetMs: config.TURN_BUDGET_MS, inflightMax: config.INFLIGHT_MAX },
    logger,
    metrics,
  });
  const bound = await server.listen(port, host);
  context.onStop(`${name} listener while starting`, () => server.close());
  const shown = bound.host === '127.0.0.1' ? 'localhost' : bound.host;
  return { name, server, url: ownAddress(shown, bound.port, tls?.certificate) };
}

function operations(
  { config, readiness, metrics }: Context,
  { development }: TokenIssuer,
  name: Listening['name'],
): readonly Route[] {
  return [
    ...operationsRoutes({ readiness, metrics, version: () => ({ version, node: process.version }) }),
    signInRoute(config, name),
    ...(development === undefined ? [] : [keySetRoute(development)]),
  ];
}

/** The routes of one listener, with the documents that describe exactly these. */
function described(context: Context, issuer: TokenIssuer, name: Listening['name'], served: Served): Served {
  const kafkaHost = /^kafka:\/\/([^,]+)/.exec(context.config.EVENT_LOG ?? '')?.[1];
  const apiKeys = name === 'public' ? context.config.API_KEYS : 'off';
  const isHere = ({ contract: { listener } }: Route) => listener === 'both' || listener === name;
  const { routes, pages } = documents(
    { version, apiKeys, ...(kafkaHost === undefined ? {} : { kafkaHost }) },
    [...operations(context, issuer, name), ...served.routes].filter(isHere),
  );
  return {
    ...served,
    routes: [...served.routes, ...routes],
    pages: [
      ...(served.pages ?? []),
      ...pages,
      ...problemPages(
        [ingestProblems, hotelProblems, paymentProblems, bookingProblems, customerProblems].flatMap((kinds) =>
          Object.values(kinds),
        ),
      ),
    ],
  };
}

function authenticatorFor(
  config: Context['config'],
  keys: KeySource,
  listener: 'public' | 'internal',
): Authenticator {
  return createJwtAuthenticator({
    keys,
    issuer: config.TOKEN_ISSUER,
    audience: listener === 'public' ? config.TOKEN_AUDIENCE : config.INTERNAL_TOKEN_AUDIENCE,
  });
}
