import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanRequest } from '#api/ports/planner.js';
import { LogUnavailable } from '#platform/event-log/event-log.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { PoolSaturated } from '#platform/worker-pool/worker-pool.js';
import { Incident } from '#schemas/http/incidents.js';
import { TrafficAnswer } from '#schemas/http/map.js';
import { NavAnswer } from '#schemas/http/nav.js';
import type { LocationBatch } from '#schemas/location.js';
import { incidentKind, incidentSource } from '#schemas/messages.js';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { httpTransport } from '../http-transport.js';
import { paperTown } from './paper-town.js';
import { type Ground, openGround, type ServedApi, serveApi, until } from './served-api.js';

let ground: Ground;
let served: ServedApi;
const town = paperTown();
let operator: string;

beforeAll(async () => {
  ground = await openGround();
  served = await serveApi(ground, town);
  operator = await ground.token('op', 'operator');
});
afterAll(async () => {
  await served.close();
  await ground.close();
});

const batch = (userId: string, timestamps: readonly number[]): LocationBatch => ({
  userId: userId as UserId,
  batchId: `${userId}-${timestamps[0]}`,
  receivedMs: timestamps[0]!,
  points: {
    count: timestamps.length,
    latE7: new Int32Array(timestamps.length).fill(577_010_000),
    lngE7: new Int32Array(timestamps.length).fill(119_610_000),
    timeMs: Float64Array.from(timestamps),
  },
});

const withinTown = '/v1/nav?origin=57.7,11.96&destination=57.704,11.964';

describe('GET /v1/nav', () => {
  test('a running server returns every field of the specification', async () => {
    const { status, json, headers } = await served.call('GET', withinTown);
    expect(status).toBe(200);
    expect([...Value.Errors(NavAnswer, json)]).toEqual([]);
    expect(json).toMatchObject({
      status: 'OK',
      distance: { value: 800 },
      travel_mode: 'DRIVING',
      tileset_id: 'paper',
    });
    expect(headers.get('server-timing')).toMatch(/search/);
  });

  test('a closed street changes the route and the metric version', async () => {
    const closing = paperTown();
    const there = await serveApi(ground, closing);
    try {
      const before = (await there.call('GET', '/v1/nav?origin=57.7,11.96&destination=57.7,11.961')).json;
      closing.close(['1:0-1+']);
      const after = (await there.call('GET', '/v1/nav?origin=57.7,11.96&destination=57.7,11.961')).json;
      expect([before.distance.value, after.distance.value]).toEqual([100, 300]);
      expect([before.metric_version, after.metric_version]).toEqual([1, 2]);
    } finally {
      await there.close();
    }
  });

  test('answers NOT_FOUND with a reason if no road is within reach', async () => {
    const { status, json } = await served.call('GET', '/v1/nav?origin=57.7,11.96&destination=-30,150');
    expect({ status, answer: json.status, reason: json.reason }).toEqual({
      status: 200,
      answer: 'NOT_FOUND',
      reason: 'No road near the destination.',
    });
  });

  proves('F38', {
    asked: 'five times the load',
    shown: 'a full pool: 503 with Retry-After, then served',
    scaled: 'one request; five times the load in faults/five-times-the-load and `bench ingest overload`',
  });
  test('F38: a saturated pool answers 503 with Retry-After, and the next request succeeds', async () => {
    let saturated = true;
    const planner = {
      plan: async (request: PlanRequest) => {
        if (saturated) throw new PoolSaturated();
        return town.planner.plan(request);
      },
    };
    const there = await serveApi(ground, { ...town, planner });
    try {
      const refused = await there.call('GET', withinTown);
      expect(refused).toMatchObject({ status: 503, json: { code: 'overloaded' } });
      expect(refused.headers.get('retry-after')).toBe('1');
      saturated = false;
      expect((await there.call('GET', withinTown)).status).toBe(200);
    } finally {
      await there.close();
    }
  });

  test('an address without a geocoding index is 503, and the error says what to do', async () => {
    const { status, json, headers } = await served.call(
      'GET',
      '/v1/nav?origin=Avenyn&destination=57.7,11.96',
    );
    expect({ status, retry: headers.get('retry-after') }).toEqual({ status: 503, retry: '5' });
    expect(json.detail).toMatch(/meridian tiles build/);
    expect((await served.call('GET', '/v1/geocode?address=Avenyn')).status).toBe(503);
  });

  test.each([
    ['', /origin/],
    ['?origin=57.7,11.96', /destination/],
    ['?origin=11.96,57.7&destination=57.7,11.96', /Did you swap/],
    ['?origin=57.7,11.96&destination=57.7,11.96&mode=rocket', /mode/],
    ['?origin=57.7,11.96&destination=57.7,11.96&avoid=bears', /bears/],
    ['?origin=57.7,11.96&destination=57.7,11.96&language=tlh', /Not available/],
    ['?origin=57.7,11.96&destination=57.7,11.96&units=furlongs', /units/],
    ['?origin=57.7,11.96&destination=57.7,11.96&avoids=tolls', /query\/avoids.*not a parameter/],
    ['?origin=57.7,11.96&destination=57.7,11.96&key=abc&debug=1', /query\/key.*query\/debug/],
    ['?origin=57.7,11.96&destination=57.7,11.96&alternatives=many', /alternatives/],
    [`?origin=${'5'.repeat(1_500)}&destination=57.7,11.96`, /origin/],
    ['?origin=57.7,11.96&destination=57.7;11.97', /Write the place as/],
    ['?origin=57.7,11.96&destination=%00%ff', /./],
  ])('%.80s is 400, and the error says what is wrong', async (query, said) => {
    const { status, json } = await served.call('GET', `/v1/nav${query}`);
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toMatch(said);
    expect(JSON.stringify(json)).not.toMatch(/\.ts|node_modules/);
  });
});

