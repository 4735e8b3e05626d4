import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Route, route } from '#platform/http/http-types.js';
import { parseTrustedProxies } from '#platform/http/proxy/trusted-proxies.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { converse, statuses } from '../../platform/http/raw-client.js';
import { type StartedServer, startServer } from '../../platform/http/start-server.js';

/** What proxies send: fields about the client, and on `node:http` all of HTTP/1.0 and HTTP/1.1. */
export function proxiesContract(transport: HttpTransport): void {
  const common = { listener: 'public', tag: 't', summary: '', scopes: 'open', responses: {} } as const;
  const body = { maxBytes: 1_000, contentTypes: ['text/plain'] } as const;
  const routes: Route[] = [
    route({ ...common, operationId: 'who', method: 'GET', path: '/who' }, (request) => ({
      status: 200,
      body: { client: request.clientAddress, base: request.baseUrl() ?? 'none' },
    })),
    route({ ...common, operationId: 'post', method: 'POST', path: '/post', body }, (request) => ({
      status: 201,
      headers: { location: '/things/7' },
      body: `took ${Buffer.from(request.body).toString()}`,
    })),
  ];
  let direct: StartedServer;
  let behind: StartedServer;
  let named: StartedServer;
  beforeAll(async () => {
    const proxies = parseTrustedProxies('127.0.0.0/8, ::1')!;
    direct = await startServer(transport, { routes });
    behind = await startServer(transport, { routes, forwarding: { proxies } });
    named = await startServer(transport, {
      routes,
      forwarding: { proxies, publicUrl: 'https://m.example/nav' },
    });
  });
  afterAll(() => {
    for (const { server } of [direct, behind, named]) server.close();
  });

  const forwarded = {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'https',
    'x-forwarded-prefix': '/nav',
    'x-forwarded-host': 'evil.example',
    forwarded: 'for=198.51.100.1;host=evil.example;proto=https',
  };
  const who = async ({ base }: StartedServer, headers: Readonly<Record<string, string>> = forwarded) =>
    (await (await fetch(`${base}/who`, { headers })).json()) as {
      readonly client: string;
      readonly base: string;
    };

  describe('fields about the client', () => {
    test('are not believed without trusted proxies', async () => {
      expect(await who(direct)).toEqual({ client: '127.0.0.1', base: direct.base });
    });

    test('address, protocol and prefix are believed from a trusted proxy; a host never', async () => {
      expect(await who(behind)).toEqual({
        client: '203.0.113.9',
        base: `${behind.base.replace('http:', 'https:')}/nav`,
      });
    });

    test('the last address that is no trusted proxy counts, not what the client wrote in front', async () => {
      const client = async (list: string) => (await who(behind, { 'x-forwarded-for': list })).client;
      expect(await client('1.1.1.1, 203.0.113.9, 127.0.0.7')).toBe('203.0.113.9');
      expect(await client('1.1.1.1, 203.0.113.9:4711')).toBe('203.0.113.9');
      expect(await client('[2001:db8::7]:80')).toBe('2001:db8::7');
      expect(await client('unknown')).toBe('127.0.0.1');
      expect(await client('203.0.113.9, unknown')).toBe('127.0.0.1');
      expect(await client('')).toBe('127.0.0.1');
    });

    test.each(['//evil', '/a b', 'nav', '/nav"><script>', '/..%2f', '/../x'])(
      'the prefix %s is ignored',
      async (prefix) => {
        const { base } = await who(behind, { 'x-forwarded-prefix': prefix, 'x-forwarded-proto': 'gopher' });
        expect(base).toBe(behind.base);
      },
    );

    test('a configured address wins, and paths in `location` have its prefix', async () => {
      expect((await who(named)).base).toBe('https://m.example/nav');
      const created = async ({ base }: StartedServer) =>
        (
          await fetch(`${base}/post`, {
            method: 'POST',
            headers: { 'content-type': 'text/plain' },
            body: 'a',
          })
        ).headers.get('location');
      expect([await created(named), await created(direct)]).toEqual(['/nav/things/7', '/things/7']);
    });

    test('each client behind the proxy has its own limit, whatever it writes in front', async () => {
      const { MemoryRateLimiter } = await import('#platform/http/admission/memory-rate-limiter.js');
      const policy = { name: 'address', limit: 2, windowS: 60 };
      const limited = await startServer(transport, {
        routes,
        forwarding: { proxies: parseTrustedProxies('127.0.0.1') },
        rateLimit: { limiter: new MemoryRateLimiter(), perIdentity: policy, perAddress: policy },
      });
      const status = async (list: string) =>
        (await fetch(`${limited.base}/who`, { headers: { 'x-forwarded-for': list } })).status;
      const first = [
        await status('203.0.113.1'),
        await status('9.9.9.9, 203.0.113.1'),
        await status('203.0.113.1'),
      ];
      expect([...first, await status('203.0.113.2')]).toEqual([200, 200, 429, 200]);
      limited.server.close();
    });
  });

  const answered = async (text: string) => {
    const { answer, closed } = await converse(direct.port, text, {
      waitMs: 20_000,
      isDone: (all) => all.includes('\r\n\r\n') && !all.includes('close'),
    });
    return { status: statuses(answer)[0], answer, closed };
  };
  const host = `Host: x\r\n`;

  describe('a second Host field', () => {
    test('is 400, and ends the connection', async () => {
      const { status, answer, closed } = await answered(`GET /who HTTP/1.1\r\n${host}Host: y\r\n\r\n`);
      expect([status, closed]).toEqual([400, true]);
      expect(answer).toContain('exactly one Host field');
    });
  });

  // The native parser of uWebSockets.js answers these itself, or not at all: see ADR 0176.
  describe.runIf(transport.name === 'node:http')('all of HTTP/1.0 and HTTP/1.1', () => {
    test('HTTP/1.0, as nginx sends by default, is served, and the connection ends', async () => {
      const { status, closed } = await answered(`GET /who HTTP/1.0\r\n${host}Connection: close\r\n\r\n`);
      expect([status, closed]).toEqual([200, true]);
    });

    test('HTTP/1.0 without a wish serves one request only', async () => {
      const get = `GET /who HTTP/1.0\r\n${host}\r\n`;
      const { answer } = await converse(direct.port, get + get, { waitMs: 20_000 });
      expect(statuses(answer)).toEqual([200]);
    });

    test('HTTP/1.0 with keep-alive serves several requests', async () => {
      const get = `GET /who HTTP/1.0\r\n${host}Connection: keep-alive\r\n\r\n`;
      const { answer } = await converse(direct.port, get + get, {
        isDone: (all) => statuses(all).length === 2,
      });
      expect(statuses(answer)).toEqual([200, 200]);
    });

    test('an absolute target of the same host is its path', async () => {
      expect((await answered(`GET http://X/who HTTP/1.1\r\n${host}\r\n`)).status).toBe(200);
      expect((await answered(`GET https://x HTTP/1.1\r\n${host}\r\n`)).status).toBe(404);
    });

    test('trailers behind chunks are read and ignored', async () => {
      const text =
        `POST /post HTTP/1.1\r\n${host}Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n` +
        '3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n';
      const { answer } = await converse(direct.port, text, { isDone: (all) => all.includes('took abc') });
      expect(statuses(answer)).toEqual([201]);
    });

    test('64 fields are served, 65 are 431', async () => {
      const fields = (count: number) => `GET /who HTTP/1.1\r\n${host}${'A: b\r\n'.repeat(count - 1)}\r\n`;
      expect((await answered(fields(64))).status).toBe(200);
      expect((await answered(fields(65))).status).toBe(431);
    });

    test('no Host field is 400 with a problem', async () => {
      const { status, answer } = await answered('GET /who HTTP/1.1\r\n\r\n');
      expect([status, answer.includes('exactly one Host field')]).toEqual([400, true]);
    });

    test.each(['QUERY', 'PURGE', 'PROPFIND', 'BREW'])('%s is 405 with the methods', async (method) => {
      const { status, answer } = await answered(`${method} /who HTTP/1.1\r\n${host}\r\n`);
      expect([status, /\r\nallow: GET, HEAD/i.test(answer)]).toEqual([405, true]);
    });
  });
}
