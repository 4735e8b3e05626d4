import { afterAll, beforeAll, expect, test } from 'vitest';
import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineTraffic } from '#api/engine/engine-traffic.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import { seeded } from '#bench/routing/seeded.js';
import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { guidanceLanguages } from '#routing-engine/guidance/guide.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import type { NavAnswerWithWork } from '#schemas/http/search-work.js';
import { proves } from '#tools/acceptance/proves.js';
import { gothenburg, networkOf } from '../tile-builder/real-maps.js';
import { routePool } from './route-pool.js';
import { type Ground, openGround, type ServedApi, serveApi } from './served-api.js';

let pool: WorkerPool;
let ground: Ground;
let served: ServedApi;
let bounds: readonly [number, number, number, number];

beforeAll(async () => {
  const network = await networkOf(gothenburg);
  ({ bounds } = network);
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
  const [w, s, e, n] = bounds;
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
    change: 'style.debug === true &&',
    to: 'style.debug === false &&',
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

test('an answer says nothing of the search unless it is asked, and each leg has its own', async () => {
  const ends = { origin: at(0.4, 0.4), destination: at(0.6, 0.6) };
  expect(await ask(ends)).not.toHaveProperty('debug');
  const { routes, debug } = await ask({ ...ends, waypoints: at(0.5, 0.45), debug: 'true' });
  expect(routes[0]!.legs).toHaveLength(2);
  expect(debug).toHaveLength(2);
  for (const { crossed_cells } of debug!) expect(crossed_cells).toBeGreaterThan(0);
});
