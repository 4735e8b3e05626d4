import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import * as cardsEn from '../../web/hotel/card-messages.en.js';
import * as stayEn from '../../web/hotel/messages.en.js';
import * as payEn from '../../web/payment/messages.en.js';
import { skipped, why } from './chromium.js';
import { openedPlatform } from './opened-platform.js';
import { englishIn, rawIn, wordsOf } from './words.js';

const hotel = 'h00010';

const isEnglishText = englishIn([stayEn, cardsEn, payEn]);

const words = {
  sv: {
    reserve: 'Boka',
    goOn: 'Till betalningen',
    declined: /^Kortet nekades\./,
    other: 'Prova ett annat kort',
  },
  de: {
    ...{ reserve: 'Buchen', goOn: 'Weiter zur Zahlung', declined: /^Ihre Karte wurde abgelehnt\./ },
    other: 'Andere Karte versuchen',
  },
} as const;

describe.skipIf(skipped)(`the words of the pages${why}`, { timeout: 240_000 }, () => {
  const opened = openedPlatform();

  const faults = async (page: Page, isEnglish: boolean): Promise<string[]> => {
    const lines = await wordsOf(page);
    expect(lines.length).toBeGreaterThan(4);
    return lines.flatMap((line) => [
      ...rawIn(line),
      ...(isEnglish || !isEnglishText(line) ? [] : [`in English: ${line}`]),
    ]);
  };

  it.each(['en', 'sv', 'de'] as const)(
    'of stays and payments are in %s, without ids and codes',
    async (tag) => {
      const page = await opened.browser.newPage({ ignoreHTTPSErrors: true, locale: tag });
      page.setDefaultTimeout(60_000);
      const clean = async (name: string) => expect.soft(await faults(page, tag === 'en'), name).toEqual([]);
      const to = tag === 'en' ? { reserve: 'Reserve', goOn: 'Continue to payment' } : words[tag];
      await page.goto(`${opened.url}/stay/`);
      await page.locator('.tile-price b').nth(8).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe(tag);
      await clean('list');
      await page.goto(`${opened.url}/stay/#/hotels/${hotel}`);
      await page.locator('.offer').first().waitFor();
      await clean('hotel');
      await page.getByRole('button', { name: to.reserve }).first().click();
      await page.getByRole('button', { name: to.goOn }).click();
      await page.locator('.field-error').first().waitFor();
      await clean('faults of the form');
      await page.locator('[name="name"]').fill('Ada Lovelace');
      await page.locator('[name="email"]').fill('ada@example.org');
      await page.getByRole('button', { name: to.goOn }).click();
      await page.locator('.pay a.main-button').waitFor();
      await clean('payment');
      const pay = async (card: string) => {
        await page.locator('.pay a.main-button').click();
        await page.getByLabel('Card number').fill(card);
        await page.getByRole('button', { name: 'Pay' }).click();
        await page.waitForURL(({ pathname }) => pathname === '/stay/');
      };
      await pay('4000 0000 0000 0002');
      await page.locator('.pay .bad').waitFor();
      if (tag !== 'en') await page.getByText(words[tag].declined).waitFor();
      await clean('declined');
      await pay('4242 4242 4242 4242');
      await page.getByText(/[0-9A-Z]{3}-[0-9A-Z]{3}-[0-9A-Z]{3}/).waitFor();
      await clean('confirmed');
      for (const [name, address, shown] of [
        ['reservations', 'reservations', '.reservations li'],
        ['cards', 'cards', 'main a'],
        ['no hotel', 'hotels/h99999', '[role="alert"]'],
      ] as const) {
        await page.goto(`${opened.url}/stay/#/${address}`);
        await page.locator(shown).first().waitFor();
        await clean(name);
      }
      await page.goto(`${opened.url}/payment/`);
      await page.locator('form').waitFor();
      await clean('checkout');
      await page.goto(`${opened.url}/payment/#/status`);
      await page.locator('main p a').first().waitFor();
      await clean('no payment');
      await page.close();
    },
  );

  it('the address chooses the language, before what the browser prefers', async () => {
    const page = await opened.browser.newPage({ locale: 'de' });
    await page.goto(`${opened.url}/stay/?lang=sv`);
    await page.getByRole('link', { name: 'Mina bokningar' }).waitFor();
    const loaded = () =>
      page.evaluate<string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => name)
          .filter((name) => /messages\\./.test(name))`,
      );
    expect((await loaded()).length).toBeGreaterThan(0);
    expect((await loaded()).filter((name) => !name.includes('.sv-'))).toEqual([]);
    await page.goto(`${opened.internalUrl}/staff/`);
    await page.getByRole('link', { name: 'Belegung' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.title()).toBe('Meridian Empfang');
    expect((await loaded()).filter((name) => name.includes('staff-'))).toHaveLength(1);
    expect((await loaded()).filter((name) => !name.includes('.de-'))).toEqual([]);
    await page.close();
  });
});
