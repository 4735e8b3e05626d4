import type { BrowserContext, Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { skipped, why } from './chromium.js';
import { serviceWorkers } from './open-page.js';
import { openedPlatform } from './opened-platform.js';
import { picture } from './picture.js';

const hotel = 'h00011';
const hostile = '<img src=x onerror="globalThis.broken=1"> \u202Eterces\u202C 🏨👩‍👩‍👧';

/** Browsers as some people have them. */
const without = {
  'storage that is forbidden': `for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(globalThis, name, {
      get() { throw new DOMException('denied', 'SecurityError'); } });`,
  'storage that is full': `Storage.prototype.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError'); };`,
  WebGL: `const own = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith('webgl') ? null : own.call(this, kind, ...rest); };`,
};

/** What each page asks for first, and where. */
const pages = [
  ['hotels', 'stay/#/hotels', '/v1/hotel-places'],
  ['reservations', 'stay/#/reservations', '/v1/reservations'],
  ['saved cards', 'stay/#/cards', '/v1/saved-cards'],
  ['a hotel', `stay/#/hotels/${hotel}`, `/v1/hotels/${hotel}`],
  ['audit log', 'staff/#/actions', '/v1/staff/actions'],
  ['payments', 'finance/#/payments', '/v1/finance/payments'],
  ['a payment', 'finance/#/payments/some', '/v1/finance/payments/some'],
  ['balances', 'finance/#/balances', '/v1/finance/balances'],
  ['audit log of finance', 'finance/#/audit', '/v1/finance/audit'],
  ['findings', 'finance/#/findings', '/v1/finance/findings'],
  ['reviews', 'finance/#/reviews', '/v1/payment-reviews'],
  ['dead letters', 'finance/#/letters', '/v1/payment-dead-letters'],
  ['disputes', 'finance/#/disputes', '/v1/disputes'],
  ['payouts', 'finance/#/payouts', '/v1/payouts'],
] as const;

const problem = (status: number, title: string) => (asked: Route) =>
  asked.fulfill({ status, contentType: 'application/problem+json', json: { status, title, code: 'x' } });

describe.skipIf(skipped)(`pages that meet what is bad${why}`, { timeout: 120_000 }, () => {
  const opened = openedPlatform();

  const open = async (script = ''): Promise<[BrowserContext, Page, string[]]> => {
    const context = await opened.browser.newContext({
      viewport: { width: 390, height: 844 },
      serviceWorkers,
    });
    if (script !== '') await context.addInitScript(script);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const broken: string[] = [];
    page.on('pageerror', (error) => broken.push(error.message));
    return [context, page, broken];
  };
  const book = async (page: Page, name: string) => {
    await page.goto(`${opened.url}/stay/#/hotels/${hotel}`);
    await page.getByRole('button', { name: 'Reserve' }).first().click();
    await page.locator('[name="name"]').fill(name);
    await page.locator('[name="email"]').fill('ada@example.org');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
  };

  it.each(Object.entries(without))('a stay is booked without %s', async (_, script) => {
    const [context, page, broken] = await open(script);
    await page.goto(`${opened.url}/stay/`);
    await page.locator('.tile-price b').first().waitFor();
    await book(page, 'Ada Lovelace');
    await page.getByRole('link', { name: 'Pay by card' }).waitFor();
    expect(broken).toEqual([]);
    await context.close();
  });

  it('without WebGL the map is a picture that shows the route, zooms and takes clicks', async () => {
    const [context, page, broken] = await open(without.WebGL);
    await page.goto(`${opened.url}/?from=35.9110,14.5020&to=35.8780,14.4720`);
    await page.getByText('This browser does not support WebGL').waitFor();
    await page.locator('.result .headline').waitFor();
    const tiles = page.locator('.static-map img');
    const drawn = () =>
      tiles.evaluateAll((images) =>
        images.every((image) => (image as { naturalWidth?: number }).naturalWidth === 256),
      );
    await expect.poll(drawn).toBe(true);
    expect(await tiles.count()).toBeGreaterThan(3);
    const route = page.locator('.static-map polyline').last();
    const width = async () => (await route.boundingBox())?.width ?? 0;
    const fitted = await width();
    expect(fitted).toBeGreaterThan(40);
    expect(fitted).toBeLessThan(390);
    await picture(page, 'map-without-webgl');
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(width).toBeGreaterThan(1.9 * fitted);
    await expect.poll(drawn).toBe(true);
    await page.goto(`${opened.url}/`);
    const frame = page.locator('.static-map');
    await frame.click({ position: { x: 120, y: 200 } });
    await frame.click({ position: { x: 260, y: 260 } });
    await page.locator('.result .headline').waitFor();
    expect(await page.locator('.static-map circle').count()).toBe(2);
    expect(broken).toEqual([]);
    await context.close();
  });

  it('a hostile name stays text on every page that shows it; a long one is refused', async () => {
    const [context, page, broken] = await open();
    await book(page, 'x'.repeat(10_000));
    await page.getByText(/^Enter a name of at most \d+ characters\.$/).waitFor();
    await page.locator('[name="name"]').fill(hostile);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('link', { name: 'Pay by card' }).waitFor();
    const id = decodeURIComponent(new URL(page.url()).hash.split('/').at(-1)!);
    await page.goto(`${opened.internalUrl}/staff/#/reservations/${encodeURIComponent(id)}`);
    await page.getByText('terces').first().waitFor();
    expect(await page.locator('main').innerText()).toContain('<img src=x');
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.evaluate('globalThis.broken')).toBe(undefined);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(broken).toEqual([]);
    await context.close();
  });

  it('a token that ends in between is replaced, and the guest notices nothing', async () => {
    const [context, page] = await open();
    let refused = 0;
    await page.route(/\/v1\/reservations(\?|$)/, (asked) =>
      refused++ === 0 ? problem(401, 'A valid bearer token is required')(asked) : asked.fallback(),
    );
    await page.goto(`${opened.url}/stay/#/reservations`);
    await page.getByText('You have no reservations yet.').waitFor();
    expect(refused).toBeGreaterThan(1);
    await context.close();
  });

  it('of two tabs that cancel the same stay, the later one reads what is', async () => {
    const [context, page, broken] = await open();
    await book(page, 'Ada Lovelace');
    await page.getByRole('link', { name: 'Pay by card' }).waitFor();
    const other = await context.newPage();
    for (const tab of [page, other]) {
      await tab.goto(`${opened.url}/stay/#/reservations`);
      await tab.getByRole('button', { name: 'Cancel', exact: true }).click();
    }
    await page.getByRole('button', { name: 'Yes, cancel' }).click();
    await page.locator('.status-cancelled, .status-expired').first().waitFor();
    await other.getByRole('button', { name: 'Yes, cancel' }).click();
    await other.locator('.status-cancelled, .status-expired, [role="alert"]').first().waitFor();
    expect(broken).toEqual([]);
    await context.close();
  });

  it('a denied position is one sentence', async () => {
    const [context, page, broken] = await open(`navigator.geolocation.getCurrentPosition = (_, failed) =>
      failed({ code: 1, PERMISSION_DENIED: 1, message: 'denied' });`);
    await page.goto(opened.url);
    await page.getByRole('button', { name: 'Start at my location' }).click();
    await page.locator('.notice-place p').waitFor();
    expect(broken).toEqual([]);
    await context.close();
  });

  it.each(pages)(
    '%s: loading, then failed, offline, busy and denied, each in words',
    async (_, path, asks) => {
      const [context, page, broken] = await open();
      const base = path.startsWith('stay') ? opened.url : opened.internalUrl;
      const matches = ({ pathname }: URL) => pathname === asks;
      const answered = async (answer: (asked: Route) => unknown) => {
        await page.unrouteAll();
        await page.route(matches, answer);
        await page.goto('about:blank');
        await page.goto(`${base}/${path}`);
      };
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await answered(async (asked) => {
        await held;
        await asked.fallback();
      });
      await page.getByText('Loading…').first().waitFor();
      release();
      await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
      const says = async (answer: (asked: Route) => unknown, text: string) => {
        await answered(answer);
        await page.getByRole('alert').filter({ hasText: text }).first().waitFor();
      };
      await says(problem(500, 'The server failed'), 'The server failed.');
      await says((asked) => asked.abort('internetdisconnected'), 'The server is not responding.');
      await says(
        (asked) => asked.fulfill({ status: 503, headers: { 'retry-after': '0' }, body: '' }),
        'The server is busy. Try again in a moment.',
      );
      await says(
        problem(403, 'No access'),
        path.startsWith('staff') ? 'Your account has no access' : 'No access.',
      );
      expect(broken).toEqual([]);
      await context.close();
    },
  );
});
