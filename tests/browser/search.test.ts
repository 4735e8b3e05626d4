import { fileURLToPath } from 'node:url';
import type { Browser, Page, Request } from 'playwright-core';
import protobuf from 'protobufjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocationsAccepted } from '#schemas/http/locations.js';
import { chromium, skipped, why } from './chromium.js';
import {
  deviceScaleFactor,
  launch,
  mapIsDrawn,
  openPage,
  serviceWorkers,
  stateOf,
  type Trouble,
} from './open-page.js';
import { picture } from './picture.js';
import { type RunningPlatform, startPlatform } from './running-platform.js';

const LocationUpload = protobuf
  .loadSync(fileURLToPath(new URL('../../schemas/proto/location.proto', import.meta.url)))
  .lookupType('meridian.location.v1.LocationUpload');
/** Degrees; columns hold differences, the first to nothing. */
function lastLatOf(body: Uint8Array): number {
  const { latE7Delta } = LocationUpload.toObject(LocationUpload.decode(body)) as { latE7Delta: number[] };
  return latE7Delta.reduce((sum, delta) => sum + delta) / 1e7;
}

describe.skipIf(skipped)(`searching on the live page${why}`, { timeout: 120_000 }, () => {
  let platform: RunningPlatform;
  let browser: Browser;
  let page: Page;
  let trouble: Trouble;
  let policy: string;

  beforeAll(async () => {
    platform = await startPlatform();
    browser = await launch(chromium!);
    ({ page, trouble, policy } = await openPage(browser, platform.url, { width: 1280, height: 800 }));
    await mapIsDrawn(page);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  const field = (label: 'Start' | 'End') => page.getByLabel(new RegExp(`^${label}: address`));

  it('offers streets during typing, and selects one with only the keyboard', async () => {
    await field('Start').focus();
    await page.keyboard.type('triq meli');
    const options = page.getByRole('option');
    // A slow typist is offered names with the earlier, shorter prefix.
    await expect.poll(() => options.allInnerTexts()).toSatisfy(([first = '']) => /Triq Melita/.test(first));
    await picture(page, 'search');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => options.first().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await expect.poll(() => stateOf(page, (state) => state.start?.name ?? '')).toMatch(/Triq Melita/);
    await expect.poll(() => field('Start').inputValue()).toMatch(/Triq Melita/);
  });

  it('uses the best match for a misspelled name, and plans by place', async () => {
    const asked = page.waitForRequest(/\/v1\/nav\?.*place_id/);
    await field('End').fill('Triq Santa Lucija');
    await page.keyboard.press('Enter');
    await asked;
    await page.locator('.result .headline').waitFor();
    await expect.poll(() => field('End').inputValue()).toMatch(/Santa Lu/);
  });

  it('plans again by bicycle and without ferries, and navigates only by car', async () => {
    const asked = page.waitForRequest(/\/v1\/nav\?.*mode=bicycling/);
    await page.getByText('Bike', { exact: true }).click();
    await asked;
    await expect.poll(() => page.getByRole('button', { name: 'Navigate' }).count()).toBe(0);
    await page.getByText('Avoid', { exact: true }).click();
    const avoiding = page.waitForRequest(/\/v1\/nav\?.*avoid=ferries/);
    await page.getByLabel('ferries').check();
    await avoiding;
    await page.locator('.result .headline').waitFor();
    await picture(page, 'bicycle');
  });

  it('plans for a truck of the size that is entered, and refuses an impossible one', async () => {
    const asked = page.waitForRequest(/\/v1\/nav\?.*mode=truck/);
    await page.getByText('Truck', { exact: true }).click();
    await asked;
    await page.getByText('Size of the truck').click();
    const height = page.getByLabel('Height, m');
    const sized = page.waitForRequest(/\/v1\/nav\?.*height=3\.2/);
    await height.fill('3.2');
    await height.press('Tab');
    const answer = await (await sized).response();
    expect(answer?.status()).toBe(200);
    await page.locator('.result .headline').waitFor();
    await height.fill('99');
    await height.press('Tab');
    await page.getByText('Between 1 and 10.').waitFor();
    expect(await stateOf(page, (state) => state.truck)).toEqual({ height: 3.2 });
    await picture(page, 'truck');
  });

  it('reports that no place has the name', async () => {
    await field('End').fill('qqqqqqqq');
    await page.keyboard.press('Enter');
    await page.getByText('No place found').waitFor();
  });

  it('M-122: shares positions only after consent, as often as the server requests, and stops', async () => {
    const context = page.context();
    await context.grantPermissions(['geolocation'], { origin: platform.url });
    const moveTo = (latitude: number) => context.setGeolocation({ latitude, longitude: 14.502, accuracy: 5 });
    await moveTo(35.911);
    const sent: Request[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/locations')) sent.push(request);
    });
    const answered = page.waitForResponse(/v1.locations$/);
    await page.getByText('Share your location').click();
    const start = page.getByRole('button', { name: 'Start sharing' });
    expect(await start.isDisabled()).toBe(true);
    expect(sent).toEqual([]);
    await page.getByLabel('I agree').check();
    await start.click();
    const { send_every_s: everyS } = (await (await answered).json()) as LocationsAccepted;
    await page
      .getByText(new RegExp(`1 position sent. The server asks for a batch every ${everyS} s`))
      .waitFor();
    // Two within a second: the place where the phone stops is sent, since no other position follows.
    await moveTo(35.9115);
    await page.waitForTimeout(300);
    await moveTo(35.912);
    await expect.poll(() => sent.length, { timeout: 70_000 }).toBe(2);
    expect(sent.map((request) => lastLatOf(request.postDataBuffer()!))).toEqual([35.911, 35.912]);
    await page.getByText(/[23] positions sent\./).waitFor();
    // By the clock of the browser, which did the waiting: we may see a request late. Half a second for its
    // rounding.
    const [first, second] = sent.map((request) => request.timing().startTime);
    expect(second! - first!).toBeGreaterThan(everyS * 1_000 - 500);
    await page.getByRole('button', { name: 'Stop sharing' }).click();
  });

  it('runs under the same policy, without an error and without a foreign request', () => {
    expect(policy).not.toContain('unsafe-');
    expect(trouble).toEqual({ console: [], violations: [], foreign: [] });
  });

  it('loads within its budget on a cold cache: page, map library, tiles and figures in 1.5 MB', async () => {
    const context = await browser.newContext({ deviceScaleFactor, serviceWorkers });
    const fresh = await context.newPage();
    const session = await context.newCDPSession(fresh);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await fresh.goto(platform.url);
    await mapIsDrawn(fresh);
    console.log(`first page load: ${Math.round(bytes / 1_000)} kB`);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(1_500_000);
    await context.close();
  });

  it('fits a screen of 360 by 640 with its suggestions', async () => {
    await page.close();
    const phone = await openPage(browser, platform.url, { width: 360, height: 640 });
    await mapIsDrawn(phone.page);
    await phone.page.getByLabel(/^Start: address/).focus();
    await phone.page.keyboard.type('kungs');
    await phone.page.getByRole('option').first().waitFor();
    const box = await phone.page.getByRole('listbox', { name: 'Suggestions for Start' }).boundingBox();
    expect(box!.x).toBeGreaterThanOrEqual(0);
    expect(box!.x + box!.width).toBeLessThanOrEqual(360);
    await picture(phone.page, 'search-phone');
    await phone.page.close();
  });
});
