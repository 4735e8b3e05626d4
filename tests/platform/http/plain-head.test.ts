import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { plainHead } from '#platform/http/response/plain-head.js';
import { httpTransport } from '../../http-transport.js';
import { type StartedServer, startServer } from './start-server.js';

const common = { listener: 'both', tag: 't', summary: '', scopes: 'open', responses: {} } as const;
const get = (path: string, answer: HttpAnswer): Route =>
  route({ ...common, operationId: path, method: 'GET', path }, () => answer);

let started: StartedServer;
beforeAll(async () => {
  started = await startServer(httpTransport, {
    routes: [
      get('/found', { status: 200, body: { a: 1 } }),
      get('/made', { status: 201, body: { a: 1 } }),
      get('/told', { status: 200, body: 'a' }),
      get('/nothing', { status: 204 }),
    ],
  });
});
afterAll(() => started.server.close());

test('a head that overwrites the previous one has its own status and type', async () => {
  const heads = {
    found: [200, 'application/json'],
    made: [201, 'application/json'],
    told: [200, 'text/plain; charset=utf-8'],
    nothing: [204, null],
  } as const;
  const paths = Object.keys(heads) as (keyof typeof heads)[];
  // Each after each other, and after itself.
  for (const before of paths)
    for (const path of [before, ...paths]) {
      const { status, headers } = await fetch(`${started.base}/${path}`);
      expect([path, status, headers.get('content-type')]).toEqual([path, ...heads[path]]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
    }
});

test('a head that does not fit is built separately, and the next one that fits is complete', () => {
  const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
  const first = text(plainHead(200, 'text/plain', 35, undefined));
  expect(first).toMatch(/^200 OK\r\n(?:.+\r\n)*content-type: text\/plain\r\n(?:.+\r\n)*x-request-id: \S+z$/);
  expect(plainHead(200, `text/${'x'.repeat(4_000)}`, 35, undefined)).toBeUndefined();
  expect(plainHead(200, `text/${'x'.repeat(4_000)}`, 35, undefined)).toBeUndefined();
  expect(text(plainHead(200, 'text/plain', 35, undefined))).toBe(first);
});
