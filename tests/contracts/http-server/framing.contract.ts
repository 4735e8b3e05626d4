import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Route, route } from '#platform/http/http-types.js';
import { RequestHeaders } from '#platform/http/response/request-headers.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { proves } from '#tools/acceptance/proves.js';
import { connectTo, converse, statuses } from '../../platform/http/raw-client.js';
import { type StartedServer, startServer } from '../../platform/http/start-server.js';

export function framingContract(transport: HttpTransport): void {
  const seen: string[] = [];
  const common = { listener: 'public', tag: 't', summary: '', scopes: 'open', responses: {} } as const;
  const routes: Route[] = [
    route(
      {
        ...common,
        operationId: 'post',
        method: 'POST',
        path: '/post',
        body: { maxBytes: 1_000, contentTypes: ['text/plain'] },
      },
      ({ body }) => {
        seen.push(`post ${Buffer.from(body).toString()}`);
        return { status: 200, body: 'posted' };
      },
    ),
    route({ ...common, operationId: 'get', method: 'GET', path: '/get' }, () => {
      seen.push('get');
      return { status: 200, body: 'got' };
    }),
    route({ ...common, operationId: 'smuggled', method: 'GET', path: '/smuggled' }, () => {
      seen.push('smuggled');
      return { status: 200, body: 'smuggled' };
    }),
  ];

  let started: StartedServer;
  beforeAll(async () => {
    started = await startServer(transport, { routes });
  });
  afterAll(() => started.server.close());
  beforeEach(() => {
    seen.length = 0;
  });

  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
  const post = (headers: string, body: string) =>
    `POST /post HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n${headers}\r\n${body}`;
  const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

  describe('N4: serves requests with one meaning', () => {
    test.each([
      ['a length', post('Content-Length: 3\r\n', 'abc')],
      ['chunks', post('Transfer-Encoding: chunked\r\n', chunked('abc'))],
      [
        'a body with what looks like a request in it',
        post(`Content-Length: ${smuggled.length}\r\n`, smuggled),
      ],
    ])('%s', async (_, text) => {
      const { answer } = await converse(started.port, text, { isDone: (all) => all.includes('posted') });
      expect(statuses(answer)).toEqual([200]);
      expect(seen).toHaveLength(1);
      expect(seen[0]).toMatch(/^post /);
    });

    test('two complete requests in one packet are answered in order', async () => {
      const two = `GET /get HTTP/1.1\r\nHost: x\r\n\r\n${post('Content-Length: 3\r\n', 'abc')}`;
      const { answer } = await converse(started.port, two, { isDone: (all) => all.includes('posted') });
      expect(statuses(answer)).toEqual([200, 200]);
    });

    test('a body that arrives byte by byte is the same body', async () => {
      const pieces = [post('Content-Length: 5\r\n', ''), 'h', 'e', 'l', 'l', 'o'];
      const { answer } = await converse(started.port, pieces, { isDone: (all) => all.includes('posted') });
      expect(statuses(answer)).toEqual([200]);
      expect(seen).toEqual(['post hello']);
    });
  });

  const ambiguous: Record<string, string> = {
    'two equal lengths': post('Content-Length: 3\r\nContent-Length: 3\r\n', 'abc'),
    'two different lengths': post('Content-Length: 3\r\nContent-Length: 40\r\n', 'abc'),
    'different lengths, longer first': post('Content-Length: 40\r\nContent-Length: 3\r\n', 'abc'),
    'a list of lengths': post('Content-Length: 3, 3\r\n', 'abc'),
    'a negative length': post('Content-Length: -3\r\n', 'abc'),
    'a length with a sign': post('Content-Length: +3\r\n', 'abc'),
    'a hexadecimal length': post('Content-Length: 0x3\r\n', 'abc'),
    'a length with a fraction': post('Content-Length: 3.0\r\n', 'abc'),
    'an empty length': post('Content-Length: \r\n', ''),
    'a length beyond 64 bits': post('Content-Length: 18446744073709551619\r\n', 'abc'),
    'length and chunks': post('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', chunked('abc')),
    'chunks and length': post('Transfer-Encoding: chunked\r\nContent-Length: 3\r\n', chunked('abc')),
    'zero length and chunks': post('Content-Length: 0\r\nTransfer-Encoding: chunked\r\n', chunked('abc')),
    'chunked twice': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', chunked('abc')),
    'identity then chunked': post(
      'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n',
      chunked('abc'),
    ),
    xchunked: post('Transfer-Encoding: xchunked\r\n', chunked('abc')),
    'chunked in capitals': post('Transfer-Encoding: CHUNKED\r\n', chunked('abc')),
    'chunked, identity': post('Transfer-Encoding: chunked, identity\r\n', chunked('abc')),
    'gzip, chunked': post('Transfer-Encoding: gzip, chunked\r\n', chunked('abc')),
    'a quoted chunked': post('Transfer-Encoding: "chunked"\r\n', chunked('abc')),
    'a vertical tab before chunked': post('Transfer-Encoding: \x0bchunked\r\n', chunked('abc')),
    'a blank before the colon': post('Transfer-Encoding : chunked\r\n', chunked('abc')),
    'a length with a blank before the colon': post('Content-Length : 3\r\n', 'abc'),
    'a folded header': post('X: a\r\n Content-Length: 3\r\n', 'abc'),
    'a NUL in a header': post('X: a\0b\r\nContent-Length: 3\r\n', 'abc'),
    'bare line feeds': 'POST /post HTTP/1.1\nHost: x\nContent-Length: 3\n\nabc',
    'no host': 'GET /get HTTP/1.1\r\n\r\n',
    'two hosts': 'GET /get HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
    'two authorizations': 'GET /get HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n',
    'chunks in HTTP/1.0': post('Transfer-Encoding: chunked\r\n', chunked('abc')).replace('1.1', '1.0'),
    'an upgrade in HTTP/1.0':
      'GET /get HTTP/1.0\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'no version': 'GET /get\r\n\r\n',
    'an absolute target of another host': 'GET http://evil/get HTTP/1.1\r\nHost: x\r\n\r\n',
    'an absolute target with a user': 'GET http://x@evil/get HTTP/1.1\r\nHost: x\r\n\r\n',
    'a chunk size that is no number': post('Transfer-Encoding: chunked\r\n', 'zz\r\nabc\r\n0\r\n\r\n'),
    'a chunk size beyond 64 bits': post('Transfer-Encoding: chunked\r\n', '1FFFFFFFFFFFFFFFFF\r\nabc'),
    'a control character in the target': 'GET /g\x01et HTTP/1.1\r\nHost: x\r\n\r\n',
    'an unknown method': 'BREW /get HTTP/1.1\r\nHost: x\r\n\r\n',
  };

  describe('N4: rejects requests with two meanings, and the bytes after them', () => {
    test(`the set contains ${Object.keys(ambiguous).length} of them`, () => {
      expect(Object.keys(ambiguous).length).toBeGreaterThanOrEqual(32);
    });

    test('no such request reaches a handler', async () => {
      const outcomes = await Promise.all(
        Object.entries(ambiguous).map(async ([name, text]) => {
          const { answer } = await converse(started.port, text + smuggled, { waitMs: 500 });
          return [name, statuses(answer).filter((status) => status < 400)] as const;
        }),
      );
      expect(outcomes.filter(([, served]) => served.length > 0)).toEqual([]);
      expect(seen).toEqual([]);
    });

    test('control: without the guard the native parser would serve two lengths', () => {
      const headers = new RequestHeaders();
      headers.add('host', 'x');
      headers.add('content-length', '3');
      expect(headers.judge()).toEqual({ verdict: 'ok', body: 3 });
      headers.add('content-length', '5');
      expect(headers.judge()).toEqual({ verdict: 'cut' });
    });

    test('rejecting a request also discards the bytes sent after it', async () => {
      const bad = post('Content-Length: 3\r\n', 'abc').replace('text/plain', 'text/html');
      await converse(started.port, bad + smuggled, { waitMs: 500 });
      expect(seen).toEqual([]);
      const alone = await converse(started.port, bad);
      expect(statuses(alone.answer)).toEqual([415]);
      expect(alone.closed).toBe(true);
    });
  });

  describe('N5: limits of the header', () => {
    const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
    const answered = async (text: string) => {
      const { answer } = await converse(started.port, text, {
        waitMs: 60_000,
        isDone: (all) => all.includes('\r\n\r\n'),
      });
      return statuses(answer)[0];
    };

    test('a URL of 2,048 bytes is accepted, one of 2,049 is 414', async () => {
      expect(await answered(get(`/get?${'a'.repeat(2_048 - 4)}`))).toBe(200);
      expect(await answered(get(`/get?${'a'.repeat(2_048 - 3)}`))).toBe(414);
      expect(await answered(get(`/${'a'.repeat(2_047)}`))).toBe(404);
      expect(await answered(get(`/${'a'.repeat(2_048)}`))).toBe(414);
    });

    test('accepts header fields up to the limit; 8,193 bytes are 431; the guard allows 8,192', async () => {
      const present = 'hostx'.length + 'a'.length;
      const passing = Math.min(8_192, transport.headBytesMax - 64);
      expect(await answered(get('/get', `A: ${'b'.repeat(passing - present)}\r\n`))).toBe(200);
      expect(await answered(get('/get', `A: ${'b'.repeat(8_193 - present)}\r\n`))).toBe(431);
      const headers = new RequestHeaders();
      headers.add('host', 'x');
      headers.add('a', 'b'.repeat(8_192 - present));
      expect(headers.judge()).toMatchObject({ verdict: 'ok' });
      headers.add('c', '');
      expect(headers.judge()).toEqual({ verdict: 'too-large' });
    });

    test('every transport accepts 48 fields; the guard itself accepts 64 and rejects 65', async () => {
      expect(await answered(get('/get', 'A: b\r\n'.repeat(47)))).toBe(200);
      expect(await answered(get('/get', 'A: b\r\n'.repeat(80)))).not.toBe(200);
      const headers = new RequestHeaders();
      headers.add('host', 'x');
      for (let count = 2; count <= 64; count += 1) headers.add(`h${count}`, 'v');
      expect(headers.judge()).toMatchObject({ verdict: 'ok' });
      headers.add('h65', 'v');
      expect(headers.judge()).toEqual({ verdict: 'too-large' });
    });

    test('rejects a header of 100 KB', async () => {
      expect(await answered(get('/get', `A: ${'b'.repeat(100_000)}\r\n`))).not.toBe(200);
    });
  });

  proves('F35', {
    asked: 'idle, slow header or body, idle keep-alive: closed within 10 s; 500 of them: others served',
    shown: 'six kinds at a time: each is closed within the limit, another client is served',
    scaled: '6 : 500',
    control: {
      in: 'platform/http-transport/slow-senders.ts',
      change: 'else if (now - progress.since > withinMs) socket.destroy();',
      to: 'else if (now - progress.since > 1e9) socket.destroy();',
    },
    from: 'outside',
  });
  describe('F35: slow senders', () => {
    test('closes idle, slow-header, slow-body and keep-alive connections, and serves others', async () => {
      const sockets = [
        { start: '', drip: '' },
        { start: 'GET /get HTTP/1.1\r\nHost: x\r\nA: ', drip: '' },
        { start: 'GET /get HTTP/1.1\r\nHost: x\r\n\r\n', drip: '' },
        { start: post('Content-Length: 1000\r\n', 'a'), drip: '' },
        { start: post('Content-Length: 1000\r\n', 'a'), drip: 'a' },
        { start: post('Transfer-Encoding: chunked\r\n', '1\r\na\r\n'), drip: '' },
      ].map(({ start, drip }) => {
        const socket = connectTo(started.port, () => void (start !== '' && socket.write(start)));
        const dripping = setInterval(
          () => void (drip !== '' && socket.writable && socket.write(drip)),
          1_000,
        );
        socket.on('error', () => undefined);
        socket.on('data', () => undefined);
        return new Promise<void>((resolve) =>
          socket.on('close', () => {
            clearInterval(dripping);
            resolve();
          }),
        );
      });
      const startedAt = performance.now();
      const served = await fetch(`${started.base}/get`);
      expect(served.status).toBe(200);
      await Promise.all(sockets);
      expect(performance.now() - startedAt).toBeLessThan((transport.idleS + 4) * 1_000);
    });
  });
}
