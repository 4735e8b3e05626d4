import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OsrmTown } from '../api/osrm-town.js';
import { openClientTown } from '../routing-clients/client-town.js';
import { osrmJsScript } from '../routing-clients/osrm-js.js';
import { chromium, skipped, why } from './chromium.js';
import { launch } from './open-page.js';

const require = createRequire(import.meta.url);
const script = (name: string): string => readFileSync(require.resolve(name), 'utf8');
const mapLibrary = join(dirname(require.resolve('maplibre-gl/package.json')), 'dist');

// biome-ignore lint/suspicious/noExplicitAny: the clients come without types
type Untyped = any;
type Place = readonly [lng: number, lat: number];

describe.skipIf(skipped)(`routing of map libraries, unchanged${why}`, { timeout: 120_000 }, () => {
  let town: OsrmTown;
  let browser: Browser;
  let page: Page;
  let api: string;

  beforeAll(async () => {
    town = await openClientTown();
    const { url } = town.served;
    api = `${url}/v1/osrm`;
    browser = await launch(chromium!);
    page = await browser.newPage();
    // The page is on the server's own origin, so that the clients read it as their own.
    await page.route(`${url}/client.html`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<div id="map" style="height:300px;width:300px"></div>',
      }),
    );
    await page.route(`${url}/directions.js`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script('@maplibre/maplibre-gl-directions') }),
    );
    // Its worker is loaded from beside it.
    await page.route(`${url}/map-library/*.mjs`, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        path: join(mapLibrary, basename(new URL(route.request().url()).pathname)),
      }),
    );
    await page.goto(`${url}/client.html`);
    for (const name of ['leaflet', 'leaflet-routing-machine'])
      await page.addScriptTag({ content: script(name) });
    await page.addScriptTag({ content: osrmJsScript() });
    const module = `import Directions from '${url}/directions.js';
      import * as maplibregl from '${url}/map-library/maplibre-gl.mjs';
      Object.assign(globalThis, { Directions, maplibregl });`;
    await page.addScriptTag({ type: 'module', content: module });
    await page.waitForFunction('globalThis.Directions !== undefined');
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await town?.close();
  });

  const places = (letters: string): Place[] => letters.split(' ').map((letter) => town.place(letter));

  describe('leaflet-routing-machine', () => {
    /** What the client made of the response. */
    interface Seen {
      readonly error?: string;
      readonly routes?: {
        readonly name: string;
        readonly coordinates: number;
        readonly distance: number;
        readonly instructions: string[];
      }[];
    }

    const ask = (letters: string): Promise<Seen> =>
      page.evaluate(
        ([serviceUrl, waypoints]) =>
          new Promise<Seen>((resolve) => {
            const { L } = globalThis as Untyped;
            const latLngs = waypoints.map(([lng, lat]) => L.latLng(lat, lng));
            const map = L.map('map').setView(latLngs[0], 15);
            const control = L.Routing.control({
              waypoints: latLngs,
              router: L.Routing.osrmv1({ serviceUrl, profile: 'driving' }),
            });
            const done = (seen: Seen): void => {
              map.remove();
              resolve(seen);
            };
            control.on('routesfound', ({ routes }: Untyped) =>
              done({
                routes: routes.map((route: Untyped) => ({
                  name: route.name,
                  coordinates: route.coordinates.length,
                  distance: route.summary.totalDistance,
                  instructions: route.instructions.map((each: Untyped) => each.type),
                })),
              }),
            );
            control.on('routingerror', ({ error }: Untyped) =>
              done({ error: String(error.message ?? error.status) }),
            );
            control.addTo(map);
          }),
        [`${api}/route/v1`, places(letters)] as const,
      );

    test('draws our route and lists its turns', async () => {
      const seen = await ask('A E');
      expect(seen.error).toBeUndefined();
      const [route] = seen.routes!;
      expect(route!.coordinates).toBeGreaterThan(2);
      expect(route!.distance).toBeCloseTo(260, -1);
      expect(route!.name).toContain('High Street');
      expect(route!.instructions).toEqual(['Head', 'Right', 'DestinationReached']);
    });

    test('says that there is no route', async () => {
      expect((await ask('A X')).error).toMatch(/HTTP request failed/);
    });
  });

  describe('osrm.js', () => {
    const ask = (call: string, options: object): Promise<Untyped> =>
      page.evaluate(
        ([url, service, asked]) =>
          new Promise((resolve) => {
            const client = new (globalThis as Untyped).osrm(url);
            client[service](asked, (error: Untyped, answer: Untyped) =>
              resolve(error === null ? answer : { error: String(error) }),
            );
          }),
        [api, call, options] as const,
      );

    test('route, table, nearest, match and trip', async () => {
      const coordinates = places('A B E');
      expect(await ask('route', { coordinates, steps: true, overview: 'full' })).toMatchObject({
        code: 'Ok',
        routes: [{ distance: expect.closeTo(260, -1) }],
      });
      const { durations } = await ask('table', { coordinates });
      expect(durations.map((row: number[]) => row.length)).toEqual([3, 3, 3]);
      const { waypoints } = await ask('nearest', { coordinates: places('B'), number: 3 });
      expect(waypoints).toHaveLength(3);
      expect(await ask('match', { coordinates })).toMatchObject({ code: 'Ok', matchings: [{}] });
      expect(await ask('trip', { coordinates: places('B C F') })).toMatchObject({ code: 'Ok', trips: [{}] });
      expect(await ask('route', { coordinates: places('A X') })).toMatchObject({ code: 'NoRoute' });
    });
  });

  describe('maplibre-gl-directions', () => {
    interface Seen {
      readonly error?: string;
      readonly isAnswered: boolean;
      /** What each feature on the map is, and where. */
      readonly drawn: [kind: string, coordinates: Untyped][];
    }

    const ask = (letters: string, requestOptions: object): Promise<Seen> =>
      page.evaluate(
        async ([url, waypoints, options]) => {
          const { maplibregl, Directions } = globalThis as Untyped;
          const map = new maplibregl.Map({
            container: 'map',
            style: { version: 8, sources: {}, layers: [] },
            center: waypoints[0],
            zoom: 14,
          });
          await new Promise((loaded) => map.on('load', loaded));
          const directions = new Directions(map, {
            api: `${url}/route/v1`,
            profile: 'driving',
            requestOptions: options,
          });
          const ended = new Promise<Untyped>((end) => directions.on('fetchroutesend', end));
          const failed = directions.setWaypoints(waypoints).then(
            () => undefined,
            (error: Untyped) => String(error),
          );
          const { data } = await ended;
          const error = await failed;
          const { features } = await map.getSource('maplibre-gl-directions').getData();
          map.remove();
          return {
            ...(error === undefined ? {} : { error }),
            isAnswered: data.directions?.code === 'Ok',
            drawn: features.map(({ properties, geometry }: Untyped) => [
              properties.route ?? properties.type,
              geometry.coordinates,
            ]),
          };
        },
        [api, places(letters), requestOptions] as const,
      );

    test('draws our route, the places that it snaps to, and their distances', async () => {
      const [a, b, e] = places('A B E').map((place) => place.map((value) => expect.closeTo(value, 5)));
      const { drawn, ...seen } = await ask('A E', {});
      expect(seen).toEqual({ isAnswered: true });
      const of = (kind: string): Untyped[] => drawn.flatMap(([each, line]) => (each === kind ? [line] : []));
      expect(of('SNAPPOINT')).toEqual([a, e]);
      expect(of('SNAPLINE')).toEqual([
        [a, a],
        [e, e],
      ]);
      expect(of('SELECTED')).toEqual([[a, b, e]]);
    });

    test('reads each kind of line, through several places', async () => {
      for (const geometries of ['polyline', 'polyline6', 'geojson']) {
        const { drawn, ...seen } = await ask('A C F', { geometries, overview: 'full', alternatives: 'true' });
        expect(seen).toEqual({ isAnswered: true });
        // A line for each leg.
        expect(drawn.filter(([kind]) => kind === 'SELECTED')).toHaveLength(2);
      }
    });

    test('draws no line where there is no route', async () => {
      const { drawn, isAnswered } = await ask('A X', {});
      expect(isAnswered).toBe(false);
      expect(drawn.map(([kind]) => kind)).toEqual(['WAYPOINT', 'WAYPOINT']);
    });
  });
});
