import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Context } from '#cli/context.js';
import { openConfiguredProviders } from '#cli/start/open-providers.js';
import { paymentSettingsOf } from '#cli/start/payment-settings-of.js';
import type { ListenerUrls } from '#cli/start/serve.js';
import { pspLimits } from '#payment/psp/limits.js';
import { type PaymentSettings, paymentDefaults } from '#payment/settings/settings.js';
import { makeCertificate } from '#payment-simulator/certificate.js';
import { paymentSettings } from '#platform/config/payment-settings.js';
import { readConfig } from '#platform/config/read-config.js';
import { type Config, settings } from '#platform/config/settings.js';
import { proves } from '#tools/acceptance/proves.js';

function configOf(environment: Readonly<Record<string, string>>): Config {
  const outcome = readConfig(settings, environment);
  if (!outcome.ok) throw new Error(outcome.faults.join(' '));
  return outcome.config;
}

type Read = (settings: PaymentSettings) => unknown;

/** Another value than the default, and what payments then read. */
const readBack: Readonly<Record<string, readonly [text: string, Read, read: unknown]>> = {
  PAYMENT_STRICT_KEYS: ['true', (all) => all.strictIdempotency, true],
  PAYMENT_RETRY: ['fixed', (all) => all.retry.strategy, 'fixed'],
  PAYMENT_ATTEMPTS: ['3', (all) => all.retry.attemptsMax, 3],
  PAYMENT_RETRY_FIRST_MS: ['20', (all) => all.retry.firstMs, 20],
  PAYMENT_RETRY_CAP_MS: ['200', (all) => all.retry.capMs, 200],
  PAYMENT_ANSWER_WAIT_MS: ['50', (all) => all.answerWaitMs, 50],
  PAYMENT_PAGE_S: ['60', (all) => all.registrationMs, 60_000],
  PAYMENT_OVERDUE_S: ['30', (all) => all.overdueMs, 30_000],
  WEBHOOK_TOLERANCE_S: ['10', (all) => all.webhookToleranceMs, 10_000],
  PAYMENTS_PER_BUYER: ['2', (all) => all.reviewAfterEventsPerHour, 2],
  PAYMENTS_PER_BUYER_MAX: ['90', (all) => all.blockAfterEventsPerHour, 90],
  PAYMENTS_PER_SELLER: ['7', (all) => all.eventsPerSellerAMinute, 7],
  PAYMENTS_PER_SELLER_OF: ['a=5', (all) => [...all.eventsPerSellerAMinuteOf], [['a', 5n]]],
  PAYMENT_REVIEW_ABOVE: ['500', (all) => all.reviewAboveMinor, 500n],
  PAYMENT_REVIEW_ABOVE_OF: ['a=5', (all) => [...all.reviewAboveMinorOf], [['a', 5n]]],
  REVIEW_SECOND_PERSON_ABOVE: ['500', (all) => all.reviewSecondPersonAboveMinor, 500n],
  SECOND_PERSON_ABOVE: ['500', (all) => all.secondPersonAboveMinor, 500n],
  REFUND_SECOND_PERSON_ABOVE: ['500', (all) => all.refundSecondPersonAboveMinor, 500n],
  REFUNDS_ALONE_IN_A_DAY: ['500', (all) => all.refundsAloneInADayMinor, 500n],
  SETTLEMENT_DUE_HOURS: ['36', (all) => all.settlementDueAfterMs, 36 * 3_600_000],
};
/** Addresses, keys and routes, which have tests of their own, and the time-out below. */
const others =
  /^(?:PSP|STRIPE|RISK)_|^PAYMENT_(?:ROUTES|RETURN_URL)$|^SETTLEMENT_ACCOUNTS$|^PROVIDER_TIMEOUT_MS$/;

proves('P-130', {
  asked: 'all thresholds, intervals, time-outs and limits have documented defaults, each read back',
  shown: 'twenty settings: the default, another value; the time-out against a silent provider below',
  missing: 'leases, intervals of queries and retention of keys: documented constants, not configuration',
  control: {
    in: 'cli/start/payment-settings-of.ts',
    change: '      capMs: config.PAYMENT_RETRY_CAP_MS,\n',
    to: '',
  },
});
it('P-130: each threshold, interval and limit has a documented default and is read back', () => {
  const named = Object.keys(paymentSettings).filter((name) => !others.test(name));
  expect(Object.keys(readBack).toSorted()).toEqual(named.toSorted());
  expect(paymentSettingsOf(configOf({}))).toEqual(paymentDefaults);
  for (const [name, [text, read, value]] of Object.entries(readBack)) {
    expect(read(paymentSettingsOf(configOf({ [name]: text }))), name).toEqual(value);
    expect(read(paymentDefaults), name).not.toEqual(value);
    expect(settings[name as keyof typeof paymentSettings].doc.length, name).toBeGreaterThan(20);
  }
});

it('P-130: a provider that says nothing is given up after PROVIDER_TIMEOUT_MS', async () => {
  expect(configOf({}).PROVIDER_TIMEOUT_MS).toBe(pspLimits.timeoutMs);
  const { key, certificate, pin } = makeCertificate('a provider', Date.now());
  const silent = createServer({ key, cert: certificate }, () => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const authorities = join(tmpdir(), `provider-${process.pid}.pem`);
  writeFileSync(authorities, certificate);
  onTestFinished(() => rmSync(authorities));
  const config = configOf({
    PSP_BASE_URL: `https://localhost:${(silent.address() as AddressInfo).port}`,
    PSP_API_KEY: 'key',
    PSP_PINS: pin,
    PSP_AUTHORITIES: authorities,
    WEBHOOK_SECRETS: 'a-secret-of-the-provider',
    PROVIDER_TIMEOUT_MS: '200',
  });
  const urls = { publicUrl: 'http://localhost', localUrl: 'http://localhost' };
  const { providers } = await openConfiguredProviders({ config } as Context, urls as ListenerUrls);
  onTestFinished(() => providers.close());
  const order = {
    nonce: 'n-1',
    amountMinor: 1n,
    currency: 'EUR',
    expiresMs: Date.now() + 60_000,
    attempt: 1,
  };
  const answer = await providers.of('psp')!.query(order);
  expect(answer).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('200 ms') });
});
