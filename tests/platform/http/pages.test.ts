import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Route, route } from '#platform/http/http-types.js';
import { openApiDocument, openApiRoute } from '#platform/http/openapi.js';
import { docsPages } from '#platform/http/pages/docs-pages.js';
import { problemPages } from '#platform/http/pages/problem-pages.js';
import { staticFiles } from '#platform/http/pages/static-files.js';
import { contentSecurityPolicy } from '#platform/http/security-headers.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { proves } from '#tools/acceptance/proves.js';
import { httpTransport } from '../../http-transport.js';
import { converse, statuses } from './raw-client.js';
import { plainTokens, type StartedServer, startServer } from './start-server.js';

const putThing = {
  operationId: 'putThing',
  method: 'PUT',
  path: '/v1/things/{id}',
  listener: 'public',
  tag: 'things',
  summary: 'Keep a thing <img src=x onerror=alert(1)>',
  scopes: ['driver'],
  params: Type.Object({ id: Type.Integer() }),
  query: Type.Object({ dry: Type.Optional(Type.Boolean()), mode: Type.String() }),
  body: { maxBytes: 100, contentTypes: ['application/json'], schema: Type.Object({ n: Type.Number() }) },
  responses: {
    200: { description: 'Kept.', schema: Type.Object({ id: Type.Integer() }) },
    409: { description: 'Taken.' },
  },
} as const satisfies RouteContract;

const asyncApi = {
  asyncapi: '3.0.0',
  info: { title: 'Events', version: '1', description: '<img src=x onerror="window.broken=1">' },
  channels: {
    stream: {
      address: '/v1/nav/stream',
      messages: { reroute: { $ref: '#/components/messages/reroute' } },
    },
  },
  operations: { push: { action: 'send', channel: { $ref: '#/channels/stream' } } },
  components: {
    messages: { reroute: { name: 'reroute', summary: 'A better way', payload: { type: 'object' } } },
  },
};

const info = { title: 'Test', version: '1.2.3', description: 'An API.' };
const routes: Route[] = [
  route(putThing, ({ params }) => ({ status: 200, body: { id: params.id } })),
  route(
    {
      operationId: 'getAsyncApi',
      method: 'GET',
      path: '/v1/asyncapi.json',
      listener: 'public',
      tag: 'operations',
      summary: '',
      scopes: 'open',
      responses: {},
    },
    () => ({ status: 200, body: asyncApi }),
  ),
];

let folder: string;
let started: StartedServer;
const script = `console.log('${'x'.repeat(5_000)}');`;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pages-'));
  await mkdir(join(folder, 'web', 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'web', 'index.html'), '<!doctype html><title>home</title>');
  await writeFile(join(folder, 'web', 'assets', 'app-1a2b.js'), script);
  await writeFile(join(folder, 'web', 'logo.png'), Buffer.alloc(2_000));
  started = await startServer(httpTransport, {
    authenticator: plainTokens,
    routes: [...routes, openApiRoute(info, routes)],
    pages: [
      ...docsPages([putThing]),
      ...problemPages([{ code: 'no-road', status: 404, title: 'No <road>', advice: 'Move.' }]),
      ...staticFiles(join(folder, 'web'), {
        at: '/',
        policy: contentSecurityPolicy(),
        immutable: /^assets\//,
      }),
    ],
  });
});
afterAll(async () => {
  started.server.close();
  await rm(folder, { recursive: true });
});

