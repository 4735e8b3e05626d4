import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import { type RunningPlatform, startPlatform } from '../main-job/running-platform.js';
import { chromium, howToInstall, skipped, why } from './chromium.js';
import { deviceScaleFactor, launch, mapIsDrawn, serviceWorkers, stateOf } from './open-page.js';

const today = new Date().toISOString().slice(0, 10);
const startField = 'Start: address, place, or latitude and longitude';

/** Requests that wait until they are released, in the order in which they were sent. */
interface Held {
  readonly asked: readonly Route[];
  /** Resolves after this many requests. */
  reaches(many: number): Promise<void>;
  /** Answers all waiting and all later requests. */
  letGo(): Promise<void>;
}

describe.skipIf(skipped)(`pages whose answers come late${why}`, { timeout: 120_000 }, () => {
  let data: string;
  let platform: RunningPlatform;
  let url: string;
  let browser: Browser;
  let page: Page;
  const trouble: string[] = [];

  const open = async (address: string, prepare?: (fresh: Page) => Promise<unknown>): Promise<void> => {
    const viewport = { width: 1280, height: 800 };
    page = await browser.newPage({ viewport, deviceScaleFactor, serviceWorkers });
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => trouble.push(error.message));
    await prepare?.(page);
    await page.goto(address);
  };
  const hold = async (which: string | RegExp, method?: string): Promise<Held> => {
    const asked: Route[] = [];
    let free = false;
    await page.route(which, async (route) => {
      if (free || (method !== undefined && route.request().method() !== method)) return route.fallback();
      asked.push(route);
    });
    return {
      asked,
      reaches: (many) => expect.poll(() => asked.length).toBeGreaterThanOrEqual(many),
      async letGo() {
        free = true;
        await Promise.all(asked.map((route) => route.fallback()));
      },
    };
  };
  /** The page has processed every answer that was released before: this request was sent after them. */
  const settled = async (...answers: readonly Route[]) => {
    for (const answer of answers) await (await answer.request().response())?.finished();
    await page.evaluate(`fetch('/v1/status').then((answer) => answer.text())`);
  };

  beforeAll(async () => {
    if (chromium === undefined) throw new Error(`CI needs a Chromium: ${howToInstall}.`);
    data = await mkdtemp(join(tmpdir(), 'meridian-late-answers-'));
    platform = await startPlatform(data, ['--drivers', '0'], { NODE_ENV: 'test' });
    url = platform.url.replace('127.0.0.1', 'localhost');
    browser = await launch(chromium);
  }, 240_000);
  afterEach(async () => {
    await page?.close();
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
    await rm(data, { recursive: true, force: true });
  });

  it('a link that is followed before the page has finished loading leads to its place', async () => {
    await open(`${platform.internalUrl}/staff/`, (fresh) =>
      // Anything deferred until after the first picture never arrives.
      fresh.addInitScript('globalThis.setTimeout = globalThis.requestAnimationFrame = () => 0;'),
    );
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { name: 'Audit log', exact: true }).waitFor();
  });

  it('shows no price of other nights than those in the form', async () => {
    await open(`${url}/stay/#/hotels/h00001`);
    // The smallest type sleeps one.
    await page.getByRole('combobox', { name: 'Guests' }).selectOption('1');
    await expect.poll(() => page.locator('.offer').count()).toBe(4);
    const prices = await hold('**/availability?**');
    await page.getByLabel('Check-out').fill(addDays(today, 13));
    await prices.reaches(4);
    expect(await page.locator('.offer').count()).toBe(0);
    await prices.letGo();
    await expect.poll(() => page.locator('.offer').count()).toBe(4);
    expect(await page.locator('.room-type').first().locator('.nights li').count()).toBe(6);
  });

  it('an interrupted response is reported as none', async () => {
    await open(`${url}/stay/`);
    await page.locator('.tile').first().waitFor();
    await page.route('**/v1/hotels/h00001', (route) =>
      route.fulfill({ contentType: 'application/json', body: '{"hotelID":"h0' }),
    );
    await page.locator('.tile').first().click();
    await page.getByRole('alert').getByText('The server is not responding.').waitFor();
  });

  it('H-005: confirming twice releases one room and does not call a guest back to the page', async () => {
    await open(`${url}/stay/#/hotels/h00002`);
    await page.getByRole('combobox', { name: 'Rooms' }).selectOption('3');
    const reserving = await hold('**/v1/reservations', 'POST');
    await page.locator('.room-type').first().getByRole('button', { name: 'Reserve' }).click();
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('ada@example.org');
    await page.getByRole('button', { name: 'Continue to payment' }).dblclick();
    await reserving.reaches(2);
    const [first, second] = reserving.asked;
    await first!.fallback();
    await page.getByRole('heading', { name: 'Payment' }).waitFor();
    await page.locator('header').getByRole('link', { name: 'My reservations' }).click();
    await page.getByText(/3 rooms, 3 guests at/).waitFor();
    await second!.fallback();
    await settled(second!);
    await page.getByRole('heading', { name: 'My reservations' }).waitFor();
    const giving = await hold('**/v1/reservations/*', 'DELETE');
    await page.getByRole('button', { name: 'Cancel one room' }).click();
    await page.getByRole('button', { name: 'Yes, cancel one room' }).dblclick();
    await giving.reaches(1);
    const looking = await hold('**/v1/reservations?**');
    await giving.letGo();
    await looking.reaches(1);
    // The page does not know yet what is left, and does not offer to release it.
    expect(await page.getByRole('button', { name: 'Cancel one room', exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Yes, cancel one room' }).isDisabled()).toBe(true);
    await looking.letGo();
    await page.getByText(/2 rooms, \d guests at/).waitFor();
    expect(giving.asked).toHaveLength(1);
    await page.getByRole('button', { name: 'Cancel one room' }).waitFor();
  });

  it('H-013: a double click by staff acts once', async () => {
    // The reservation of the previous test.
    await open(`${platform.internalUrl}/staff/#/reservations`);
    await page.getByRole('combobox', { name: 'Hotel' }).selectOption('h00002');
    await page.locator('tbody a').first().click();
    await page.getByLabel('Reason (for the audit log)').fill('The guest rang and cannot come');
    const cancelling = await hold('**/cancellation', 'POST');
    await page.getByRole('button', { name: 'Cancel reservation' }).dblclick();
    await cancelling.reaches(1);
    await cancelling.letGo();
    await page.locator('.status-cancelled, .status-refunded').waitFor();
    expect(cancelling.asked).toHaveLength(1);
  });

  it('a message about a price refers to the price in the form', async () => {
    await open(`${platform.internalUrl}/staff/#/rates`);
    const saving = await hold('**/rates', 'PUT');
    await page.getByLabel(/^Price per night/).fill('1200.00');
    await page.getByLabel('Reason (for the audit log)').fill('The fair');
    await page.getByRole('button', { name: 'Set price' }).click();
    await saving.reaches(1);
    await page.getByLabel(/^Price per night/).fill('1300.00');
    await saving.letGo();
    await settled(...saving.asked);
    expect(await page.getByText(/^Price set for/).count()).toBe(0);
    await page.getByRole('button', { name: 'Set price' }).click();
    await page.getByText('Price set for 7 nights.').waitFor();
  });

  it('repeated searches show each answer, and never an older one after a newer one', async () => {
    await open(`${platform.internalUrl}/finance/#/letters`);
    await page.getByText('No dead letters.').waitFor();
    await page.getByRole('link', { name: 'Payouts' }).click();
    await page.getByText(/^No payouts yet\./).waitFor();
    const looking = await hold('**/v1/payouts?**');
    const again = page.getByRole('button', { name: 'Refresh' });
    for (const times of [1, 2, 3]) {
      await again.click();
      await looking.reaches(times);
    }
    const payout = (seller: string) => ({
      ...{
        payout_id: seller,
        seller_account: seller,
        amount: '1.00',
        currency: 'EUR',
        payout_status: 'paid',
      },
      ...{ failure: null, requested_by: 'demo-finance', created_at: new Date().toISOString() },
    });
    const answer = (at: number, seller: string) =>
      looking.asked[at]!.fulfill({ json: { payouts: [payout(seller)], next: null } });
    await answer(1, 'second');
    await page.getByRole('cell', { name: 'second' }).waitFor();
    await answer(0, 'first');
    await settled(looking.asked[0]!);
    await page.getByRole('cell', { name: 'second' }).waitFor();
    await answer(2, 'third');
    await page.getByRole('cell', { name: 'third' }).waitFor();
  });

  it('P-007: an order that is added after a refusal is paid too', async () => {
    await open(`${url}/payment/`);
    await page.route('**/v1/payments', (route) => route.abort());
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await page.getByRole('alert').waitFor();
    await page.unroute('**/v1/payments');
    await page.getByRole('button', { name: 'Another order' }).click();
    const sending = page.waitForRequest('**/v1/payments');
    await page.getByRole('button', { name: 'Pay by card' }).click();
    expect(((await sending).postDataJSON() as { payment_orders: object[] }).payment_orders).toHaveLength(2);
  });

  it('after the buyer returns, the checkout accepts another click and pays the same order', async () => {
    await open(`${url}/payment/`);
    const paying = await hold('**/v1/payments', 'POST');
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await paying.reaches(1);
    // Like a browser that kept the page, which one under test does not.
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await paying.reaches(2);
    const [key, again] = paying.asked.map((route) => route.request().headers()['idempotency-key']);
    expect(key).toMatch(/^[\da-f-]{36}$/);
    expect(again).toBe(key);
  });

  it('after the provider the page shows that it waits, before the server has answered', async () => {
    await open(`${url}/payment/`, () => hold('**/v1/payment-return?**'));
    await page.goto(`${url}/payment/?tokenID=${randomUUID()}`, { waitUntil: 'commit' });
    await page.getByText('Loading…').waitFor();
  });

  it('a place that is typed later stays, whatever the answer to an earlier one', async () => {
    await open(url);
    const start = page.getByLabel(startField);
    const searching = await hold(/\/v1\/autocomplete\?input=Republic&/);
    await start.fill('Republic');
    await page.keyboard.press('Enter');
    await searching.reaches(1);
    await start.fill('35.91000, 14.50000');
    await page.keyboard.press('Enter');
    await searching.letGo();
    await settled(...searching.asked);
    const planning = page.waitForRequest(/\/v1\/nav\?/);
    await page.getByLabel(/^End: address/).fill('35.87800, 14.47200');
    await page.keyboard.press('Enter');
    expect(new URL((await planning).url()).searchParams.get('origin')).toBe('35.910000,14.500000');
  });

  it('the address of a place does not overwrite newly typed text', async () => {
    await open(url);
    const start = page.getByLabel(startField);
    const naming = await hold('**/v1/geocode?**');
    await start.fill('35.91000, 14.50000');
    await page.keyboard.press('Enter');
    await naming.reaches(1);
    await start.fill('Repub');
    await naming.letGo();
    await settled(...naming.asked);
    expect(await start.inputValue()).toBe('Repub');
  });

  it('Enter uses the typed text, not a suggestion for fewer letters', async () => {
    await open(url);
    await page.getByLabel(startField).fill('Republic');
    await page.getByRole('option').first().waitFor();
    const searching = await hold(/\/v1\/autocomplete\?input=Kristoforu/);
    await page.getByLabel(startField).fill('Kristoforu');
    await page.keyboard.press('Enter');
    await searching.reaches(1);
    await searching.letGo();
    await page.getByRole('button', { name: 'Clear' }).waitFor();
    await expect.poll(() => page.getByLabel(startField).inputValue()).toMatch(/Kristoforu/);
  });

  it('the selected place stays selected in the next list', async () => {
    const offer = (...names: readonly string[]) => ({
      predictions: names.map((name) => ({
        ...{ place_id: name, description: name, location: { lat: 35.91, lng: 14.5 } },
        structured_formatting: { main_text: name, secondary_text: '' },
      })),
    });
    await open(url);
    const start = page.getByLabel(startField);
    const option = (name: string) => page.getByRole('option', { name, exact: true });
    await page.route(/\/v1\/autocomplete\?input=berg&/, (route) =>
      route.fulfill({ json: offer('one', 'two', 'three') }),
    );
    const next = await hold(/\/v1\/autocomplete\?input=bergh&/);
    await start.fill('berg');
    await option('three').waitFor();
    await start.fill('bergh');
    await next.reaches(1);
    await page.keyboard.press('ArrowUp');
    expect(await option('three').getAttribute('aria-selected')).toBe('true');
    await next.asked[0]!.fulfill({ json: offer('three', 'four') });
    await option('four').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => start.inputValue()).toBe('three');
  });

  it('a route search in progress is not repeated while the traffic changes', async () => {
    let statuses = 0;
    await open(url, (fresh) =>
      fresh.route('**/v1/status', async (route) => {
        const response = await route.fetch();
        const status = (await response.json()) as { metric_version: number };
        statuses += 1;
        await route.fulfill({
          response,
          json: { ...status, metric_version: status.metric_version + statuses },
        });
      }),
    );
    await page.getByLabel(startField).fill('35.91100, 14.50200');
    await page.getByLabel(/^End: address/).fill('35.87800, 14.47200');
    await page.keyboard.press('Enter');
    await page.locator('.result .headline').waitFor();
    // The route by car may be searched again before the click.
    const planning = await hold(/\/v1\/nav\?.*mode=bicycling/);
    await page.getByText('Bike', { exact: true }).click();
    await planning.reaches(1);
    // One a second: longer than a standing route is left unchanged.
    const before = statuses;
    await expect.poll(() => statuses).toBeGreaterThan(before + 6);
    expect(planning.asked).toHaveLength(1);
  });

  it('a navigation that is restarted before it was connected has one socket', async () => {
    let sockets = 0;
    await open(url, (fresh) =>
      fresh.routeWebSocket(/\/v1\/nav\/stream$/, (socket) => {
        sockets += 1;
        socket.connectToServer();
      }),
    );
    await page.getByLabel(startField).fill('35.91100, 14.50200');
    await page.getByLabel(/^End: address/).fill('35.87800, 14.47200');
    await page.keyboard.press('Enter');
    const issuing = await hold('**/v1/development/session');
    await page.getByRole('button', { name: 'Navigate' }).click();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'Navigate' }).click();
    await issuing.reaches(1);
    await issuing.letGo();
    await page.getByRole('progressbar').waitFor();
    expect(sockets).toBe(1);
  });

  it('an opened road is not closed again by an older answer', async () => {
    const token = await platform.token('op', 'operator');
    const closed = await fetch(`${platform.url}/v1/incidents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'closed', at: { lat: 35.9006, lng: 14.4935 }, expires_in_s: 600 }),
    });
    expect(closed.status).toBe(201);
    await open(url);
    await mapIsDrawn(page);
    await page.locator('.incident').waitFor();
    const listing = await hold('**/v1/incidents', 'GET');
    await listing.reaches(1);
    const before = await listing.asked[0]!.fetch();
    await page.getByRole('button', { name: /^Reopen / }).click();
    await listing.reaches(2);
    await listing.asked[1]!.fallback();
    await page.getByText('All roads are open.').waitFor();
    await listing.asked[0]!.fulfill({ response: before });
    // The page reloads only after it has processed that.
    await listing.reaches(3);
    expect(await stateOf(page, (state) => state.incidents.length)).toBe(0);
  });

  it('a road that is picked while another is being closed stays picked', async () => {
    await open(url);
    await mapIsDrawn(page);
    const pick = (name: string) =>
      page.evaluate(`meridian.app.set({ tool: 'close', picked: {
        name: '${name}', at: { lat: 35.9006, lng: 14.4935 }, line: [[14.4935, 35.9006], [14.4937, 35.9007]] } })`);
    await pick('First');
    const closing = await hold('**/v1/incidents', 'POST');
    await page.getByRole('button', { name: 'Close this road' }).click();
    await closing.reaches(1);
    await pick('Second');
    await closing.letGo();
    await page.getByRole('button', { name: 'Close this road' }).and(page.locator(':enabled')).waitFor();
    expect(await page.getByRole('heading', { name: 'Close Second?' }).count()).toBe(1);
  });

  it('no error was thrown meanwhile', () => {
    expect(trouble).toEqual([]);
  });
});
