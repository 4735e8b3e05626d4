import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import { type Route, route } from '#platform/http/http-types.js';
import { parseTrustedProxies } from '#platform/http/proxy/trusted-proxies.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { plainTokens, type StartedServer, startServer } from '../../platform/http/start-server.js';

/** Every answer of a deprecated operation announces its end, whatever the answer is; no other answer does. */
export function deprecationsContract(transport: HttpTransport): void {
  const successor = {
    operationId: 'getBox',
    method: 'GET',
    path: '/v1/boxes/{id}/lid',
    listener: 'public',
    tag: 'boxes',
    summary: '',
    scopes: ['driver'],
    params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    responses: { 200: { description: 'The lid.' } },
  } as const satisfies RouteContract;
  const deprecated = { since: '2027-01-01', sunset: '2028-02-29', successor } as const;
  const old = {
    ...successor,
    operationId: 'getLid',
    path: '/v1/lids/{id}',
    query: Type.Object({ n: Type.Optional(Type.Integer()) }),
    deprecated,
  } as const satisfies RouteContract;
  const oldList = {
    ...successor,
    operationId: 'postLids',
    method: 'POST',
    path: '/v1/lids',
    params: Type.Object({}),
    body: { maxBytes: 10, contentTypes: ['text/plain'] },
    deprecated: { ...deprecated, successor: { ...successor, path: '/v1/boxes' } },
  } as const satisfies RouteContract;
  const kept = { status: 200, body: 'kept', isKept: true } as const;
  const large = 'x'.repeat(100_000);
  const routes: Route[] = [
    route(old, ({ params, query }) => {
      if (params.id === 'kept') return kept;
      if (params.id === 'broken') throw new Error('on purpose');
      if (params.id === 'linked') return { status: 200, headers: { link: '</v1/lids?page=2>; rel="next"' } };
      if (params.id === 'large') return { status: 200, body: large };
      return { status: 200, body: { id: params.id, n: query.n ?? 0 } };
    }),
    route(oldList, () => ({ status: 201, headers: { location: '/v1/lids/1' } })),
    route(successor, () => ({ status: 200, body: {} })),
    route({ ...successor, operationId: 'other', method: 'DELETE', path: old.path }, () => ({ status: 204 })),
  ];

  let started: StartedServer;
  let behind: StartedServer;
  let strict: StartedServer;
  const few = { name: 'few', limit: 1, windowS: 60 };
  beforeAll(async () => {
    const shared = { routes, authenticator: plainTokens };
    started = await startServer(transport, { ...shared, trustedOrigins: ['https://shop.example'] });
    behind = await startServer(transport, {
      ...shared,
      forwarding: { proxies: parseTrustedProxies('127.0.0.0/8, ::1')! },
    });
    strict = await startServer(transport, {
      ...shared,
      rateLimit: { limiter: new MemoryRateLimiter(() => 0), perIdentity: few, perAddress: few },
    });
  });
  afterAll(() => {
    for (const { server } of [started, behind, strict]) server?.close();
  });

  interface Asked extends RequestInit {
    readonly headers?: Readonly<Record<string, string>>;
  }
  const ask = (path: string, init: Asked = {}, { base } = started) =>
    fetch(base + path, { ...init, headers: { authorization: 'Bearer ann.driver', ...init.headers } });
  const announced = ({ headers }: Response) => ({
    deprecation: headers.get('deprecation'),
    sunset: headers.get('sunset'),
    link: headers.get('link'),
  });
  const policy = '</docs/deprecation>; rel="deprecation"; type="text/html"';
  const expected = (link: string) => ({
    deprecation: '@1798761600',
    sunset: 'Tue, 29 Feb 2028 00:00:00 GMT',
    link,
  });
  const ofLid = (id: string) => expected(`</v1/boxes/${id}/lid>; rel="successor-version", ${policy}`);

  test('answers, cached and compressed ones, too', async () => {
    expect(Date.parse('2027-01-01T00:00:00Z')).toBe(1_798_761_600_000);
    const answer = await ask('/v1/lids/7');
    expect([answer.status, await answer.json()]).toEqual([200, { id: '7', n: 0 }]);
    expect(announced(answer)).toEqual(ofLid('7'));
    for (let i = 0; i < 2; i++) expect(announced(await ask('/v1/lids/kept'))).toEqual(ofLid('kept'));
    const compressed = await ask('/v1/lids/large');
    expect([compressed.headers.get('content-encoding'), await compressed.text()]).toEqual(['gzip', large]);
    expect(announced(compressed)).toEqual(ofLid('large'));
    const created = await ask('/v1/lids', { method: 'POST' });
    expect([created.status, created.headers.get('location')]).toEqual([201, '/v1/lids/1']);
    expect(announced(created)).toEqual(expected(`</v1/boxes>; rel="successor-version", ${policy}`));
  });

  test('refusals and failures', async () => {
    const refused: readonly [number, string, Asked?][] = [
      [401, '/v1/lids/7', { headers: { authorization: 'Bearer wrong' } }],
      [403, '/v1/lids/7', { headers: { authorization: 'Bearer ann.finance' } }],
      [400, '/v1/lids/7?n=x'],
      [500, '/v1/lids/broken'],
    ];
    for (const [status, path, init] of refused) {
      const answer = await ask(path, init);
      expect([answer.status, announced(answer)]).toEqual([
        status,
        ofLid(path.replace('/v1/lids/', '').replace(/\?.*/, '')),
      ]);
    }
    const text = { method: 'POST', headers: { 'content-type': 'text/plain' } };
    expect(announced(await ask('/v1/lids', { ...text, body: 'much too long' })).sunset).not.toBeNull();
    await ask('/v1/lids/7', {}, strict);
    const limited = await ask('/v1/lids/7', {}, strict);
    expect([limited.status, announced(limited)]).toEqual([429, ofLid('7')]);
  });

  test('the link of an answer itself stays beside them', async () => {
    const { link } = announced(await ask('/v1/lids/linked'));
    expect(link).toContain('</v1/lids?page=2>; rel="next"');
    expect(link).toContain('</v1/boxes/linked/lid>; rel="successor-version"');
  });

  test('links have the prefix of the proxy', async () => {
    const { link } = announced(
      await ask('/v1/lids/7', { headers: { 'x-forwarded-prefix': '/nav' } }, behind),
    );
    expect(link).toBe(
      '</nav/v1/boxes/7/lid>; rel="successor-version", ' +
        '</nav/docs/deprecation>; rel="deprecation"; type="text/html"',
    );
  });

  test('a parameter cannot leave the link, and a card number is not repeated', async () => {
    const odd = announced(await ask('/v1/lids/a%3E%3B%22%0D%0Ab%2Fc'));
    expect(odd).toEqual(ofLid('a%3E%3B%22%0D%0Ab%2Fc'));
    expect(announced(await ask('/v1/lids/4242424242424242'))).toEqual(expected(policy));
  });

  test('another method, the successor and an unknown path announce nothing', async () => {
    const none = { deprecation: null, sunset: null, link: null };
    expect(announced(await ask('/v1/lids/7', { method: 'DELETE' }))).toEqual(none);
    expect(announced(await ask('/v1/lids/7', { method: 'PUT' }))).toEqual(none);
    expect(announced(await ask('/v1/boxes/7/lid'))).toEqual(none);
    expect(announced(await ask('/v1/none'))).toEqual(none);
  });

  test('pages of trusted origins may read the fields', async () => {
    const answer = await ask('/v1/lids/7', { headers: { origin: 'https://shop.example' } });
    const exposed = answer.headers.get('access-control-expose-headers')!.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['deprecation', 'sunset', 'link']));
  });

  test('a deprecation that cannot be announced is refused at the start', async () => {
    const start = (over: Partial<typeof deprecated>) =>
      startServer(transport, {
        authenticator: plainTokens,
        routes: [route({ ...old, deprecated: { ...deprecated, ...over } }, () => kept)],
      });
    await expect(start({ since: '2027-02-30' as never })).rejects.toThrow('getLid has a date of deprecation');
    await expect(start({ sunset: '2026-01-01' as never })).rejects.toThrow('ends before its deprecation');
    const elsewhere = { ...successor, path: '/v1/boxes/{box}' } as never;
    await expect(start({ successor: elsewhere })).rejects.toThrow('getLid has no parameter box');
  });
}
