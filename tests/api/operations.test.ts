import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationOf, operationsRoutes } from '#api/operations/operations-routes.js';
import { outlineOf } from '#api/operations/outline.js';
import { squaresOf, worldX, worldY } from '#api/operations/squares.js';
import type { RoadLine } from '#api/road-tiles/road-line.js';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { LagWatch } from '#platform/event-log/lag-watch.js';
import { requestDurations } from '#platform/http/endpoint.js';
import { createHttpServer, type HttpServer } from '#platform/http/server/http-server.js';
import { createReadiness } from '#platform/lifecycle/readiness.js';
import { queueGauges, queuesOf } from '#platform/telemetry/bounded-queue.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { RequestRates } from '#platform/telemetry/request-rates.js';
import { OperationsAnswer, OutlineAnswer, operationsMax } from '#schemas/http/operations.js';
import type { Scope } from '#schemas/http/route-contract.js';
import { type IncidentChanged, incidentKind, incidentSource } from '#schemas/messages.js';
import { locationBatchRecorded, trafficIncidentChanged } from '#schemas/topics.js';
import type { UserId } from '#schemas/units.js';
import { paperTown } from './paper-town.js';
import { type Ground, openGround, type ServedApi, serveApi, until } from './served-api.js';

const town = paperTown();
let ground: Ground;
let served: ServedApi;
let server: HttpServer;
let publicServer: HttpServer;
let base: string;
let publicBase: string;
const readiness = createReadiness(silentLogger);
let isLogSilent = false;

