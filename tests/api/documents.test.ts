import { readdir } from 'node:fs/promises';
import { Parser } from '@asyncapi/parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import protobuf from 'protobufjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documents } from '#api/documents/documents.js';
import { openApiDocument } from '#platform/http/openapi.js';
import { createHttpServer, type HttpServer } from '#platform/http/server/http-server.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { routeContracts } from '#schemas/http/routes.js';
import { navStreamPath } from '#schemas/nav-stream.js';
import { proves } from '#tools/acceptance/proves.js';
import { paperTown } from './paper-town.js';
import { type Ground, openGround, routingOf, type ServedApi, serveApi } from './served-api.js';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

let ground: Ground;
let served: ServedApi;
let server: HttpServer;
let url: string;

beforeAll(async () => {
  ground = await openGround();
  const nobodyAsks = () => Promise.reject(new Error('nobody asks'));
  served = await serveApi(ground, paperTown(), {
    ...{
      traces: nobodyAsks,
      routing: routingOf(nobodyAsks),
      graphTiles: nobodyAsks,
      lines: { of: () => [] },
    },
  });
  const { routes, pages } = documents({ version: '1.2.3' }, served.api.routes);
  server = createHttpServer({
    name: 'documents',
    listener: 'public',
    routes,
    pages,
    limits: { turnBudgetMs: 60_000 },
    logger: silentLogger,
    metrics: createMetrics(),
  });
  url = `http://127.0.0.1:${(await server.listen(0)).port}`;
});
afterAll(async () => {
  server.close();
  await served.close();
  await ground.close();
});

/** Separate programs serve these; their tests check the documents. */
const elsewhere = [
  'simulation',
  'payments',
  'merchants',
  'merchant webhooks',
  'payouts',
  'disputes',
  'finance',
  'hotels',
  'reservations',
  'hotel management',
  'API keys',
];

const read = async (path: string) => (await (await fetch(url + path)).json()) as never;

async function operations(): Promise<Map<string, Operation>> {
  const { paths } = (await read('/v1/openapi.json')) as { paths: Record<string, Record<string, Operation>> };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    ),
  );
}

describe('OpenAPI', () => {
  test('the document is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(await read('/v1/openapi.json'));
    expect(result).toMatchObject({ valid: true });
    const everything = openApiDocument({ title: 'All', version: '1', description: '' }, routeContracts);
    expect(await new Validator().validate({ ...everything })).toMatchObject({ valid: true });
    const broken = await new Validator().validate({
      openapi: '3.1.0',
      info: { title: 'no version' },
      paths: {},
    });
    expect(broken.valid).toBe(false);
  });

  test('API9: every contract of an operation is in the list of them', async () => {
    const folder = new URL('../../schemas/http/', import.meta.url);
    const named: string[] = [];
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.ts'))) {
      const exported: object = await import(new URL(file, folder).href);
      for (const each of Object.values(exported).flat() as Partial<RouteContract>[])
        if (each?.operationId !== undefined && each.path !== undefined) named.push(each.operationId);
    }
    const listed = routeContracts.map(({ operationId }) => operationId);
    expect(listed.toSorted()).toEqual([...new Set(named)].toSorted());
  });

  test('API9: every served operation is described, and every described operation is served', async () => {
    const described = await operations();
    const contracts = routeContracts.filter(
      ({ operationId, tag }) =>
        !elsewhere.includes(tag) &&
        ![
          ...['postLocations', 'deleteUserLocations', 'getHotelPlaces'],
          ...['getOperations', 'getOperationsOutline', 'getSignIn'],
        ].includes(operationId),
    );
    const ours = contracts.map(({ method, path }) => `${method} ${path}`);
    expect([...described.keys()].toSorted()).toEqual([...ours, 'GET /v1/openapi.json'].toSorted());
    for (const { method, path, listener } of contracts) {
      const key = `${method} ${path}`;
      // Served by the listeners of the programs, not by a package.
      if (path === '/v1/asyncapi.json') {
        expect((await fetch(url + path)).status).toBe(200);
        continue;
      }
      const filled = path.replace(/\{[xyz]\}/g, '1').replace(/\{\w+\}/g, 'none');
      const answer = await served.call(method, filled, {
        listener: listener === 'internal' ? 'internal' : 'public',
      });
      // A route that does not exist does not say which resource is missing.
      if (answer.status === 404)
        expect(answer.json?.detail ?? 'No such path.', key).not.toBe('No such path.');
      // A part that cannot answer yet reports this, as its description states.
      if (answer.status === 503) expect(Object.keys(described.get(key)!.responses), key).toContain('503');
      else expect(answer.status, key).toBeLessThan(500);
      expect(answer.status, key).not.toBe(405);
    }
  });

  proves('M-120', {
    asked: 'every path carries /v1',
    shown: 'all contracts and the stream begin with it; without it each path of the gateway is 404',
    control: {
      in: 'schemas/http/osrm.ts',
      change: "path: '/v1/osrm/tile/v1",
      to: "path: '/osrm/tile/v1",
    },
  });
  test('M-120: every path starts with /v1, and a path without it does not exist', async () => {
    const all = [navStreamPath, ...routeContracts.map(({ path }) => path)];
    expect(all.filter((path) => !path.startsWith('/v1/'))).toEqual([]);
    const paths = [...(await operations()).keys()].map((key) => key.slice(key.indexOf(' ') + 1));
    expect(paths.length).toBeGreaterThan(50);
    for (const described of new Set(paths)) {
      expect(described).toMatch(/^\/v1\//);
      const path = described
        .slice('/v1'.length)
        .replace(/\{[xyz]\}/g, '1')
        .replace(/\{\w+\}/g, 'none');
      for (const base of [url, served.url])
        expect([path, (await fetch(base + path)).status]).toEqual([path, 404]);
    }
  });

  test('an error with its own layout is described with it, next to the problem details', async () => {
    const responses = (await operations()).get('GET /v1/osrm/route/v1/{profile}/{coordinates}')!.responses;
    expect(responses['400']).toMatchObject({
      content: {
        'application/json': { schema: { properties: { code: { type: 'string' } } } },
        'application/problem+json': {},
      },
    });
  });

  test('operation ids are unique, and every path parameter is described', async () => {
    const described = await operations();
    const ids = [...described.values()].map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [key, { parameters = [] }] of described) {
      const inPath = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(
        parameters.filter((each) => each.in === 'path').map(({ name }) => name),
        key,
      ).toEqual(inPath);
    }
  });
});

test('AsyncAPI is served, is valid, and names the socket at the address that the client used', async () => {
  const document = (await read('/v1/asyncapi.json')) as {
    servers: { socket: { host: string; protocol: string } };
  };
  expect(document.servers.socket).toMatchObject({ host: url.slice('http://'.length), protocol: 'ws' });
  const parser = new Parser();
  parser.registerSchemaParser({
    getMimeTypes: () => ['application/vnd.google.protobuf;version=3'],
    validate: () => [],
    parse: ({ data }) => {
      protobuf.parse(String(data));
      return { type: 'object' };
    },
  });
  const { diagnostics } = await parser.parse(JSON.stringify(document));
  expect(diagnostics.filter(({ severity }) => severity === 0)).toEqual([]);
});

test('the pages that render the documents exist', async () => {
  for (const page of ['/docs', '/docs/events']) {
    const answer = await fetch(url + page);
    expect(answer.status, page).toBe(200);
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'|default-src 'self'/);
  }
});
