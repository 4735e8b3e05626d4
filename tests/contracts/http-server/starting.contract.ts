import { Type } from 'typebox';
import { expect, onTestFinished, test } from 'vitest';
import { route } from '#platform/http/http-types.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { startServer } from '../../platform/http/start-server.js';

export function startingContract(transport: HttpTransport): void {
  const at = (path: string, operationId: string) =>
    ({
      operationId,
      method: 'GET',
      path,
      listener: 'both',
      tag: 'operations',
      summary: 'A path',
      scopes: 'open',
      responses: { 200: { description: 'It is there.', schema: Type.Object({ path: Type.String() }) } },
    }) as const satisfies RouteContract;

  const served = (path: string, operationId: string) =>
    route(at(path, operationId), () => ({ status: 200, body: { path } }));

  test('F42: a path that is not open yet is 503 with Retry-After; later unknown ones are 404', async () => {
    const { server, base } = await startServer(transport, {
      starting: true,
      routes: [served('/early', 'getEarly')],
    });
    onTestFinished(() => server.close());
    const get = async (path: string) => {
      const answer = await fetch(base + path);
      return [answer.status, answer.headers.get('retry-after')];
    };
    expect([await get('/early'), await get('/late')]).toEqual([
      [200, null],
      [503, '1'],
    ]);
    server.complete({ routes: [served('/late', 'getLate')] });
    expect([await get('/early'), await get('/late'), await get('/never')]).toEqual([
      [200, null],
      [200, null],
      [404, null],
    ]);
  });
}
