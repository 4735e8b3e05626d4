import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSettings } from '#cli/doctor/configuration.js';
import { unsettledProviders } from '#cli/settlement-accounts.js';
import { startProgram } from '../main-job/running-platform.js';

const fault =
  'SETTLEMENT_ACCOUNTS does not name stripe, so nobody compares what stripe settles with our books';
const stripe = {
  STRIPE_API_KEY: 'sk_test_nobody',
  STRIPE_WEBHOOK_SECRETS: `whsec_${'a'.repeat(32)}`,
  // Nothing listens there, and nothing is charged in this test.
  STRIPE_BASE_URL: 'https://127.0.0.1:1',
  STRIPE_FILES_URL: 'https://127.0.0.1:1',
};

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'meridian-settlement-accounts-'));
});
afterAll(() => rm(data, { recursive: true, force: true }));

describe('a provider that settles orders without an account of ours', () => {
  it.each([
    ['psp', ['psp'], []],
    ['psp', ['psp', 'stripe'], [{ fault, advice: 'set SETTLEMENT_ACCOUNTS=psp,stripe' }]],
    ['psp:EUR+USD', ['stripe'], [{ fault, advice: 'set SETTLEMENT_ACCOUNTS=psp:EUR+USD,stripe' }]],
    ['psp,stripe:EUR', ['psp', 'stripe'], []],
    ['wrong:ABC', ['stripe'], []],
  ])('SETTLEMENT_ACCOUNTS=%s with %j', (setting, names, expected) => {
    expect(unsettledProviders(names, { SETTLEMENT_ACCOUNTS: setting })).toEqual(expected);
  });

  it('is in the log of a program that starts with it', async () => {
    const program = await startProgram('payment', { data, env: stripe });
    try {
      expect(program.output()).toContain(`${fault}: set SETTLEMENT_ACCOUNTS=psp,stripe`);
      expect(program.output().match(/SETTLEMENT_ACCOUNTS does not name/g)).toHaveLength(1);
    } finally {
      await program.stop();
    }
  }, 120_000);

  it('is a warning of meridian doctor, and a wrong setting a failure', () => {
    const found = (env: Readonly<Record<string, string>>) =>
      checkSettings(env).findings.filter(({ state }) => state !== 'ok');
    expect(found(stripe)).toEqual([
      { check: 'settings', state: 'warning', detail: fault, advice: 'Set SETTLEMENT_ACCOUNTS=psp,stripe.' },
    ]);
    expect(found({ ...stripe, SETTLEMENT_ACCOUNTS: 'stripe' })).toEqual([]);
    expect(found({})).toEqual([]);
    expect(found({ SETTLEMENT_ACCOUNTS: 'psp:XYZ1' })).toMatchObject([{ state: 'failed' }]);
  });
});
