import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { type RunningPlatform, startPlatform } from '../main-job/running-platform.js';
import { chromium, howToInstall, skipped, why } from './chromium.js';
import { launch } from './open-page.js';
import { picture } from './picture.js';

describe.skipIf(skipped)(`the pages of payments${why}`, { timeout: 120_000 }, () => {
  let data: string;
  let platform: RunningPlatform;
  let sql: Sql;
  let url: string;
  let browser: Browser;
  let page: Page;
  const trouble: string[] = [];
  /** Every request that the browser sent to us. */
  const sent: string[] = [];

  const open = async (address: string, view = { width: 1280, height: 800 }): Promise<Page> => {
    const opened = await browser.newPage({ viewport: view, ignoreHTTPSErrors: true });
    opened.setDefaultTimeout(60_000);
    opened.on('pageerror', (error) => trouble.push(error.message));
    opened.on('request', (request) => {
      if (new URL(request.url()).protocol === 'http:')
        sent.push(`${request.url()} ${request.postData() ?? ''}`);
    });
    opened.on('console', (message) => {
      const ours = new URL(message.location().url || opened.url()).protocol === 'http:';
      if (message.type() === 'error' && ours && !/\b(?:400|403|404|409|422|503)\b/.test(message.text()))
        trouble.push(message.text());
    });
    const response = await opened.goto(address);
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-');
    return opened;
  };
  const shot = (name: string, of: Page = page) => picture(of, name, { fullPage: true });

  beforeAll(async () => {
    if (chromium === undefined) throw new Error(`CI needs a Chromium: ${howToInstall}.`);
    data = await mkdtemp(join(tmpdir(), 'meridian-payment-pages-'));
    platform = await startPlatform(data, ['--drivers', '0'], { NODE_ENV: 'test' });
    // Browser storage belongs to the name that the provider redirects to.
    url = platform.url.replace('127.0.0.1', 'localhost');
    sql = await openSql(`embedded:${join(data, 'sql')}`);
    browser = await launch(chromium);
    page = await open(`${url}/payment/`);
  }, 240_000);

  afterAll(async () => {
    await browser?.close();
    await sql?.close();
    await platform?.stop();
    await rm(data, { recursive: true, force: true });
  });

  const payWith = async (card: string, of: Page = page) => {
    await of.getByLabel('Card number').fill(card);
    await of.getByLabel('Expiry').fill('12/30');
    await of.getByRole('button', { name: 'Pay' }).click();
    await of.waitForURL(({ pathname }) => pathname === '/payment/', { timeout: 60_000 });
  };

  it('P-063, P-064: from the checkout to the hosted page and back, paid and in the ledger', async () => {
    await page.getByLabel('Amount in EUR').fill('12.50');
    await shot('payment-checkout');
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await page.getByRole('heading', { name: 'Pay 12.50 EUR' }).waitFor();
    await shot('payment-provider');
    await payWith('4242 4242 4242 4242');
    await page.getByText('Paid.').waitFor();
    await page.getByText('Recorded in the ledger, credited to the seller').waitFor();
    expect(page.url()).not.toContain('tokenID');
    await shot('payment-paid');
    expect(sent.some((text) => text.includes('4242'))).toBe(false);
  });

  it('P-064: a declined card is reported, and payResult in the address is not trusted', async () => {
    await page.getByRole('link', { name: 'Make another payment' }).click();
    await page.getByLabel('Amount in EUR').fill('3.00');
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith('4000 0000 0000 0002');
    await page.getByText('Payment failed: card declined.').waitFor();
    await page.goto(`${url}/payment/?tokenID=${randomUUID()}&payResult=success`);
    await page.getByText('Payment failed: card declined.').waitFor();
    await shot('payment-declined');
  });

  it('P-007: two orders on a phone, one card for both, another one for what was declined', async () => {
    const phone = await open(`${url}/payment/`, { width: 390, height: 844 });
    await phone.getByLabel('Amount in EUR').fill('1e3');
    await phone.getByRole('button', { name: 'Pay by card' }).click();
    await phone.getByRole('alert').waitFor();
    await phone.getByLabel('Amount in EUR').fill('7.00');
    await phone.getByRole('button', { name: 'Add another order' }).click();
    await phone.getByLabel('Amount in EUR').nth(1).fill('25.00');
    await shot('payment-checkout-phone', phone);
    await phone.getByRole('button', { name: 'Pay by card' }).click();
    await shot('payment-provider-phone', phone);
    await phone.getByRole('heading', { name: 'Pay 32.00 EUR in 2 payments' }).waitFor();
    // The card has enough for one of the two.
    await payWith('4000 0000 0000 9912', phone);
    await expect.poll(() => phone.locator('.pay-order').count()).toBe(2);
    await phone.getByText('An earlier card was declined: insufficient funds.').waitFor();
    await expect.poll(() => phone.getByText('Paid.').count()).toBe(1);
    await shot('payment-status-phone', phone);
    await phone.getByRole('link', { name: 'Pay the rest with another card' }).click();
    await phone.getByRole('heading', { name: 'Pay 25.00 EUR' }).waitFor();
    await payWith('4242 4242 4242 4242', phone);
    await expect.poll(() => phone.getByText('Paid.').count()).toBe(2);
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await phone.close();
  });

  it('P-105: finance decides, another person approves; none of it is on the public listener', async () => {
    expect((await fetch(`${platform.url}/finance/`)).status).toBe(404);
    const { rows } = await sql.query<{ id: string; minor: bigint }>(
      `SELECT payment_order_id AS id, amount_minor AS minor FROM payment_orders WHERE payment_order_status = 'SUCCESS' ORDER BY created_at LIMIT 1`,
    );
    const { id, minor } = rows[0]!;
    const file = settlement(`charge,${id},${id},ref,${minor + 200_000n},0,EUR,succeeded`);
    const outcome = await reconcileSettlement(sql, {
      source: 'test',
      bytes: Readable.from([file]),
      now: new Date(),
    });
    expect(outcome.kind).toBe('reconciled');
    const finance = await open(`${platform.internalUrl}/finance/`);
    const card = finance.locator('.finding', { hasText: 'amount differs' });
    await card.waitFor();
    await shot('finance-queue', finance);
    await card.getByLabel('Reason').fill('the provider has booked twice');
    await card.getByRole('button', { name: 'Post entry' }).dblclick();
    await card.getByRole('button', { name: 'Approve as second person' }).click();
    await card.getByRole('alert').waitFor();
    await finance.getByLabel('Signed in as').selectOption('demo-controller');
    await card.getByRole('button', { name: 'Approve as second person' }).click();
    await expect.poll(() => card.count()).toBe(0);
    expect(sent.filter((text) => text.includes('/decisions '))).toHaveLength(1);
    await shot('finance-decided', finance);
    const { rows: decisions } = await sql.query(
      `SELECT d.who, a.who AS second, d.why FROM finance_decision d JOIN finance_approval a USING (decision_no)`,
    );
    expect(decisions).toEqual([
      { who: 'demo-finance', second: 'demo-controller', why: 'the provider has booked twice' },
    ]);
    await finance.close();
  });

  it('P-105, P-123: dead letters are retried, and two people send a payout', async () => {
    await sql.query(
      `INSERT INTO payment_refunds (refund_id, payment_order_id, amount, amount_minor, currency, reason, requested_by, attempts, created_at,
         changed_at) SELECT 'stuck', payment_order_id, '1.00', 100, 'EUR', 'r', 'sam', 8, now(), now() FROM payment_orders
       WHERE payment_order_status = 'SUCCESS' LIMIT 1`,
    );
    await sql.query(
      `UPDATE payment_orders SET refunding_minor = 100, version = version + 1
       WHERE payment_order_id = (SELECT payment_order_id FROM payment_refunds WHERE refund_id = 'stuck')`,
    );
    await sql.query(
      `INSERT INTO payment_dead_letters (kind, subject_id, cause, attempts, at) VALUES ('refund', 'stuck', 'retries_exhausted', 8, now())`,
    );
    const finance = await open(`${platform.internalUrl}/finance/`, { width: 390, height: 844 });
    await finance.getByRole('link', { name: 'Dead letters' }).click();
    await finance.getByRole('button', { name: 'Retry' }).dblclick();
    await finance.getByText('It is retried now.').waitFor();
    expect(await finance.getByText('card declined').count()).toBe(0);
    await finance.getByLabel('Also show what was retried').check();
    await finance.getByText('Retried by').waitFor();
    expect(await finance.getByText('card declined').count()).toBeGreaterThan(0);
    expect(sent.filter((text) => text.includes('/redrive '))).toHaveLength(1);
    await shot('finance-letters-phone', finance);
    await finance.getByRole('link', { name: 'Payouts' }).click();
    await finance.getByLabel('Seller account').fill('DE89370400440532013000');
    await finance.getByLabel('Amount in EUR').fill('5.00');
    await finance.getByLabel('Reason').fill('the seller asked for it');
    await finance.getByRole('button', { name: 'Request payout' }).click();
    await expect.poll(() => finance.locator('tbody td').allInnerTexts()).toContain('awaiting second');
    await finance.getByRole('link', { name: 'Reviews' }).click();
    // The page of payouts has a field of that name, too.
    await finance.getByRole('heading', { name: 'Reviews' }).waitFor();
    await finance.getByLabel('Reason').fill('the invoice is there');
    await finance.getByRole('button', { name: 'Approve' }).click();
    await finance.getByRole('alert').waitFor();
    await shot('finance-reviews-phone', finance);
    await finance.getByLabel('Signed in as').selectOption('demo-controller');
    await finance.getByLabel('Reason').fill('the invoice is there');
    await finance.getByRole('button', { name: 'Approve' }).click();
    await finance.getByText('No open reviews.').waitFor();
    await finance.getByRole('link', { name: 'Payouts' }).click();
    await expect
      .poll(async () => {
        await finance.getByRole('button', { name: 'Refresh' }).click();
        return finance.locator('tbody td').allInnerTexts();
      })
      .toContain('paid');
    await shot('finance-payouts-phone', finance);
    await finance.close();
  });

  it('finance finds a payment by what it knows of it, and reads what happened to it', async () => {
    const finance = await open(`${platform.internalUrl}/finance/#/payments`);
    await finance.getByRole('columnheader', { name: 'Seller' }).waitFor();
    const rows = finance.locator('tbody tr');
    const { rows: counted } = await sql.query<{ all: bigint; failed: bigint; token: string }>(
      `SELECT count(*) AS "all", count(*) FILTER (WHERE payment_order_status = 'FAILED') AS failed,
         max(psp_token) FILTER (WHERE payment_order_status = 'SUCCESS' AND amount_minor = 1250) AS token
       FROM payment_orders`,
    );
    const { all, failed, token } = counted[0]!;
    expect(await rows.count()).toBe(Number(all));
    await shot('finance-payments', finance);
    await finance.getByLabel('Status').selectOption('failed');
    await finance.getByRole('button', { name: 'Search' }).click();
    await expect.poll(() => rows.count()).toBe(Number(failed));
    expect(finance.url()).toContain('#/payments?status=FAILED');
    await finance.reload();
    await expect.poll(() => rows.count()).toBe(Number(failed));
    await finance.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => rows.count()).toBe(Number(all));
    await finance.getByLabel('Payment, refund or reference').fill('of nobody');
    await finance.getByRole('button', { name: 'Search' }).click();
    await finance.getByText('No payment matches.').waitFor();
    await finance.getByLabel('Payment, refund or reference').fill(token);
    await finance.getByRole('button', { name: 'Search' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole('link').click();
    await finance.getByRole('heading', { name: /^12\.50 EUR to / }).waitFor();
    const entries = await finance.locator('.timeline li').allInnerTexts();
    expect(entries[0]).toContain('Submitted 12.50 EUR');
    expect(entries.join(' ')).toMatch(
      /Status: succeeded.*Posted: capture 12\.50 EUR from DE89370400440532013000 to Owed by the provider/s,
    );
    await finance.getByRole('button', { name: 'Show settlement and payouts' }).click();
    await finance.getByRole('cell', { name: 'browser 1' }).waitFor();
    const ofPayout = finance.getByText(
      'Reserved: payout 5.00 EUR from Bank account to DE89370400440532013000',
    );
    await ofPayout.waitFor();
    await shot('finance-payment', finance);
    await finance.goBack();
    await expect.poll(() => rows.count()).toBe(1);
    await finance.getByRole('link', { name: 'Balances' }).click();
    await finance.getByText('EUR: assets and expenses equal liabilities and revenue').waitFor();
    await finance.getByRole('cell', { name: 'Owed by the provider' }).waitFor();
    await shot('finance-balances', finance);
    await finance.getByRole('link', { name: 'Audit log' }).click();
    await finance.getByRole('cell', { name: 'decided on a mismatch' }).waitFor();
    await finance.getByLabel('Only of (subject of a token)').fill('demo-controller');
    await finance.keyboard.press('Enter');
    await expect.poll(() => finance.getByRole('cell', { name: 'decided on a mismatch' }).count()).toBe(0);
    await finance.getByRole('cell', { name: 'approved a decision' }).waitFor();
    await shot('finance-audit', finance);
    await finance.close();
  });

  it('finance reads Swedish or German where the browser prefers it', async () => {
    for (const [language, heading, column, title, settlement, reserved] of [
      ['de', 'Zahlungen', 'Käufer', 'Meridian Finanzen', 'Abrechnung und Auszahlungen zeigen', 'Vorgemerkt'],
      ['sv', 'Betalningar', 'Köpare', 'Meridian Ekonomi', 'Visa avräkning och utbetalningar', 'Reserverad'],
    ] as const) {
      const finance = await open(`${platform.internalUrl}/finance/?lang=${language}#/payments`, {
        width: 390,
        height: 844,
      });
      await finance.getByRole('heading', { name: heading }).waitFor();
      await finance.getByRole('columnheader', { name: column, exact: true }).waitFor();
      expect(await finance.evaluate('document.documentElement.lang')).toBe(language);
      expect(await finance.title()).toBe(title);
      expect(await finance.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await finance.locator('tbody a').last().click();
      await finance.locator('.timeline li').first().waitFor();
      await finance.getByRole('button', { name: settlement }).click();
      await finance.getByText(reserved).first().waitFor();
      expect(await finance.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await shot(`finance-payment-phone-${language}`, finance);
      await finance.close();
    }
  });

  it('the console logged no error meanwhile', () => {
    expect(trouble).toEqual([]);
  });
});

/** A settlement file of today, of one line. */
function settlement(line: string): Buffer {
  const day = new Date(new Date().toISOString().slice(0, 10));
  const next = new Date(day.getTime() + 86_400_000).toISOString();
  const body = `meridian-settlement,1,browser,psp,${day.toISOString()},${next},${next}\n${line},${new Date().toISOString()}\n`;
  const fields = line.split(',');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return Buffer.from(`${body}end,1,${fields[4]},${fields[5]},${sha256}\n`);
}