describe('incidents', () => {
  const closeHere = { kind: 'closed', at: { lat: 57.7, lng: 11.96 }, expires_in_s: 60 };
  const list = async () => (await served.call('GET', '/v1/incidents')).json.incidents as Incident[];

  test('an operator closes a road in both directions until a time; each step is logged first', async () => {
    const { status, json } = await served.call('POST', '/v1/incidents', { token: operator, body: closeHere });
    expect(status).toBe(201);
    expect([...Value.Errors(Incident, json)]).toEqual([]);
    expect(json).toMatchObject({
      kind: 'closed',
      source: 'operator',
      active: true,
      edge_ids: ['1:0-1+', '1:1-0-'],
      road: 'A street',
      evidence: 'Reported by an operator.',
    });
    expect(json.geometry.coordinates[0]).toEqual([
      [11.96, 57.7],
      [11.961, 57.7],
    ]);
    expect((await list()).map(({ incident_id }) => incident_id)).toContain(json.incident_id);
    const recorded = async () => {
      const found = [];
      for await (const { key, value } of ground.log.read('traffic.incident.changed.v1', 0, 0))
        if (key === json.incident_id && value !== null)
          found.push(ground.codecs.trafficIncidentChanged.decode(value));
      return found;
    };
    expect(await recorded()).toMatchObject([{ active: true, edgeIds: ['1:0-1+', '1:1-0-'] }]);

    const path = `/v1/incidents/${json.incident_id}`;
    expect((await served.call('DELETE', path, { token: operator })).status).toBe(204);
    expect((await list()).map(({ incident_id }) => incident_id)).not.toContain(json.incident_id);
    expect((await served.call('DELETE', path, { token: operator })).status).toBe(404);
    expect((await recorded()).at(-1)).toMatchObject({ active: false });
  });

  test('closes one direction of one edge, or slows it, with a note', async () => {
    const body = {
      kind: 'slow',
      edge_id: '1:1-0-',
      both_directions: false,
      speed_kph: 12,
      expires_in_s: 60,
      note: '<b>works</b>',
    };
    const { status, json } = await served.call('POST', '/v1/incidents', { token: operator, body });
    expect(status).toBe(201);
    expect(json).toMatchObject({ edge_ids: ['1:1-0-'], speed_kph: 12, evidence: '<b>works</b>' });
  });

  test('lists a detected incident with its road, also on a server that starts later', async () => {
    const incident = {
      incidentId: 'detected-1',
      kind: incidentKind.closed,
      source: incidentSource.detected,
      active: true,
      tilesetId: 'paper',
      edgeIds: ['1:0-1+', '99:1-2+'],
      speedKph: 0,
      startedMs: Date.now(),
      expiresMs: 0,
      evidence: '12 of 12 guided drivers turned away in 40 s',
      lastEvidenceMs: Date.now(),
    };
    await ground.log.append('traffic.incident.changed.v1', [
      { key: 'detected-1', value: ground.codecs.trafficIncidentChanged.encode(incident) },
    ]);
    const listed = await until('the detected incident', async () =>
      (await list()).find(({ incident_id }) => incident_id === 'detected-1'),
    );
    expect(listed).toMatchObject({ source: 'detected', road: 'A street', expires_at: null });
    expect(listed.geometry.coordinates.length).toBe(1);
    const later = await serveApi(ground, town);
    const { json } = await later.call('GET', '/v1/incidents');
    await later.close();
    expect(json.incidents.map(({ incident_id }: Incident) => incident_id)).toContain('detected-1');
  });

  test('F4: answers 503 and shows no change if the log rejects the record', async () => {
    const refusing = {
      ...ground.log,
      consume: ground.log.consume.bind(ground.log),
      offsets: ground.log.offsets.bind(ground.log),
      append: () => Promise.reject(new LogUnavailable('the disk is full', { retriable: true })),
    };
    const there = await serveApi(ground, town, { log: refusing as unknown as Ground['log'] });
    try {
      const before = (await there.call('GET', '/v1/incidents')).json.incidents.length;
      const answer = await there.call('POST', '/v1/incidents', { token: operator, body: closeHere });
      expect(answer).toMatchObject({ status: 503, json: { code: 'unavailable' } });
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.json.detail).toMatch(/did not confirm this re/);
      expect((await there.call('GET', '/v1/incidents')).json.incidents.length).toBe(before);
    } finally {
      await there.close();
    }
  });

  test.each([
    [400, 'not JSON', '{"kind":'],
    [400, 'an array', []],
    [400, 'no expiry', { kind: 'closed', at: closeHere.at }],
    [400, 'neither place nor edge', { kind: 'closed', expires_in_s: 60 }],
    [400, 'both place and edge', { ...closeHere, edge_id: '1:0-1+' }],
    [400, 'slow without a speed', { ...closeHere, kind: 'slow' }],
    [400, 'closed with a speed', { ...closeHere, speed_kph: 10 }],
    [400, 'a latitude of 91', { ...closeHere, at: { lat: 91, lng: 11.96 } }],
    [400, 'a latitude as text', { ...closeHere, at: { lat: '57.7', lng: 11.96 } }],
    [400, 'an unknown kind', { ...closeHere, kind: 'flooded' }],
    [400, 'S5: a field that is ours', { ...closeHere, source: 'detected' }],
    [400, 'N2: __proto__', '{"kind":"closed","expires_in_s":60,"__proto__":{"at":{"lat":57.7,"lng":11.96}}}'],
    [400, 'an expiry in a century', { ...closeHere, expires_in_s: 3e9 }],
    [
      400,
      'an expiry of 1e400 seconds',
      '{"kind":"closed","at":{"lat":57.7,"lng":11.96},"expires_in_s":1e400}',
    ],
    [413, 'a note of 5 kB', { ...closeHere, note: 'x'.repeat(5_000) }],
    [404, 'an edge that is not on the map', { kind: 'closed', edge_id: '77:1-2+', expires_in_s: 60 }],
    [404, 'an edge id that is none', { kind: 'closed', edge_id: 'constructor', expires_in_s: 60 }],
    [404, 'a place in the sea', { ...closeHere, at: { lat: 0, lng: 0 } }],
  ])('%d for %s', async (status, _, body) => {
    const answer = await served.call('POST', '/v1/incidents', { token: operator, body });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });
});

