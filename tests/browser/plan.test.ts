import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipped, why } from './chromium.js';
import { type MapPage, openMapPage } from './map-page.js';
import { mapIsDrawn, openPage, type PageGlobal, stateOf } from './open-page.js';
import { picture } from './picture.js';

const from = '35.91100,14.50200';
const to = '35.87800,14.47200';
const between = '35.89900,14.49400';

describe.skipIf(skipped)(`planning a route${why}`, { timeout: 90_000 }, () => {
  let opened: MapPage;
  let page: Page;

  beforeAll(async () => {
    opened = await openMapPage('', { width: 1280, height: 800 });
    ({ page } = opened);
  }, 240_000);

  afterAll(() => opened?.close());

  const query = () => new URL(page.url()).searchParams;
  const field = (name: string) => page.getByLabel(`${name}: address, place, or latitude and longitude`);
  const enter = async (name: string, place: string) => {
    await field(name).fill(place);
    await page.keyboard.press('Enter');
  };
  const found = () => page.locator('.result .headline').waitFor();

  it('the address holds what is planned and where the map is; Back and Forward undo and redo', async () => {
    await enter('Start', from);
    await enter('End', to);
    await found();
    await expect.poll(() => query().get('from')).toBe('35.911000,14.502000');
    await expect.poll(() => query().get('view')).toMatch(/^35\.\d+,14\.\d+,1\d\.\d\d$/);
    await page.locator('.mode', { hasText: 'Bike' }).click();
    await expect.poll(() => query().get('mode')).toBe('bicycling');
    await page.goBack();
    expect(await stateOf(page, (state) => state.mode)).toBe('driving');
    await page.goBack();
    expect(await stateOf(page, (state) => state.end)).toBeNull();
    await page.goForward();
    await page.goForward();
    expect(await stateOf(page, (state) => [state.mode, state.end?.lat])).toEqual(['bicycling', 35.878]);
    await page.goBack();
    await found();
  });

  it('tells alternatives apart: on the map by their time, in the list by their length and road', async () => {
    await expect.poll(() => page.locator('.route-label').count()).toBeGreaterThan(1);
    const labels = await page.locator('.route-label').allInnerTexts();
    expect(labels.filter((label) => /^(\+|−)\d+ |^same time$/.test(label)).length).toBe(labels.length - 1);
    const rows = await page.locator('.alternative').allInnerTexts();
    expect(rows.every((row) => /\d+ min · \d+(\.\d)? km · via \S/.test(row))).toBe(true);
    expect(new Set(rows).size).toBe(rows.length);
    await picture(page, 'alternatives');
    // The labels may lie under each other; a click is what the keyboard does, too.
    await page.locator('.route-label').nth(1).press('Enter');
    await expect.poll(() => query().get('route')).toBe('2');
    expect(await page.locator('.alternative input').nth(1).isChecked()).toBe(true);
    const chosen = await stateOf(page, ({ plan }) =>
      plan.kind === 'found' ? plan.answer.routes.map((route) => route.legs[0]!.distance.value) : [],
    );
    await page.getByRole('button', { name: 'Navigate' }).click();
    const driven = () =>
      stateOf(page, ({ navigation: now }) => (now.phase === 'driving' ? now.trip.route!.distance_m : 0));
    await expect.poll(driven, { timeout: 20_000 }).toBeGreaterThan(0);
    const metres = await driven();
    const nearest = chosen.toSorted((a, b) => Math.abs(a - metres) - Math.abs(b - metres))[0];
    expect(nearest).toBe(chosen[1]);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.goBack();
  });

  it('goes through stops, in an order that the keyboard and a pointer change', async () => {
    await page.getByRole('button', { name: 'Add a stop' }).click();
    await enter('End', between);
    await found();
    const order = () => stateOf(page, ({ start, via, end }) => [start, ...via, end].map((stop) => stop?.lat));
    expect(await order()).toEqual([35.911, 35.878, 35.899]);
    await page.getByRole('button', { name: /^Move End/ }).press('ArrowUp');
    expect(await order()).toEqual([35.911, 35.899, 35.878]);
    await page.getByText('Moved to position 2 of 3.').waitFor();
    expect(query().getAll('via')).toEqual(['35.899000,14.494000']);
    const handle = page.getByRole('button', { name: /^Move Start/ });
    const target = page.getByRole('button', { name: /^Move End/ });
    const [a, b] = [(await handle.boundingBox())!, (await target.boundingBox())!];
    await page.mouse.move(a.x + 10, a.y + 10);
    await page.mouse.down();
    await page.mouse.move(b.x + 10, b.y + 10, { steps: 4 });
    await page.mouse.up();
    expect(await order()).toEqual([35.899, 35.878, 35.911]);
    await found();
    const legs = await stateOf(page, ({ plan }) =>
      plan.kind === 'found' ? plan.answer.routes[0]!.legs.length : 0,
    );
    expect(legs).toBe(2);
    await page.getByRole('button', { name: /^Remove: Stop 1/ }).click();
    expect(await order()).toEqual([35.899, 35.911]);
  });

  it('asks for a time of departure or of arrival, miles, and what the mode can avoid', async () => {
    const asked: URLSearchParams[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/v1/nav') asked.push(url.searchParams);
    });
    await page.getByLabel('Time of the trip').selectOption('arrive');
    await expect.poll(() => asked.at(-1)?.get('arrival_time')).toMatch(/^20\d\d-.*Z$/);
    await page.getByText(/^Leave at \d/).waitFor();
    await page.getByLabel('Time of the trip').selectOption('now');
    await page.locator('.avoid summary').click();
    await page.getByLabel('distances in miles').check();
    await expect.poll(() => page.locator('.result .headline').innerText()).toMatch(/ mi · arrive/);
    await page.getByLabel('distances in miles').uncheck();
    await page.getByLabel('tolls').check();
    await expect.poll(() => asked.at(-1)?.get('avoid')).toBe('tolls');
    await page.locator('.mode', { hasText: 'Walk' }).click();
    expect(await page.getByLabel('tolls').count()).toBe(0);
    await expect.poll(() => asked.at(-1)?.get('mode')).toBe('walking');
    expect(asked.at(-1)?.get('avoid')).toBeNull();
    await page.getByRole('button', { name: 'Clear' }).click();
  });

  it('offers a place on the map with a right click', async () => {
    await page.mouse.click(800, 400, { button: 'right' });
    await page.getByRole('button', { name: 'Route to here' }).click();
    expect(await stateOf(page, (state) => state.end?.lat)).toBeGreaterThan(35);
    await page.mouse.click(700, 300, { button: 'right' });
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('This place').count()).toBe(0);
  });

  it('shows what is within reach of a place as areas on the map, and keeps it in the address', async () => {
    await page.mouse.click(950, 450, { button: 'right' });
    await page.getByRole('button', { name: 'What is within reach?' }).click();
    await expect.poll(() => stateOf(page, (state) => state.reach?.features.length)).toBe(3);
    const drawn = () =>
      page.evaluate(
        () =>
          (globalThis as unknown as PageGlobal).meridian.map.queryRenderedFeatures(
            [
              [420, 40],
              [1240, 680],
            ],
            { layers: ['reach'] },
          ).length,
      );
    await expect.poll(drawn).toBeGreaterThan(0);
    expect(query().get('reach')).toMatch(/^35\.\d+,14\.\d+$/);
    await picture(page, 'reach');
    await page.getByRole('button', { name: 'Hide' }).click();
    await expect.poll(() => query().get('reach')).toBeNull();
  });

  it('says what to do where the location is denied', async () => {
    await page.context().clearPermissions();
    await page.getByRole('button', { name: 'Start at my location' }).click();
    await page.getByText(/^Location access is denied.*search for your start/).waitFor();
  });

  it('a shared address opens the same view, in the language of the browser', async () => {
    const view = '35.90000,14.49000,14.50';
    const shared = await openPage(
      opened.browser,
      `${opened.url}/?view=${view}&from=${from}&to=${to}&open=steps&lang=de`,
      {
        ...{ width: 1280, height: 800 },
      },
    );
    await mapIsDrawn(shared.page);
    await shared.page.locator('.turns[open] .step').first().waitFor();
    expect(await shared.page.locator('.step-text').first().innerText()).toMatch(
      /^Fahren Sie|^Richtung|^Nach/,
    );
    await shared.page.getByRole('button', { name: 'Navigation starten' }).waitFor();
    const camera = await shared.page.evaluate(() => {
      const { map } = (globalThis as unknown as PageGlobal).meridian;
      const { lat, lng } = map.getCenter();
      return [lat.toFixed(4), lng.toFixed(4), map.getZoom().toFixed(2)];
    });
    expect(camera).toEqual(['35.9000', '14.4900', '14.50']);
    await shared.page.emulateMedia({ media: 'print' });
    expect(await shared.page.locator('.map').isVisible()).toBe(false);
    expect(await shared.page.locator('.step').first().isVisible()).toBe(true);
    expect(shared.trouble).toEqual({ console: [], violations: [], foreign: [] });
    await shared.page.close();
  });
});
