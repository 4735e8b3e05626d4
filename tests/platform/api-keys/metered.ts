import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { customerRoutes } from '#platform/api-keys/customer-routes.js';
import { type RunningMetering, startMetering } from '#platform/api-keys/start-metering.js';
import { customerMigrations } from '#platform/api-keys/tables.js';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import { type Route, route } from '#platform/http/http-types.js';
import { openApiRoute } from '#platform/http/openapi.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { httpTransport } from '../../http-transport.js';
import { openDatabase, type TestDatabase } from '../../shared-postgres.js';
import { plainTokens, type StartedServer, startServer } from '../http/start-server.js';

/** An API key, in an answer to whoever made it. */
export interface MadeKey {
  readonly key: { readonly keyID: string; readonly prefix: string };
  readonly secret: string;
}

export interface Metered {
  readonly database: TestDatabase;
  readonly metering: RunningMetering;
  readonly folder: string;
  readonly publicUrl: string;
  readonly internalUrl: string;
  /** Asks the internal listener as an operator; rejects unless the answer is a success. */
  manage(method: string, path: string, body?: object): Promise<unknown>;
  makeKey(customer: string, families: readonly string[], more?: object): Promise<MadeKey>;
  close(): Promise<void>;
}

const shared = { method: 'GET', listener: 'public', summary: '', responses: {} } as const;
const open = { ...shared, scopes: 'open' } as const;

/** One operation of each kind; the answers say who asked. */
export const meteredRoutes: readonly Route[] = [
  route({ ...open, operationId: 'tile', path: '/tile', tag: 'map' }, () => ({ status: 200, body: 'tile' })),
  route({ ...open, operationId: 'search', path: '/search', tag: 'geocoding' }, () => ({ status: 404 })),
  route({ ...open, operationId: 'broken', path: '/broken', tag: 'geocoding' }, () => {
    throw new Error('broken');
  }),
  route({ ...open, operationId: 'version', path: '/version', tag: 'operations' }, () => ({ status: 204 })),
  ...(['customer', 'operator'] as const).map((scope) => {
    const contract = {
      ...shared,
      operationId: scope,
      path: `/${scope}`,
      tag: 'locations',
      scopes: [scope, 'driver'],
    };
    return route(contract as RouteContract, ({ identity }) => ({
      status: 200,
      body: identity?.userId ?? '',
    }));
  }),
  route({ ...shared, operationId: 'pay', path: '/pay', tag: 'payments', scopes: ['driver'] }, () => ({
    status: 204,
  })),
];

const tokens = 'boss.operator';

/** A public and an internal server with API keys, on a database of their own. */
export async function startMetered(
  options: { readonly isRequired?: boolean; readonly nowMs?: () => number } = {},
): Promise<Metered> {
  const { isRequired = false, nowMs = Date.now } = options;
  const database = await openDatabase('customers', customerMigrations);
  const folder = await mkdtemp(join(tmpdir(), 'meridian-usage-'));
  const parts = { logger: silentLogger, metrics: createMetrics() };
  const metering = startMetering({ sql: database.sql, folder, isRequired, nowMs, ...parts });
  const own = [...customerRoutes(database.sql, nowMs), ...meteredRoutes];
  const info = { title: 't', version: '1', description: '' };
  const described = openApiRoute(info, own, isRequired ? 'required' : 'optional');
  const rate = { name: 'user', limit: 1_000_000, windowS: 60 };
  const rateLimit = { limiter: new MemoryRateLimiter(), perIdentity: rate, perAddress: rate };
  const server = (more: object): Promise<StartedServer> =>
    startServer(httpTransport, {
      routes: [...own, described],
      authenticator: plainTokens,
      rateLimit,
      ...more,
    });
  const [outside, inside] = await Promise.all([server({ metering }), server({ listener: 'internal' })]);
  const manage = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(inside.base + path, {
      method,
      headers: { authorization: `Bearer ${tokens}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  };
  return {
    database,
    metering,
    folder,
    publicUrl: outside.base,
    internalUrl: inside.base,
    manage,
    makeKey: async (customer, families, more = {}) =>
      (await manage('POST', `/v1/customers/${customer}/keys`, { families, ...more })) as MadeKey,
    async close() {
      outside.server.close();
      inside.server.close();
      await metering.close();
      await database.dispose();
      await rm(folder, { recursive: true });
    },
  };
}

export const ask = (
  { publicUrl }: Metered,
  path: string,
  key?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(publicUrl + path, { headers: { ...(key === undefined ? {} : { 'x-api-key': key }), ...headers } });
