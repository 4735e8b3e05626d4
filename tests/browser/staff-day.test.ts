import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import { localAt } from '../../web/hotel/hotel-time.js';
import { skipped, why } from './chromium.js';
import { openedPlatform } from './opened-platform.js';
import { picture } from './picture.js';
import { rawIn, wordsOf } from './words.js';

const hotel = 'h00010';
const today = localAt(Date.now(), 'Europe/Malta').slice(0, 10);
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

describe.skipIf(skipped)(`a day at the front desk${why}`, { timeout: 240_000 }, () => {
  const opened = openedPlatform();

  const open = async (address: string, view = desktop): Promise<Page> => {
    const page = await opened.browser.newPage({ viewport: view });
    page.setDefaultTimeout(60_000);
    await page.goto(`${opened.internalUrl}/staff/#/${address}`);
    return page;
  };
  const clean = async (page: Page, name: string) => {
    await picture(page, `staff-${name}`, { fullPage: true });
    const lines = await wordsOf(page);
    expect(lines.length, name).toBeGreaterThan(4);
    expect.soft(lines.flatMap(rawIn), name).toEqual([]);
  };
  const book = async () => {
    const page = await opened.browser.newPage({ ignoreHTTPSErrors: true, locale: 'en' });
    page.setDefaultTimeout(60_000);
    const stay = new URLSearchParams({ from: today, to: addDays(today, 1), rooms: '1', guests: '1' });
    await page.goto(`${opened.url}/stay/#/hotels/${hotel}?${stay}`);
    await page.getByRole('button', { name: 'Reserve' }).first().click();
    await page.locator('[name="name"]').fill('Ada Lovelace');
    await page.locator('[name="email"]').fill('ada@example.org');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.locator('.pay a.main-button').click();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(({ pathname }) => pathname === '/stay/');
    const number = /[0-9A-Z]{3}-[0-9A-Z]{3}-[0-9A-Z]{3}/;
    await page.getByText(number).waitFor();
    const [bookingNumber] = number.exec(await page.locator('main').innerText())!;
    await page.close();
    return bookingNumber;
  };

  it('a guest is expected, checks in and stays tonight; no page of it shows an id or a code', async () => {
    const bookingNumber = await book();
    const page = await open(`today/${hotel}`);
    await page.getByRole('heading', { name: 'Arrivals (1)' }).waitFor();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await page.getByText('Nobody who is checked in stays tonight.').waitFor();
    await clean(page, 'today');
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.getByText(`Booking ${bookingNumber} · `).waitFor();
    await page.getByText(/ · 1 × (?!Room$)\w/).waitFor();
    await page.getByText('ada@example.org').waitFor();
    await clean(page, 'stay');
    // Ordinary steps need no reason; a cancellation does.
    expect(await page.getByRole('button', { name: 'Cancel reservation' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Assign rooms' }).click();
    await page.getByText(/ · room \d+/).waitFor();
    await page.getByRole('button', { name: 'Check in' }).click();
    await page.locator('.status-checked_in').waitFor();
    await page.getByRole('link', { name: 'Staff activity' }).click();
    await page.getByText('Check in', { exact: true }).waitFor();
    await clean(page, 'audit');
    await page.getByRole('link', { name: 'Today' }).click();
    await page.getByRole('heading', { name: 'Staying tonight (1)' }).waitFor();
    await page.getByRole('heading', { name: 'Arrivals (0)' }).waitFor();
    await page.getByText(/ · room \d+/).waitFor();
    await page.getByRole('link', { name: 'Reservations' }).click();
    await page.getByLabel('Booking number').fill(bookingNumber.toLowerCase());
    await page.getByLabel('Booking number').press('Enter');
    await page.getByRole('cell', { name: bookingNumber }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await clean(page, 'search');
    await page.close();
  });

  it.each([
    ['a desktop', desktop, 14],
    ['a phone', phone, 7],
  ] as const)(
    'all nights of the calendar fit %s; it steps by weeks and has an address',
    async (_, view, nights) => {
      const page = await open(`calendar/${hotel}/2027-01-04`, view);
      const titles = page.locator('thead th');
      await titles.nth(nights).waitFor();
      expect(await titles.allInnerTexts()).toHaveLength(nights + 1);
      expect(await titles.nth(1).innerText()).toMatch(/^Mon,?\s+4\s+Jan$/);
      const hidden = `[...document.querySelectorAll('.scroll, html')]
        .map((each) => each.scrollWidth - each.clientWidth)`;
      expect(await page.evaluate(hidden)).toEqual([0, 0]);
      await page.getByText('7/10: 7 of 10 rooms are reserved').waitFor();
      await clean(page, `calendar-${nights}`);
      await page.getByRole('button', { name: 'Week after' }).click();
      await expect.poll(() => titles.nth(1).innerText()).toMatch(/^Mon,?\s+11\s+Jan$/);
      await page.reload();
      await expect.poll(() => titles.nth(1).innerText()).toMatch(/^Mon,?\s+11\s+Jan$/);
      await page.getByRole('button', { name: 'Week before' }).click();
      await expect.poll(() => titles.nth(1).innerText()).toMatch(/^Mon,?\s+4\s+Jan$/);
      await page.close();
    },
  );
});
