import { afterAll, beforeAll, expect, test } from 'vitest';
import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineTraffic } from '#api/engine/engine-traffic.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import { seeded } from '#bench/routing/seeded.js';
import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { guidanceLanguages } from '#routing-engine/guidance/guide.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { snap } from '#routing-engine/snap/snap.js';
import type { NavAnswerWithWork } from '#schemas/http/search-work.js';
import type { CellId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { decodeLine, lengthM, metresBetween, placesAlong } from '../main-job/drive.js';
import { gothenburg, networkOf } from '../tile-builder/real-maps.js';
import { routePool } from './route-pool.js';
import { type Ground, NavClient, openGround, type ServedApi, serveApi } from './served-api.js';

let network: RoadNetwork;
let pool: WorkerPool;
let ground: Ground;
let served: ServedApi;

beforeAll(async () => {
  network = await networkOf(gothenburg);
  pool = routePool(network);
  const driving = () => ({ metric: freeFlowMetric(network, 'driving'), publishedMs: undefined });
  const others = modeMetrics(network, { blocked: () => [], version: () => 0 });
  ground = await openGround();
  served = await serveApi(
    ground,
    {
      roads: engineRoads(network, 'Gothenburg'),
      planner: enginePlanner({ network, pool, driving, others }),
      traffic: engineTraffic(network, driving),
    },
    { languages: guidanceLanguages },
  );
});
afterAll(async () => {
  await served?.close();
  await ground?.close();
  await pool?.close();
});

const at = (east: number, north: number): string => {
  const [w, s, e, n] = network.bounds;
  return `${(s + (n - s) * north).toFixed(6)},${(w + (e - w) * east).toFixed(6)}`;
};
async function ask(query: Readonly<Record<string, string>>): Promise<NavAnswerWithWork> {
  const response = await fetch(`${served.url}/v1/nav?${new URLSearchParams(query)}`);
  expect(response.status).toBe(200);
  return (await response.json()) as NavAnswerWithWork;
}

proves('M-041', {
  asked: 'a long route touches few detailed tiles, counted in the debug field of the answer',
  shown: '20 routes across the city over HTTP: over 10 cells each, at most 4 read in detail, by `debug`',
  control: {
    in: 'api/nav/nav-answer.ts',
    change: 'detailed_cells: detailedCells,',
    to: 'detailed_cells: crossedCells + 0 * detailedCells,',
  },
});
test('M-041: long routes cross many cells and read few of them, as their answers say', async () => {
  const random = seeded(41);
  let long = 0;
  for (let tries = 0; tries < 200 && long < 20; tries += 1) {
    const [origin, destination] = [at(random(), random()), at(random(), random())];
    const { status, debug } = await ask({ origin, destination, debug: 'true' });
    if (status !== 'OK') continue;
    const [work] = debug!;
    if (work!.crossed_cells <= 10) continue;
    long += 1;
    expect(work!.detailed_cells, `${origin} to ${destination}`).toBeLessThanOrEqual(4);
    expect(work!.settled).toBeGreaterThan(0);
  }
  expect(long).toBe(20);
});

proves('M-023', {
  asked: 'the polyline: from snapped point to snapped point, no gap, as long as distance.value within 1 %',
  shown: '25 routes of over 200 m: ends within 1.5 m, every 10 m within 2 m of a road, length within 1 %',
  control: {
    in: 'routing-engine/route/path-geometry.ts',
    change: 'i === 0 ? path.fromFraction : 0,',
    to: '0,',
  },
});
test('M-023: the line of an answer joins its snapped ends over roads, and has its distance', async () => {
  const random = seeded(23);
  let measured = 0;
  while (measured < 25) {
    const [origin, destination] = [at(random(), random()), at(random(), random())];
    const { status, distance, polyline, start_location, end_location, routes } = await ask({
      origin,
      destination,
    });
    if (status !== 'OK' || distance!.value < 200) continue;
    measured += 1;
    const line = decodeLine(polyline!.points);
    const [leg] = routes[0]!.legs;
    for (const [asked, snapped, end, awayM] of [
      [origin, start_location!, line[0]!, leg!.distance_to_start.value],
      [destination, end_location!, line.at(-1)!, leg!.distance_from_end.value],
    ] as const) {
      const [lat, lng] = asked.split(',').map(Number) as [number, number];
      expect(Math.abs(metresBetween({ lat, lng }, snapped) - awayM), asked).toBeLessThan(2);
      expect(snap(network, snapped, { mode: 'driving', maxMeters: 1 }), asked).not.toEqual([]);
      expect(metresBetween(snapped, end), asked).toBeLessThan(1.5);
    }
    for (const place of placesAlong(line, 0, lengthM(line), 10))
      expect(snap(network, place, { mode: 'driving', maxMeters: 2 }), origin).not.toEqual([]);
    expect(Math.abs(lengthM(line) / distance!.value - 1), `${origin} to ${destination}`).toBeLessThan(0.01);
  }
});

proves('M-060', {
  asked: 'start tile and coarser ones up to that with the destination; readable by its owner',
  shown: '40 navigations over the socket: each level up to the first with both ends, as the owner reads it',
  control: {
    in: 'api/engine/navigation-tiles.ts',
    change: 'if (tile === network.ancestor(destination, level)) break;',
    to: 'if (level === 1 || tile === network.ancestor(destination, level)) break;',
  },
});
test('M-060: a navigation has its start tile and coarser ones up to the first with its end', async () => {
  const random = seeded(60);
  const token = await ground.token('navigator', 'driver');
  const client = new NavClient(served.url, token);
  await client.next('ready');
  const lengths = new Set<number>();
  for (let started = 0; started < 40; started += 1) {
    const [east, north] = [0.2 + 0.6 * random(), 0.2 + 0.6 * random()];
    // From the next street to across the city.
    const reach = 0.5 ** (started % 8);
    const ends = [at(east, north), at(east + 0.2 * reach, north + 0.2 * reach)];
    const [origin, destination] = ends.map((end) => {
      const [lat, lng] = end.split(',').map(Number);
      return { lat, lng };
    });
    client.send({ type: 'start', origin, destination });
    const { navigation_id, route, tiles } = await client.next('started', started);
    const cellOf = (id: string): CellId => network.edgeCell(network.edgeByStableId(id)!);
    const [from, to] = [cellOf(route.edge_ids[0]!), cellOf(route.edge_ids.at(-1)!)];
    const chain = Array.from({ length: network.levelCount }, (_, level) => [
      network.ancestor(from, level),
      network.ancestor(to, level),
    ]);
    const first = chain.findIndex(([start, end]) => start === end);
    expect(tiles).toEqual(chain.slice(0, first + 1).map(([start], level) => `${level}/${start}`));
    lengths.add(tiles.length);
    const read = await served.call('GET', `/v1/navigations/${navigation_id}`, { token });
    expect([read.status, read.json.tiles]).toEqual([200, tiles]);
  }
  // The destinations of some are in the start tile, of others only in coarser ones.
  expect(Math.min(...lengths)).toBe(1);
  expect(Math.max(...lengths)).toBeGreaterThan(2);
  await client.close();
});

test('an answer says nothing of the search unless it is asked, and each leg has its own', async () => {
  const ends = { origin: at(0.4, 0.4), destination: at(0.6, 0.6) };
  expect(await ask(ends)).not.toHaveProperty('debug');
  const { routes, debug } = await ask({ ...ends, waypoints: at(0.5, 0.45), debug: 'true' });
  expect(routes[0]!.legs).toHaveLength(2);
  expect(debug).toHaveLength(2);
  for (const { crossed_cells } of debug!) expect(crossed_cells).toBeGreaterThan(0);
});
