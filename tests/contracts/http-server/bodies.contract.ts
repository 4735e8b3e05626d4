import { gzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Route, route } from '#platform/http/http-types.js';
import { parseJson } from '#platform/http/server/parse-json.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { proves } from '#tools/acceptance/proves.js';
import { converse, statuses } from '../../platform/http/raw-client.js';
import { plainTokens, type StartedServer, startServer } from '../../platform/http/start-server.js';

export function bodiesContract(transport: HttpTransport): void {
  const common = { listener: 'public', tag: 't', summary: '', responses: {} } as const;
  const Booking = Type.Object(
    {
      nights: Type.Integer({ minimum: 1, maximum: 30 }),
      meals: Type.Optional(Type.Array(Type.Union([Type.Literal('breakfast'), Type.Literal('dinner')]))),
      name: Type.Optional(Type.String({ maxLength: 10 })),
      rooms: Type.Optional(Type.Array(Type.Integer())),
      extra: Type.Optional(Type.Unknown()),
    },
    { additionalProperties: false },
  );
  const routes: Route[] = [
    route(
      {
        ...common,
        operationId: 'json',
        method: 'POST',
        path: '/json',
        scopes: 'open',
        body: { maxBytes: 64 * 1024, contentTypes: ['application/json'], schema: Booking },
      },
      ({ body }) => ({ status: 200, body: { nights: body.nights } }),
    ),
    ...(['open', ['driver']] as const).map((scopes) =>
      route(
        {
          ...common,
          operationId: `raw-${String(scopes)}`,
          method: 'POST',
          path: scopes === 'open' ? '/raw' : '/raw-owned',
          scopes,
          body: { maxBytes: 1_000, contentTypes: ['application/octet-stream'] },
        },
        ({ body, contentType }) => ({
          status: 200,
          body: { length: body.length, sum: body.reduce((sum, byte) => sum + byte, 0), contentType },
        }),
      ),
    ),
    route(
      {
        ...common,
        operationId: 'query',
        method: 'GET',
        path: '/query/{id}',
        scopes: 'open',
        params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
        query: Type.Object(
          {
            n: Type.Optional(Type.Number()),
            on: Type.Optional(Type.Boolean()),
            text: Type.Optional(Type.String()),
          },
          { additionalProperties: false },
        ),
      },
      ({ params, query }) => ({ status: 200, body: { params, query: { ...query } } }),
    ),
  ];

  let started: StartedServer;
  beforeAll(async () => {
    started = await startServer(transport, { routes, authenticator: plainTokens });
  });
  afterAll(() => started.server.close());

  interface Answer {
    readonly status: number;
    readonly body: Record<string, unknown>;
  }

  async function send(
    path: string,
    body: string | Uint8Array | undefined,
    headers: Record<string, string> = {},
  ) {
    const type = path.startsWith('/raw') ? 'application/octet-stream' : 'application/json';
    const response = await fetch(started.base + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
    });
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
    } satisfies Answer;
  }

  proves('F36', {
    asked: 'over the limit, Content-Length 10 GB, endless chunks, gzip bomb: 413 or 431; memory < +50 MB',
    shown: 'each of them: 413; the limit itself is accepted; 50 MB bombs add less than 50 MB',
    control: {
      in: 'platform/http/server/body-reader.ts',
      change: '    if (rest === undefined && size + piece.byteLength > maxBytes) {',
      to: '    if (rest === undefined && size + piece.byteLength > 100 * maxBytes) {',
    },
    from: 'outside',
  });
  describe('N5, F36: size limits', () => {
    test('a body of exactly the limit is accepted, one byte more is 413', async () => {
      expect(await send('/raw', Buffer.alloc(1_000, 1))).toMatchObject({
        status: 200,
        body: { length: 1_000, sum: 1_000 },
      });
      expect((await send('/raw', Buffer.alloc(1_001))).status).toBe(413);
    });

    test('the same limit applies to chunks without a stated length', async () => {
      const chunks = (count: number) =>
        `POST /raw HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n${'64\r\n'}${'a'.repeat(100)}\r\n`.concat(
          `64\r\n${'a'.repeat(100)}\r\n`.repeat(count - 1),
        );
      const isDone = (all: string) => all.includes('length');
      const whole = await converse(started.port, `${chunks(10)}0\r\n\r\n`, { isDone });
      expect(whole.answer).toContain('"length":1000');
      const more = await converse(started.port, `${chunks(10)}1\r\na\r\n0\r\n\r\n`);
      expect(statuses(more.answer)).toEqual([413]);
      expect(more.closed).toBe(true);
    });

    test('endless chunks are rejected at the limit, not collected', async () => {
      const piece = `3e8\r\n${'a'.repeat(1_000)}\r\n`;
      const head =
        'POST /raw HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
      const { answer, closed } = await converse(started.port, [head, ...Array<string>(50).fill(piece)]);
      expect(statuses(answer)).toEqual([413]);
      expect(closed).toBe(true);
    });

    test('a client that is still sending a refused body reads the refusal, not a reset', async () => {
      const head =
        'POST /raw HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 4000000\r\n\r\n';
      const pieces = [head, ...Array<string>(40).fill('a'.repeat(100_000))];
      const { answer, closed, failed } = await converse(started.port, pieces, { waitMs: 30_000 });
      expect([statuses(answer), closed, failed]).toEqual([[413], true, undefined]);
    });

    test('a stated length of 10 GB is 413 before any byte is read', async () => {
      const head =
        'POST /raw HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 10000000000\r\n\r\n';
      const { answer, closed } = await converse(started.port, head);
      expect(statuses(answer)).toEqual([413]);
      expect(closed).toBe(true);
    });

    test('a gzip bomb is 413 by its decompressed size, and memory does not grow', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      expect(bomb.length).toBeGreaterThan(1_000);
      const small = gzipSync(Buffer.alloc(600_000));
      expect(small.length).toBeLessThan(1_000);
      const before = process.memoryUsage().rss;
      for (let round = 0; round < 50; round += 1) {
        expect((await send('/raw', small, { 'content-encoding': 'gzip' })).status).toBe(413);
      }
      expect((await send('/raw', bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
      expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
    });

    test('gzip of exactly the limit is accepted, one byte more is 413', async () => {
      const gzip = { 'content-encoding': 'gzip' };
      expect(await send('/raw', gzipSync(Buffer.alloc(1_000, 2)), gzip)).toMatchObject({
        status: 200,
        body: { sum: 2_000 },
      });
      expect((await send('/raw', gzipSync(Buffer.alloc(1_001)), gzip)).status).toBe(413);
    });

    test('invalid gzip is 400; another encoding, another type or no type is 415', async () => {
      expect((await send('/raw', 'not gzip', { 'content-encoding': 'gzip' })).status).toBe(400);
      expect((await send('/raw', 'x', { 'content-encoding': 'br' })).status).toBe(415);
      expect((await send('/raw', 'x', { 'content-type': 'text/plain' })).status).toBe(415);
      const bare = 'POST /raw HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx';
      expect(statuses((await converse(started.port, bare)).answer)).toEqual([415]);
    });

    test('a type with parameters and capitals is the same type', async () => {
      const answer = await send('/raw', 'x', { 'content-type': 'Application/Octet-Stream; charset=binary' });
      expect(answer).toMatchObject({ status: 200, body: { contentType: 'application/octet-stream' } });
    });

    test('rejects a body for an operation without one', async () => {
      const text = 'GET /query/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx';
      expect(statuses((await converse(started.port, text)).answer)).toEqual([400]);
    });

    test('a body in a native buffer stays complete during an asynchronous token check', async () => {
      const bodies = await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          send('/raw-owned', Buffer.alloc(500, at), { authorization: `Bearer late${at}.driver` }),
        ),
      );
      expect(bodies.map(({ body }) => body['sum'])).toEqual(bodies.map((_, at) => at * 500));
    });
  });

  describe('invalid JSON gets one clear reason', () => {
    test.each([
      ['A JSON body is needed', ''],
      ['not valid JSON', '{'],
      ['not valid JSON', '{"nights":NaN}'],
      ['not valid JSON', '{"nights":1}}'],
      ['not valid JSON', '\ufeff{"nights":1}'],
      ['same key twice', '{"nights":1,"nights":2}'],
      ['same key twice', '{"nights":1,"extra":{"a":1,"\\u0061":2}}'],
      ['not allowed', '{"nights":1,"__proto__":{"admin":true}}'],
      ['not allowed', '{"nights":1,"extra":{"constructor":{"prototype":{}}}}'],
      ['not allowed', '{"nights":1,"extra":[{"\\u005f_proto__":1}]}'],
      ['deeper than 32', `{"nights":1,"extra":${'['.repeat(32)}${']'.repeat(32)}}`],
      ['deeper than 32', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
      ['more than 1000 items', `{"nights":1,"rooms":[${Array(1_001).fill(1).join()}]}`],
    ])('%s (%#)', async (detail, text) => {
      const { status, body } = await send('/json', text);
      expect([status, body['code']]).toEqual([400, 'malformed-request']);
      expect(body['detail']).toContain(detail);
    });

    test('N5: accepts depth 32 and 1,000 items', async () => {
      expect((await send('/json', `{"nights":1,"extra":${'['.repeat(31)}${']'.repeat(31)}}`)).status).toBe(
        200,
      );
      expect((await send('/json', `{"nights":1,"rooms":[${Array(1_000).fill(1).join()}]}`)).status).toBe(200);
    });

    test('reports invalid UTF-8 by name', async () => {
      const { status, body } = await send('/json', Buffer.from('7b2261223a22c328227d', 'hex'));
      expect([status, body['detail']]).toEqual([400, 'The JSON text is not valid UTF-8.']);
    });

    test.each([
      ['{}', '/nights', 'is missing'],
      ['{"nights":"1"}', '/nights', 'must be integer'],
      ['{"nights":0}', '/nights', 'must be >= 1'],
      ['{"nights":31}', '/nights', 'must be <= 30'],
      ['{"nights":1.5}', '/nights', 'must be integer'],
      ['{"nights":1,"is_admin":true}', '/is_admin', 'is not a field of this operation'],
      ['{"nights":1,"name":"12345678901"}', '/name', 'must NOT have more than 10 characters'],
      ['{"nights":1,"rooms":[1,"2"]}', '/rooms/1', 'must be integer'],
      ['{"nights":1,"meals":["none"]}', '/meals/0', 'must be one of "breakfast", "dinner"'],
      ['[]', '', 'must be object'],
    ])('S5: %s points at %s', async (text, pointer, message) => {
      const { status, body } = await send('/json', text);
      expect([status, body['code']]).toEqual([400, 'invalid-request']);
      expect(body['errors']).toEqual([{ pointer, message }]);
    });

    test('S5: of a choice, names each invalid value once', async () => {
      const { body } = await send('/json', '{"nights":1,"meals":["none","dinner","all"]}');
      const message = 'must be one of "breakfast", "dinner"';
      expect(body['errors']).toEqual([
        { pointer: '/meals/0', message },
        { pointer: '/meals/2', message },
      ]);
    });

    test('S5: a thousand invalid values of a choice are rejected like one', async () => {
      const { status, body } = await send(
        '/json',
        JSON.stringify({ nights: 1, meals: Array(1_000).fill('none') }),
      );
      expect(status).toBe(400);
      expect((body['errors'] as unknown[])[1]).toEqual({
        pointer: '/meals/1',
        message: 'must be one of "breakfast", "dinner"',
      });
    });

    test('N2: no part of a request reaches a prototype', async () => {
      for (const text of ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}']) {
        await send('/json', text);
        expect(parseJson(Buffer.from(text)).ok).toBe(false);
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });

    test('colons inside strings do not end keys', () => {
      const value = { 'a:b': ':', c: '\\":{"d":1}', e: ['x:y', { 'f"': ':' }] };
      expect(parseJson(Buffer.from(JSON.stringify(value)))).toEqual({ ok: true, value });
    });
  });

  describe('paths and queries', () => {
    test('parameters are read with their types', async () => {
      expect(await send('/query/7?n=-1.5e2&on=true&text=a%20b+c%3D', undefined)).toEqual({
        status: 200,
        body: { params: { id: 7 }, query: { n: -150, on: true, text: 'a b c=' } },
      });
    });

    test.each(['Infinity', 'NaN', '1e400', '0x10', '%205', '', 'one', '1_000'])(
      'n=%s is not a number',
      async (n) => {
        const { status, body } = await send(`/query/7?n=${n}`, undefined);
        expect([status, body['code']]).toEqual([400, 'invalid-request']);
        expect(body['errors']).toMatchObject([{ pointer: '/query/n' }]);
      },
    );

    test.each(['n=1&n=2', 'text=%', 'text=%zz', '%ff=1'])('?%s is malformed', async (query) => {
      expect((await send(`/query/7?${query}`, undefined)).status).toBe(400);
    });

    test('names an unknown parameter', async () => {
      expect((await send('/query/7?__proto__=1', undefined)).body['errors']).toMatchObject([
        { pointer: '/query/__proto__' },
      ]);
    });

    test.each([
      '/query/0',
      '/query/x',
      '/query/%00',
      '/query/1%2F2',
      '/query/%zz',
      '/query/1/',
      '//query/1',
      '/query/../query/1',
      '/%71uery/1',
    ])('%s matches no route', async (path) => {
      const { answer } = await converse(started.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, {
        isDone: (all) => all.includes('}'),
      });
      expect(statuses(answer)).toEqual([404]);
    });
  });
}