const ask = (path: string, token?: string, at = base): Promise<Response> =>
  fetch(at + path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

async function operations(): Promise<OperationsAnswer> {
  const answer = await ask('/v1/operations', await ground.token('olle', 'operator'));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  const body: unknown = await answer.json();
  expect([...Value.Errors(OperationsAnswer, body)]).toEqual([]);
  return body as OperationsAnswer;
}

beforeAll(async () => {
  ground = await openGround();
  served = await serveApi(ground, town);
  const { metrics, api, releases } = served;
  queueGauges(metrics)('things', () => 3, 10);
  const log: Pick<EventLog, 'offsets' | 'committed' | 'read'> = {
    offsets: (topic) => (isLogSilent ? new Promise(() => {}) : ground.log.offsets(topic)),
    committed: (group, topic) => ground.log.committed(group, topic),
    read: (topic, partition, from) => ground.log.read(topic, partition, from),
  };
  const routes = operationsRoutes({
    program: {
      ...{ name: 'test', version: '1.2.3', started_at: new Date().toISOString() },
      ...{ public_url: served.url, api_keys: 'off' },
    },
    readiness,
    // Each question is asked anew.
    lags: {
      lags: () =>
        new LagWatch({
          log,
          groups: ['lazy'],
          topics: [locationBatchRecorded.name, trafficIncidentChanged.name],
          nowMs: Date.now,
        }).lags(),
    },
    rates: new RequestRates({
      read: () => metrics.countsOf(requestDurations),
      nameOf: operationOf,
      nowMs: Date.now,
    }),
    queues: () => queuesOf(metrics),
    view: api.view,
    roads: () => releases.current.roads,
    nowMs: Date.now,
  });
  const authenticator = (audience: string) =>
    createJwtAuthenticator({ keys: ground.issuer.keys, issuer: 'https://issuer.test', audience });
  const serve = (listener: 'internal' | 'public', audience: string) =>
    createHttpServer({
      ...{ name: listener, listener, routes, logger: silentLogger, metrics },
      authenticator: authenticator(audience),
      limits: { turnBudgetMs: 60_000 },
    });
  server = serve('internal', 'meridian-internal');
  publicServer = serve('public', 'meridian');
  base = `http://127.0.0.1:${(await server.listen(0)).port}`;
  publicBase = `http://127.0.0.1:${(await publicServer.listen(0)).port}`;
});
afterAll(async () => {
  server.close();
  publicServer.close();
  await served.close();
  await ground.close();
});

describe('GET /v1/operations', () => {
  test('is for operators on the internal listener alone', async () => {
    for (const path of ['/v1/operations', '/v1/operations/outline']) {
      expect((await ask(path)).status, path).toBe(401);
      // Their tokens are not for this listener.
      for (const scope of ['driver', 'customer', 'merchant'] as const satisfies Scope[])
        expect((await ask(path, await ground.token('anna', scope))).status, scope).toBe(401);
      for (const scope of ['desk', 'finance', 'payouts', 'service'] as const satisfies Scope[]) {
        const answer = await ask(path, await ground.token('siv', scope));
        expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'forbidden']);
      }
      const operator = await ground.token('olle', 'operator');
      expect((await ask(path, operator)).status).toBe(200);
      expect((await ask(path, operator, publicBase)).status).toBe(404);
    }
  });

  test('has the reasons for which the program is not ready, and what it works without', async () => {
    const map = readiness.condition('map', 'The map is being loaded.');
    readiness.check('live cache', () => Promise.reject(new Error('connection refused')), {
      dispensable: true,
    });
    expect((await operations()).readiness).toEqual({
      ready: false,
      missing: [
        { name: 'map', reason: 'The map is being loaded.', needed: true },
        { name: 'live cache', reason: 'connection refused', needed: false },
      ],
    });
    map.fulfil();
    expect((await operations()).readiness).toMatchObject({ ready: true, missing: [{ name: 'live cache' }] });
  });

  test('has the program, the map and the versions of its metrics', async () => {
    const { program, map } = await operations();
    expect(program).toMatchObject({ name: 'test', version: '1.2.3', api_keys: 'off' });
    expect(map).toMatchObject({
      tileset_id: 'paper',
      release_id: null,
      metrics: [{ mode: 'driving', version: 1 }],
    });
  });

  test('counts the records that a group has not processed', async () => {
    const topic = locationBatchRecorded.name;
    const batches = (count: number, timestampMs: number) =>
      Array.from({ length: count }, (_, i) => ({ key: `u${i}`, value: new Uint8Array([0]), timestampMs }));
    await ground.log.append(topic, batches(20, 1_000));
    let seen = 0;
    const consumer = await ground.log.consume({
      ...{ group: 'lazy', topics: [topic], startAt: 'earliest' },
      onBatch: async ({ records }) => {
        seen += records.length;
      },
    });
    await until('the group to have read all', () => (seen === 20 ? true : undefined));
    await consumer.close();
    expect((await operations()).lags).toEqual({
      unknown_because: null,
      groups: [{ group: 'lazy', topic, records: 0, newest_at: '1970-01-01T00:00:01.000Z' }],
    });
    await ground.log.append(topic, batches(20, 2_000).slice(0, 7));
    expect((await operations()).lags.groups).toEqual([
      { group: 'lazy', topic, records: 7, newest_at: '1970-01-01T00:00:02.000Z' },
    ]);
  });

  test('answers with everything else if the log does not answer', async () => {
    isLogSilent = true;
    const { lags, map } = await operations();
    isLogSilent = false;
    expect(lags).toEqual({ unknown_because: 'The event log did not answer in 2 s.', groups: [] });
    expect(map.tileset_id).toBe('paper');
  });

  test('counts requests by operation, with refusals and durations', async () => {
    const before = (await operations()).requests.operations.find(
      ({ operation }) => operation === 'GET /v1/nav',
    );
    expect(before).toBeUndefined();
    for (let i = 0; i < 3; i++)
      expect((await served.call('GET', '/v1/nav?origin=57.7,11.96&destination=57.7,11.961')).status).toBe(
        200,
      );
    expect((await served.call('GET', '/v1/nav?origin=57.7')).status).toBe(400);
    await served.call('GET', '/nothing/here');
    const { operations: found, queues, intervals, covered_s: covered } = (await operations()).requests;
    const nav = found.find(({ operation }) => operation === 'GET /v1/nav');
    expect(nav).toMatchObject({ requests: 4, refused: 1, failed: 0 });
    expect(nav!.p99_ms).toBeGreaterThanOrEqual(nav!.p50_ms);
    expect(nav!.p99_ms).toBeGreaterThan(0);
    // Addresses that people try are no operations.
    expect(JSON.stringify(found)).not.toContain('nothing');
    expect(found.find(({ operation }) => operation === null)!.refused).toBeGreaterThanOrEqual(1);
    expect(intervals.reduce((sum, { requests }) => sum + requests, 0)).toBe(
      found.reduce((sum, { requests }) => sum + requests, 0),
    );
    expect(covered).toBeGreaterThan(0);
    expect(queues).toContainEqual({ name: 'things', waiting: 3, limit: 10 });
  });

  test('lists closures with what was observed, the newest first, and says how many there are', async () => {
    const startedMs = Date.now();
    const incident = (over: Partial<IncidentChanged>): IncidentChanged => ({
      ...{ incidentId: 'a', kind: incidentKind.closed, source: incidentSource.detected, active: true },
      ...{ tilesetId: 'paper', edgeIds: ['1:0-1+'], speedKph: 0, startedMs, expiresMs: startedMs + 600_000 },
      ...{ evidence: '4 of 4 guided drivers turned away in 38 s', lastEvidenceMs: startedMs + 38_000 },
      ...over,
    });
    const publish = (incidents: readonly IncidentChanged[]) =>
      ground.log.append(
        trafficIncidentChanged.name,
        incidents.map((each) => ({
          key: each.incidentId,
          value: ground.codecs.trafficIncidentChanged.encode(each),
        })),
      );
    await publish([
      incident({}),
      incident({
        ...{ incidentId: 'b', kind: incidentKind.slow, source: incidentSource.operator, speedKph: 15 },
        ...{ edgeIds: ['9:9-9+'], startedMs: startedMs - 60_000, expiresMs: 0, lastEvidenceMs: 0 },
        evidence: 'Water main',
      }),
    ]);
    const { total, shown } = await until('the incidents', async () => {
      const { closures } = await operations();
      return closures.total === 2 ? closures : undefined;
    });
    expect(total).toBe(2);
    expect(shown).toEqual([
      {
        ...{ incident_id: 'a', kind: 'closed', source: 'detected', road: 'A street', edges: 1 },
        at: { lat: 57.7, lng: expect.closeTo(11.9605, 6) as number },
        speed_kph: null,
        started_at: new Date(startedMs).toISOString(),
        expires_at: new Date(startedMs + 600_000).toISOString(),
        last_evidence_at: new Date(startedMs + 38_000).toISOString(),
        evidence: '4 of 4 guided drivers turned away in 38 s',
      },
      {
        // The map has no such edge.
        ...{
          incident_id: 'b',
          kind: 'slow',
          source: 'operator',
          road: '',
          edges: 1,
          at: null,
          speed_kph: 15,
        },
        started_at: new Date(startedMs - 60_000).toISOString(),
        ...{ expires_at: null, last_evidence_at: null, evidence: 'Water main' },
      },
    ]);
    await publish(
      Array.from({ length: operationsMax.closures + 20 }, (_, i) => incident({ incidentId: `many-${i}` })),
    );
    const bounded = await until('all incidents', async () => {
      const { closures } = await operations();
      return closures.total === operationsMax.closures + 22 ? closures : undefined;
    });
    expect(bounded.shown).toHaveLength(operationsMax.closures);
  });

  test('counts drivers by square of the map', async () => {
    const at = (userId: string, lat: number, lng: number) => ({
      key: userId,
      value: ground.codecs.locationBatchRecorded.encode({
        ...{ userId: userId as UserId, batchId: crypto.randomUUID(), receivedMs: Date.now() },
        points: {
          ...{ count: 1, timeMs: Float64Array.of(Date.now()) },
          ...{ latE7: Int32Array.of(Math.round(lat * 1e7)), lngE7: Int32Array.of(Math.round(lng * 1e7)) },
        },
      }),
    });
    await ground.log.append(locationBatchRecorded.name, [
      at('u1', 57.7001, 11.9601),
      at('u2', 57.7001, 11.9601),
      at('u3', 57.7039, 11.9639),
      at('far', 10, 10),
    ]);
    const load = await until('the drivers', async () => {
      const { load: seen } = await operations();
      return seen.drivers === 4 ? seen : undefined;
    });
    expect(load.elsewhere).toBe(1);
    const side = 2 ** load.zoom;
    const square = (lat: number, lng: number, drivers: number) => ({
      ...{ x: Math.floor(worldX(lng) * side), y: Math.floor(worldY(lat) * side) },
      drivers,
    });
    expect(load.squares).toHaveLength(2);
    expect(load.squares).toContainEqual(square(57.7001, 11.9601, 2));
    expect(load.squares).toContainEqual(square(57.7039, 11.9639, 1));
  });
});