describe('static files', () => {
  test('the index is served at its folder, under a strict policy', async () => {
    const response = await fetch(`${started.base}/`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toMatch(/frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'$/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  test('a file whose name changes with its content is cached forever, and is compressed', async () => {
    const { answer } = await converse(
      started.port,
      'GET /assets/app-1a2b.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n',
    );
    const [head = ''] = answer.split('\r\n\r\n', 1);
    expect(head).toMatch(/cache-control: public, max-age=31536000, immutable/);
    expect(head).toMatch(/content-encoding: gzip/);
    expect(gunzipSync(Buffer.from(answer.slice(head.length + 4), 'latin1')).toString()).toBe(script);
    const image = await fetch(`${started.base}/logo.png`);
    expect([image.headers.get('content-encoding'), image.headers.get('content-type')]).toEqual([
      null,
      'image/png',
    ]);
  });

  test('compressed bytes have a weak tag, the plain ones a strong one; either is known again', async () => {
    const tagOf = async (headers: Record<string, string>) => {
      const answer = await fetch(`${started.base}/assets/app-1a2b.js`, { headers });
      await answer.text();
      return [answer.status, answer.headers.get('etag')];
    };
    const [plain, gzip] = [{ 'accept-encoding': 'identity' }, { 'accept-encoding': 'gzip' }];
    const [, strong] = await tagOf(plain);
    expect(strong).toMatch(/^"[\w-]{22}"$/);
    expect(await tagOf(gzip)).toEqual([200, `W/${strong}`]);
    expect(await tagOf({ ...gzip, 'if-none-match': `W/${strong}` })).toEqual([304, `W/${strong}`]);
    expect(await tagOf({ ...plain, 'if-none-match': `W/${strong}` })).toEqual([304, strong]);
  });

  proves('H-019', {
    asked: 'static assets have Cache-Control and a strong ETag; a conditional GET is 304',
    shown: 'an index, an image and a script with a hash: both headers, 304 for one tag, lists, weak ones',
    settings: ['the client asks for plain bytes; compressed ones have a weak tag'],
    control: {
      in: 'platform/http/pages/static-files.ts',
      change: "if (isKnown(request.header('if-none-match'), loaded.etag)) return",
      to: "if (!kept && isKnown(request.header('if-none-match'), loaded.etag)) return",
    },
  });
  test('H-019: a known ETag gives 304, for one tag, lists and weak tags', async () => {
    for (const [path, cacheControl] of [
      ['/', 'no-cache'],
      ['/logo.png', 'no-cache'],
      ['/assets/app-1a2b.js', 'public, max-age=31536000, immutable'],
    ] as const) {
      const get = (headers: Record<string, string> = {}) =>
        fetch(started.base + path, { headers: { 'accept-encoding': 'identity', ...headers } });
      const first = await get();
      const etag = first.headers.get('etag') ?? '';
      expect(etag, path).toMatch(/^"[\w-]{22}"$/);
      expect([path, first.status, first.headers.get('cache-control')]).toEqual([path, 200, cacheControl]);
      for (const known of [etag, `"a", ${etag}`, `W/${etag}`, '*']) {
        const response = await get({ 'if-none-match': known });
        expect([path, known, response.status, await response.text()]).toEqual([path, known, 304, '']);
        expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([
          etag,
          cacheControl,
        ]);
      }
      expect((await get({ 'if-none-match': '"a"' })).status).toBe(200);
    }
  });

  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/assets',
    '/assets/',
    '//index.html',
    '/index.html%00',
  ])('%s leads nowhere', async (path) => {
    const { answer } = await converse(started.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, {
      isDone: (all) => all.includes('}'),
    });
    expect(statuses(answer)).toEqual([404]);
  });
});

describe('API9: OpenAPI describes what is served', () => {
  test('one operation has its parameters, body, scopes and every refusal', () => {
    const document = openApiDocument(info, [putThing]) as { paths: Record<string, Record<string, object>> };
    const operation = document.paths['/v1/things/{id}']?.['put'];
    expect(operation).toMatchObject({
      operationId: 'putThing',
      security: [{ bearer: ['driver'] }],
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
        { name: 'dry', in: 'query', required: false },
        { name: 'mode', in: 'query', required: true },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    });
    const { responses } = operation as { responses: Record<string, { content: object }> };
    expect(Object.keys(responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '429',
      '503',
    ]);
    expect(responses['409']?.content).toHaveProperty(['application/problem+json']);
  });

  test('the served document lists exactly the served routes', async () => {
    const document = (await (await fetch(`${started.base}/v1/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, object>;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).toSorted()).toEqual([
      '/v1/asyncapi.json',
      '/v1/openapi.json',
      '/v1/things/{id}',
    ]);
  });
});

test('the type of every problem leads to a page, and text in it is not markup', async () => {
  const response = await fetch(`${started.base}/nowhere`);
  const { type } = (await response.json()) as { type: string };
  const page = await fetch(started.base + type);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('HTTP status 404')]);
  const own = await (await fetch(`${started.base}/problems/no-road`)).text();
  expect(own).toContain('No &lt;road&gt;');
  expect((await fetch(`${started.base}/problems/unheard-of`)).status).toBe(404);
});

const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

describe.skipIf(browser === undefined)('N8: the documentation in a browser (needs Chromium)', () => {
  test('/docs and /docs/events render without other hosts, policy violations or errors', async () => {
    const chrome = await chromium.launch({
      ...(browser === undefined ? {} : { executablePath: browser }),
      args: ['--no-sandbox', '--disable-background-networking'],
    });
    try {
      const page = await chrome.newPage();
      const foreign: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(started.base) && !request.url().startsWith('data:'))
          foreign.push(request.url());
      });
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${started.base}/docs`);
      await page.waitForSelector('#operations-things-putThing');
      await page.goto(`${started.base}/docs/events`);
      await page.waitForSelector('h2');
      expect(await page.textContent('h2')).toBe('/v1/nav/stream');
      expect(await page.textContent('summary')).toBe('reroute');
      expect(await page.evaluate('window.broken')).toBeUndefined();
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await chrome.close();
    }
  });
});
