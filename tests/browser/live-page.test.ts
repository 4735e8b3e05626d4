import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NavAnswer } from '#schemas/http/nav.js';
import { decodePolyline } from '#web/geometry/polyline.js';
import { eventually } from '../eventually.js';
import { chromium, howToInstall, skipped, why } from './chromium.js';
import {
  launch,
  mapIsDrawn,
  openPage,
  type PageGlobal,
  pixelOf,
  stateOf,
  type Trouble,
} from './open-page.js';
import { picture } from './picture.js';
import { type RunningPlatform, startPlatform } from './running-platform.js';

describe.skipIf(skipped)(`the live page${why}`, { timeout: 120_000 }, () => {
  let platform: RunningPlatform;
  let browser: Browser;
  let page: Page;
  let trouble: Trouble;
  let policy: string;
  let start: readonly [number, number];
  let end: readonly [number, number];

  beforeAll(async () => {
    if (chromium === undefined) throw new Error(`CI needs a Chromium: ${howToInstall}.`);
    platform = await startPlatform();
    browser = await launch(chromium);
    ({ page, trouble, policy } = await openPage(browser, platform.url, { width: 1280, height: 800 }));
    await mapIsDrawn(page);
    [start, end] = await twoPlaces();
  }, 240_000);

  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  /** Two places on roads, far apart, that no panel covers. */
  const twoPlaces = () =>
    page.evaluate((): [[number, number], [number, number]] => {
      const { map } = (globalThis as unknown as PageGlobal).meridian;
      const placeIn = (box: [[number, number], [number, number]]): [number, number] => {
        const roads = map
          .queryRenderedFeatures(box, { layers: ['road-secondary', 'road-primary', 'road-tertiary'] })
          .filter(({ geometry }) => geometry.type === 'LineString');
        const points = roads.flatMap(({ geometry }) => geometry.coordinates as [number, number][]);
        const inside = points.filter((point) => {
          const { x, y } = map.project(point);
          return x > box[0][0] && x < box[1][0] && y > box[0][1] && y < box[1][1];
        });
        return inside[Math.floor(inside.length / 2)]!;
      };
      return [
        placeIn([
          [640, 240],
          [780, 380],
        ]),
        placeIn([
          [840, 420],
          [980, 600],
        ]),
      ];
    });

  const clickMap = async (at: readonly [number, number]) => {
    const { x, y } = await pixelOf(page, at);
    await page.mouse.click(x, y);
  };

  it('renders roads of our own vector tiles, with their class', async () => {
    const roads = await page.evaluate(() =>
      (globalThis as unknown as PageGlobal).meridian.map
        .queryRenderedFeatures(
          [
            [420, 40],
            [1240, 680],
          ],
          { layers: ['road-motorway', 'road-primary', 'road-secondary', 'road-tertiary'] },
        )
        .map(({ properties }) => properties),
    );
    expect(roads.length).toBeGreaterThan(50);
    expect(
      roads.some((road) => ['motorway', 'primary'].includes(String(road['kind'] ?? road['class']))),
    ).toBe(true);
    await picture(page, 'start');
  });

  it('shows drivers that move', async () => {
    const canvas = page.locator('.drivers-canvas');
    await expect.poll(async () => Number(await canvas.getAttribute('data-drivers'))).toBeGreaterThan(20);
    // The pixels of the next frame in which they are drawn: a browser clears the canvas after each one.
    const coloured = () =>
      page.evaluate<number[]>(`new Promise((done) => {
        const gl = document.querySelector('.drivers-canvas').getContext('webgl2');
        const look = () => {
          const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
          const pixels = new Uint32Array(width * height);
          gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(pixels.buffer));
          const found = [...pixels.keys()].filter((at) => pixels[at] !== 0);
          if (found.length > 0) done(found);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      })`);
    const before = new Set(await coloured());
    expect(before.size).toBeGreaterThan(50);
    const moved = async () => (await coloured()).filter((pixel) => !before.has(pixel)).length;
    await expect.poll(moved).toBeGreaterThan(10);
  });

  it('shows the figures of the city', async () => {
    const figures = page.locator('.figure dd');
    expect(await figures.count()).toBe(6);
    await expect.poll(() => stateOf(page, (state) => state.status?.points_per_second)).toBeGreaterThan(0);
    await expect.poll(() => stateOf(page, (state) => state.history.length)).toBeGreaterThan(3);
    const lines = page.locator('.figure polyline');
    expect(await lines.count()).toBe(6);
    await expect.poll(() => lines.first().getAttribute('points')).toMatch(/^\d+\.\d,\d+\.\d \d/);
  });

  it('does not draw closures again while they stay the same', async () => {
    const [drawn, lists] = await page.evaluate<[number, number]>(`new Promise((done) => {
      const { map, app } = meridian;
      const lists = new Set();
      const look = () => lists.add(JSON.stringify(app.get().incidents));
      look();
      app.watch((state) => state.incidents, look);
      let drawn = 0;
      map.on('sourcedata', ({ sourceId, sourceDataType }) => {
        if (sourceId === 'incidents' && sourceDataType === 'content') drawn += 1;
      });
      setTimeout(() => done([drawn, lists.size]), 7_000);
    })`);
    expect(drawn).toBeLessThan(lists);
  });

  it('two clicks give a route with its duration, its length and its turns', async () => {
    await clickMap(start);
    await page.getByText('Now click where you want to go.').waitFor();
    await clickMap(end);
    await page.locator('.result .headline').waitFor();
    const headline = await page.locator('.result .headline').innerText();
    expect(headline).toMatch(/\d+ (min|s|h).*\d (km|m)\b.*arrive \d/s);
    await page.locator('.turns summary').click();
    expect(await page.locator('.step').count()).toBeGreaterThan(1);
    expect(await page.locator('.step-text').first().innerText()).not.toBe('');
    // A worker of the map cuts the line first.
    const drawn = () =>
      page.evaluate(
        () => (globalThis as unknown as PageGlobal).meridian.map.querySourceFeatures('route').length,
      );
    await expect.poll(drawn).toBeGreaterThan(0);
    await picture(page, 'route');
  });

  it('M-062: a closure on the route causes a reroute with its reason, its evidence and its time', {
    timeout: 240_000,
  }, async () => {
    await page.getByRole('button', { name: 'Navigate' }).click();
    const trip = () =>
      stateOf(page, ({ navigation }) => (navigation.phase === 'driving' ? navigation.trip : null));
    const driven = () =>
      eventually(async () => {
        const now = await trip();
        if (now?.route == null) throw new Error('nothing is driven');
        return { ...now, route: now.route };
      });
    const { route: first } = await driven();
    await page.getByRole('button', { name: 'Follow' }).click();
    await page.getByText('Traffic and closures').click();

    const closeRoadAt = async (at: readonly [number, number]) => {
      const byOperator = () =>
        stateOf(page, (state) => state.incidents.filter(({ source }) => source === 'operator'));
      const known = (await byOperator()).map(({ incident_id }) => incident_id);
      await page.evaluate(
        (center) => (globalThis as unknown as PageGlobal).meridian.map.jumpTo({ center, zoom: 17 }),
        at,
      );
      await mapIsDrawn(page);
      await page.getByRole('button', { name: 'Close a road' }).click();
      await clickMap(at);
      await page.getByLabel('Reason').fill('Burst water main');
      await page.getByRole('button', { name: 'Close this road' }).click();
      // The sentence proves nothing by itself: it may still be the one about the last closure.
      await page.getByRole('button', { name: 'Close this road' }).waitFor({ state: 'detached' });
      return eventually(async () => {
        const incident = (await byOperator()).find(({ incident_id }) => !known.includes(incident_id));
        if (incident === undefined) throw new Error('no other road is closed');
        return incident.edge_ids;
      });
    };

    // A parallel carriageway may be nearer to the click, and some roads have no alternative: then the next
    // road is closed.
    const line = decodePolyline(first.polyline);
    let left = false;
    for (const share of [0.5, 0.65, 0.4, 0.8]) {
      const before = (await driven()).route.edge_ids;
      const closed = await closeRoadAt(line[Math.floor(line.length * share)]!);
      if (!closed.some((id) => before.includes(id))) continue;
      const stillThere = async () =>
        (await driven()).route.edge_ids.filter((id) => closed.includes(id)).length;
      left = await expect
        .poll(stillThere, { timeout: 15_000 })
        .toBe(0)
        .then(
          () => true,
          () => false,
        );
      if (left) break;
    }
    expect(left, 'the route has left the closed road').toBe(true);
    const { reroute, route, banner } = await eventually(async () => {
      const now = await driven();
      const text = await page.getByTestId('reroute').innerText();
      // The next one may arrive between the two.
      expect(text).toContain(now.reroute!.reason);
      return { ...now, banner: text };
    });
    expect(reroute?.reason).not.toBe('');
    expect(reroute?.evidence).not.toBe('');
    expect(reroute?.causeToPushMs).toBeLessThan(10_000);
    expect(route.polyline).not.toBe(first.polyline);
    expect(banner).toMatch(/\d+ ms from cause to you/);
    await page.evaluate(
      (center) => (globalThis as unknown as PageGlobal).meridian.map.jumpTo({ center, zoom: 14 }),
      line[Math.floor(line.length / 2)]!,
    );
    await mapIsDrawn(page);
    await picture(page, 'reroute');
  });

  it('opens the road again from the list', async () => {
    const mine = () =>
      stateOf(page, (state) => state.incidents.filter(({ source }) => source === 'operator').length);
    const before = await mine();
    expect(before).toBeGreaterThan(0);
    await page
      .locator('.incident', { hasText: 'operator' })
      .first()
      .getByRole('button', { name: /^Reopen / })
      .click();
    await expect.poll(mine).toBeLessThan(before);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
  });

  it('gives every control a name, one main landmark, and unique ids', async () => {
    const faults = await page.evaluate(`(() => {
      const name = (control) =>
        control.getAttribute('aria-label') ||
        [...(control.labels ?? [])].map((label) => label.textContent.trim()).join('') ||
        control.textContent.trim();
      const controls = [...document.querySelectorAll('button, input, select, a[href], canvas[tabindex]')];
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
      return [
        ...controls.filter((control) => !name(control)).map((control) => 'no name: ' + control.outerHTML),
        ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => 'twice: ' + id),
        ...(document.documentElement.lang ? [] : ['no language']),
        ...(document.querySelectorAll('main').length === 1 ? [] : ['not one main']),
      ];
    })()`);
    expect(faults).toEqual([]);
  });

  it('plans by keyboard: Enter on the map picks its centre, a field accepts coordinates', async () => {
    await page.locator('.maplibregl-canvas').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => stateOf(page, (state) => state.start)).not.toBeNull();
    await page.getByLabel('End: address, place, or latitude and longitude').fill('nowhere');
    await page.keyboard.press('Enter');
    await page.getByText('latitude first').waitFor();
    await page.getByLabel('End: address, place, or latitude and longitude').fill(typed(end));
    await page.keyboard.press('Enter');
    await page.locator('.result, .bad').first().waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
  });

  it('N8: a street name that looks like a tag stays a name', async () => {
    const evil = '<img src=x onerror="document.title=1">';
    const some = { text: '1 km', value: 1_000 };
    const at = { lat: start[1], lng: start[0] };
    const polyline = { points: '_p~iF~ps|U_ulLnnqC' };
    const ends = { start_location: at, end_location: at };
    const step = {
      ...{ distance: some, duration: some, polyline, travel_mode: 'DRIVING' as const, ...ends },
      html_instructions: `Turn onto <b>${evil}</b><div>${evil.replaceAll('<', '&lt;')}</div>`,
    };
    const away = { distance_to_start: some, distance_from_end: some };
    const times = { duration: some, duration_in_traffic: some };
    const leg = { distance: some, ...times, ...ends, ...away, steps: [step, step] };
    const answer = {
      ...{ status: 'OK', geocoded_waypoints: [], travel_mode: 'DRIVING', metric_version: 1, tileset_id: 'x' },
      routes: [
        {
          summary: evil,
          legs: [leg],
          overview_polyline: polyline,
          copyrights: '',
          warnings: [evil],
          ranked_because: evil,
        },
      ],
    } satisfies NavAnswer;
    await page.route('**/v1/nav?**', (asked) => asked.fulfill({ json: answer }));
    await page.getByLabel('Start: address, place, or latitude and longitude').fill(typed(start));
    await page.getByLabel('End: address, place, or latitude and longitude').fill(typed(end));
    await page.keyboard.press('Enter');
    await page.locator('.turns summary').click();
    const first = page.locator('.step-text').first();
    expect(await first.locator('b').innerText()).toBe(evil);
    expect(await page.locator('.result img').count()).toBe(0);
    await page.unroute('**/v1/nav?**');
    await page.getByRole('button', { name: 'Clear' }).click();
  });

  it('N8: runs under a policy of same-origin files: no violation, no foreign request, no error', async () => {
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-');
    expect(trouble).toEqual({ console: [], violations: [], foreign: [] });
    // The pages of the tests below use the same processor.
    await page.close();
  });

  it('fits a screen of 360 by 640, in dark mode', async () => {
    const phone = await openPage(browser, platform.url, { width: 360, height: 640, dark: true });
    await mapIsDrawn(phone.page);
    const wide = await phone.page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(360);
    for (const name of ['Close a road', 'Expand the panel']) {
      const box = await phone.page.getByRole('button', { name }).boundingBox();
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(360);
    }
    await picture(phone.page, 'phone');
    const ground = () =>
      phone.page.evaluate(() =>
        (globalThis as unknown as PageGlobal).meridian.map.getPaintProperty('ground', 'background-color'),
      );
    const night = await ground();
    await phone.page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(ground).not.toBe(night);
    expect(phone.trouble).toEqual({ console: [], violations: [], foreign: [] });
    await phone.page.close();
  });

  it('reconnects a broken socket, and resumes instead of starting again', async () => {
    const sent: string[] = [];
    const sockets: WebSocketRoute[] = [];
    const again = await openPage(browser, platform.url, {
      width: 1000,
      height: 700,
      prepare: (fresh) =>
        fresh.routeWebSocket(/\/v1\/nav\/stream$/, (socket) => {
          sockets.push(socket);
          const server = socket.connectToServer();
          socket.onMessage((message) => {
            sent.push((JSON.parse(message.toString()) as { type: string }).type);
            server.send(message);
          });
        }),
    });
    await mapIsDrawn(again.page);
    await again.page.getByLabel('Start: address, place, or latitude and longitude').fill(typed(start));
    await again.page.getByLabel('End: address, place, or latitude and longitude').fill(typed(end));
    await again.page.keyboard.press('Enter');
    await again.page.getByRole('button', { name: 'Navigate' }).click();
    const phase = () => stateOf(again.page, (state) => state.navigation.phase);
    await expect.poll(phase).toBe('driving');
    await sockets[0]!.close({ code: 1012, reason: 'restarting' });
    await expect.poll(() => sent.filter((type) => type === 'resume').length).toBe(1);
    await expect.poll(phase).toBe('driving');
    expect(sent.filter((type) => type === 'start')).toHaveLength(1);
    expect(sockets).toHaveLength(2);
    await again.page.getByRole('button', { name: 'End', exact: true }).click();
    await again.page.close();
  });

  it('reports a missing WebGL, and everything else works', async () => {
    const bare = await openPage(browser, platform.url, {
      width: 1000,
      height: 700,
      prepare: (fresh) =>
        fresh.addInitScript(`HTMLCanvasElement.prototype.getContext = ((real) => function (kind, ...rest) {
          return /webgl/.test(kind) ? null : real.call(this, kind, ...rest);
        })(HTMLCanvasElement.prototype.getContext)`),
    });
    await bare.page.getByText('This browser does not support WebGL').waitFor();
    await bare.page.getByRole('button', { name: 'Close a road' }).waitFor();
    expect(bare.trouble.console).toEqual([]);
    await bare.page.close();
  });
});

/** A place as a person would type it. */
function typed([lng, lat]: readonly [number, number]): string {
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}