describe('squares', () => {
  test('are the addresses of map tiles', () => {
    // The example of the OpenStreetMap wiki, in Tokyo.
    const side = 2 ** 18;
    expect([Math.floor(worldX(139.7006793) * side), Math.floor(worldY(35.6590699) * side)]).toEqual([
      232_798, 103_246,
    ]);
  });

  test.each([
    ['a town', [11.96, 57.7, 11.964, 57.704]],
    ['Malta', [14.1, 35.7, 14.6, 36.1]],
    ['Germany', [5.8, 47.2, 15.1, 55.1]],
    ['the world', [-180, -85, 180, 85]],
    ['one place', [14.5, 35.9, 14.5, 35.9]],
  ] as const)('are few over %s', (_, bounds) => {
    const [west, south, east, north] = bounds;
    const places = Array.from({ length: 40_000 }, (__, i) => ({
      lat: Math.min(north, south + (north - south) * (((i * 7_919) % 200) / 199)),
      lng: Math.min(east, west + (east - west) * (Math.floor(i / 200) / 199)),
    }));
    const { squares, elsewhere } = squaresOf(bounds, places);
    expect(squares.length).toBeLessThanOrEqual(operationsMax.squaresAcross ** 2);
    expect(squares.reduce((sum, { drivers }) => sum + drivers, 0) + elsewhere).toBe(places.length);
    expect(elsewhere).toBe(0);
  });
});

