import type { DevelopmentIssuer } from '#platform/auth/development-issuer.js';
import type { Authenticator } from '#platform/auth/identity.js';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';
import { keySetRoute } from '#platform/auth/key-set-route.js';
import { type KeySource, remoteKeys } from '#platform/auth/key-source.js';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '#platform/http/http-server.js';
import type { Page, Route } from '#platform/http/http-types.js';
import { operationsRoutes } from '#platform/lifecycle/operations-routes.js';
import type { Context } from './context.js';
import { developmentIssuer } from './issuer.js';

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

/**
 * Opens both listeners with what a program serves. Until the program is ready they answer, truly, that it is not; so
 * `starting` opens them early with the operations alone, and `serve` puts the whole in its place.
 */
export async function serve(context: Context, issuer: TokenIssuer, served: Served): Promise<Listeners> {
  const { config } = context;
  const [publicUrl, internalUrl] = [
    await open(context, issuer, served, 'public', config.PORT),
    await open(context, issuer, served, 'internal', config.INTERNAL_PORT),
  ];
  return { publicUrl, internalUrl };
}

async function open(
  context: Context,
  issuer: TokenIssuer,
  { routes, sockets, pages }: Served,
  listener: 'public' | 'internal',
  port: number,
): Promise<string> {
  const { config, logger, metrics, readiness } = context;
  const server: HttpServer = createHttpServer({
    name: listener,
    listener,
    routes: [
      ...operationsRoutes({
        readiness,
        metrics,
        version: () => ({ version: '0.1.0', node: process.version }),
      }),
      ...(issuer.development === undefined ? [] : [keySetRoute(issuer.development)]),
      ...routes,
    ],
    ...(listener === 'public' && sockets !== undefined ? { sockets } : {}),
    ...(pages === undefined ? {} : { pages }),
    authenticator: authenticatorFor(config, issuer.keys, listener),
    trustedOrigins: config.CORS_ORIGINS.split(',').filter((origin) => origin !== ''),
    limits: { turnBudgetMs: config.TURN_BUDGET_MS, inflightMax: config.INFLIGHT_MAX },
    logger,
    metrics,
  });
  const bound = await server.listen(port, config.HOST);
  context.onStop(`${listener} listener`, (remainingMs) => server.drain(Math.max(100, remainingMs / 2)));
  const host = bound.host === '0.0.0.0' || bound.host === '127.0.0.1' ? 'localhost' : bound.host;
  return `http://${host}:${bound.port}`;
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
