import type { BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { skipped, why } from './chromium.js';
import { openedPlatform } from './opened-platform.js';
import { type LoadedPage, loadedPages } from './page-states.js';
import { picture } from './picture.js';

/** Where a state begins: a request that is held is answered with this. */
type Answer = (route: Route) => Promise<void>;

const failed: Answer = (route) => route.fulfill({ status: 500, body: '' });
const busy: Answer = (route) => route.fulfill({ status: 503, headers: { 'retry-after': '1' }, body: '' });
const ours: Answer = (route) => route.continue();

/** Every list of one of these names, at any depth, is empty. */
const emptied = (value: unknown, names: readonly string[]): unknown => {
  if (Array.isArray(value)) return value.map((part) => emptied(part, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, names.includes(name) ? [] : emptied(part, names)]),
  );
};

const folders = { guest: 'stay', buyer: 'payment', desk: 'staff', finance: 'finance' } as const;
/** A scope that the listener knows and the page does not accept. */
const otherScope = { guest: 'desk', buyer: 'operator', desk: 'finance', finance: 'desk' } as const;

describe.skipIf(skipped)(`the states of pages that load${why}`, { timeout: 60_000 }, () => {
  const opened = openedPlatform();
  let context: BrowserContext;
  let page: Page;
  const known: Record<string, string> = {};

  const listener = (of: LoadedPage['of']) =>
    of === 'guest' || of === 'buyer' ? opened.url : opened.internalUrl;
  const urlOf = ({ of, address }: LoadedPage): string => {
    const base = `${listener(of)}/${folders[of]}/`;
    return `${base}#/${address.replace(/\{(\w+)\}/g, (_, name: string) => known[name]!)}`;
  };
  const there = async ({ shows }: LoadedPage) => {
    await page.locator(shows).first().waitFor();
    // Parts of it may load after it.
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  };
  /** Its request is held until the returned end; then these answers, then those of the server. */
  const held = async (loaded: LoadedPage, ...answers: readonly Answer[]) => {
    const left = [...answers];
    let release = () => {};
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrives = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrives = resolve;
    });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route(loaded.asks, async (route) => {
      arrives();
      await waiting;
      await (left.shift() ?? ours)(route);
    });
    await page.goto('about:blank');
    await page.goto(urlOf(loaded));
    await arrived;
    await page.locator('.skeleton').first().waitFor();
    expect(await page.locator(loaded.shows).count()).toBe(0);
    await picture(page, `states of ${loaded.page}, loading`);
    return release;
  };

  const tokenOf = async (scope: string): Promise<string> => {
    const answer = await fetch(`${opened.internalUrl}/v1/development/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sub: 'siv', scope }),
    });
    return ((await answer.json()) as { token: string }).token;
  };

  beforeAll(async () => {
    context = await opened.browser.newContext({
      viewport: { width: 1280, height: 800 },
      ignoreHTTPSErrors: true,
      serviceWorkers: 'block',
    });
    context.setDefaultTimeout(10_000);
    page = await context.newPage();
    const answer = await fetch(`${opened.url}/v1/hotel-places`);
    const { hotels } = (await answer.json()) as { hotels: { hotelID: string }[] };
    known['hotel'] = hotels[0]!.hotelID;
    await page.goto(`${opened.url}/stay/#/hotels/${known['hotel']}`);
    await page.locator('.room-type').first().getByRole('button', { name: 'Reserve' }).click();
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('ada@example.org');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('heading', { name: 'Payment' }).waitFor();
    known['stay'] = decodeURIComponent(new URL(page.url()).hash.split('/').at(-1)!);
    await page.getByRole('link', { name: 'Pay by card' }).waitFor();
    await page.goto(`${opened.url}/payment/`);
    await page.getByLabel('Amount in EUR').fill('12.50');
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await page.getByLabel('Card number').waitFor();
    const rooms = page.waitForResponse(/\/rooms\?/);
    await page.goto(`${opened.internalUrl}/staff/#/housekeeping/${known['hotel']}`);
    known['room'] = ((await (await rooms).json()) as { rooms: { roomID: string }[] }).rooms[0]!.roomID;
    const payments = page.waitForResponse(/\/v1\/finance\/payments\?/);
    await page.goto(`${opened.internalUrl}/finance/#/payments`);
    const list = (await (await payments).json()) as { payments: { payment_order_id: string }[] };
    known['order'] = list.payments[0]!.payment_order_id;
  }, 240_000);
  afterEach(() => context.setOffline(false));
  afterAll(() => context?.close());

  describe.each(loadedPages.map((loaded) => [loaded.page, loaded] as const))('%s', (_, loaded) => {
    const alert = () => page.locator('main').getByRole('alert');
    const again = () => (loaded.polls ? undefined : alert().getByRole('button', { name: 'Retry' }).click());

    it('shows that it loads, that it failed, that the server is busy, then what it is for', async () => {
      const release = await held(loaded, failed, busy);
      release();
      await alert().getByText('The server returned status 500.').waitFor();
      await picture(page, `states of ${loaded.page}, error`);
      await again();
      await page.getByText('The server is busy. Retrying.').waitFor();
      await picture(page, `states of ${loaded.page}, busy`);
      await there(loaded);
      await page.getByText('The server is busy. Retrying.').waitFor({ state: 'detached' });
    });

    it('says that it is offline, and loads by itself when the network is back', async () => {
      const release = await held(loaded, (route) => route.abort());
      await context.setOffline(true);
      release();
      await alert().getByText('You are offline.', { exact: true }).waitFor();
      const line = page.getByText(/^You are offline\. What is shown may be old/);
      await line.waitFor();
      await picture(page, `states of ${loaded.page}, offline`);
      await context.setOffline(false);
      await there(loaded);
      await line.waitFor({ state: 'detached' });
    });

    const { empty, denied } = loaded;
    const whenEmpty = typeof empty === 'string' ? undefined : empty;
    if (whenEmpty !== undefined)
      it('says that there is nothing yet', async () => {
        const release = await held(loaded, async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: emptied(await response.json(), whenEmpty.without) });
        });
        release();
        await page.locator('main').getByText(whenEmpty.says).first().waitFor();
        expect(await alert().count()).toBe(0);
      });

    const whenDenied = typeof denied === 'string' ? undefined : denied;
    if (whenDenied !== undefined)
      it('says who may see it to somebody who may not', async () => {
        const authorization = `Bearer ${await tokenOf(otherScope[loaded.of])}`;
        const other: Answer = (route) =>
          route.continue({ headers: { ...route.request().headers(), authorization } });
        // One that is refused is asked for once more with a new token.
        const release = await held(loaded, ...Array.from({ length: 4 }, () => other));
        release();
        await alert().getByText(whenDenied.says).waitFor();
        expect(await alert().getByRole('button').count()).toBe(0);
        expect(await page.locator(loaded.shows).count()).toBe(0);
        expect(await page.locator('.skeleton').count()).toBe(0);
      });
  });
});
