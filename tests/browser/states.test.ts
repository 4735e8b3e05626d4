import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Incident } from '#schemas/http/incidents.js';
import { skipped, why } from './chromium.js';
import { type MapPage, openMapPage } from './map-page.js';
import { mapIsDrawn, type PageGlobal } from './open-page.js';
import { picture } from './picture.js';

/** Incidents as a busy city has them: streets with several, and roads without a name. */
const many: Incident[] = Array.from({ length: 60 }, (_, i) => ({
  ...{ incident_id: `i${i}`, kind: 'closed', source: i % 3 === 0 ? 'operator' : 'detected', active: true },
  ...{ edge_ids: [], road: i % 5 === 4 ? '' : `Triq ${i % 20}`, expires_at: null },
  geometry: {
    type: 'MultiLineString',
    coordinates: [
      [
        [14.5, 35.9],
        [14.501, 35.9],
      ],
    ],
  },
  started_at: new Date(Date.UTC(2026, 10, 27, 10, i)).toISOString(),
  evidence: '5 of 5 guided drivers turned away in 4 min',
}));

describe.skipIf(skipped)(`what the map page shows of its state${why}`, { timeout: 90_000 }, () => {
  let opened: MapPage;
  let page: Page;

  beforeAll(async () => {
    opened = await openMapPage('/?view=35.89900,14.51300,18.00', { width: 1280, height: 800 });
    ({ page } = opened);
  }, 240_000);

  afterAll(() => opened?.close());

  const light = (shown: Page) => shown.locator('.server').innerText();

  it('the light is live only while everything that is asked is answered', async () => {
    await expect.poll(() => light(page)).toBe('live');
    await page.route('**/v1/incidents', (asked) =>
      asked.fulfill({ status: 503, headers: { 'retry-after': '2' }, body: '' }),
    );
    await expect.poll(() => light(page)).toBe('busy, retrying');
    await page.unroute('**/v1/incidents');
    await expect.poll(() => light(page), { timeout: 30_000 }).toBe('live');
    await page.route('**/v1/status', (asked) => asked.abort());
    await expect.poll(() => light(page), { timeout: 30_000 }).toBe('not responding, retrying');
    await page.unroute('**/v1/status');
    await expect.poll(() => light(page), { timeout: 30_000 }).toBe('live');
    await page.context().setOffline(true);
    await expect.poll(() => light(page)).toBe('offline');
    await page.getByText(/^You are offline. The map shows what was loaded/).waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => light(page), { timeout: 30_000 }).toBe('live');
  });

  it('says that all roads are open', async () => {
    await page.route('**/v1/incidents', (asked) => asked.fulfill({ json: { incidents: [] } }));
    await page.getByText('All roads are open.').waitFor();
    await page.unroute('**/v1/incidents');
  });

  it('lists closures by street, newest first, and the legend stays on the screen', async () => {
    await page.route('**/v1/incidents', (asked) => asked.fulfill({ json: { incidents: many } }));
    await page.getByRole('button', { name: /^Show all \d+ streets$/ }).waitFor();
    expect(await page.locator('.incidents > .incident').count()).toBe(4);
    const legend = (await page.getByLabel('Map colours').boundingBox())!;
    expect(legend.y + legend.height).toBeLessThan(800);
    expect(await page.locator('.incident .name-button').first().innerText()).toBe('Unnamed road');
    expect(await page.locator('.incident .name-button').nth(1).innerText()).toBe('Triq 18');
    await page.locator('.incident').nth(1).getByText('3 places').click();
    await picture(page, 'closures');
    await page.getByRole('button', { name: /^Show all/ }).click();
    expect(await page.locator('.incidents > .incident').count()).toBe(28);
    await expect.poll(() => page.url()).toContain('open=closures');
    await page.unroute('**/v1/incidents');
  });

  it('draws house numbers, one-way arrows and places of interest where there is room for them', async () => {
    const drawn = (layer: string) =>
      page.evaluate(
        (id) =>
          (globalThis as unknown as PageGlobal).meridian.map.queryRenderedFeatures(
            [
              [420, 40],
              [1240, 680],
            ],
            { layers: [id] },
          ).length,
        layer,
      );
    await expect.poll(() => drawn('one-ways')).toBeGreaterThan(0);
    await expect.poll(() => drawn('pois')).toBeGreaterThan(0);
    await expect.poll(() => drawn('house-numbers')).toBeGreaterThan(0);
    await picture(page, 'details');
    const goTo = (zoom: number) =>
      page.evaluate((to) => {
        (globalThis as unknown as PageGlobal).meridian.map.jumpTo({ center: [14.49, 35.895], zoom: to });
      }, zoom);
    await goTo(13);
    await mapIsDrawn(page);
    await expect.poll(() => drawn('shields')).toBeGreaterThan(0);
    expect(await drawn('house-numbers')).toBe(0);
    await goTo(21);
    await mapIsDrawn(page);
    expect(await page.evaluate(() => (globalThis as unknown as PageGlobal).meridian.map.getZoom())).toBe(21);
  });

  it('everything is in a landmark, what scrolls has the focus, the chosen mode is readable', async () => {
    const faults = await page.evaluate(`(() => {
      const landmark = 'main, header, footer, section[aria-label], section[aria-labelledby], [role="status"]';
      const outside = [...document.querySelectorAll('#page *')].filter(
        (each) => each.childElementCount === 0 && each.textContent !== '' && !each.closest(landmark),
      );
      const scrolls = [...document.querySelectorAll('.figures')].filter((each) => each.tabIndex < 0);
      return [...outside, ...scrolls].map((each) => each.outerHTML.slice(0, 120));
    })()`);
    expect(faults).toEqual([]);
    const luminance = (css: string) => {
      const [r, g, b] = /(\d+), (\d+), (\d+)/
        .exec(css)!
        .slice(1)
        .map((part) => ((Number(part) / 255 + 0.055) / 1.055) ** 2.4) as [number, number, number];
      return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const { color, ground } = (await page.evaluate(`(() => {
      const style = getComputedStyle(document.querySelector('.mode:has(:checked) span'));
      return { color: style.color, ground: style.backgroundColor };
    })()`)) as { color: string; ground: string };
    expect(luminance(ground) / luminance(color)).toBeGreaterThan(4.5);
  });

  it('a route is awaited, fails and is asked for again, by a click or when the network is back', async () => {
    const shown = page.locator('section', { has: page.getByLabel(/^Start: address/) });
    const answers: ((route: Route) => Promise<void>)[] = [];
    let release = () => {};
    const hold = () =>
      new Promise<void>((resolve) => {
        release = resolve;
      });
    let waiting = hold();
    await page.route('**/v1/nav?**', async (route) => {
      await waiting;
      await (answers.shift() ?? ((one: Route) => one.continue()))(route);
    });
    await page.getByLabel(/^Start: address/).fill('35.91100, 14.50200');
    await page.getByLabel(/^End: address/).fill('35.87800, 14.47200');
    await page.keyboard.press('Enter');
    await shown.locator('.skeleton').waitFor();
    answers.push((route) => route.fulfill({ status: 500, body: '' }));
    release();
    await shown.getByText('The server returned status 500.').waitFor();
    expect(await shown.locator('.skeleton').count()).toBe(0);

    waiting = hold();
    answers.push((route) => route.abort());
    await shown.getByRole('button', { name: 'Retry' }).click();
    await shown.locator('.skeleton').waitFor();
    await page.context().setOffline(true);
    release();
    await shown.getByText('You are offline.', { exact: true }).waitFor();
    await page.context().setOffline(false);
    await page.locator('.result .headline').waitFor();

    await page.route('**/v1/nav/steps', async (route) => {
      await waiting;
      await route.continue();
    });
    waiting = hold();
    await page.getByRole('button', { name: 'Navigate' }).click();
    await page.getByText('Loading the steps…').waitFor();
    release();
    await page.getByTestId('maneuver-distance').waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();

    // Nothing leads there: that is an answer, and no fault that may pass.
    const byBicycle = (url: URL) => url.pathname === '/v1/nav' && /bicycl/i.test(url.search);
    await page.route(byBicycle, (route) => route.fulfill({ json: { status: 'ZERO_RESULTS', routes: [] } }));
    await page.locator('.mode', { hasText: 'Bike' }).click();
    await shown.getByText('No route connects these two places.').waitFor();
    expect(await shown.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await page.unroute(byBicycle);
    await page.unroute('**/v1/nav?**');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
  });

  it('a search that fails says so', async () => {
    const end = page.getByLabel(/^End: address/);
    await page.route('**/v1/autocomplete?**', (route) => route.fulfill({ status: 500, body: '' }));
    await end.fill('Triq');
    await end.press('Enter');
    await page.locator('.field-error').getByText('The server returned status 500.').waitFor();
    await page.unroute('**/v1/autocomplete?**');
    await page.context().setOffline(true);
    await end.fill('Triq il');
    await end.press('Enter');
    await page.locator('.field-error').getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await end.fill('');
    await end.press('Enter');
  });

  it('opens without a network with the map of the last visit, and is live again with one', async () => {
    const context = await opened.browser.newContext({ viewport: { width: 1280, height: 800 } });
    const visit = await context.newPage();
    visit.setDefaultTimeout(60_000);
    const address = `${opened.url}/?view=35.89900,14.51300,15.00`;
    const roads = () =>
      visit.evaluate(
        () =>
          (globalThis as unknown as PageGlobal).meridian.map.querySourceFeatures('base', {
            sourceLayer: 'streets',
          }).length,
      );
    await visit.goto(address);
    await visit.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    // From now on everything goes through the service worker.
    await visit.reload();
    await mapIsDrawn(visit);
    await expect.poll(roads).toBeGreaterThan(100);

    await context.setOffline(true);
    await visit.reload();
    await mapIsDrawn(visit);
    await expect.poll(roads).toBeGreaterThan(100);
    expect(await light(visit)).toBe('offline');
    await visit.getByText(/^You are offline/).waitFor();
    await picture(visit, 'without a network');
    // Nothing else is kept: figures of an hour ago would look like those of now.
    const status = await visit.evaluate(() => fetch('/v1/status').then(String, () => 'no answer'));
    expect(status).toBe('no answer');

    await context.setOffline(false);
    await expect.poll(() => light(visit), { timeout: 30_000 }).toBe('live');
    const kept = await visit.evaluate<string[]>(`(async () => {
      const every = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      const all = await Promise.all(every.map((cache) => cache.keys()));
      return all.flat().map(({ url }) => new URL(url).pathname);
    })()`);
    expect(kept.filter((path) => !/^\/($|assets\/|v1\/tiles)/.test(path))).toEqual([]);
    await context.close();
  });

  it('can be installed: a manifest with an icon, of this server', async () => {
    const address = await page.locator('link[rel="manifest"]').getAttribute('href');
    const answer = await page.request.get(`${opened.url}${address}`);
    expect(answer.headers()['content-type']).toContain('application/manifest+json');
    const { icons, start_url: start } = await answer.json();
    expect(start).toBe('/');
    expect((await page.request.get(`${opened.url}${icons[0].src}`)).status()).toBe(200);
  });
});
