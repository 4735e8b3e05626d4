import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineTraffic, type LiveMetric } from '#api/engine/engine-traffic.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import { eraseRoute } from '#ingest/erase-route.js';
import { patternKey } from '#map-data/learned/user-pattern-store.js';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';
import { createHttpServer, type HttpServer } from '#platform/http/server/http-server.js';
import { ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { startPersonalization } from '#processors/personalization/start-personalization.js';
import type { Running } from '#processors/start-group.js';
import { applyChanges, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import type { NavAnswer } from '#schemas/http/nav.js';
import type { Patterns } from '#schemas/http/patterns.js';
import type { LatLng } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { type DrawnTown, drawTown } from '../../api/drawn-town.js';
import { routePool } from '../../api/route-pool.js';
import { type Ground, openGround, type ServedApi, serveApi } from '../../api/served-api.js';
import { eventually } from '../../eventually.js';
import { batchOf, type Fix } from '../drivers.js';

/** From A to D over BC in the north, or over EF in the south, which is 2 % slower. */
const map = `
    B C
A         D
    E F
`;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Midnight, ten days ago. */
const startMs = Math.floor(Date.now() / dayMs) * dayMs - 10 * dayMs;

let town: DrawnTown;
let pool: WorkerPool;
let ground: Ground;
let served: ServedApi;
let group: Running;
let erasing: HttpServer;
let erasingPort: number;
let live: LiveMetric;
const metrics = createMetrics();
let batches = 0;

const startGroup = () =>
  startPersonalization({
    ...{ log: ground.log, codecs: ground.codecs, objects: ground.objects },
    ...{ logger: silentLogger, metrics, network: town.network },
  });

beforeAll(async () => {
  const street = (way: string, maxspeed: string) => ({
    way,
    highway: 'secondary',
    tags: { name: way, maxspeed },
  });
  town = await drawTown(map, [
    ...['AB', 'BC', 'CD'].map((way) => street(way, '50')),
    ...['AE', 'EF', 'FD'].map((way) => street(way, '49')),
  ]);
  const { network } = town;
  live = { metric: freeFlowMetric(network, 'driving'), publishedMs: undefined };
  pool = routePool(network);
  const others = modeMetrics(network, { blocked: () => [], version: () => 0 });
  ground = await openGround();
  served = await serveApi(ground, {
    roads: engineRoads(network, 'Two ways'),
    planner: enginePlanner({ network, pool, driving: () => live, others }),
    traffic: engineTraffic(network, () => live),
  });
  group = await startGroup();
  await group.ready;
  erasing = createHttpServer({
    ...{ name: 'ingest', listener: 'public', logger: silentLogger, metrics },
    routes: [eraseRoute({ log: ground.log, codec: ground.codecs.locationBatchRecorded, nowMs: Date.now })],
    authenticator: createJwtAuthenticator({
      ...{ keys: ground.issuer.keys, issuer: 'https://issuer.test', audience: 'meridian' },
    }),
  });
  ({ port: erasingPort } = await erasing.listen(0));
});
afterAll(async () => {
  erasing?.close();
  await group?.close();
  await served?.close();
  await ground?.close();
  await pool?.close();
  await town?.remove();
});

/** Along straight roads at 45 km/h, a position each second; then at the last letter until `untilMs`. */
function drive(letters: string, fromMs: number, untilMs: number): Fix[] {
  const fixes: Fix[] = [];
  let timeMs = fromMs;
  const at = (place: LatLng, everyMs: number) => {
    fixes.push({ ...place, timeMs });
    timeMs += everyMs;
  };
  for (let i = 1; i < letters.length; i++) {
    const [from, to] = [town.place(letters[i - 1]!), town.place(letters[i]!)];
    const metres = Math.hypot((to.lat - from.lat) * 111_195, (to.lng - from.lng) * 59_400);
    const steps = Math.ceil(metres / 12.5);
    for (let step = 0; step < steps; step++) {
      const part = step / steps;
      at({ lat: from.lat + (to.lat - from.lat) * part, lng: from.lng + (to.lng - from.lng) * part }, 1_000);
    }
  }
  while (timeMs < untilMs) at(town.place(letters.at(-1)!), minuteMs);
  return fixes;
}

/** From A to D at 8:00 and back at 17:00, every day. */
function commutes(days: number, letters: string, firstDay = 0): Fix[] {
  const back = letters.split('').toReversed().join('');
  return Array.from({ length: days }, (_, i) => {
    const atMs = startMs + (firstDay + i) * dayMs;
    return [
      ...drive(letters[0]!, atMs + hourMs, atMs + 8 * hourMs),
      ...drive(letters, atMs + 8 * hourMs, atMs + 17 * hourMs),
      ...drive(back, atMs + 17 * hourMs, atMs + dayMs),
    ];
  }).flat();
}

async function send(user: string, fixes: readonly Fix[]): Promise<void> {
  const { locationBatchRecorded: codec } = ground.codecs;
  const records = [];
  for (let at = 0; at < fixes.length; at += 500) {
    const batch = batchOf(user, `b${batches++}`, fixes.slice(at, at + 500), Date.now());
    records.push({ key: user, value: codec.encode(batch), timestampMs: batch.receivedMs });
  }
  await ground.log.append(codec.topic.name, records);
}

const tokens = new Map<string, string>();
async function call(method: string, user: string, path: string, body?: unknown) {
  if (!tokens.has(user)) tokens.set(user, await ground.token(user, 'driver'));
  const token = tokens.get(user)!;
  return served.call(method, `/v1/users/${user}/${path}`, { token, ...(body === undefined ? {} : { body }) });
}

async function patternsOf(user: string): Promise<Patterns> {
  const { status, json, headers } = await call('GET', user, 'patterns');
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('private, no-store');
  return json as Patterns;
}

const isStored = async (user: string) => (await ground.objects.get(patternKey(user))) !== undefined;

/** Everything that was sent has been read. */
const settled = (user: string, outcome: string, least: number) =>
  eventually(() => expect(group.stats()[outcome], user).toBeGreaterThanOrEqual(least));

async function allow(user: string): Promise<void> {
  const before = group.stats()['allowed']!;
  expect((await call('PUT', user, 'patterns', { enabled: true })).json).toEqual({ enabled: true });
  await settled(user, 'allowed', before + 1);
}

/** Four days, of which the stays at D are all over. */
async function learned(user: string, letters = 'AEFD'): Promise<void> {
  await allow(user);
  await send(user, commutes(4, letters));
  await fourDays(user);
}

const fourDays = (user: string) =>
  eventually(async () => {
    const { places, routes } = await patternsOf(user);
    expect([Math.max(...places.map(({ days }) => days)), routes.length]).toEqual([4, 2]);
  });

async function nav(user: string, from: string, to: string): Promise<NavAnswer> {
  const [origin, destination] = [from, to].map((one) => `${town.place(one).lat},${town.place(one).lng}`);
  const { status, json } = await call('GET', user, `nav?origin=${origin}&destination=${destination}`);
  expect(status).toBe(200);
  return json as NavAnswer;
}
const summaries = ({ routes }: NavAnswer) => routes.map(({ summary }) => summary);

describe('usual places and routes, from locations to answers', () => {
  test('nothing is learned without permission, and the answer says so', async () => {
    await send('silent', commutes(4, 'AEFD'));
    await learned('anna');
    expect(await patternsOf('silent')).toEqual({ enabled: false, places: [], routes: [] });
    expect(await isStored('silent')).toBe(false);
    expect((await call('GET', 'silent', 'destinations')).json).toEqual({ places: [] });
  });

  test('the owner sees places with their hours, and the route between them', async () => {
    const { enabled, places, routes } = await patternsOf('anna');
    expect(enabled).toBe(true);
    expect(places).toHaveLength(2);
    const [home, work] = ['A', 'D'].map((letter) => {
      const { lat, lng } = town.place(letter);
      return places.find(({ location }) => Math.hypot(location.lat - lat, location.lng - lng) < 5e-4)!;
    });
    expect(work!.days).toBe(4);
    expect(new Set(work!.arrivals.map(({ hour_of_week: hour }) => hour % 24))).toEqual(new Set([8]));
    expect(new Set(work!.departures.map(({ hour_of_week: hour }) => hour % 24))).toEqual(new Set([17]));
    const there = routes.find(({ from }) => from === home!.id)!;
    expect(there).toMatchObject({ to: work!.id, share: 1 });
    expect(there.trips).toBeGreaterThanOrEqual(3);
    const edge = town.network.edgeId(town.edge('E', 'F'));
    expect(there.edge_ids).toContain(edge);
    expect(there.edge_ids).not.toContain(town.network.edgeId(town.edge('B', 'C')));
  });

  proves('M-025', {
    asked: 'candidates ordered and the reason named; a route need not be the absolute fastest',
    shown: 'the usual route, some seconds slower, is first for its owner alone; not with a slow road on it',
    control: {
      in: 'api/nav/rank-routes.ts',
      change: 'route.durationS <= longestS',
      to: 'route.durationS <= 2 * longestS',
    },
  });
  test('M-025: the usual route is first for its owner, unless it is materially slower', async () => {
    const open = await served.call(
      'GET',
      `/v1/nav?origin=${town.place('A').lat},${town.place('A').lng}&destination=${town.place('D').lat},` +
        `${town.place('D').lng}&alternatives=true`,
    );
    const fastest = summaries(open.json as NavAnswer);
    expect(fastest).toHaveLength(2);
    const usual = await nav('anna', 'A', 'D');
    expect(summaries(usual)).toEqual(fastest.toReversed());
    expect(usual.routes[0]!.ranked_because).toMatch(/^Your usual route \(\d s more than the fastest\)\.$/);
    expect(usual.duration!.value).toBe(usual.routes[0]!.legs[0]!.duration.value);
    expect(summaries(await nav('silent', 'A', 'D'))).toEqual(fastest);
    expect(summaries(await nav('anna', 'B', 'D'))[0]).toBe(summaries(await nav('silent', 'B', 'D'))[0]);

    const slow = [{ edge: town.edge('E', 'F'), speedKph: 20 }];
    live = { metric: applyChanges(town.network, live.metric, slow, 1), publishedMs: Date.now() };
    expect(summaries(await nav('anna', 'A', 'D'))[0]).toBe(fastest[0]);
    live = { metric: freeFlowMetric(town.network, 'driving'), publishedMs: undefined };
  });

  test('a route of an owner may have waypoints, and has no alternatives then', async () => {
    const at = (letter: string) => `${town.place(letter).lat},${town.place(letter).lng}`;
    const query = `origin=${at('A')}&waypoints=${at('B')}&destination=${at('D')}`;
    const { status, json } = await call('GET', 'anna', `nav?${query}`);
    expect({ status, errors: json.errors }).toEqual({ status: 200, errors: undefined });
    expect(json.routes).toHaveLength(1);
    expect(json.routes[0].legs).toHaveLength(2);
    expect((await call('GET', 'anna', `nav?${query}&alternatives=true`)).status).toBe(400);
  });

  test('destinations leave out where the user is, and obey their limit', async () => {
    const { places } = (await call('GET', 'anna', 'destinations')).json;
    expect(places).toHaveLength(2);
    const at = (letter: string) => `${town.place(letter).lat},${town.place(letter).lng}`;
    const away = (await call('GET', 'anna', `destinations?from=${at('A')}`)).json.places;
    expect(away).toHaveLength(1);
    expect(away[0].location.lng).toBeCloseTo(town.place('D').lng, 3);
    expect((await call('GET', 'anna', 'destinations?limit=1')).json.places).toHaveLength(1);
    expect((await call('GET', 'anna', 'destinations?limit=0')).status).toBe(400);
    const refused = await call('GET', 'anna', 'destinations?from=nowhere');
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/query/from']);
  });

  test.each([{}, { enabled: 'yes' }, { enabled: true, more: 1 }])(
    'refuses the permission %j',
    async (body) => {
      expect((await call('PUT', 'anna', 'patterns', body)).status).toBe(400);
    },
  );

  test('what was learned is read again after a restart, and once', async () => {
    const before = await patternsOf('anna');
    await group.close();
    group = await startGroup();
    await group.ready;
    await send('anna', commutes(4, 'AEFD'));
    await send('anna', commutes(1, 'AEFD', 5));
    await eventually(async () => expect((await patternsOf('anna')).places[0]!.days).toBe(5));
    const after = await patternsOf('anna');
    expect(after.places.map(({ id }) => id).toSorted()).toEqual(before.places.map(({ id }) => id).toSorted());
  });

  proves('M-009', {
    asked: 'a history can be erased, and what was learned from it',
    shown: 'erasing the locations deletes the usual places and routes; the permission stays',
    control: {
      in: 'processors/personalization/start-personalization.ts',
      change: 'await step.erase(state, key);',
      to: '',
    },
  });
  test('M-009: erasing the locations deletes what was learned from them', async () => {
    await learned('eve');
    await learned('bystander');
    const answer = await fetch(`http://127.0.0.1:${erasingPort}/v1/users/eve/locations`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${tokens.get('eve')!}` },
    });
    expect(answer.status).toBe(202);
    await eventually(async () => expect(await isStored('eve')).toBe(false));
    expect(await patternsOf('eve')).toEqual({ enabled: true, places: [], routes: [] });
    expect(await isStored('bystander')).toBe(true);
    await send('eve', commutes(4, 'ABCD'));
    await fourDays('eve');
  });

  test.each([
    ['PUT', { enabled: false }, 200],
    ['DELETE', undefined, 202],
  ])('%s %j revokes and deletes; nothing is learned after it', async (method, body, status) => {
    const user = `fred-${method}`;
    await learned(user);
    const before = group.stats();
    expect((await call(method, user, 'patterns', body)).status).toBe(status);
    expect(await patternsOf(user)).toEqual({ enabled: false, places: [], routes: [] });
    await eventually(async () => expect(await isStored(user)).toBe(false));
    await send(user, commutes(4, 'AEFD'));
    await learned(`witness-${method}`);
    expect(await isStored(user)).toBe(false);
    expect(group.stats()['revoked']).toBe(before['revoked']! + 1);
  });

  test('permission that is given again does not show what was learned before', async () => {
    await learned('gina');
    await group.close();
    await call('DELETE', 'gina', 'patterns');
    await call('PUT', 'gina', 'patterns', { enabled: true });
    expect(await isStored('gina')).toBe(true);
    expect(await patternsOf('gina')).toEqual({ enabled: true, places: [], routes: [] });
    group = await startGroup();
    await group.ready;
    await eventually(async () => expect(await isStored('gina')).toBe(false));
  });

  test('locations that were accepted before the permission are not used', async () => {
    const { locationBatchRecorded: codec } = ground.codecs;
    const early = batchOf('hugo', 'early', commutes(4, 'AEFD'), Date.now() - hourMs);
    await allow('hugo');
    const before = group.stats()['before']!;
    await ground.log.append(codec.topic.name, [{ key: 'hugo', value: codec.encode(early) }]);
    await settled('hugo', 'before', before + 1);
    expect(await isStored('hugo')).toBe(false);
  });

  test('without the store patterns are unavailable, and routes come in the usual order', async () => {
    const away = await serveApi(
      ground,
      {
        roads: engineRoads(town.network, 'Two ways'),
        planner: enginePlanner({
          ...{ network: town.network, pool, driving: () => live },
          others: modeMetrics(town.network, { blocked: () => [], version: () => 0 }),
        }),
        traffic: engineTraffic(town.network, () => live),
      },
      { patterns: { read: () => Promise.reject(new ObjectStoreUnavailable('away')) } },
    );
    const token = tokens.get('anna')!;
    for (const path of ['patterns', 'destinations']) {
      const answer = await away.call('GET', `/v1/users/anna/${path}`, { token });
      expect([answer.status, answer.headers.get('retry-after')], path).toEqual([503, '2']);
    }
    const at = (letter: string) => `${town.place(letter).lat},${town.place(letter).lng}`;
    const found = await away.call('GET', `/v1/users/anna/nav?origin=${at('A')}&destination=${at('D')}`, {
      token,
    });
    expect(found.json.routes[0].ranked_because).toBe('Fastest; no live traffic data.');
    await away.close();
  });
});
