import { Type } from 'typebox';
import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import type { Readiness } from './readiness.js';

const operation = { method: 'GET', listener: 'both', tag: 'operations', scopes: 'open' } as const;

const getHealth = {
  ...operation,
  operationId: 'getHealth',
  path: '/healthz',
  summary: 'Whether the process is alive',
  responses: { 200: { description: 'It is alive.', schema: Type.Object({ status: Type.Literal('ok') }) } },
} as const satisfies RouteContract;

const getLiveness = { ...getHealth, operationId: 'getLiveness', path: '/livez' } as const;

const getReadiness = {
  ...operation,
  operationId: 'getReadiness',
  path: '/readyz',
  summary: 'Whether the process can do its work: dependencies, map and partitions are available',
  responses: {
    200: {
      description: 'It is ready.',
      schema: Type.Object({
        status: Type.Literal('ready'),
        without: Type.Record(Type.String(), Type.String(), {
          description:
            'Unavailable dependencies that the process can work without, such as a cache, with the reason.',
        }),
      }),
    },
    503: { description: 'Not ready; `errors` lists each missing condition.' },
  },
} as const satisfies RouteContract;

const getMetrics = {
  ...operation,
  listener: 'internal',
  operationId: 'getMetrics',
  path: '/metrics',
  summary: 'Metrics for Prometheus',
  responses: { 200: { description: 'Text exposition.', contentType: 'text/plain' } },
} as const satisfies RouteContract;

const getVersion = {
  ...operation,
  operationId: 'getVersion',
  path: '/version',
  summary: 'What is running and in which version',
  responses: { 200: { description: 'Versions.', schema: Type.Record(Type.String(), Type.Unknown()) } },
} as const satisfies RouteContract;

export interface OperationsOptions {
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** Read at each request: versions of code, data and schemas. */
  readonly version: () => Readonly<Record<string, string | number>>;
}

/** The routes that every program serves for its operators. They are never shed. */
export function operationsRoutes({ readiness, metrics, version }: OperationsOptions): Route[] {
  const vital = { priority: 'vital' } as const;
  return [
    route(getHealth, () => ({ status: 200, body: { status: 'ok' } }), vital),
    route(getLiveness, () => ({ status: 200, body: { status: 'ok' } }), vital),
    route(
      getReadiness,
      async () => {
        const { ready, reasons, without } = await readiness.report();
        if (ready) return { status: 200, body: { status: 'ready', without } };
        const errors = Object.entries({ ...reasons, ...without }).map(([name, message]) => ({
          pointer: `/${name}`,
          message,
        }));
        return problem(problems.unavailable, 'Not ready.', { errors, retryAfterS: 1 });
      },
      vital,
    ),
    route(
      getMetrics,
      async () => {
        const { contentType, text } = await metrics.scrape();
        return { status: 200, body: text, contentType };
      },
      vital,
    ),
    route(getVersion, () => ({ status: 200, body: { ...version() } }), vital),
  ];
}
