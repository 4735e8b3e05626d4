import type { Authenticator, Identity } from '#platform/http/identity.js';
import {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
} from '#platform/http/server/http-server.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import type { Scope } from '#schemas/http/route-contract.js';
import { certificateOfPort } from './raw-client.js';

/** Transports over TLS, with their certificates. */
export const certificateOf = new WeakMap<HttpTransport, string>();

export interface StartedServer {
  readonly server: HttpServer;
  readonly port: number;
  readonly base: string;
}

/**
 * A public server on a free port, without logs, with the settings of a test. It sheds nothing unless the test
 * requests it: on a busy machine any ten concurrent requests would be too many for one turn.
 */
export async function startServer(
  transport: HttpTransport,
  { limits, ...options }: Partial<HttpServerOptions>,
): Promise<StartedServer> {
  const certificate = certificateOf.get(transport);
  const server = createHttpServer({
    transport,
    name: 'test',
    listener: 'public',
    routes: [],
    logger: silentLogger,
    metrics: createMetrics(),
    limits: { turnBudgetMs: 60_000, ...limits },
    ...options,
    forwarding: { ...options.forwarding, hasTls: certificate !== undefined },
  });
  const { port } = await server.listen(0);
  if (certificate === undefined) certificateOfPort.delete(port);
  else certificateOfPort.set(port, certificate);
  return { server, port, base: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}` };
}

/**
 * Accepts tokens of the form `user.scope.lifeMs`, which are valid for this time from their check, at once or,
 * for users that start with `late`, some turns later.
 */
export const plainTokens: Authenticator = {
  verify(token) {
    const [userId = '', scope = '', lifeMs = ''] = token.split('.');
    if (scope === '') return { ok: false, reason: 'invalid', detail: 'The token is wrong.' };
    const identity: Identity = {
      userId,
      scopes: [scope as Scope],
      expiresAt: Date.now() + Number(lifeMs === '' ? 3_600_000 : lifeMs),
    };
    const outcome = { ok: true, identity } as const;
    if (!userId.startsWith('late')) return outcome;
    return new Promise((resolve) => setTimeout(() => resolve(outcome), 20));
  },
};
