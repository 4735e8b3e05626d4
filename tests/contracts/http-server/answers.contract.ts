import { gunzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { connectTo, converse, statuses } from '../../platform/http/raw-client.js';
import { plainTokens, type StartedServer, startServer } from '../../platform/http/start-server.js';
import { until } from '../until.js';

export function answersContract(transport: HttpTransport): void {
  const common = { listener: 'both', tag: 't', summary: '', scopes: 'open', responses: {} } as const;
  const get = (path: string, handle: Route['handle']) =>
    route({ ...common, operationId: path, method: 'GET', path }, handle as never);
  const big = Buffer.alloc(8_000_000, 'x');
  let aborted = 0;
  let waiting = 0;
  const routes: Route[] = [
    get('/small', () => ({ status: 200, body: { ok: true }, timings: { search: 3.44, total: 5 } })),
    get('/text', () => ({ status: 200, body: 'é'.repeat(3_000) })),
    get('/large-json', () => ({ status: 200, body: { list: Array(20_000).fill('word') } })),
    get('/big', () => ({ status: 200, body: big })),
    get('/empty', () => ({ status: 204 })),
    get('/unchanged', () => ({ status: 304, headers: { etag: '"1"' } })),
    get('/throws', () => {
      throw new Error('SELECT secret FROM users');
    }),
    get('/rejects', () => Promise.reject(new Error('/home/secret.ts:12'))),
    get('/unwritable', () => ({ status: 200, body: { amount: 1n } })),
    get('/split', () => ({ status: 200, headers: { location: '/a\r\nset-cookie: x=1' } })),
    get('/problem', () => problem(problems.unavailable, 'The log is away.', { retryAfterS: 3 })),
    get('/waits', (request) => {
      waiting += 1;
      return new Promise((resolve) => {
        request.signal.addEventListener('abort', () => {
          aborted += 1;
          resolve({ status: 200 });
        });
      });
    }),
    route(
      { ...common, operationId: 'internal', method: 'GET', path: '/staff', listener: 'internal' },
      () => ({
        status: 200,
      }),
    ),
    route(
      { ...common, operationId: 'owned', method: 'GET', path: '/owned', scopes: ['driver', 'desk'] },
      ({ identity }) => ({
        status: 200,
        body: { user: identity.userId },
      }),
    ),
    route(
      {
        ...common,
        operationId: 'put',
        method: 'PUT',
        path: '/small',
        body: { maxBytes: 9, contentTypes: ['text/plain'] },
      },
      () => ({ status: 200 }),
    ),
    route(
      { ...common, operationId: 'ids', method: 'GET', path: '/ids', query: Type.Object({}) },
      (request) => ({
        status: 200,
        body: { requestId: request.requestId, traceId: request.traceId, address: request.clientAddress },
      }),
    ),
  ];

  let started: StartedServer;
  beforeAll(async () => {
    started = await startServer(transport, {
      routes,
      authenticator: plainTokens,
      trustedOrigins: ['https://app.example', 'http://localhost:3000'],
    });
  });
  afterAll(() => started.server.close());
  const ask = (path: string, init?: RequestInit) => fetch(started.base + path, init);

  describe('errors are problem documents', () => {
    test.each([
      ['/nowhere', 'GET', 404, 'not-found'],
      ['/small', 'DELETE', 405, 'method-not-allowed'],
      ['/owned', 'GET', 401, 'unauthenticated'],
      ['/throws', 'GET', 500, 'internal-error'],
      ['/rejects', 'GET', 500, 'internal-error'],
      ['/unwritable', 'GET', 500, 'internal-error'],
      ['/split', 'GET', 500, 'internal-error'],
      ['/problem', 'GET', 503, 'unavailable'],
      ['/staff', 'GET', 404, 'not-found'],
    ])('%s by %s is %i %s', async (path, method, status, code) => {
      const response = await ask(path, { method });
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      const body = (await response.json()) as Record<string, unknown>;
      expect(body).toMatchObject({ type: `/problems/${code}`, status, code, instance: path });
      expect(body['trace_id']).toBe(response.headers.get('x-request-id'));
      expect(Object.keys(body)).toContain('title');
    });

    test('an exception in the authenticator is a 500 and does not end the server', async () => {
      const broken = await startServer(transport, {
        routes: routes.filter(({ contract }) => contract.path === '/owned'),
        authenticator: {
          verify: () => {
            throw new Error('broken');
          },
        },
      });
      const response = await fetch(`${broken.base}/owned`, { headers: { authorization: 'Bearer u1.staff' } });
      expect(response.status).toBe(500);
      broken.server.close();
    });

    test('N9: no body shows a stack trace, a query or a path of the machine', async () => {
      for (const path of ['/throws', '/rejects', '/unwritable', '/split', '/nowhere']) {
        const text = await (await ask(path)).text();
        expect(text).not.toMatch(/SELECT|secret|\.ts|\bat \w|node_modules|BigInt|Error:/);
      }
    });

    test('405 lists the methods, OPTIONS returns them, and HEAD comes with GET', async () => {
      const response = await ask('/small', { method: 'DELETE' });
      expect(response.headers.get('allow')).toBe('GET, PUT, HEAD, OPTIONS');
      const options = await ask('/small', { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, PUT, HEAD, OPTIONS']);
    });

    test('401 carries a challenge, 403 the sufficient scopes', async () => {
      expect((await ask('/owned')).headers.get('www-authenticate')).toBe('Bearer realm="meridian"');
      const response = await ask('/owned', { headers: { authorization: 'Bearer u1.operator' } });
      expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
        403,
        'One of these scopes is needed: driver, desk.',
      ]);
      expect(await (await ask('/owned', { headers: { authorization: 'bearer u1.desk' } })).json()).toEqual({
        user: 'u1',
      });
    });

    test.each([
      'Basic dTE6cHc=',
      'Bearer',
      'Bearer  u1.driver',
      'Bearer u1.driver, Bearer u2.driver',
      'u1.driver',
    ])('S1: rejects the header "%s" as a bearer token', async (authorization) =>
      expect((await ask('/owned', { headers: { authorization } })).status).toBe(401),
    );

    test('S2: ignores a token in the URL', async () => {
      expect((await ask('/owned?access_token=u1.driver&token=u1.driver')).status).toBe(401);
    });

    test.each([
      ['GET', '/staff', { 'x-http-method-override': 'GET' }],
      ['GET', '//staff', {}],
      ['GET', '/%73taff', {}],
      ['GET', '/small/../staff', {}],
      ['GET', '/staff/', {}],
      ['GET', '/staff;x', {}],
      ['GET', '/staff', { 'x-forwarded-host': 'localhost:8081', 'x-original-url': '/staff' }],
      ['POST', '/staff', {}],
    ])('S4: a staff route does not exist on the public listener: %s %s', async (method, path, headers) => {
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const text = `${method} ${path} HTTP/1.1\r\nHost: localhost:8081\r\n${fields.join('')}\r\n`;
      const { answer } = await converse(started.port, text, { isDone: (all) => all.includes('}') });
      expect(statuses(answer)).toEqual([404]);
    });
  });

  describe('fields of every response', () => {
    test('N8: security headers, and no caching unless the handler allows it', async () => {
      const { headers } = await ask('/small');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
    });

    test("the caller's request id and trace if they are well-formed, else new ones", async () => {
      const traceparent = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01';
      // No proxy is trusted: the address is that of the connection.
      const forwarded = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' };
      const good = await ask('/ids', {
        headers: { 'x-request-id': 'my-request_1', traceparent, ...forwarded },
      });
      expect(good.headers.get('x-request-id')).toBe('my-request_1');
      expect(good.headers.get('traceparent')).toBe(traceparent);
      expect(await good.json()).toEqual({
        requestId: 'my-request_1',
        traceId: '0123456789abcdef0123456789abcdef',
        address: '127.0.0.1',
      });
      const bad = await ask('/ids', { headers: { 'x-request-id': 'x<script>', traceparent: '00-zz-1-01' } });
      expect(bad.headers.get('x-request-id')).toMatch(/^[\w-]{12}-\w+$/);
      expect(bad.headers.get('traceparent')).toBeNull();
    });

    test('timings become Server-Timing', async () => {
      expect((await ask('/small')).headers.get('server-timing')).toBe('search;dur=3.4, total;dur=5.0');
    });
  });

  describe('N7: cross-origin requests', () => {
    test.each(['https://app.example', 'http://localhost:3000'])('allows %s by name', async (origin) => {
      const response = await ask('/small', { headers: { origin } });
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('vary')).toContain('origin');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      const preflight = await ask('/small', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'PUT' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
      expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    });

    test.each([
      'null',
      '*',
      'https://evil.example',
      'https://app.example.evil.example',
      'https://evilapp.example',
      'http://app.example',
      'https://app.example:444',
      'https://APP.example',
      'https://app.example/',
      'https://app.example@evil.example',
      'file://',
      'https://app.example, https://evil.example',
    ])('does not allow %s', async (origin) => {
      const plain = await ask('/small', { headers: { origin } });
      const preflight = await ask('/small', { method: 'OPTIONS', headers: { origin } });
      for (const { headers } of [plain, preflight]) {
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    });

    test.each(['*', 'null', 'app.example', 'https://app.example/', 'https://*.example', ''])(
      'the allow-list itself rejects the entry "%s"',
      async (origin) => {
        await expect(startServer(transport, { trustedOrigins: [origin] })).rejects.toThrow(/is no origin/);
      },
    );
  });

  describe('bodies of responses', () => {
    test('HEAD has the headers of GET and no body, and the connection continues', async () => {
      const two = 'HEAD /small HTTP/1.1\r\nHost: x\r\n\r\n';
      const last = 'GET /small HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
      const { answer } = await converse(started.port, [two, two, last], {
        isDone: (all) => all.includes('"ok"'),
      });
      expect(statuses(answer)).toEqual([200, 200, 200]);
      expect(answer.match(/content-length: 11\r\n/gi)).toHaveLength(3);
      const [before = ''] = answer.split('"ok"');
      expect(statuses(before)).toHaveLength(3);
    });

    test('204 and 304 have no body and no length, and the connection continues', async () => {
      const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
      const { answer, closed } = await converse(
        started.port,
        [one('/empty'), one('/unchanged'), one('/small')],
        {
          isDone: (all) => all.includes('{'),
        },
      );
      expect(statuses(answer)).toEqual([204, 304, 200]);
      expect(closed).toBe(false);
    });

    test('JSON and text from 1 KB on are compressed for clients that accept it', async () => {
      const raw = async (accept: string) => {
        const { answer } = await converse(
          started.port,
          `GET /large-json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${accept}\r\n`,
        );
        const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
        return { head, body: Buffer.from(answer.slice(head.length + 4), 'latin1'), short: body.length };
      };
      const packed = await raw('Accept-Encoding: br, gzip\r\n');
      expect(packed.head).toMatch(/content-encoding: gzip/);
      expect(packed.head).toMatch(/vary: accept-encoding/);
      expect(JSON.parse(gunzipSync(packed.body).toString())).toEqual({ list: Array(20_000).fill('word') });
      for (const accept of ['', 'Accept-Encoding: br\r\n', 'Accept-Encoding: gzip;q=0\r\n']) {
        const plain = await raw(accept);
        expect(plain.head).not.toMatch(/content-encoding/);
        expect(plain.body.length).toBeGreaterThan(100_000);
      }
      expect((await ask('/small')).headers.get('content-encoding')).toBeNull();
    });

    test('text is UTF-8', async () => {
      expect(await (await ask('/text')).text()).toBe('é'.repeat(3_000));
    });

    test('a large response is sent at the pace of its reader and arrives complete', async () => {
      const socket = connectTo(started.port);
      socket.write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n');
      let received = 0;
      const whole = new Promise<void>((resolve, reject) => {
        socket.on('error', reject);
        socket.on('data', (data) => {
          received += data.length;
          if (received < 4_000_000) {
            socket.pause();
            setTimeout(() => socket.resume(), 2);
          }
          if (received > big.length) resolve();
        });
      });
      await whole;
      expect(received - big.length).toBeLessThan(1_000);
      socket.destroy();
    });

    test('a disconnecting client aborts the signal of its request, and the server continues', async () => {
      const controllers = Array.from({ length: 5 }, () => new AbortController());
      const requests = controllers.map(({ signal }) => ask('/waits', { signal }).catch(() => undefined));
      await until('five requests', () => waiting === 5);
      for (const controller of controllers) controller.abort();
      await Promise.all(requests);
      await until('five signals', () => aborted === 5);
      expect(started.server.active).toBe(0);
      expect((await ask('/small')).status).toBe(200);
    });

    test('a client that disconnects during a large response leaves nothing behind', async () => {
      const socket = connectTo(started.port);
      socket.write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n');
      await new Promise<void>((resolve) => socket.once('data', () => resolve()));
      socket.destroy();
      await until('the end of the request', () => started.server.active === 0);
    });
  });
}
