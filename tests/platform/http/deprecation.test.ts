import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documents } from '#api/documents/documents.js';
import { route } from '#platform/http/http-types.js';
import { type RouteContract, sunsetDaysMin } from '#schemas/http/route-contract.js';
import { httpTransport } from '../../http-transport.js';
import { type StartedServer, startServer } from './start-server.js';

const successor = {
  operationId: 'listBoxes',
  method: 'GET',
  path: '/v1/boxes',
  listener: 'public',
  tag: 'boxes',
  summary: 'All boxes',
  scopes: 'open',
  responses: { 200: { description: 'Boxes.' }, 404: { description: 'None.' } },
} as const satisfies RouteContract;
const old = {
  ...successor,
  operationId: 'listCrates',
  path: '/v1/crates',
  description: 'Of wood.',
  deprecated: { since: '2027-01-01', sunset: '2028-01-01', successor },
} as const satisfies RouteContract;

let started: StartedServer;
beforeAll(async () => {
  const served = [old, successor].map((contract) => route(contract, () => ({ status: 200 })));
  const described = documents({ version: '1.2.3' }, served);
  started = await startServer(httpTransport, {
    routes: [...served, ...described.routes],
    pages: described.pages,
  });
});
afterAll(() => started?.server.close());

test('OpenAPI marks the operation, names the successor and describes the header fields', async () => {
  const document = (await (await fetch(`${started.base}/v1/openapi.json`)).json()) as {
    paths: Record<string, { get: Record<string, unknown> & { responses: Record<string, object> } }>;
  };
  expect(await new Validator().validate(document)).toMatchObject({ valid: true });
  const { get } = document.paths['/v1/crates']!;
  expect(get).toMatchObject({
    deprecated: true,
    description:
      'Of wood.\n\nDeprecated since 2027-01-01; it may be removed from 2028-01-01 on. Use `GET /v1/boxes`.',
  });
  for (const [status, response] of Object.entries(get.responses))
    expect(Object.keys((response as { headers: object }).headers), status).toEqual([
      'Deprecation',
      'Sunset',
      'Link',
    ]);
  const other = document.paths['/v1/boxes']!.get;
  expect(other).not.toHaveProperty('deprecated');
  expect(Object.values(other.responses).some((response) => 'headers' in response)).toBe(false);
});

test('the link of the policy leads to a page with the operation, its end and its successor', async () => {
  const answer = await fetch(`${started.base}/v1/crates`);
  const [, target] = /<([^>]+)>; rel="deprecation"/.exec(answer.headers.get('link')!)!;
  const page = await fetch(started.base + target!);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const text = (await page.text()).replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    '<li><code>GET /v1/crates</code>: announced 2027-01-01, may be removed from 2028-01-01 on. ' +
      'Use <code>GET /v1/boxes</code>.</li>',
  );
  expect(text).toContain(`for at least ${sunsetDaysMin} days`);
});

test('without a deprecated operation, the page says that there is none', async () => {
  const { pages } = documents({ version: '1.2.3' }, [route(successor, () => ({ status: 200 }))]);
  const { server, base } = await startServer(httpTransport, { pages });
  expect(await (await fetch(`${base}/docs/deprecation`)).text()).toContain('<p>None.</p>');
  server.close();
});
