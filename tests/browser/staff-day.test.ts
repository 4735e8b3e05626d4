import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import { localAt } from '../../web/hotel/hotel-time.js';
import * as guestEn from '../../web/hotel/messages.en.js';
import * as staffEn from '../../web/hotel/staff-messages.en.js';
import { skipped, why } from './chromium.js';
import { openedPlatform } from './opened-platform.js';
import { picture } from './picture.js';
import { englishIn, rawIn, wordsOf } from './words.js';

const hotel = 'h00010';
const today = localAt(Date.now(), 'Europe/Malta').slice(0, 10);
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const isEnglishText = englishIn([guestEn, staffEn]);

describe.skipIf(skipped)(`a day at the front desk${why}`, { timeout: 240_000 }, () => {
  const opened = openedPlatform();

  const open = async (address: string, view = desktop, language?: string): Promise<Page> => {
    const page = await opened.browser.newPage({ viewport: view });
    page.setDefaultTimeout(60_000);
    const search = language === undefined ? '' : `?lang=${language}`;
    await page.goto(`${opened.internalUrl}/staff/${search}#/${address}`);
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
    // Offers arrive in any order; the room plan opens with the first type.
    await page.locator('.room-type').first().getByRole('button', { name: 'Reserve' }).click();
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

  it.each([
    {
      ...{ language: 'en', heading: 'Today', night: 'Staying tonight (1)', status: 'checked in' },
      ...{ step: 'Check out', price: /^Price per night/, set: 'Set price', refused: /^Fields of the body/ },
      ...{ title: 'Audit log', action: 'Assign rooms', outcome: 'assigned', reason: 'front desk' },
    },
    {
      ...{ language: 'sv', heading: 'I dag', night: 'Bor här i natt (1)', status: 'incheckad' },
      ...{ step: 'Checka ut', price: /^Pris per natt/, set: 'Sätt pris', refused: /^Några uppgifter/ },
      ...{ title: 'Logg', action: 'Tilldela rum', outcome: 'tilldelat', reason: 'receptionen' },
    },
    {
      ...{ language: 'de', heading: 'Heute', night: 'Heute Nacht im Haus (1)', status: 'angereist' },
      ...{
        step: 'Auschecken',
        price: /^Preis pro Nacht/,
        set: 'Preis festlegen',
        refused: /^Einige Angaben/,
      },
      ...{ title: 'Protokoll', action: 'Zimmer zuweisen', outcome: 'zugewiesen', reason: 'Empfang' },
    },
  ])('every page is in $language and fits a phone', async ({ language, ...words }) => {
    const page = await open(`today/${hotel}`, phone, language);
    const to = async (address: string, shown: string) => {
      await page.goto(`${opened.internalUrl}/staff/?lang=${language}#/${address}`);
      await page.locator(shown).first().waitFor();
    };
    const fits = async (name: string) => {
      await clean(page, `phone-${language}-${name}`);
      const lines = language === 'en' ? [] : await wordsOf(page);
      expect.soft(lines.filter(isEnglishText), name).toEqual([]);
      expect.soft(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(390);
    };
    await page.getByRole('heading', { name: words.heading, exact: true }).waitFor();
    await page.getByRole('heading', { name: words.night }).waitFor();
    await page.getByText(words.status, { exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    // The links of all pages are seen at once, in two lines.
    const tops = `[...document.querySelectorAll('header nav a')].map(({ offsetTop }) => offsetTop)`;
    const links = await page.evaluate<number[]>(tops);
    expect(links).toHaveLength(9);
    expect(new Set(links).size).toBeLessThanOrEqual(2);
    await fits('today');
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.getByRole('button', { name: words.step, exact: true }).waitFor();
    await page.locator('summary').click();
    await fits('stay');
    const choice = `select:has(option[value="${hotel}"])`;
    await to('reservations', choice);
    await page.locator(choice).selectOption(hotel);
    await page.locator('tbody tr').first().waitFor();
    await fits('reservations');
    await to(`calendar/${hotel}/2027-01-04`, 'td');
    await fits('calendar');
    await to(`plan/${hotel}`, '.plan tr');
    await page.getByRole('button', { name: /Ada Lovelace/ }).click();
    await page.locator('.plan-held').waitFor();
    await fits('plan');
    await to('refunds', '[role="status"]');
    await fits('refunds');
    await to(`housekeeping/${hotel}`, '.room');
    await page.locator('.deeds input[type="checkbox"]').check();
    await fits('housekeeping');
    await to(`groups/${hotel}`, '.main-button');
    await fits('groups');
    await to(`groups/${hotel}/new`, '.block-rooms');
    await fits('new-group');
    await to('rates', 'form.card');
    await page.getByLabel(words.price).fill('1e3');
    await page.locator('form.card [pattern]').fill('x');
    await page.getByRole('button', { name: words.set }).click();
    await page.getByText(words.refused).waitFor();
    await fits('rates');
    await to('actions', 'td');
    await page.getByRole('heading', { name: words.title, exact: true }).waitFor();
    const row = page.locator('tr', { hasText: words.action });
    await row.getByRole('cell', { name: words.outcome, exact: true }).waitFor();
    await row.getByRole('cell', { name: words.reason, exact: true }).waitFor();
    await fits('audit');
    await page.close();
  });
});