describe('the live picture', () => {
  test('traffic is GeoJSON of the roads that differ, and 304 for clients that have it', async () => {
    const jammed = paperTown();
    jammed.close(['1:0-1+']);
    const there = await serveApi(ground, jammed);
    try {
      const { json } = await there.call('GET', '/v1/traffic');
      expect([...Value.Errors(TrafficAnswer, json)]).toEqual([]);
      expect(json).toMatchObject({
        metric_version: 2,
        features: [
          { properties: { edge_id: '1:0-1+', closed: true, congestion: 'closed', free_flow_kph: 36 } },
        ],
      });
      expect((await there.call('GET', '/v1/traffic?since=2')).status).toBe(304);
      expect((await there.call('GET', '/v1/traffic?since=2&tileset=paper')).status).toBe(304);
      // The same number on other roads is another version.
      expect((await there.call('GET', '/v1/traffic?since=2&tileset=other')).status).toBe(200);
      expect((await there.call('GET', '/v1/traffic?since=1')).status).toBe(200);
      jammed.close(['1:1-0-']);
      expect((await there.call('GET', '/v1/traffic?since=2')).json.features.length).toBe(2);
    } finally {
      await there.close();
    }
  });

  test('the fleet shows drivers from the log and marks those who navigate', async () => {
    const now = Date.now();
    await ground.log.append('location.batch.recorded.v1', [
      {
        key: 'driver-1',
        value: ground.codecs.locationBatchRecorded.encode(batch('driver-1', [now, now + 5])),
      },
    ]);
    const drivers = await until('the driver', async () => {
      const { json } = await served.call('GET', '/v1/fleet', { token: operator });
      return json.drivers.length > 0 ? json.drivers : undefined;
    });
    expect(drivers).toEqual([
      { id: 'driver-1', lat: 57.701, lng: 11.961, heading: null, timestamp: now + 5, navigating: false },
    ]);
    const { json: status } = await served.call('GET', '/v1/status');
    expect(status).toMatchObject({
      drivers: 1,
      tileset: { id: 'paper', name: 'Paper Town', edges: 80 },
      adapters: { log: 'embedded' },
    });
  });
});

