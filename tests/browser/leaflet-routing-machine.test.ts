import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineRouting } from '#api/engine/engine-routing.js';
import { engineTraffic } from '#api/engine/engine-traffic.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { guidanceLanguages } from '#routing-engine/guidance/guide.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { routePool } from '../api/route-pool.js';
import { type Ground, openGround, type ServedApi, serveApi } from '../api/served-api.js';
import { geocodeTown } from '../geocoding/address-town.js';
import { chromium, skipped, why } from './chromium.js';
import { launch } from './open-page.js';

const script = (name: string): string => readFileSync(createRequire(import.meta.url).resolve(name), 'utf8');

/** What the client made of the response, put where the test can read it. */
interface Seen {
  readonly error?: string;
  readonly routes?: {
    readonly name: string;
    readonly coordinates: number;
    readonly distance: number;
    readonly instructions: string[];
  }[];
}

describe.skipIf(skipped)(`leaflet-routing-machine${why}`, { timeout: 120_000 }, () => {
  let pool: WorkerPool;
  let ground: Ground;
  let served: ServedApi;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const { network } = await geocodeTown();
    const live = { metric: freeFlowMetric(network, 'driving'), publishedMs: undefined };
    const driving = () => live;
    pool = routePool(network);
    ground = await openGround();
    served = await serveApi(
      ground,
      {
        roads: engineRoads(network, 'Testby'),
        planner: enginePlanner({ network, pool, driving, others: modeMetrics(network) }),
        traffic: engineTraffic(network, driving),
      },
      {
        languages: guidanceLanguages,
        routing: engineRouting({ pool, driving, others: modeMetrics(network) }),
      },
    );
    browser = await launch(chromium!);
    page = await browser.newPage();
    // The page is on the server's own origin, so that the client reads it as its own.
    await page.route(`${served.url}/client.html`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<div id="map" style="height:300px"></div>' }),
    );
    await page.goto(`${served.url}/client.html`);
    await page.addScriptTag({ content: script('leaflet') });
    await page.addScriptTag({ content: script('leaflet-routing-machine') });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await served?.close();
    await ground?.close();
    await pool?.close();
  });

  const ask = (url: string, places: readonly (readonly [number, number])[]): Promise<Seen> =>
    page.evaluate(
      ([serviceUrl, waypoints]) =>
        new Promise<Seen>((resolve) => {
          // biome-ignore lint/suspicious/noExplicitAny: the client comes without types
          const { L } = globalThis as any;
          const map = L.map('map').setView(waypoints[0], 15);
          const control = L.Routing.control({
            waypoints: waypoints.map((place: readonly [number, number]) => L.latLng(...place)),
            router: L.Routing.osrmv1({ serviceUrl, profile: 'driving' }),
          });
          const done = (seen: Seen): void => {
            map.remove();
            resolve(seen);
          };
          // biome-ignore lint/suspicious/noExplicitAny: as above
          control.on('routesfound', ({ routes }: any) =>
            done({
              // biome-ignore lint/suspicious/noExplicitAny: as above
              routes: routes.map((route: any) => ({
                name: route.name,
                coordinates: route.coordinates.length,
                distance: route.summary.totalDistance,
                // biome-ignore lint/suspicious/noExplicitAny: as above
                instructions: route.instructions.map((each: any) => each.type),
              })),
            }),
          );
          // biome-ignore lint/suspicious/noExplicitAny: as above
          control.on('routingerror', ({ error }: any) =>
            done({ error: String(error.message ?? error.status) }),
          );
          control.addTo(map);
        }),
      [`${url}/v1/osrm/route/v1`, places] as const,
    );

  test('the unchanged client renders our route and lists its turns', async () => {
    const seen = await ask(served.url, [
      [58.002, 12.0002],
      [58.0002, 12.004],
    ]);
    expect(seen.error).toBeUndefined();
    const [route] = seen.routes!;
    expect(route!.coordinates).toBeGreaterThan(2);
    expect(route!.distance).toBeGreaterThan(300);
    expect(route!.instructions.length).toBeGreaterThan(2);
    expect(route!.instructions.at(-1)).toBe('DestinationReached');
  });

  test('the client reports that there is no route', async () => {
    const seen = await ask(served.url, [
      [58.002, 12.0002],
      [58.002, 12.1],
    ]);
    expect(seen.error).toMatch(/HTTP request failed/);
  });
});
