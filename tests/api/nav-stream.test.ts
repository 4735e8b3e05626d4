import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encode } from '@mapbox/polyline';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Planner, RoutesUnavailable } from '#api/ports/planner.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import { openLiveCache } from '#platform/live-cache/open-live-cache.js';
import { routeContracts } from '#schemas/http/routes.js';
import type { NavigationChanged, RouteChanged } from '#schemas/messages.js';
import { incidentKind, incidentSource, navigationState } from '#schemas/messages.js';
import type { ServerFrame } from '#schemas/nav-stream.js';
import { proves } from '#tools/acceptance/proves.js';
import { decodeLine, lengthM } from '../main-job/drive.js';
import { paperTown } from './paper-town.js';
import {
  type Ground,
  NavClient,
  openGround,
  routingOf,
  type ServedApi,
  serveApi,
  until,
} from './served-api.js';

let ground: Ground;
let served: ServedApi;
let live: LiveCache;
let clients: NavClient[] = [];
const town = paperTown();
const origin = { lat: 57.7, lng: 11.96 };
const destination = { lat: 57.704, lng: 11.964 };
let users = 0;

beforeAll(async () => {
  ground = await openGround();
  live = await openLiveCache('memory:');
  served = await serveApi(ground, town, { live });
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
});
afterAll(async () => {
  await served.close();
  await ground.close();
});

function newUser(): string {
  users += 1;
  return `user-${users}`;
}

async function connect(userId: string, at: ServedApi = served): Promise<NavClient> {
  const client = new NavClient(at.url, await ground.token(userId, 'driver'));
  clients.push(client);
  await client.next('ready');
  return client;
}

async function navigate(client: NavClient) {
  client.send({ type: 'start', origin, destination });
  return client.next('started');
}

async function decide(userId: string, navigationId: string, over: Partial<RouteChanged> = {}): Promise<void> {
  const change: RouteChanged = {
    navigationId,
    userId,
    routeVersion: 2,
    metricVersion: 2,
    tilesetId: 'paper',
    edgeIds: ['1:0-1+'],
    fromFraction: 0,
    toFraction: 1,
    polyline: 'better',
    durationS: 50,
    distanceM: 700,
    oldDurationS: 110,
    reason: 'A street is closed',
    evidence: '4 of 4 turned away',
    causedMs: Date.now() - 200,
    decidedMs: Date.now(),
    unreachable: false,
    ...over,
  };
  await ground.log.append('nav.route.changed.v1', [
    { key: userId, value: ground.codecs.navRouteChanged.encode(change) },
  ]);
}

async function sessionRecords(userId: string): Promise<NavigationChanged[]> {
  const found: NavigationChanged[] = [];
  for (const { partition, earliest } of await ground.log.offsets('nav.session.changed.v1'))
    for await (const { key, value } of ground.log.read('nav.session.changed.v1', partition, earliest))
      if (key === userId && value !== null) found.push(ground.codecs.navSessionChanged.decode(value));
  return found;
}