describe('the map', () => {
  const tile = '/v1/tiles/14/8736/4960.mvt';

  test('M-105: a tile has a strong tag, may be cached, and is not sent twice', async () => {
    const first = await served.call('GET', tile, { headers: { 'accept-encoding': 'gzip' } });
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('application/vnd.mapbox-vector-tile');
    expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+/);
    expect(new VectorTile(new PbfReader(first.bytes)).layers['roads']!.length).toBe(10);
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await served.call('GET', tile, {
      headers: { 'accept-encoding': 'gzip', 'if-none-match': `"x", ${etag}` },
    });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  test('a client without gzip gets plain bytes with a different tag', async () => {
    const plain = await served.call('GET', tile, { headers: { 'accept-encoding': 'identity' } });
    const packed = await served.call('GET', tile, { headers: { 'accept-encoding': 'gzip' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('etag')).not.toBe(packed.headers.get('etag'));
    expect(Buffer.from(plain.bytes)).toEqual(Buffer.from(packed.bytes));
  });

  test.each([
    [204, '/v1/tiles/14/0/0.mvt'],
    [404, '/v1/tiles/17/0/0.mvt'],
    [404, '/v1/tiles/3/8/0.mvt'],
    [404, '/v1/tiles/3/0/8.mvt'],
    [404, '/v1/tiles/a/0/0.mvt'],
    [404, '/v1/tiles/-1/0/0.mvt'],
    [404, '/v1/tiles/1.5/0/0.mvt'],
    [404, '/v1/tiles/3/0/0.png'],
  ])('%d for %s', async (status, path) => {
    expect((await served.call('GET', path)).status).toBe(status);
  });

  test('TileJSON and style use the server address from the request or the configured one', async () => {
    const { json: tileJson } = await served.call('GET', '/v1/tiles.json');
    expect(tileJson).toMatchObject({
      tilejson: '3.0.0',
      tiles: [`${served.url}/v1/tiles/{z}/{x}/{y}.mvt`],
      attribution: expect.stringContaining('OpenStreetMap'),
      bounds: [11.96, 57.7, expect.closeTo(11.964), expect.closeTo(57.704)],
    });
    const { json: style } = await served.call('GET', '/v1/styles/day.json');
    expect(style.sources.meridian.url).toBe(`${served.url}/v1/tiles.json`);
    const server = createHttpServer({
      transport: httpTransport,
      name: 'elsewhere',
      listener: 'public',
      routes: served.api.routes.filter(({ contract }) => contract.scopes === 'open'),
      forwarding: { publicUrl: 'https://maps.example' },
      logger: silentLogger,
      metrics: createMetrics(),
    });
    const { port } = await server.listen(0);
    const answer = await fetch(`http://127.0.0.1:${port}/v1/tiles.json`);
    const named = (await answer.json()) as { readonly tiles: readonly string[] };
    server.close();
    expect(named.tiles[0]).toBe('https://maps.example/v1/tiles/{z}/{x}/{y}.mvt');
  });

  test('the style loads nothing from other hosts: no fonts, no sprites', async () => {
    const { json: style } = await served.call('GET', '/v1/styles/day.json');
    expect(
      JSON.stringify(style)
        .match(/https?:\/\/[^/"]+/g)!
        .every((origin) => origin === served.url),
    ).toBe(true);
    expect(style).not.toHaveProperty('glyphs');
    expect(style.layers.some(({ type }: { type: string }) => type === 'symbol')).toBe(false);
  });
});

describe('own locations', () => {
  proves('M-009', {
    asked: "a user's own history can be read and paged; nobody else's can",
    shown:
      'over HTTP: three locations in two pages, in order; another user gets 404, and 400 with the cursor',
    control: {
      in: 'api/history/location-history.ts',
      change: 'if (params.id !== identity.userId) return noSuchUser();',
      to: "if (params.id === '') return noSuchUser();",
    },
  });
  test('M-009: users read their own locations in order of time, page by page, and no others', async () => {
    const sent = [3_000, 1_000, 2_000].map((ms) => Date.now() - ms);
    await ground.locations.write([batch('u-history', sent)]);
    const token = await ground.token('u-history', 'driver');
    const first = await served.call('GET', '/v1/users/u-history/locations?limit=2', { token });
    expect(first.json.locations.length).toBe(2);
    const rest = `/v1/users/u-history/locations?limit=2&cursor=${encodeURIComponent(first.json.next_cursor)}`;
    const second = await served.call('GET', rest, { token });
    const times = [...first.json.locations, ...second.json.locations].map(({ timestamp }) => timestamp);
    expect(times).toEqual(sent.toSorted());
    expect(second.json.next_cursor).toBeNull();
    const other = await ground.token('u-other', 'driver');
    const foreign = await served.call('GET', '/v1/users/u-history/locations?limit=2', { token: other });
    expect([foreign.status, foreign.json.locations]).toEqual([404, undefined]);
    const stolen = await served.call('GET', rest.replace('u-history', 'u-other'), { token: other });
    expect(stolen.status).toBe(400);
    const path = '/v1/users/u-history/locations';
    for (const edge of ['8640000000000001', '9007199254740992', '9223372036854775807', '1e30'])
      for (const bound of ['from', 'to']) {
        const beyond = await served.call('GET', `${path}?${bound}=${edge}`, { token });
        expect([edge, beyond.status]).toEqual([edge, 400]);
      }
    const last = await served.call('GET', `${path}?from=8640000000000000&to=8640000000000000`, { token });
    expect([last.status, last.json.locations]).toEqual([200, []]);
  });

  test.each([
    '?limit=0',
    '?limit=1001',
    '?limit=x',
    '?from=-1',
    '?from=5&to=4',
    '?cursor=nonsense',
    '?from=1e99',
  ])('%s is 400', async (query) => {
    const token = await ground.token('u-history', 'driver');
    expect((await served.call('GET', `/v1/users/u-history/locations${query}`, { token })).status).toBe(400);
  });
});