describe('the outline', () => {
  const road = (name: string, coordinates: RoadLine['coordinates']): RoadLine => ({
    ...{ class: name, name: '', ref: '', oneway: false, coordinates },
  });
  const wiggly = (from: number, points: number): RoadLine['coordinates'] =>
    Array.from({ length: points }, (_, i) => [i * 0.0021, from / 100 + (i % 2) * 0.002] as const);
  const roadsOf = (lines: readonly RoadLine[]) => ({
    ...town.roads,
    area: { ...town.roads.area, bounds: [0, 0, 1, 1] as const },
    lines: () => lines,
  });
  const pointsOf = ({ lines }: OutlineAnswer) => lines.reduce((sum, line) => sum + line.length / 2, 0);

  test('joins the pieces of main roads and thins them out; small streets are left out', async () => {
    const outline = await outlineOf(
      roadsOf([
        road('primary', [
          [0, 0],
          [0.0001, 0],
          [0.5, 0],
        ]),
        road('primary', [
          [0.5, 0],
          [1, 0],
        ]),
        road('residential', [
          [0, 0],
          [1, 1],
        ]),
      ]),
    );
    expect(outline).toEqual({
      tileset_id: 'paper',
      bounds: [-0.03, -0.03, 1.03, 0.03],
      lines: [[0, 0, 0.5, 0, 1, 0]],
    });
  });

  test('is bounded: a class that does not fit is left out, and of the first as much as fits', async () => {
    const most = operationsMax.outlinePoints;
    const motorways = Array.from({ length: 10 }, (_, i) => road('motorway', wiggly(i, most / 20)));
    const primaries = Array.from({ length: 10 }, (_, i) => road('primary', wiggly(i + 0.5, most / 10)));
    expect(pointsOf(await outlineOf(roadsOf([...primaries, ...motorways])))).toBe(most / 2);
    const many = Array.from({ length: 30 }, (_, i) => road('motorway', wiggly(i, most / 20)));
    const points = pointsOf(await outlineOf(roadsOf(many)));
    expect(points).toBeLessThanOrEqual(most);
    expect(points).toBeGreaterThan(most * 0.9);
  });

  test('is an answer of the contract', async () => {
    const answer = await ask('/v1/operations/outline', await ground.token('olle', 'operator'));
    const body: unknown = await answer.json();
    expect([...Value.Errors(OutlineAnswer, body)]).toEqual([]);
    expect(body).toMatchObject({ tileset_id: 'paper' });
  });
});
