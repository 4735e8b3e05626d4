import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpsPayablesProvider } from '#payment/payouts/https-payables-provider.js';
import type { PayablesProvider } from '#payment/payouts/payables-provider.js';
import { type PinnedHttps, pinnedHttps } from '#payment/psp/pinned-https.js';
import type { FaultPlan } from '#payment-simulator/faults.js';
import type { RecordLine } from '#payment-simulator/record.js';
import { type SpawnedPsp, spawnPsp } from '#payment-simulator/spawn-psp.js';
import { eur } from './ledger-database.js';

let folder: string;
let psp: SpawnedPsp;
let https: PinnedHttps;
let provider: PayablesProvider;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-payables-'));
  psp = await spawnPsp({
    folder,
    seed: 1,
    apiKey: 'sk_test_payables',
    webhookSecrets: [`whsec_${'A'.repeat(32)}`],
  });
  const { url, certificate, pin } = psp.addresses;
  https = pinnedHttps({
    baseUrl: url,
    apiKey: 'sk_test_payables',
    pins: [pin],
    authorities: certificate,
    timeoutMs: 500,
  });
  provider = httpsPayablesProvider(https);
});
afterAll(async () => {
  https?.close();
  await psp?.close();
  await rm(folder, { recursive: true });
});

const control = async (path: string, body?: object) =>
  fetch(new URL(path, psp.addresses.controlUrl), {
    ...(body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
const faults = (plan: Partial<FaultPlan>) => control('/faults', plan);
const paidOf = async (nonce: string) => {
  const lines = (await (await control('/record')).json()) as RecordLine[];
  return lines.filter((line) => line.kind === 'payout' && line.payout.nonce === nonce).length;
};
const payable = (payoutId: string, sellerAccount = 'DE02') => ({
  payoutId,
  sellerAccount,
  amount: eur(1_234),
});

describe('payables provider over HTTPS', () => {
  test('pays once for an id, however often it is requested', async () => {
    const first = await provider.pay(payable('p-1'));
    expect(first).toMatchObject({ kind: 'paid' });
    expect(await provider.pay(payable('p-1'))).toEqual(first);
    expect(await provider.find('p-1')).toEqual(first);
    expect(await paidOf('p-1')).toBe(1);
  });

  test('P-004: a closed account is a failure with its code; an unknown id is absent', async () => {
    expect(await provider.pay(payable('p-2', 'CLOSED-1'))).toMatchObject({
      kind: 'failed',
      code: 'account_closed',
    });
    expect(await provider.find('p-never')).toEqual({ kind: 'absent' });
  });

  test.each(['drop-after', 'delay-after', 'error-after', 'garbage-after'] as const)(
    'D10: with the response lost by %s the outcome is unknown, and a query shows it was paid',
    async (fault) => {
      const id = `p-${fault}`;
      await faults({ next: [{ operation: 'payouts', fault }], delayMs: 2_000 });
      expect(await provider.pay(payable(id))).toMatchObject({ kind: 'unknown' });
      expect(await provider.find(id)).toMatchObject({ kind: 'paid' });
      expect(await paidOf(id)).toBe(1);
    },
  );

  test.each(['drop-before', 'error-before', 'busy'] as const)(
    'D10: with the request lost by %s the outcome is unknown, and a query shows it was not',
    async (fault) => {
      const id = `p-${fault}`;
      await faults({ next: [{ operation: 'payouts', fault }] });
      expect(await provider.pay(payable(id))).toMatchObject({ kind: 'unknown' });
      expect(await provider.find(id)).toEqual({ kind: 'absent' });
      expect(await paidOf(id)).toBe(0);
    },
  );

  test('the same id with another amount is not a failure: the first was paid', async () => {
    await provider.pay(payable('p-3'));
    expect(await provider.pay({ ...payable('p-3'), amount: eur(99) })).toMatchObject({ kind: 'unknown' });
    expect(await provider.find('p-3')).toMatchObject({ kind: 'paid' });
  });
});