describe('a navigation over the socket', () => {
  proves('M-060', {
    asked: 'start tile and coarser ones up to the destination; its owner reads it',
    shown: 'its owner reads the tiles of the record; another user gets 404; the rule in api/nav-across-city',
    control: {
      in: 'api/push/navigation-store.ts',
      change: 'entry?.userId === userId ? entry.record?.whole',
      to: 'entry?.userId === userId || entry !== undefined ? entry.record?.whole',
    },
  });
  test('M-060: starts with a route and its tiles, logged first and readable only by the owner', async () => {
    const userId = newUser();
    const started = await navigate(await connect(userId));
    expect(started).toMatchObject({
      id: 1,
      tiles: ['0/0', '1/0'],
      route: { distance_m: 800, duration_s: 80 },
      warnings: ['Paper roads tear.'],
    });
    const [record] = await sessionRecords(userId);
    expect(record).toMatchObject({
      navigationId: started.navigation_id,
      state: navigationState.started,
      edgeIds: started.route.edge_ids,
      tiles: started.tiles,
      routeVersion: 1,
      destinationLatE7: 577_040_000,
    });
    const read = await served.call('GET', `/v1/navigations/${started.navigation_id}`, {
      token: await ground.token(userId, 'driver'),
    });
    expect(read).toMatchObject({ status: 200, json: { state: 'active', tiles: started.tiles, destination } });
    const foreign = await served.call('GET', `/v1/navigations/${started.navigation_id}`, {
      token: await ground.token(newUser(), 'driver'),
    });
    expect(foreign.status).toBe(404);
  });

  proves('M-062', {
    asked: 'a push arrives over the bidirectional socket (WebSocket), with the reason',
    shown: 'the decided route is a frame on the socket with reason, evidence and the time that it saves',
    control: {
      in: 'api/push/navigation-store.ts',
      change: 'for (const { sink, frame } of sends) sink.send(frame);',
      to: 'sends.length = 0;',
    },
  });
  test('M-062: a better route comes by socket, with its reason and a log record', async () => {
    const userId = newUser();
    const client = await connect(userId);
    const { navigation_id } = await navigate(client);
    await decide(userId, navigation_id);
    expect(await client.next('reroute')).toMatchObject({
      id: 2,
      navigation_id,
      reason: 'A street is closed',
      evidence: '4 of 4 turned away',
      saves_s: 60,
      route: { polyline: 'better' },
    });
    const last = await until('the record of the reroute', async () =>
      (await sessionRecords(userId)).find(({ state }) => state === navigationState.rerouted),
    );
    expect(last).toMatchObject({
      routeVersion: 2,
      edgeIds: ['1:0-1+'],
      durationS: 50,
      tiles: ['0/0', '1/0'],
    });
    const { json: status } = await served.call('GET', '/v1/status');
    expect(status.cause_to_push_ms).toBeGreaterThanOrEqual(200);
    expect((await served.metrics.scrape()).text).toMatch(/incident_to_push_seconds_count [1-9]/);
  });

  proves('M-065', {
    asked: 'no mobile push, long polling or server-sent events are needed',
    shown:
      'one WebSocket brings all news unasked; no operation has an event stream, no web page asks for one',
    control: {
      in: 'api/push/navigation-store.ts',
      change: 'for (const { sink, frame } of sends) sink.send(frame);',
      to: 'sends.length = 0;',
    },
  });
  proves('M-065', {
    asked: 'no mobile push, long polling or server-sent events are needed',
    shown: 'the web client has neither; its news comes over its WebSocket',
    control: {
      in: 'web/navigation/navigation-stream.ts',
      change: 'new WebSocket(address, streamSubprotocol)',
      to: 'new WebSocket(new EventSource(address).url, streamSubprotocol)',
    },
  });
  test('M-065: a navigation needs one WebSocket, which brings everything without a question', async () => {
    const userId = newUser();
    const client = await connect(userId);
    const sends = vi.spyOn(client.socket, 'send');
    const { navigation_id } = await navigate(client);
    await decide(userId, navigation_id, { routeVersion: 2 });
    await client.next('reroute');
    const nothing = { edgeIds: [], polyline: '', unreachable: true };
    await decide(userId, navigation_id, { routeVersion: 3, reason: 'All roads are closed', ...nothing });
    await client.next('unreachable');
    await decide(userId, navigation_id, { routeVersion: 4 });
    await client.next('reroute', 1);
    // A long poll would ask again after each piece of news.
    expect(sends).toHaveBeenCalledTimes(1);
    client.send({ type: 'end', navigation_id });
    await client.next('ended');
    expect(client.frames.map(({ type }) => type)).toEqual([
      ...['ready', 'started', 'reroute', 'unreachable', 'reroute', 'ended'],
    ]);
    for (const { operationId, responses } of routeContracts)
      expect(`${operationId} ${JSON.stringify(responses)}`).not.toMatch(/event-stream/);
    const web = fileURLToPath(new URL('../../web', import.meta.url));
    const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    const texts = sources.map((name) => `${name}: ${readFileSync(join(web, name), 'utf8')}`);
    expect(texts.filter((text) => text.includes('new WebSocket('))).toHaveLength(1);
    expect(
      texts.filter((text) => /\bEventSource\b|\bpushManager\b|\('push'|event-stream/.test(text)),
    ).toEqual([]);
  });

  proves('M-063', {
    asked: 'no push to anybody else',
    shown: 'two navigating users: each receives only the route of their own',
    control: {
      in: 'api/push/navigation-store.ts',
      change: 'for (const sink of entry.sinks) send(sink, frame);',
      to: 'for (const each of this.#byId.values()) for (const sink of each.sinks) send(sink, frame);',
    },
  });
  test('M-063: no other user receives it', async () => {
    const [mine, other] = [newUser(), newUser()];
    const [client, stranger] = [await connect(mine), await connect(other)];
    const { navigation_id } = await navigate(client);
    const foreign = await navigate(stranger);
    await decide(mine, navigation_id);
    await client.next('reroute');
    // The same partitions and consumer deliver this frame, so anything meant for the other user has arrived
    // before it.
    await decide(other, foreign.navigation_id, { reason: 'yours' });
    expect((await stranger.next('reroute')).reason).toBe('yours');
    expect(stranger.frames.filter(({ type }) => type === 'reroute').length).toBe(1);
  });

  proves('M-063', {
    asked: 'a reconnecting client gets what it missed, once',
    shown: 'two missed routes, in order and once over two resumes; the next one comes live',
    control: {
      in: 'api/push/navigation-store.ts',
      change: '.filter(({ id }) => id > last)',
      to: '.filter(({ id }) => id > 0)',
    },
  });
  test('M-063: a client that reconnects gets each missed frame once', async () => {
    const userId = newUser();
    const client = await connect(userId);
    const { navigation_id } = await navigate(client);
    await decide(userId, navigation_id, { routeVersion: 2 });
    await client.next('reroute');
    await client.close();
    await decide(userId, navigation_id, { routeVersion: 3, reason: 'missed' });
    await decide(userId, navigation_id, { routeVersion: 4, reason: 'missed too' });
    await until('the missed routes in the record', async () =>
      (await sessionRecords(userId)).find(({ routeVersion }) => routeVersion === 4),
    );
    const again = await connect(userId);
    again.send({ type: 'resume', navigation_id, last_id: 2 });
    expect(await again.next('reroute')).toMatchObject({ id: 3, reason: 'missed' });
    expect(await again.next('reroute', 1)).toMatchObject({ id: 4, reason: 'missed too' });
    again.send({ type: 'resume', navigation_id, last_id: 4 });
    again.send({ type: 'ping' });
    await again.next('pong');
    expect(again.frames.filter(({ type }) => type === 'reroute').length).toBe(2);
    await decide(userId, navigation_id, { routeVersion: 5, reason: 'live' });
    expect(await again.next('reroute', 2)).toMatchObject({ id: 5, reason: 'live' });
  });

  test('M-062, M-063: reports why no route exists, and does not replay a closed route', async () => {
    const closing = paperTown();
    const own = await serveApi(ground, closing, { live });
    try {
      const userId = newUser();
      const client = await connect(userId, own);
      const { navigation_id, route } = await navigate(client);
      const edges = route.edge_ids;
      expect(edges.length).toBeGreaterThan(4);
      await decide(userId, navigation_id, { routeVersion: 2, edgeIds: edges.slice(1) });
      await client.next('reroute');
      await client.close();
      const replayed = async (last_id: number) => {
        const again = await connect(userId, own);
        again.send({ type: 'resume', navigation_id, last_id });
        again.send({ type: 'ping' });
        await again.next('pong');
        const frames = again.frames.filter(({ type }) => type !== 'ready' && type !== 'pong');
        await again.close();
        return frames;
      };
      expect((await replayed(0)).map(({ type }) => type)).toEqual(['started', 'reroute']);
      // An operator closes one road, which the metric does not contain yet; the metric closes the other.
      const [byOperator, byMetric] = [edges[2]!, edges[3]!];
      closing.close([byMetric]);
      const incident = { incidentId: 'flood', kind: incidentKind.closed, source: incidentSource.operator };
      await ground.log.append('traffic.incident.changed.v1', [
        {
          key: 'flood',
          value: ground.codecs.trafficIncidentChanged.encode({
            ...{ ...incident, active: true, tilesetId: 'paper', edgeIds: [byOperator], speedKph: 0 },
            ...{ startedMs: Date.now(), expiresMs: 0, evidence: '', lastEvidenceMs: 0 },
          }),
        },
      ]);
      await until('the closure', async () => {
        const { json } = await own.call('GET', '/v1/incidents');
        return json.incidents.length > 0 ? true : undefined;
      });
      const [open] = await replayed(0);
      expect(open).toMatchObject({ type: 'reroute', id: 2, route: { edge_ids: edges.slice(4) } });
      const ahead = decodeLine((open as Extract<ServerFrame, { type: 'reroute' }>).route.polyline);
      expect(lengthM(ahead)).toBeCloseTo(100 * (edges.length - 4), -2);
      const reason = 'Your destination cannot be reached right now: all roads to it are closed.';
      const nothing = { edgeIds: [], polyline: '', unreachable: true };
      const watching = await connect(userId, own);
      watching.send({ type: 'resume', navigation_id, last_id: 2 });
      await decide(userId, navigation_id, { routeVersion: 3, reason, ...nothing });
      expect(await watching.next('unreachable')).toMatchObject({ id: 3, navigation_id, reason });
      expect(await replayed(0)).toEqual([expect.objectContaining({ type: 'unreachable', id: 3 })]);
      await decide(userId, navigation_id, { routeVersion: 4, edgeIds: edges.slice(4) });
      expect(await watching.next('reroute')).toMatchObject({ id: 4 });
      const { unreachable } = navigationState;
      const records = (await sessionRecords(userId)).map(({ routeVersion, state }) => [routeVersion, state]);
      expect(records).toContainEqual([3, unreachable]);
    } finally {
      await ground.log.append('traffic.incident.changed.v1', [{ key: 'flood', value: null }]);
      await own.close();
    }
  });

  test('I7: while the metric lacks an incident, routes are refused with a retry delay', async () => {
    const reason = 'The driving metric does not have the incident i1 yet.';
    const plan = () => Promise.reject(new RoutesUnavailable(reason));
    const own = await serveApi(
      ground,
      { ...paperTown(), planner: { plan } },
      { live, routing: routingOf(plan) },
    );
    try {
      const places = '57.7,11.96;57.704,11.964'.split(';');
      const asked = [
        `/v1/nav?origin=${places[0]}&destination=${places[1]}`,
        '/v1/osrm/route/v1/driving/11.96,57.7;11.964,57.704',
      ];
      for (const path of asked) {
        const { status, headers, json } = await own.call('GET', path);
        expect([status, headers.get('retry-after'), json.detail]).toEqual([503, '1', reason]);
      }
      const client = await connect(newUser(), own);
      client.send({ type: 'start', origin, destination });
      expect(await client.next('error')).toMatchObject({ code: 'unavailable', detail: reason });
    } finally {
      await own.close();
    }
  });

  test('another instance, even one that started later, resumes it and pushes to it', async () => {
    const userId = newUser();
    const client = await connect(userId);
    const { navigation_id } = await navigate(client);
    await decide(userId, navigation_id, { routeVersion: 2 });
    await client.next('reroute');
    await client.close();
    const second = await serveApi(ground, town, { live });
    try {
      const there = await connect(userId, second);
      there.send({ type: 'resume', navigation_id, last_id: 1 });
      expect(await there.next('reroute')).toMatchObject({ id: 2, reason: 'A street is closed' });
      await decide(userId, navigation_id, { routeVersion: 3, reason: 'later' });
      expect(await there.next('reroute', 1)).toMatchObject({ id: 3, reason: 'later' });
      await navigate(await connect(newUser(), second));
      await until('a count of two navigations on the first instance', async () => {
        const { json } = await served.call('GET', '/v1/status');
        return json.navigations_connected === 2 ? true : undefined;
      });
    } finally {
      await second.close();
    }
  });

  test('ends when the user ends it: the end is logged before the client receives it', async () => {
    const userId = newUser();
    const client = await connect(userId);
    const { navigation_id } = await navigate(client);
    client.send({ type: 'end', navigation_id });
    expect(await client.next('ended')).toMatchObject({ id: 2, navigation_id });
    expect((await sessionRecords(userId)).at(-1)).toMatchObject({ state: navigationState.ended });
    client.send({ type: 'end', navigation_id });
    expect(await client.next('error')).toMatchObject({ code: 'unknown-navigation' });
  });

  test('a new start by the user ends the previous navigation', async () => {
    const userId = newUser();
    const [phone, tablet] = [await connect(userId), await connect(userId)];
    const first = await navigate(phone);
    const second = await navigate(tablet);
    expect(await phone.next('ended')).toMatchObject({ navigation_id: first.navigation_id });
    expect((await sessionRecords(userId)).map(({ navigationId, state }) => [navigationId, state])).toEqual([
      [first.navigation_id, navigationState.started],
      [first.navigation_id, navigationState.ended],
      [second.navigation_id, navigationState.started],
    ]);
  });

  test('logs positions, the newest one in each half second', async () => {
    const userId = newUser();
    const client = await connect(userId);
    const { navigation_id } = await navigate(client);
    const timestamp = Date.now();
    for (let step = 0; step < 20; step += 1)
      client.send({
        type: 'position',
        navigation_id,
        lat: 57.7,
        lng: 11.96 + step * 1e-5,
        timestamp: timestamp + step,
      });
    const positions = async () => {
      const found: { readonly timeMs: number; readonly lngE7: number }[] = [];
      for (const { partition, earliest } of await ground.log.offsets('nav.progress.v1'))
        for await (const { key, value } of ground.log.read('nav.progress.v1', partition, earliest))
          if (key === userId && value !== null) found.push(ground.codecs.navProgress.decode(value));
      return found;
    };
    const newest = await until('the newest position', async () =>
      (await positions()).find(({ timeMs }) => timeMs === timestamp + 19),
    );
    expect(newest.lngE7).toBe(119_601_900);
    expect((await positions()).length).toBeLessThan(5);
  });
});

describe('a client that does not read', () => {
  proves('F33', {
    asked: 'a slow reader: bounded, resumed by version',
    shown:
      '240 routes of 60 kB: stale ones are skipped, the newest arrives; memory in tests/faults/slow-readers',
  });
  test('F33: a slow reader skips outdated routes and gets the newest when it reads again', async () => {
    const userId = newUser();
    const client = await connect(userId);
    const { navigation_id } = await navigate(client);
    client.socket.pause();
    // More than the kernel buffers for a silent client: 240 routes of 60 kB.
    const edgeIds = Array.from({ length: 3_000 }, (_, index) => `${index}:100000-100001+`);
    const newest = 241;
    for (let version = 2; version <= newest; version += 40) {
      const steps = Array.from({ length: 40 }, (_, step) => version + step);
      await Promise.all(
        steps.map((routeVersion) =>
          decide(userId, navigation_id, { routeVersion, edgeIds, decidedMs: routeVersion }),
        ),
      );
    }
    const token = await ground.token(userId, 'driver');
    await until('the newest route in the store', async () => {
      const { json } = await served.call('GET', `/v1/navigations/${navigation_id}`, { token });
      return json.route_version === newest ? true : undefined;
    });
    client.socket.resume();
    await until('the newest route', () =>
      client.frames.find((frame) => 'id' in frame && frame.id === newest),
    );
    const ids = client.frames.flatMap((frame) => ('id' in frame ? [frame.id] : []));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(ids.length).toBeLessThan(newest - 20);
    expect(client.closeCode).toBeUndefined();
  });
});

describe('what a socket refuses', () => {
  test('S6: answers frames about a foreign navigation like those about an unknown one', async () => {
    const [mine, other] = [newUser(), newUser()];
    const { navigation_id } = await navigate(await connect(mine));
    const stranger = await connect(other);
    const attempts = (id: string) => [
      { type: 'resume', navigation_id: id, last_id: 0 },
      { type: 'end', navigation_id: id },
      { type: 'position', navigation_id: id, lat: 57.7, lng: 11.96, timestamp: Date.now() },
    ];
    for (const frame of [...attempts(navigation_id), ...attempts('never')]) stranger.send(frame);
    await stranger.next('error', 5);
    const errors = stranger.frames.filter(({ type }) => type === 'error');
    expect(new Set(errors.map((frame) => JSON.stringify(frame))).size).toBe(1);
    expect(await sessionRecords(mine)).toMatchObject([{ state: navigationState.started }]);
  });

  test('S6: refuses frames before hello, a bad token, and a token without the scope', async () => {
    const silent = new NavClient(served.url);
    silent.socket.on('open', () => silent.send({ type: 'ping' }));
    const forged = new NavClient(served.url, 'eyJhbGciOiJub25lIn0.e30.');
    const operator = new NavClient(served.url, await ground.token('op', 'operator'));
    expect(await Promise.all([silent, forged, operator].map((client) => client.closed()))).toEqual([
      4401, 4401, 4401,
    ]);
    expect(
      [silent, forged, operator].flatMap(({ frames }) => frames).filter(({ type }) => type === 'ready'),
    ).toEqual([]);
  });

  test('S6: the socket closes when its token expires', async () => {
    const client = new NavClient(served.url, await ground.token(newUser(), 'driver', 1));
    await client.next('ready');
    expect(await client.closed()).toBe(4401);
  });

  test('rejects a page of a foreign origin', async () => {
    const client = new NavClient(served.url, await ground.token(newUser(), 'driver'), {
      origin: 'http://evil.example',
    });
    await client.closed();
    expect(client.frames).toEqual([]);
  });

  test('takes the alternative that passes the points, and records what the driver declined', async () => {
    const plan: Planner['plan'] = async (request) => {
      const found = await town.planner.plan(request);
      if (found.kind !== 'routes' || request.alternatives === 0) return found;
      const east = [57.7, 57.7, 57.704].map((lat, i) => [lat, [11.96, 11.964, 11.964][i]!] as const);
      const [fastest] = found.routes;
      const slower = { ...fastest!, polyline: encode(east as [number, number][]), durationS: 125 };
      return { ...found, routes: [{ ...fastest!, polyline: encode(north) }, slower] };
    };
    const north: [number, number][] = [
      [57.7, 11.96],
      [57.704, 11.96],
      [57.704, 11.964],
    ];
    const choosing = await serveApi(ground, { ...town, planner: { plan } }, { live });
    try {
      const userId = newUser();
      const client = await connect(userId, choosing);
      client.send({ type: 'start', origin, destination, along: [{ lat: 57.7001, lng: 11.9639 }] });
      const started = await client.next('started');
      expect(started.route.duration_s).toBe(125);
      const [record] = await sessionRecords(userId);
      expect(record).toMatchObject({ durationS: 125, declinedS: 125 - 80 });
      const other = await connect(newUser(), choosing);
      other.send({ type: 'start', origin, destination, along: [{ lat: 57.704, lng: 11.961 }] });
      expect((await other.next('started')).route.duration_s).toBe(80);
    } finally {
      await choosing.close();
    }
  });

  test.each([
    ['a place in the sea', { origin: { lat: 10, lng: 10 } }, 'not-found'],
    ['no origin', { origin: undefined }, 'bad-frame'],
    ['a latitude of 91', { origin: { lat: 91, lng: 11 } }, 'bad-frame'],
    ['a field that is not known', { is_admin: true }, 'bad-frame'],
    ['a word that cannot be avoided', { avoid: ['bears'] }, 'bad-frame'],
    ['no point of the route', { along: [] }, 'bad-frame'],
    ['17 points of the route', { along: Array(17).fill(origin) }, 'bad-frame'],
  ])('a start from %s is one clear error, and the socket stays open', async (_, over, code) => {
    const client = await connect(newUser());
    client.send({ type: 'start', origin, destination, ...over });
    expect(await client.next('error')).toMatchObject({ code });
    expect((await navigate(client)).id).toBe(1);
  });

  test.each([Number.NaN, 0, Date.now() + 3_600_000])(
    'rejects a position with the time %d',
    async (timestamp) => {
      const client = await connect(newUser());
      const { navigation_id } = await navigate(client);
      client.send({ type: 'position', navigation_id, lat: 57.7, lng: 11.96, timestamp });
      expect((await client.next('error')).code).toMatch(/bad-(timestamp|frame)/);
    },
  );

  proves('F34', {
    asked: '10,000 messages a second, malformed frames: closed; others unchanged',
    shown:
      '2,000 pings: closed with 4429, another client is answered; the rest in tests/faults/hostile-frames',
  });
  test('F34: a flood closes its own socket and does not affect others', async () => {
    const [flood, calm] = [await connect(newUser()), await connect(newUser())];
    for (let count = 0; count < 2_000; count += 1) flood.send({ type: 'ping' });
    expect(await flood.closed()).toBe(4429);
    calm.send({ type: 'ping' });
    await calm.next('pong');
  });

  test('F34: counts frames that are not JSON, and then closes the socket', async () => {
    const client = await connect(newUser());
    for (let count = 0; count < 20; count += 1) client.send('{"type":');
    expect(await client.closed()).toBe(4400);
  });

  test('rejects a start as busy while another is being answered', async () => {
    const client = await connect(newUser());
    for (let count = 0; count < 3; count += 1) client.send({ type: 'start', origin, destination });
    await client.next('started');
    expect(client.frames.filter((frame) => frame.type === 'error').map(({ code }) => code)).toEqual([
      'busy',
      'busy',
    ]);
  });
});
