import polyline from '@mapbox/polyline';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineTraffic, type LiveMetric } from '#api/engine/engine-traffic.js';
import { type ModeMetrics, modeMetrics } from '#api/engine/mode-metrics.js';
import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { guidanceLanguages } from '#routing-engine/guidance/guide.js';
import { applyChanges, type EdgeChange, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { NavAnswer } from '#schemas/http/nav.js';
import { proves } from '#tools/acceptance/proves.js';
import { type DrawnTown, drawTown } from './drawn-town.js';
import { routePool } from './route-pool.js';
import { type Ground, openGround, type ServedApi, serveApi } from './served-api.js';

/**
 * AB is the fast route east to CD, over the toll motorway BC; the road EF around the south is free of charge.
 * GH is one-way east, and steps join H to B. No road leads to IJ.
 */
const map = `
  G H
A B   C D   I J
  E   F
`;

let town: DrawnTown;
let pool: WorkerPool;
let ground: Ground;
let served: ServedApi;
let live: LiveMetric;
let others: ModeMetrics;
/** Edges that are closed for every mode. */
let blocked: readonly number[] = [];

beforeAll(async () => {
  town = await drawTown(map, [
    { way: 'AB', highway: 'primary', tags: { name: 'Avenyn', maxspeed: '50' } },
    { way: 'BC', highway: 'motorway', tags: { ref: 'E 6', toll: 'yes', oneway: 'no', maxspeed: '50' } },
    { way: 'CD', highway: 'primary', tags: { name: '<img src=x onerror=alert(1)>', maxspeed: '50' } },
    { way: 'BE', highway: 'secondary', tags: { name: 'Södra gatan', maxspeed: '70' } },
    { way: 'EF', highway: 'secondary', tags: { name: 'Södra gatan', maxspeed: '70' } },
    { way: 'FC', highway: 'secondary', tags: { name: 'Hamngatan', maxspeed: '70' } },
    { way: 'AG', highway: 'residential', tags: { name: 'Norra gatan', maxspeed: '30' } },
    { way: 'GH', highway: 'residential', tags: { name: 'Enkelgatan', oneway: 'yes', maxspeed: '30' } },
    { way: 'HB', highway: 'steps', tags: { name: 'Trappan' } },
    { way: 'IJ', highway: 'residential', tags: { name: 'Ön' } },
    { way: 'HC', highway: 'residential', tags: { name: 'Parkgatan', maxspeed: '30' } },
  ]);
  const { network } = town;
  pool = routePool(network);
  others = modeMetrics(network, { blocked: () => blocked, version: () => live.metric.version });
  ground = await openGround();
  served = await serveApi(
    ground,
    {
      roads: engineRoads(network, 'Drawn Town'),
      planner: enginePlanner({ network, pool, driving: () => live, others }),
      traffic: engineTraffic(network, () => live),
    },
    { languages: guidanceLanguages },
  );
});
beforeEach(() => {
  blocked = [];
  live = { metric: freeFlowMetric(town.network, 'driving'), publishedMs: undefined };
});
afterAll(async () => {
  await served.close();
  await ground.close();
  await pool.close();
  await town.remove();
});

function change(...changes: readonly EdgeChange[]): void {
  const metric = applyChanges(town.network, live.metric, changes, live.metric.version + 1);
  live = { metric, publishedMs: Date.now() };
}

const closed = (...roads: readonly string[]): EdgeChange[] =>
  roads.map((road) => ({ edge: town.edge(road[0]!, road[1]!), closed: true }));

async function nav(from: string, to: string, more = ''): Promise<NavAnswer> {
  const [origin, destination] = [from, to].map(
    (letter) => `${town.place(letter).lat},${town.place(letter).lng}`,
  );
  const { status, json } = await served.call(
    'GET',
    `/v1/nav?origin=${origin}&destination=${destination}${more}`,
  );
  expect(status).toBe(200);
  expect([...Value.Errors(NavAnswer, json)]).toEqual([]);
  return json as NavAnswer;
}
const lettersAlong = ({ polyline: line }: NavAnswer): string =>
  polyline
    .decode(line!.points)
    .map(([lat, lng]) => {
      const near = (letter: string) =>
        Math.abs(town.place(letter).lat - lat) < 2e-5 && Math.abs(town.place(letter).lng - lng) < 2e-5;
      return 'ABCDEFGH'.split('').find(near) ?? '?';
    })
    .filter((letter, index, all) => letter !== all[index - 1])
    .join('');

describe('navigation on the routing engine, through worker threads', () => {
  test('finds the fast route between two places, with the length of its line', async () => {
    const answer = await nav('A', 'D');
    expect(answer).toMatchObject({
      status: 'OK',
      metric_version: 0,
      evidence: { live_edges: 0, metric_age_s: null },
    });
    expect(lettersAlong(answer)).toBe('ABCD');
    expect(answer.start_location!.lat).toBeCloseTo(town.place('A').lat, 5);
    expect(answer.end_location!.lng).toBeCloseTo(town.place('D').lng, 5);
    const steps = answer.routes[0]!.legs[0]!.steps;
    const sum = steps.reduce((metres, { distance }) => metres + distance.value, 0);
    expect(Math.abs(sum - answer.distance!.value)).toBeLessThanOrEqual(steps.length);
    expect(steps.at(0)!.start_location.lat).toBeCloseTo(town.place('A').lat, 5);
  });

  proves('M-024', {
    asked: 'slow: longer or another route; cleared: as before',
    shown:
      'over the API: one slow edge adds time, a closed one changes the route; cleared, each is as before',
    control: {
      in: 'routing-engine/overlay/metric.ts',
      change: 'return msAtSpeed(network, edge, change.speedKph);',
      to: 'return Math.min(freeFlow, msAtSpeed(network, edge, change.speedKph));',
    },
  });
  test('M-024: a slow road adds time, a closed one changes the route, reopening restores it', async () => {
    const before = await nav('A', 'D');
    const edge = town.edge('B', 'C');
    change({ edge, speedKph: 34 });
    const slow = await nav('A', 'D');
    expect(slow.duration!.value).toBeGreaterThan(before.duration!.value);
    expect(slow).toMatchObject({ metric_version: 1, evidence: { live_edges: 1, metric_age_s: 0 } });
    expect(slow.routes[0]!.legs[0]!.duration_free_flow!.value).toBe(before.duration!.value);
    change({ edge, cleared: true });
    const cleared = await nav('A', 'D');
    expect([cleared.polyline, cleared.duration]).toEqual([before.polyline, before.duration]);
    change({ edge, closed: true });
    expect(lettersAlong(await nav('A', 'D'))).toBe('ABEFCD');
    change({ edge, cleared: true });
    const after = await nav('A', 'D');
    expect([after.polyline, after.duration]).toEqual([before.polyline, before.duration]);
  });

  proves('M-021', {
    asked: 'three travel_modes; one-way driven one way, walked both; no motorway walked, no stairs driven',
    shown: 'each over the API on a drawn town, with the travel_mode of the answer',
    control: {
      in: 'osm/profiles/walking.ts',
      change: '    primary: 5,\n',
      to: '    motorway: 5,\n    primary: 5,\n',
    },
  });
  test('M-021: one-way streets are walked both ways; no stairs for cars, no motorways on foot', async () => {
    const driven = await nav('G', 'H');
    expect([lettersAlong(driven), driven.travel_mode]).toEqual(['GH', 'DRIVING']);
    expect(lettersAlong(await nav('H', 'G'))).toBe('HCBAG');
    expect(lettersAlong(await nav('G', 'H', '&mode=walking'))).toBe('GH');
    const walked = await nav('H', 'G', '&mode=walking');
    expect([lettersAlong(walked), walked.travel_mode]).toEqual(['HG', 'WALKING']);
    expect(lettersAlong(await nav('H', 'B'))).toBe('HCB');
    expect(lettersAlong(await nav('H', 'B', '&mode=walking'))).toBe('HB');
    expect(lettersAlong(await nav('B', 'C'))).toBe('BC');
    expect(lettersAlong(await nav('B', 'C', '&mode=walking'))).toBe('BHC');
    const cycled = await nav('B', 'C', '&mode=bicycling');
    expect([lettersAlong(cycled) === 'BC', cycled.travel_mode]).toEqual([false, 'BICYCLING']);
  });

  test('a blocked road is closed for walking, too, and roads across it are not', async () => {
    expect(lettersAlong(await nav('H', 'B', '&mode=walking'))).toBe('HB');
    blocked = [town.edge('H', 'B'), town.edge('B', 'H')];
    change({ edge: town.edge('A', 'B'), speedKph: 40 });
    const around = await nav('H', 'B', '&mode=walking');
    expect(lettersAlong(around)).toBe('HGAB');
    expect(around.metric_version).toBe(live.metric.version);
    blocked = [];
    expect(lettersAlong(await nav('H', 'B', '&mode=walking'))).toBe('HB');
  });

  test('the version that operators see is the one of the next answer', async () => {
    const next = async (): Promise<number> => (await nav('H', 'B', '&mode=walking')).metric_version;
    expect([others.openVersion('walking'), await next()]).toEqual([0, 0]);
    change({ edge: town.edge('A', 'B'), speedKph: 40 });
    expect(others.openVersion('walking')).toBe(0);
    blocked = [town.edge('H', 'B'), town.edge('B', 'H')];
    expect(others.openVersion('walking')).toBe(live.metric.version);
    expect(await next()).toBe(live.metric.version);
    // Traffic changes nothing for walking: the metric is not made again.
    change({ edge: town.edge('A', 'B'), speedKph: 30 });
    expect(others.openVersion('walking')).toBe(live.metric.version - 1);
    expect(await next()).toBe(live.metric.version - 1);
  });

  test('a road that is closed for driving may be walked and cycled', async () => {
    change(...closed('AB', 'BA'));
    expect(lettersAlong(await nav('A', 'B', '&mode=walking'))).toBe('AB');
    expect(lettersAlong(await nav('A', 'B', '&mode=bicycling'))).toBe('AB');
  });

  proves('M-025', {
    asked: 'avoid=tolls, motorways: no such edge where a way without exists, else an explicit status',
    shown:
      'a toll motorway: the way around for either word and both; ZERO_RESULTS for tolls where none is left',
    control: {
      in: 'routing-engine/network/edge-flags.ts',
      change: 'tolls: 1, motorways: 2',
      to: 'tolls: 1, motorways: 4',
    },
  });
  test('M-025: avoids tolls and motorways if another route exists, else reports them', async () => {
    for (const avoid of ['tolls', 'motorways', 'highways|tolls'])
      expect(lettersAlong(await nav('A', 'D', `&avoid=${avoid}`)), avoid).toBe('ABEFCD');
    change(...closed('BE', 'GH'));
    const none = await nav('A', 'D', '&avoid=tolls');
    expect(none).toMatchObject({ status: 'ZERO_RESULTS', reason: 'No route avoids tolls.' });
  });

  test('answers ZERO_RESULTS without a route, and NOT_FOUND without a road within a kilometre', async () => {
    change(...closed('BC', 'BE', 'GH'));
    const reason = 'No route from the origin to the destination is open now.';
    expect(await nav('A', 'D')).toMatchObject({ status: 'ZERO_RESULTS', routes: [], reason });
    const { json } = await served.call('GET', `/v1/nav?origin=57.75,11.96&destination=57.7,11.96`);
    expect(json).toMatchObject({
      status: 'NOT_FOUND',
      reason: 'No road for driving within 1000 m of the origin.',
    });
  });

  test('moves an end that no road leads to, and reports the distance and a warning', async () => {
    const toIsland = await nav('A', 'I');
    expect(lettersAlong(toIsland)).toBe('ABCD');
    expect(toIsland.end_location!.lng).toBeCloseTo(town.place('D').lng, 5);
    expect(toIsland.routes[0]!.warnings).toEqual([
      'Your route ends 475 m from your destination: no road for cars leads closer.',
    ]);
    const [leg] = toIsland.routes[0]!.legs;
    expect(leg).toMatchObject({
      distance_to_start: { value: 0 },
      distance_from_end: { text: '480 m', value: 475 },
    });
    const fromIsland = await nav('I', 'A', '&mode=walking&alternatives=true');
    for (const { warnings } of fromIsland.routes)
      expect(warnings).toEqual([
        'Your route begins 475 m from your starting point: no road for people on foot begins closer.',
      ]);
    expect((await nav('A', 'D')).routes[0]!.warnings).toEqual([]);
  });

  proves('M-025', {
    asked: 'candidates ordered and the reason named',
    shown: 'over the API: the fastest first, the others by their time, each with its reason',
    control: {
      in: 'api/nav/nav-answer.ts',
      change: 'ranked_because: because,',
      to: 'ranked_because: because.slice(0, 0),',
    },
  });
  test('M-025: alternatives are different routes, best first, each with its reason', async () => {
    const { routes } = await nav('A', 'D', '&alternatives=true');
    expect(routes.length).toBeGreaterThan(1);
    expect(new Set(routes.map(({ overview_polyline }) => overview_polyline.points)).size).toBe(routes.length);
    const times = routes.map(({ legs }) => legs[0]!.duration.value);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(routes[0]!.ranked_because).toMatch(/^Fastest/);
    expect(routes[1]!.ranked_because).toMatch(/slower than the first/);
  });

  test('N8: a street name that contains HTML is inert in the instructions', async () => {
    const answer = await nav('A', 'D');
    expect(answer.html_instructions).toMatch(/&lt;img src=x onerror=alert\(1\)&gt;/);
    expect(answer.html_instructions!.replace(/<\/?(b|div)>/g, '')).not.toMatch(/[<>]/);
  });

  test('instructions and quantities use the requested language', async () => {
    const [english, swedish] = [await nav('A', 'D'), await nav('A', 'D', '&language=sv-SE')];
    expect(swedish.html_instructions).not.toBe(english.html_instructions);
    expect(swedish.polyline).toEqual(english.polyline);
    const miles = await nav('A', 'D', '&units=imperial');
    expect(miles.distance!.text).toMatch(/ (mi|ft)$/);
    expect(miles.distance!.value).toBe(english.distance!.value);
  });
});

describe('the road network as the gateway shows it', () => {
  test('an operator closes the road at a place; the incident contains both directions', async () => {
    const { lat, lng } = town.place('E');
    const token = await ground.token('op', 'operator');
    const { status, json } = await served.call('POST', '/v1/incidents', {
      token,
      body: { kind: 'closed', at: { lat, lng: lng + 0.001 }, expires_in_s: 60 },
    });
    expect({ status, road: json.road }).toEqual({ status: 201, road: 'Södra gatan' });
    const { network } = town;
    const both = [town.edge('E', 'F'), town.edge('F', 'E')].map((edge) => network.edgeId(edge));
    expect(json.edge_ids.toSorted()).toEqual(both.toSorted());
  });

  test('an operator blocks the nearest road of any mode, in both directions', async () => {
    const [h, b] = [town.place('H'), town.place('B')];
    const at = { lat: (h.lat + b.lat) / 2, lng: (h.lng + b.lng) / 2 };
    const token = await ground.token('op', 'operator');
    const body = { kind: 'blocked', at, expires_in_s: 60 };
    const { status, json } = await served.call('POST', '/v1/incidents', { token, body });
    const steps = [town.edge('H', 'B'), town.edge('B', 'H')].map((edge) => town.network.edgeId(edge));
    expect({ status, kind: json.kind, edges: json.edge_ids.toSorted() }).toEqual({
      ...{ status: 201, kind: 'blocked', edges: steps.toSorted() },
    });
    const withSpeed = { ...body, speed_kph: 20 };
    expect((await served.call('POST', '/v1/incidents', { token, body: withSpeed })).status).toBe(400);
  });

  test('the traffic layer shows a closed or slow edge with its free-flow speed', async () => {
    change({ edge: town.edge('A', 'B'), speedKph: 20 }, { edge: town.edge('C', 'D'), closed: true });
    const { json } = await served.call('GET', '/v1/traffic');
    const seen = json.features.map(({ properties }: { properties: { speed_kph: number } }) => properties);
    expect(seen).toEqual([
      expect.objectContaining({ closed: false, speed_kph: expect.closeTo(20, 0), congestion: 'heavy' }),
      expect.objectContaining({ closed: true, speed_kph: 0, congestion: 'closed' }),
    ]);
  });

  test('every street is drawn once, and one-way streets are marked', () => {
    const lines = [...engineRoads(town.network, '').lines()];
    expect(lines.length).toBe(11);
    expect(lines.filter(({ oneway }) => oneway).map(({ name }) => name)).toEqual(['Enkelgatan']);
    expect(lines.find(({ ref }) => ref === 'E 6')).toMatchObject({ class: 'motorway', oneway: false });
  });
});
