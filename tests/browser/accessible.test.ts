import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsOf, tabFaults, violations } from './axe.js';
import { skipped, why } from './chromium.js';
import { mapIsDrawn, serviceWorkers } from './open-page.js';
import { openedPlatform } from './opened-platform.js';

const hotel = 'h00009';

/** Every page, in light and dark, on a desktop and a phone, in the states that people see. */
describe.skipIf(skipped)(`what axe finds on the pages${why}`, { timeout: 240_000 }, () => {
  const opened = openedPlatform();
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    // The provider's certificate is self-signed, as a simulator's is.
    context = await opened.browser.newContext({
      ...{ ignoreHTTPSErrors: true, viewport: { width: 1440, height: 900 } },
      deviceScaleFactor: process.env['SCREENSHOTS'] === undefined ? 0.5 : 1,
      serviceWorkers,
    });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
  }, 240_000);

  const clean = async (name: string) => {
    const folder = process.env['SCREENSHOTS'];
    const look = async (variant: string) => {
      if (folder === undefined) return;
      await mkdir(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${name}-${variant}.png`) });
    };
    expect.soft(await faultsOf(page, look), name).toEqual([]);
  };
  /** A new document, even if only the part behind `#` differs. */
  const open = async (address: string) => {
    await page.goto('about:blank');
    await page.goto(address);
  };

  it('the map: empty, with a route, a menu, an isochrone, a closure, while driving', async () => {
    await open(`${opened.url}/`);
    await mapIsDrawn(page);
    await clean('map');
    // The map closes it when it moves, as it does after a change of its size.
    const opensMenu = async () => {
      await page.mouse.click(900, 400, { button: 'right' });
      return page.locator('.place-menu').isVisible();
    };
    await expect.poll(opensMenu).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Start: address, place, or latitude and longitude').fill('35.9110, 14.5020');
    await page.keyboard.press('Enter');
    await page.getByLabel('End: address, place, or latitude and longitude').fill('35.8780, 14.4720');
    await page.keyboard.press('Enter');
    await page.locator('.result .headline').waitFor();
    await page.locator('.turns summary').first().click();
    await clean('map-route');
    await page.getByRole('button', { name: 'Navigate' }).click();
    await page.getByLabel('Next maneuver').waitFor();
    await clean('map-driving');
  });

  it('a stay: the list, a hotel, faults of the form, the payment, the confirmation', async () => {
    await open(`${opened.url}/stay/`);
    await page.locator('.tile-price b').nth(8).waitFor();
    await page.locator('.hotel-pin').first().waitFor();
    await clean('stay-hotels');
    await page.getByRole('combobox', { name: 'Guests' }).selectOption('20');
    await page.getByText('No room for so many guests').first().waitFor();
    await clean('stay-no-room');
    await page.getByLabel('Name').fill('there is none of this name');
    await page.getByText('No hotels match this name.').waitFor();
    await clean('stay-none');
    await open(`${opened.url}/stay/#/hotels/${hotel}`);
    await page.locator('.offer').first().waitFor();
    await page.getByText('Price per night').first().click();
    await page.getByText('Show the room of a key card').click();
    await clean('stay-hotel');
    await page.getByRole('button', { name: 'Reserve' }).first().click();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByText('Enter the name of the first guest.').waitFor();
    await clean('stay-form-faults');
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('ada@example.org');
    await page.getByLabel(/^Save my card for later payments to this hotel/).check();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('link', { name: 'Pay by card' }).waitFor();
    await clean('stay-pay');
    const pay = async (link: string, card: string, expiry?: string) => {
      await page.getByRole('link', { name: link }).click();
      await page.getByLabel('Card number').fill(card);
      if (expiry !== undefined) {
        await page.getByLabel('Keep this card').check();
        await page.getByLabel('Expiry').fill(expiry);
      }
      await clean(`provider-${card.slice(-4)}`);
      await page.getByRole('button', { name: 'Pay' }).click();
      await page.waitForURL(({ pathname }) => pathname === '/stay/');
    };
    await pay('Pay by card', '4000 0000 0000 0002');
    await page.getByText(/^Your card was declined\./).waitFor();
    await clean('stay-declined');
    await pay('Try another card', '4242 4242 4242 4242', '12/30');
    await page.getByRole('heading', { name: 'Booking confirmed' }).waitFor();
    await clean('stay-confirmed');
  });

  it('reservations, saved cards, a room, and what is not there', async () => {
    await open(`${opened.url}/stay/#/reservations`);
    await page.locator('.reservations li').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).first().click();
    await page.getByText('You will get a full refund.').waitFor();
    await clean('stay-cancel');
    await page.getByRole('button', { name: 'Keep reservation' }).click();
    await page.getByRole('button', { name: 'Change dates or rooms' }).first().click();
    await page.getByRole('button', { name: 'Show price' }).click();
    await page.getByText(/^New price/).waitFor();
    await clean('stay-change');
    await expect
      .poll(
        async () => {
          await open(`${opened.url}/stay/#/cards`);
          await page
            .locator('main')
            .getByText(/ending in 4242|no saved cards/)
            .first()
            .waitFor();
          return page.locator('[data-card]').count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    await page.getByRole('button', { name: /^Remove Visa/ }).click();
    await clean('stay-cards');
    await open(`${opened.url}/stay/#/hotels/${hotel}/rooms/r0001`);
    await page.locator('.offer').first().waitFor();
    await clean('stay-room');
    for (const [name, address] of [
      ['stay-no-hotel', 'hotels/h99999'],
      ['stay-no-payment', `pay/${randomUUID()}`],
    ]) {
      await open(`${opened.url}/stay/#/${address}`);
      await page.getByRole('alert').first().waitFor();
      await clean(name!);
    }
    await open(`${opened.url}/stay/#/hotels/${hotel}`);
    await page.locator('.offer').first().waitFor();
    await page.getByRole('button', { name: 'Reserve' }).first().click();
    await page.getByLabel(/^Visa ending in 4242/).waitFor();
    await clean('stay-choose-card');
  });

  it('the checkout of several orders, and their payments', async () => {
    await open(`${opened.url}/payment/#/status`);
    await page.getByText('This tab has no payment in progress.').waitFor();
    await clean('payment-none');
    await open(`${opened.url}/payment/`);
    await page.getByLabel('Amount in EUR').fill('1e3');
    await page.getByRole('button', { name: 'Add another order' }).click();
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await page.getByRole('alert').waitFor();
    await clean('payment-faults');
    await page.getByLabel('Amount in EUR').first().fill('7.00');
    await page.getByLabel('Amount in EUR').nth(1).fill('25.00');
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await page.getByLabel('Card number').fill('4000 0000 0000 9912');
    await page.getByLabel('Expiry').fill('12/30');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(({ pathname }) => pathname === '/payment/');
    await page.getByText('Paid.').first().waitFor();
    await page.getByRole('link', { name: 'Pay the rest with another card' }).waitFor();
    await clean('payment-rest');
  });

  it('the staff desk', async () => {
    const staff = `${opened.internalUrl}/staff/#/`;
    await open(`${staff}today/${hotel}`);
    await page.getByRole('heading', { name: /^Arrivals/ }).waitFor();
    await clean('staff-today');
    await open(`${staff}calendar`);
    await page.getByRole('combobox', { name: 'Hotel' }).selectOption(hotel);
    await page.locator('td').first().waitFor();
    await clean('staff-calendar');
    for (const tab of ['reservations', 'refunds', 'rates'] as const) {
      await open(staff + tab);
      await page.getByRole('combobox', { name: 'Hotel' }).selectOption(hotel);
      await page.locator('.skeleton').first().waitFor({ state: 'hidden' });
      await clean(`staff-${tab}`);
    }
    await open(`${staff}reservations`);
    await page.getByRole('combobox', { name: 'Hotel' }).selectOption(hotel);
    await page.locator('tbody a').first().click();
    await page.getByLabel('Reason (for the audit log)').first().waitFor();
    await clean('staff-reservation');
    await open(`${staff}housekeeping/${hotel}`);
    await page.getByLabel('Select all on this page').check();
    await clean('staff-housekeeping');
    await open(`${staff}groups/${hotel}`);
    await page.getByRole('link', { name: 'New group' }).waitFor();
    await clean('staff-groups');
    await page.getByRole('link', { name: 'New group' }).click();
    await page.getByLabel('Name of the group').waitFor();
    await clean('staff-new-group');
    await open(`${staff}actions`);
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await clean('staff-actions');
  });

  it('finance', async () => {
    for (const tab of [
      'payments',
      'findings',
      'reviews',
      'letters',
      'disputes',
      'payouts',
      'balances',
      'audit',
    ]) {
      await open(`${opened.internalUrl}/finance/#/${tab}`);
      await page.getByText('Loading…').waitFor({ state: 'hidden' });
      await clean(`finance-${tab}`);
    }
    await open(`${opened.internalUrl}/finance/#/payments`);
    await page.locator('tbody a').first().click();
    await page.locator('.timeline li').first().waitFor();
    await clean('finance-payment');
  });

  it('operations', async () => {
    for (const tab of ['overview', 'lags', 'closures', 'requests', 'customers', 'load']) {
      await open(`${opened.internalUrl}/operations/#/${tab}`);
      await page.locator('.ops-updated').waitFor();
      if (tab === 'load') await page.locator('.ops-square').first().waitFor();
      await clean(`operations-${tab}`);
    }
    await page.route('**/v1/operations', (route) => route.fulfill({ status: 403, body: '' }));
    await open(`${opened.internalUrl}/operations/`);
    await page.getByRole('alert').waitFor();
    await clean('operations-denied');
    await page.unroute('**/v1/operations');
  });

  it('the descriptions of the API and of its problems', async () => {
    await open(`${opened.url}/docs`);
    await page.locator('.opblock').first().waitFor();
    await clean('docs');
    await page.locator('.opblock-summary-control').first().click();
    await page.locator('.opblock-body').first().waitFor();
    await clean('docs-open');
    await open(`${opened.url}/docs/events`);
    await page.locator('details').first().waitFor();
    await page.locator('summary').first().click();
    await clean('docs-events');
    await open(`${opened.url}/docs/deprecation`);
    await clean('docs-deprecation');
    await open(`${opened.url}/problems`);
    await clean('problems');
    await page.getByRole('link').first().click();
    await clean('problem');
  });

  it('Tab reaches every control, in the order of the page, and its focus is seen', async () => {
    for (const [address, shown] of [
      [`${opened.url}/?from=35.9110,14.5020&to=35.8780,14.4720`, '.result .headline'],
      [`${opened.url}/stay/`, '.tile-price b'],
      [`${opened.url}/stay/#/hotels/${hotel}`, '.offer'],
      [`${opened.url}/stay/#/reservations`, '.reservations li'],
      [`${opened.url}/payment/`, 'form'],
      [`${opened.internalUrl}/staff/#/housekeeping/${hotel}`, '.room'],
      [`${opened.internalUrl}/finance/#/payouts`, 'form'],
      [`${opened.internalUrl}/operations/`, '.ops-tile'],
      [`${opened.internalUrl}/operations/#/requests`, 'table'],
      [`${opened.url}/docs/events`, 'details'],
    ] as const) {
      await open(address);
      await page.locator(shown).first().waitFor();
      // With the last price, the list gets its order.
      await expect.poll(() => page.locator('.skeleton-line').count()).toBe(0);
      expect.soft(await tabFaults(page), address.slice(opened.url.length)).toEqual([]);
    }
  });
});
