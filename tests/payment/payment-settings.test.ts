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
import { paymentDefaults } from '#payment/settings/settings.js';
import { makeCertificate } from '#payment-simulator/certificate.js';
import { paymentFaults } from '#platform/config/payment-setting-faults.js';
import { paymentSettings } from '#platform/config/payment-settings.js';
import { readConfig } from '#platform/config/read-config.js';
import { type Config, settings } from '#platform/config/settings.js';
import { proves } from '#tools/acceptance/proves.js';
import { isLimit, readBack } from './payment-settings-read-back.js';

function configOf(environment: Readonly<Record<string, string>>): Config {
  const outcome = readConfig(settings, environment);
  if (!outcome.ok) throw new Error(outcome.faults.join(' '));
  return outcome.config;
}

proves('P-130', {
  asked: 'all thresholds, intervals, time-outs and limits have documented defaults, each read back',
  shown:
    'each of 96 settings: its default, and another value, which is read back from the options or the rate',
  control: {
    in: 'cli/start/payment-settings-of.ts',
    change: 'leaseMs: config.PAYMENT_LEASE_MS,',
    to: 'leaseMs: 15_000,',
  },
});
it('P-130: each threshold, interval and limit has a documented default and is read back', () => {
  const named = Object.keys(paymentSettings).filter(isLimit);
  expect(Object.keys(readBack).toSorted()).toEqual(named.toSorted());
  const defaults = configOf({});
  expect(paymentSettingsOf(defaults)).toEqual(paymentDefaults);
  expect(defaults.RATE_PER_MERCHANT).toBe(600_000);
  for (const [name, [text, read, value]] of Object.entries(readBack)) {
    const config = configOf({ [name]: text });
    expect(read(paymentSettingsOf(config), config), name).toEqual(value);
    expect(read(paymentDefaults, defaults), name).not.toEqual(value);
    expect(paymentFaults(config), name).toEqual([]);
    expect(settings[name as keyof typeof paymentSettings].doc.length, name).toBeGreaterThan(20);
  }
});

it('P-130: no option of the program has a value that no setting reads', () => {
  const options = (object: object): string[] =>
    Object.entries(object).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null && !(value instanceof Map)
        ? options(value as object).map((inner) => `${key}.${inner}`)
        : [key],
    );
  const valueAt = (object: object, path: string): unknown =>
    path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], object);
  const all = Object.entries(readBack).map(([name, [text]]) => paymentSettingsOf(configOf({ [name]: text })));
  for (const path of options(paymentDefaults)) {
    const before = JSON.stringify(valueAt(paymentDefaults, path), shown);
    const others = all.filter((read) => JSON.stringify(valueAt(read, path), shown) !== before);
    expect(others.length, path).toBe(1);
  }
});
const shown = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value instanceof Map ? [...value] : value;

it('P-130: a value beyond its bounds is refused with one sentence', () => {
  for (const name of Object.keys(readBack)) {
    const outcome = readConfig(settings, { [name]: '-1' });
    const refused = name.endsWith('_OF') ? [] : [expect.stringMatching(`^${name} (?:must|does not) `)];
    expect(outcome.ok ? [] : outcome.faults, name).toEqual(refused);
  }
});

it('P-130: a provider that says nothing is given up after PROVIDER_TIMEOUT_MS', async () => {
  expect(configOf({}).PROVIDER_TIMEOUT_MS).toBe(paymentDefaults.provider.timeoutMs);
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
