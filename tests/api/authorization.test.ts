import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '#schemas/http/route-contract.js';
import type { LocationBatch } from '#schemas/location.js';
import type { UserId } from '#schemas/units.js';
import { paperTown } from './paper-town.js';
import { type Called, type Ground, NavClient, openGround, type ServedApi, serveApi } from './served-api.js';

const people = [
  ['anna', 'driver'],
  ['bo', 'driver'],
  ['cia', 'customer'],
  ['olle', 'operator'],
  ['siv', 'desk'],
  ['robot', 'service'],
] as const satisfies readonly (readonly [string, Scope])[];

let ground: Ground;
let served: ServedApi;
const tokens = new Map<string, string>();
const navigations = new Map<string, string>();
const clients: NavClient[] = [];

const oneLocation = (userId: string): LocationBatch => ({
  userId: userId as UserId,
  batchId: userId,
  receivedMs: Date.now(),
  points: {
    count: 1,
    latE7: Int32Array.of(577_000_000),
    lngE7: Int32Array.of(119_600_000),
    timeMs: Float64Array.of(Date.now()),
  },
});

beforeAll(async () => {
  ground = await openGround();
  served = await serveApi(ground, paperTown());
  for (const [sub, scope] of people) tokens.set(sub, await ground.token(sub, scope));
  for (const sub of ['anna', 'bo', 'cia']) {
    await ground.locations.write([oneLocation(sub)]);
    const client = new NavClient(served.url, tokens.get(sub)!);
    clients.push(client);
    await client.next('ready');
    client.send({
      type: 'start',
      origin: { lat: 57.7, lng: 11.96 },
      destination: { lat: 57.702, lng: 11.962 },
    });
    navigations.set(sub, (await client.next('started')).navigation_id);
  }
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await served.close();
  await ground.close();
});

/** What a refusal reveals, without the parts that name the request itself. */
const told = ({ status, json }: Called): unknown => ({
  status,
  ...json,
  instance: undefined,
  trace_id: undefined,
});

describe('S3: only the owner reads an object, for all tokens × all ids', () => {
  const kinds = [
    ['locations', (owner: string) => `/v1/users/${owner}/locations`],
    ['patterns', (owner: string) => `/v1/users/${owner}/patterns`],
    ['destinations', (owner: string) => `/v1/users/${owner}/destinations`],
    [
      'routes of a user',
      (owner: string) => `/v1/users/${owner}/nav?origin=57.7,11.96&destination=57.702,11.962`,
    ],
    ['navigation', (owner: string) => `/v1/navigations/${navigations.get(owner) ?? owner}`],
  ] as const;

  test.each(kinds)('%s', async (_, path) => {
    for (const [reader, scope] of people) {
      const mayOwn = scope === 'driver' || scope === 'customer';
      const token = tokens.get(reader)!;
      const nobody = await served.call('GET', path('nobody'), { token });
      for (const owner of ['anna', 'bo', 'cia']) {
        const answer = await served.call('GET', path(owner), { token });
        if (mayOwn && reader === owner) expect(answer.status, `${reader} reads ${owner}`).toBe(200);
        else expect(told(answer), `${reader} reads ${owner}`).toEqual(told(nobody));
      }
      expect(nobody.status).toBe(mayOwn ? 404 : 403);
    }
  });

  test.each([
    ['PUT', { enabled: true }, 200],
    ['PUT', { enabled: false }, 200],
    ['DELETE', undefined, 202],
  ])('%s patterns %j', async (method, body, status) => {
    for (const [caller, scope] of people) {
      const token = tokens.get(caller)!;
      const mayOwn = scope === 'driver' || scope === 'customer';
      for (const owner of ['anna', 'bo', 'cia']) {
        const answer = await served.call(method, `/v1/users/${owner}/patterns`, { token, body });
        const expected = !mayOwn ? 403 : caller === owner ? status : 404;
        expect(answer.status, `${caller} for ${owner}`).toBe(expected);
      }
    }
    expect((await served.call(method, '/v1/users/anna/patterns', { body })).status).toBe(401);
  });

  test('decodes an id before checking it, and rejects a list of ids', async () => {
    const token = tokens.get('bo')!;
    for (const id of ['%61nna', 'bo%2f..%2fanna', 'bo,anna', 'BO', 'bo%00', 'bo/../anna'])
      expect((await served.call('GET', `/v1/users/${id}/locations`, { token })).status, id).toBe(404);
  });
});

describe('S4: operations by scope', () => {
  const functions = [
    ['GET', '/v1/fleet', undefined, ['olle', 'siv'], 200],
    ['POST', '/v1/incidents', { kind: 'closed', edge_id: '1:0-1+', expires_in_s: 60 }, ['olle', 'siv'], 201],
    ['DELETE', '/v1/incidents/none', undefined, ['olle', 'siv'], 404],
  ] as const;

  test.each(functions)('%s %s', async (method, path, body, allowed, status) => {
    for (const [sub] of people) {
      const answer = await served.call(method, path, { token: tokens.get(sub)!, body });
      const expected = (allowed as readonly string[]).includes(sub) ? status : 403;
      expect(answer.status, sub).toBe(expected);
    }
    expect((await served.call(method, path, { body })).status).toBe(401);
    expect((await served.call(method, path, { body, token: `${tokens.get('olle')}x` })).status).toBe(401);
  });

  test('no header turns one method into another', async () => {
    const headers = {
      'x-http-method-override': 'POST',
      'x-original-url': '/v1/fleet',
      'x-forwarded-host': 'localhost',
    };
    const answer = await served.call('GET', '/v1/incidents', { headers });
    expect(answer.status).toBe(200);
    expect(answer.json).toHaveProperty('incidents');
  });
});

describe('the development issuer', () => {
  const session = (
    headers: Readonly<Record<string, string>>,
    body: unknown = { sub: 'eva', scope: 'operator' },
  ) => served.call('POST', '/v1/development/session', { body, headers });

  test('gives the demo page a token that works', async () => {
    const { status, json } = await session({ origin: served.url });
    expect(status).toBe(201);
    expect(new Date(json.expires_at).getTime()).toBeGreaterThan(Date.now() + 3_500_000);
    expect((await served.call('GET', '/v1/fleet', { token: json.token })).status).toBe(200);
  });

  test.each([
    [403, { origin: 'http://evil.example' }, undefined],
    [403, { 'sec-fetch-site': 'cross-site' }, undefined],
    [403, { 'x-forwarded-for': '10.0.0.7' }, undefined],
    [403, { forwarded: 'for=10.0.0.7' }, undefined],
    [403, { via: '1.1 proxy' }, undefined],
    [400, {}, { sub: 'a b', scope: 'driver' }],
    [400, {}, { sub: 'eva', scope: 'root' }],
    [400, {}, { sub: 'eva', scope: 'driver', ttl: 1e9 }],
    [415, { 'content-type': 'text/plain' }, undefined],
  ])('%d for %j %j', async (status, headers, body) => {
    expect((await session(headers, body)).status).toBe(status);
  });

  test('does not exist on a server with another issuer', async () => {
    const production = await serveApi(ground, paperTown(), {}, { development: false });
    expect((await production.call('POST', '/v1/development/session', { body: {} })).status).toBe(404);
    await production.close();
  });
});
