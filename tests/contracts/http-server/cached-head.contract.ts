import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { type StartedServer, startServer } from '../../platform/http/start-server.js';

export function keptHeadContract(transport: HttpTransport): void {
  const common = { listener: 'both', tag: 't', summary: '', scopes: 'open', responses: {} } as const;
  const get = (path: string, answer: HttpAnswer, options = {}): Route =>
    route({ ...common, operationId: path, method: 'GET', path }, () => answer, options);

  const answer: HttpAnswer = {
    status: 200,
    contentType: 'application/x-tile',
    headers: {
      'cache-control': 'public, max-age=9',
      vary: 'accept-encoding',
      etag: '"é"',
      'content-encoding': 'identity',
    },
    body: Buffer.alloc(5_000, 7),
  };
  const kept: HttpAnswer = { ...answer, isKept: true };
  const small = { name: 'small', limit: 1_000, windowS: 60 };
  const large = { name: 'large-policy', limit: 2_000_000, windowS: 60 };

  let started: StartedServer;
  beforeAll(async () => {
    started = await startServer(transport, {
      routes: [
        get('/plain', answer, { rate: small }),
        get('/kept', kept, { rate: small }),
        get('/kept-by-another-policy', kept, { rate: large }),
        get('/split', { status: 200, isKept: true, headers: { location: '/a\r\nset-cookie: x=1' } }),
      ],
      rateLimit: { limiter: new MemoryRateLimiter(() => 0), perIdentity: small, perAddress: small },
    });
  });
  afterAll(() => started.server.close());

  async function headOf(path: string, init?: RequestInit) {
    const { status, headers } = await fetch(started.base + path, init);
    const {
      'x-request-id': id,
      ratelimit,
      'ratelimit-remaining': remaining,
      ...fields
    } = Object.fromEntries(headers);
    delete fields['date'];
    return { status, fields, id, ratelimit, remaining: Number(remaining) };
  }

  test('a cached response has the same head as others, and each request its own id and count', async () => {
    const plain = await headOf('/plain');
    const first = await headOf('/kept');
    const second = await headOf('/kept');
    expect(first.fields).toEqual(plain.fields);
    expect(second.fields).toEqual(plain.fields);
    expect(new Set([plain.id, first.id, second.id]).size).toBe(3);
    expect([first.remaining, second.remaining]).toEqual([plain.remaining - 1, plain.remaining - 2]);
    expect(second.ratelimit).toBe(`"small";r=${second.remaining};t=${plain.fields['ratelimit-reset']}`);
  });

  test('contains the rate limit policy of its own request, whichever counted the previous one', async () => {
    const other = await headOf('/kept-by-another-policy');
    expect(other.fields['ratelimit-policy']).toBe('"large-policy";q=2000000;w=60');
    expect(other.remaining).toBe(1_999_999);
    expect((await headOf('/kept')).fields['ratelimit-policy']).toBe('"small";q=1000;w=60');
  });

  test("a caller's id and trace are returned", async () => {
    const trace = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01';
    const { id, fields } = await headOf('/kept', {
      headers: { 'x-request-id': 'my-own-id-1', traceparent: trace },
    });
    expect(id).toBe('my-own-id-1');
    expect(fields['traceparent']).toBe(trace);
    expect(fields['etag']).toBeDefined();
  });

  test('HEAD has the length and no body', async () => {
    const { status, headers } = await fetch(`${started.base}/kept`, { method: 'HEAD' });
    expect([status, headers.get('content-length')]).toEqual([200, '5000']);
  });

  test('rejects a line break in a header the first time and every time', async () => {
    for (let i = 0; i < 2; i++) {
      const { status, headers } = await fetch(`${started.base}/split`);
      expect([status, headers.get('set-cookie')]).toEqual([500, null]);
    }
  });
}
