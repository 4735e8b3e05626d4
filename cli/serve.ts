import { documents } from '#api/documents/documents.js';
import { ingestProblems } from '#ingest/location-route.js';
import type { DevelopmentIssuer } from '#platform/auth/development-issuer.js';
import type { Authenticator } from '#platform/auth/identity.js';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';
import { keySetRoute } from '#platform/auth/key-set-route.js';
import { type KeySource, remoteKeys } from '#platform/auth/key-source.js';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '#platform/http/http-server.js';
import type { Page, RatePolicy, Route } from '#platform/http/http-types.js';
import { MemoryRateLimiter } from '#platform/http/memory-rate-limiter.js';
import { problemPages } from '#platform/http/problem-pages.js';
import type { RateLimiter } from '#platform/http/rate-limiter.js';
import { operationsRoutes } from '#platform/lifecycle/operations-routes.js';
import type { Context } from './context.js';
import { developmentIssuer } from './issuer.js';
import { version } from './version.js';

export interface Served {
  readonly routes: readonly Route[];
  readonly sockets?: HttpServerOptions['sockets'];
  readonly pages?: readonly Page[];
}

export interface Listeners {
  readonly publicUrl: string;
  readonly internalUrl: string;
}

/** Who signs the tokens: the issuer behind JWKS_URL, or the development issuer of this machine. */
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

/** Opens both listeners with what a program serves; they drain when the program stops. */
export async function serve(context: Context, issuer: TokenIssuer, served: Served): Promise<Listeners> {
  const servers = await listen(context, issuer, served);
  for (const { name, server } of servers) {
    context.onStop(`${name} listener`, (remainingMs) => server.drain(Math.max(100, remainingMs / 2)));
  }
  const [publicUrl, internalUrl] = servers.map(({ url }) => url) as [string, string];
  return { publicUrl, internalUrl };
}

/**
 * Opens both listeners while a program is still starting, with the operations alone: whoever asks `/readyz` hears, truly,
 * what is missing. Closed before the whole program is served in its place.
 */
export async function serveWhileStarting(context: Context, issuer: TokenIssuer): Promise<{ close(): void }> {
  const starting = context.readiness.condition('start', 'The program is starting.');
  const servers = await listen(context, issuer, { routes: [] });
  let open = true;
  const close = (): void => {
    if (!open) return;
    open = false;
    for (const { server } of servers) server.close();
    starting.fulfil();
  };
  context.onStop('listeners of the start', close);
  return { close };
}

interface Listening {
  readonly name: string;
  readonly server: HttpServer;
  readonly url: string;
}

async function listen(context: Context, issuer: TokenIssuer, served: Served): Promise<readonly Listening[]> {
  const { config } = context;
  const limiter = new MemoryRateLimiter();
  return [
    await open(context, issuer, served, limiter, 'public', config.PORT),
    await open(context, issuer, served, limiter, 'internal', config.INTERNAL_PORT),
  ];
}

async function open(
  context: Context,
  issuer: TokenIssuer,
  { routes, sockets, pages }: Served,
  limiter: RateLimiter,
  listener: 'public' | 'internal',
  port: number,
): Promise<Listening> {
  const { config, logger, metrics, readiness } = context;
  const all = [
    ...operationsRoutes({ readiness, metrics, version: () => ({ version, node: process.version }) }),
    ...(issuer.development === undefined ? [] : [keySetRoute(issuer.development)]),
    ...routes,
  ];
  const kafkaHost = /^kafka:\/\/([^,]+)/.exec(config.EVENT_LOG ?? '')?.[1];
  const described = documents({ version, ...(kafkaHost === undefined ? {} : { kafkaHost }) }, all);
  const perMinute = (name: string, limit: number): RatePolicy => ({ name, limit, windowS: 60 });
  const server = createHttpServer({
    name: listener,
    listener,
    routes: [...all, ...described.routes],
    ...(listener === 'public' && sockets !== undefined ? { sockets } : {}),
    pages: [...(pages ?? []), ...described.pages, ...problemPages(Object.values(ingestProblems))],
    authenticator: authenticatorFor(config, issuer.keys, listener),
    trustedOrigins: config.CORS_ORIGINS.split(',').filter((origin) => origin !== ''),
    rateLimit: {
      limiter,
      perIdentity: perMinute('user', config.RATE_PER_USER),
      perAddress: perMinute('address', config.RATE_PER_ADDRESS),
    },
    limits: { turnBudgetMs: config.TURN_BUDGET_MS, inflightMax: config.INFLIGHT_MAX },
    logger,
    metrics,
  });
  const bound = await server.listen(port, config.HOST);
  const host = bound.host === '0.0.0.0' || bound.host === '127.0.0.1' ? 'localhost' : bound.host;
  return { name: listener, server, url: `http://${host}:${bound.port}` };
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
